package source

import (
	"regexp"

	"quartier/schemas/reason"
)

// inMinutes matches coordinates with minutes, seconds or a letter of the hemisphere: 45°25'30"N, 45 25.5 N, 75:41:51, W75.69.
var inMinutes = regexp.MustCompile(`(?i)^[nsewo]?\s*[-+−]?\s*\d{1,3}(?:[.,]\d+)?\s*[°º˚d:]?\s*` +
	`(?:\d{1,2}(?:[.,]\d+)?\s*['′’m:]?\s*)?(?:\d{1,2}(?:[.,]\d+)?\s*(?:["″”s]|''|′′|’’)?)?\s*[nsewo]?$`)

var onlyDigits = regexp.MustCompile(`^[-+−]?[\d.,]+$`)

// CoordinateFault returns the reason of a text that is not a decimal number in place of a coordinate.
func CoordinateFault(text string) reason.Reason {
	if inMinutes.MatchString(text) && !onlyDigits.MatchString(text) {
		return CoordinateInMinutes
	}
	return InvalidCoordinate
}

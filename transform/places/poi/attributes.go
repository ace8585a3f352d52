package poi

import (
	"unicode/utf8"

	"quartier/schemas/place"
	"quartier/transform/places/normalize"
)

// attributes are those of a record as the release shows them. What has no meaning here is not known.
func attributes(r place.Attributes) place.Attributes {
	return place.Attributes{
		OpeningHours: short(r.OpeningHours),
		Wheelchair:   wheelchair[normalize.Space(r.Wheelchair)],
	}
}

// wheelchair are the values of OpenStreetMap that say who can use a place; others do not.
var wheelchair = map[string]string{"yes": "yes", "designated": "yes", "limited": "limited", "no": "no"}

// short is a text without unnecessary white space and control characters; "" if it is longer than attributes may be, since a part
// of it may say something else.
func short(text string) string {
	if text = normalize.Space(text); utf8.RuneCountInString(text) > place.MaxLength {
		return ""
	}
	return text
}

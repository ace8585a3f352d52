// Package address converts names and codes of states and countries, as publishers write them, to the two-letter codes of
// the staged tables; "" if they are not known.
package address

import (
	"strings"

	"quartier/schemas"
)

// State returns the code of a Canadian province or a US state by its code, its ISO 3166-2 code or its name in English or
// French, in any case.
func State(text string) string {
	text = strings.TrimSpace(text)
	if country, code, found := strings.Cut(text, "-"); found && Country(country) != "" && len(country) == 2 {
		text = code
	}
	for _, s := range schemas.States {
		if strings.EqualFold(text, s.Code) || strings.EqualFold(text, s.Name.EN) || strings.EqualFold(text, s.Name.FR) {
			return s.Code
		}
	}
	return ""
}

// Country returns CA or US by its code or English name, in any case; "" for other countries.
func Country(text string) string {
	switch strings.ToUpper(strings.TrimSpace(text)) {
	case "CA", "CAN", "CANADA":
		return "CA"
	case "US", "USA", "UNITED STATES", "UNITED STATES OF AMERICA", "ÉTATS-UNIS":
		return "US"
	}
	return ""
}

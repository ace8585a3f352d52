// Package address converts names and codes of states and countries, as publishers write them, to the two-letter codes of
// the staged tables; "" if they are not known.
package address

import (
	"regexp"
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

// Names are the names and the code of a province or state, given as any of them; nil if it is not known.
func Names(text string) []string {
	code := State(text)
	for _, s := range schemas.States {
		if s.Code == code {
			return []string{s.Name.EN, s.Name.FR, s.Code}
		}
	}
	return nil
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

// Complete returns the country and state of a row, by code or name, with those of the region for a row without: the
// region's state only where the row is in its country and has no state, even an unknown one.
func Complete(country, state, regionCountry, regionState string) (countryCode, stateCode string) {
	countryCode, stateCode = Country(country), State(state)
	_, ours := schemas.StateName(regionCountry, stateCode)
	if country == "" && (state == "" || ours) {
		countryCode = regionCountry
	}
	if state == "" && countryCode == regionCountry {
		stateCode = regionState
	}
	return countryCode, stateCode
}

var (
	zip    = regexp.MustCompile(`^(\d{3,5})(?:\s*-\s*\d{0,4})?(?:\.0)?$`)
	long   = regexp.MustCompile(`^(\d{5})\d{4}(?:\.0)?$`)
	postal = regexp.MustCompile(`^([A-Z]\d[A-Z])[ -]?(\d[A-Z]\d)$`)
)

// PostalCode returns 98105 of 98105-4341 and 981054341, and K1A 0B1 of k1a0b1; "" of other texts. Zeros that a spreadsheet removed at the
// beginning are restored.
func PostalCode(text string) string {
	text = strings.ToUpper(strings.TrimSpace(text))
	if m := postal.FindStringSubmatch(text); m != nil {
		return m[1] + " " + m[2]
	}
	if m := long.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	if m := zip.FindStringSubmatch(text); m != nil {
		return strings.Repeat("0", 5-len(m[1])) + m[1]
	}
	return ""
}

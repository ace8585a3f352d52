package reso

import (
	"strings"
	"unicode"
)

// abbreviations are words of addresses as the postal service shortens them.
var abbreviations = map[string]string{
	"ALLEY": "ALY", "AVENUE": "AVE", "AV": "AVE", "BOULEVARD": "BLVD", "CIRCLE": "CIR", "COURT": "CT", "COVE": "CV", "CRESCENT": "CRES",
	"CROSSING": "XING",
	"DRIVE":    "DR", "EXPRESSWAY": "EXPY", "FREEWAY": "FWY", "HEIGHTS": "HTS", "HIGHWAY": "HWY", "HOLLOW": "HOLW", "LANE": "LN",
	"MOUNT":   "MT",
	"PARKWAY": "PKWY", "PLACE": "PL", "PLAZA": "PLZ", "POINT": "PT", "ROAD": "RD", "SAINT": "ST", "SQUARE": "SQ", "STREET": "ST", "STR": "ST",
	"TERRACE": "TER",
	"TRAIL":   "TRL", "TURNPIKE": "TPKE", "NORTH": "N", "SOUTH": "S", "EAST": "E", "WEST": "W", "NORTHEAST": "NE", "NORTHWEST": "NW",
	"SOUTHEAST": "SE", "SOUTHWEST": "SW",
}

// unitWords begin the unit in an address on one line.
var unitWords = map[string]bool{"APT": true, "APARTMENT": true, "UNIT": true, "STE": true, "SUITE": true, "#": true, "RM": true, "FL": true,
	"PH": true}

// address returns the folded address without the unit, with postal code or city, and the folded unit; "" where the record
// has no number and street.
//
//	8665 15TH   AVENUE, 11228   → 8665 15TH AVE 11228
//	12 North Main Street Apt 4B → 12 N MAIN ST … and 4B
func (d *decoder) address(postal string) (line, unit string) {
	text := d.v[unparsedAddress]
	if d.v[streetName] != "" && d.v[streetNumber] != "" {
		text = strings.Join([]string{d.v[streetNumber], d.v[streetDirPrefix], d.v[streetName], d.v[streetSuffix], d.v[streetDirSuffix]}, " ")
	}
	if text == "" {
		return "", ""
	}
	area := postal
	if area == "" {
		area = strings.Join(addressWords(d.v[city]), " ")
	}
	text, rest, _ := strings.Cut(text, ",")
	words := addressWords(text)
	if len(words) < 2 || !strings.ContainsFunc(words[0], unicode.IsDigit) || area == "" {
		return "", ""
	}
	words, inline := cutUnit(words)
	if inline == "" && d.v[streetName] == "" { // 12 Main St, Apt 4, Seattle
		second, _, _ := strings.Cut(rest, ",")
		if after := addressWords(second); len(after) > 0 && (unitWords[after[0]] || strings.HasPrefix(after[0], "#")) {
			_, inline = cutUnit(append([]string{"", ""}, after...))
		} else if looksLikeUnit(second) {
			inline = strings.Join(after, "")
		}
	}
	for i, word := range words {
		if short := abbreviations[word]; short != "" && i > 0 {
			words[i] = short
		}
	}
	unit = foldUnit(d.v[unitNumber])
	if unit == "" {
		unit = inline
	}
	return strings.Join(words, " ") + " " + area, unit
}

// looksLikeUnit reports whether the second part of an address is a unit without a word for it, such as 4B or 512: short and
// with a digit.
func looksLikeUnit(text string) bool {
	text = strings.TrimSpace(text)
	return len(text) <= 5 && strings.ContainsAny(text, "0123456789")
}

// addressWords splits a text into words in capitals without punctuation.
func addressWords(text string) []string {
	return strings.FieldsFunc(strings.ToUpper(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '#' && r != '-' && r != '/' && r != '\''
	})
}

// cutUnit splits the words of an address at the word for a unit.
func cutUnit(words []string) (line []string, unit string) {
	for i := 2; i < len(words); i++ {
		switch {
		case unitWords[words[i]] && i+1 < len(words):
			return words[:i], foldUnit(strings.Join(words[i+1:], ""))
		case strings.HasPrefix(words[i], "#") && len(words[i]) > 1:
			return words[:i], foldUnit(strings.Join(words[i:], ""))
		}
	}
	return words, ""
}

// foldUnit leaves letters and digits of a unit, without the word for it: Apt. #4-B is 4B.
func foldUnit(text string) string {
	words := addressWords(text)
	if len(words) > 1 && unitWords[words[0]] {
		words = words[1:]
	}
	return lettersAndDigits(strings.Join(words, ""))
}

func lettersAndDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToUpper(r)
		}
		return -1
	}, text)
}

// parcel is the folded number of a parcel with its county and state; "" where there is no number, or a placeholder for one,
// such as 0 or N/A. A number that the options make of several columns keeps what is between them.
func (d *decoder) parcel(state string) string {
	folded := lettersAndDigits(d.v[parcelNumber])
	if len(folded) < 3 || strings.Trim(folded, "0") == "" || strings.Trim(folded, "9") == "" || !strings.ContainsAny(folded, "0123456789") {
		return ""
	}
	if strings.Contains(d.template[parcelNumber], "{") {
		folded = strings.Join(addressWords(strings.ReplaceAll(d.v[parcelNumber], "/", " ")), "-")
	}
	where := lettersAndDigits(strings.TrimSuffix(strings.ToUpper(d.v[county]), " COUNTY"))
	return state + "/" + where + "/" + folded
}

package schools

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quartier/transform/places/normalize"
)

// mostRunes is the greatest number of characters of a text of a school.
const mostRunes = 256

// cutText is a text on one line of at most mostRunes characters, cut after a word.
func cutText(text string) string {
	text = normalize.Space(text)
	if utf8.RuneCountInString(text) <= mostRunes {
		return text
	}
	runes := []rune(text)
	end := mostRunes
	for end > 0 && !unicode.IsSpace(runes[end]) {
		end--
	}
	if end == 0 { // one word
		end = mostRunes
	}
	return strings.TrimRightFunc(string(runes[:end]), func(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == ';' })
}

// webText is a web address; "" if it is longer than mostRunes, because a cut one leads nowhere.
func webText(text string) string {
	if text = normalize.WebAddress(text); utf8.RuneCountInString(text) > mostRunes {
		return ""
	}
	return text
}

// phoneText is '206-252-0000', in the United States alone.
func phoneText(text, country string) string {
	number, ok := strings.CutPrefix(normalize.Phone(text), "+1 ")
	if !ok || country != "US" {
		return ""
	}
	return number
}

// postalText is 'K1A 0B1' or five digits.
func postalText(text, country string) string {
	code := normalize.PostalCode(text, country)
	if country == "US" {
		return code[:min(len(code), 5)]
	}
	return code
}

// programsText is the JSON array of the programs of all lists, each once; "" if there are none.
func programsText(lists []string) string {
	var all []string
	for _, list := range lists {
		var programs []string
		if json.Unmarshal([]byte(list), &programs) != nil {
			continue
		}
		for _, p := range programs {
			if p = cutText(p); p != "" && !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	if all == nil {
		return ""
	}
	text, _ := json.Marshal(all) // of texts
	return string(text)
}

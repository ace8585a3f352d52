package address

import "strings"

// takePostal takes a postal code: K1A 0B1, K1A, 97210, 97210-1234. Five digits that begin an address are its number, alone they
// are a postal code.
func (r *reader) takePostal() bool {
	if r.a.Postal != "" || len(r.words) == 0 {
		return false
	}
	end := r.words[len(r.words)-1]
	if two, ok := r.last(2); ok {
		if code := canadian(strings.ReplaceAll(two, " ", "")); code != "" && len(code) == 6 {
			r.a.Postal = code
			r.drop(2)
			return true
		}
		if n := len(r.words); len(two) == 10 && digits(two[:5]) && digits(two[6:]) &&
			(end.dash || n > 2 && known.regions[r.words[n-3].text] != (Region{})) {
			r.a.Postal = two[:5]
			r.drop(2)
			return true
		}
	}
	if code := canadian(end.text); code != "" {
		r.a.Postal = code
		r.drop(1)
		return true
	}
	state := end.text[:min(2, len(end.text))]
	if len(end.text) == 7 && digits(end.text[2:]) && known.regions[state].Country == "US" { // OR97301
		r.a.Postal = end.text[2:]
		r.words[len(r.words)-1].text = state
		return true
	}
	if n := len(r.words); n > 3 && len(end.text) == 4 && digits(end.text) { // CT 6103 of a table of numbers
		if in := known.regions[r.words[n-2].text]; in.Country == "US" && strings.Contains(zips[0], in.Code) {
			r.a.Postal = "0" + end.text
			r.drop(1)
			return true
		}
	}
	zip := (len(end.text) == 5 || len(end.text) == 9) && digits(end.text)
	alone := len(r.words) == 1 && len(end.text) == 5 && !r.begun && r.number == (Number{})
	if zip && (alone || len(r.words) > 1 && r.beforeZIP(r.words[len(r.words)-2].text) || end.comma) {
		r.a.Postal = end.text[:5]
		r.drop(1)
		return true
	}
	return false
}

// takeFirstPostal takes a postal code before all else: K1A 0B1 Ottawa, 94102-1234 San Francisco. Without its second half a ZIP code there
// can be a number, which a table decides.
func (r *reader) takeFirstPostal() {
	if r.a.Postal != "" || len(r.words) < 2 || r.begun {
		return
	}
	first, second := r.words[0].text, r.words[1]
	code, used := canadian(first), 1
	if len(first) == 3 && !second.comma {
		code, used = canadian(first+second.text), 2
	} else if second.dash && len(first) == 5 && len(second.text) == 4 && digits(first+second.text) && typeWithin(r.words, 2) < 0 {
		code, used = first, 2
	}
	if len(code) > 4 {
		r.a.Postal, r.words = code, r.words[used:]
		if len(r.words) > 0 {
			r.words[0].comma, r.words[0].dash = false, false
		}
	}
}

// beforeZIP reports whether a word may be before a ZIP code: a road with a number of five digits has its type there.
func (r *reader) beforeZIP(text string) bool {
	return !isType(text) || known.regions[text] != (Region{})
}

// canadian is a Canadian postal code or its first half in capitals; "" for other texts. Of a whole one with two figures the letters O,
// I and L, which are no figures but look like them, are read as those.
func canadian(text string) string {
	if len(text) != 6 && len(text) != 3 || strings.ContainsAny(text[:1], "dfioquwz") {
		return ""
	}
	code, figures := []byte(text), 0
	for i, c := range code {
		switch letter := 'a' <= c && c <= 'z'; {
		case i%2 == 0 && !letter:
			return ""
		case i%2 == 0:
		case '0' <= c && c <= '9':
			figures++
		case len(text) == 6 && c == 'o':
			code[i] = '0'
		case len(text) == 6 && (c == 'i' || c == 'l'):
			code[i] = '1'
		default:
			return ""
		}
	}
	if len(text) == 6 && figures < 2 {
		return ""
	}
	return strings.ToUpper(string(code))
}

// zips are the states by the first digit of their ZIP codes.
var zips = [10]string{"CT MA ME NH NJ NY PR RI VT VI", "DE NY PA", "DC MD NC SC VA WV", "AL FL GA MS TN", "IN KY MI OH",
	"IA MN MT ND SD WI", "IL KS MO NE", "AR LA OK TX", "AZ CO ID NM NV UT WY", "AK AS CA GU HI MP OR WA"}

// zipOf reports whether the postal code can be one of a region: 4405 Abby Ct, 45248 is not in Connecticut. True without a ZIP code.
func (r *reader) zipOf(at Region) bool {
	zip := r.a.Postal
	return zip == "" || zip[0] > '9' || strings.Contains(zips[zip[0]-'0'], at.Code)
}

package normalize

import (
	"net/url"
	"regexp"
	"strings"
	"unicode"
)

// Space collapses white space and removes control characters.
func Space(s string) string {
	clean := true
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// Address is the street address on one line; "" if there is no street.
func Address(number, street, line string) string {
	number, street, line = Space(number), Space(street), Space(line)
	switch {
	case street != "" && number != "":
		return number + " " + street
	case street != "":
		return street
	}
	return line
}

var (
	canadianCode = regexp.MustCompile(`^([ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z])[ -]?(\d[ABCEGHJ-NPRSTV-Z]\d)$`)
	zipCode      = regexp.MustCompile(`^(\d{5})(?:[- ]?(\d{4}))?$`)
)

// PostalCode is a code in the format of its country: 'A1A 1A1', '12345' or '12345-6789'; "" if it is not valid there.
func PostalCode(code, country string) string {
	code = strings.ToUpper(strings.TrimSpace(code))
	if country == "CA" {
		if m := canadianCode.FindStringSubmatch(code); m != nil {
			return m[1] + " " + m[2]
		}
		return ""
	}
	m := zipCode.FindStringSubmatch(code)
	switch {
	case m == nil:
		return ""
	case m[2] == "":
		return m[1]
	}
	return m[1] + "-" + m[2]
}

// Phone is the first of the published numbers: '+1 302-555-0100' for a North American number, else '+' and the digits
// of one with a country code; "" if it is neither.
func Phone(s string) string {
	if i := strings.IndexAny(s, ";,/"); i >= 0 {
		s = s[:i]
	}
	if i := strings.IndexAny(s, "xXeE"); i >= 0 {
		s = s[:i] // extension
	}
	var digits strings.Builder
	for _, r := range s {
		if r >= '0' && r <= '9' {
			digits.WriteRune(r)
		}
	}
	d := digits.String()
	international := strings.HasPrefix(strings.TrimSpace(s), "+")
	if len(d) == 11 && d[0] == '1' {
		d = d[1:]
		international = false
	}
	switch {
	case international && len(d) >= 7 && len(d) <= 15 && d[0] > '1':
		return "+" + d
	case !international && len(d) == 10 && d[0] >= '2' && d[3] >= '2':
		return "+1 " + d[:3] + "-" + d[3:6] + "-" + d[6:]
	}
	return ""
}

// WebAddress is the first of the published addresses, if it is http or https and has a host with a dot and no user
// name; else "". http is added to an address without scheme.
func WebAddress(s string) string {
	s = strings.TrimSpace(s)
	if i := strings.IndexAny(s, "; "); i >= 0 {
		s = s[:i]
	}
	if s == "" || len(s) > 2000 {
		return ""
	}
	if !strings.Contains(s, "://") {
		s = "http://" + s
	}
	u, err := url.Parse(s)
	if err != nil || u.User != nil || u.Opaque != "" {
		return ""
	}
	u.Scheme = strings.ToLower(u.Scheme)
	u.Host = strings.ToLower(u.Host)
	host := u.Hostname()
	if u.Scheme != "http" && u.Scheme != "https" || !strings.Contains(strings.Trim(host, "."), ".") {
		return ""
	}
	for _, r := range host {
		if r <= ' ' || strings.ContainsRune(`<>"'\^{}|`+"`", r) {
			return ""
		}
	}
	return u.String()
}

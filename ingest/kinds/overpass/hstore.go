package overpass

import (
	"errors"
	"strings"
)

var errHstore = errors.New("not an hstore")

// parseHstore reads PostgreSQL's text form of key-value pairs, "a"=>"b", "c"=>NULL. Pairs with the value NULL are
// skipped; of a duplicate key the first value is kept, as in PostgreSQL. With an error it returns the pairs before the
// error: exports through shapefiles truncate the text after 254 bytes.
func parseHstore(s string) (map[string]string, error) {
	pairs := map[string]string{}
	for rest := strings.TrimSpace(s); rest != ""; {
		key, quoted, after, err := hstoreToken(rest)
		if err != nil || (key == "" && !quoted) {
			return pairs, errHstore
		}
		after, found := strings.CutPrefix(strings.TrimLeft(after, " \t\n"), "=>")
		if !found {
			return pairs, errHstore
		}
		value, quoted, after, err := hstoreToken(strings.TrimLeft(after, " \t\n"))
		if err != nil || (value == "" && !quoted) {
			return pairs, errHstore
		}
		if _, twice := pairs[key]; !twice && (quoted || !strings.EqualFold(value, "NULL")) {
			pairs[key] = value
		}
		rest = strings.TrimLeft(after, " \t\n")
		if rest == "" {
			break
		}
		rest, found = strings.CutPrefix(rest, ",")
		rest = strings.TrimLeft(rest, " \t\n")
		if !found || rest == "" {
			return pairs, errHstore
		}
	}
	return pairs, nil
}

// hstoreToken reads one key or value, quoted or bare, and returns the rest.
func hstoreToken(s string) (token string, quoted bool, rest string, err error) {
	if !strings.HasPrefix(s, `"`) {
		end := strings.IndexAny(s, " \t\n,=>\"\\")
		if end < 0 {
			end = len(s)
		}
		return s[:end], false, s[end:], nil
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '"':
			return b.String(), true, s[i+1:], nil
		case '\\':
			if i++; i == len(s) {
				return "", true, "", errHstore
			}
		}
		b.WriteByte(s[i])
	}
	return "", true, "", errHstore
}

package serve

import (
	"quartier/schemas"
)

// Answers are put together from ready pieces: what the packs hold as JSON already, and these. Each body is one of the
// types in schemas, which the tests hold it to.

// openMeta is the JSON of the success meta about a resource without its closing brace.
func openMeta(resource string) []byte {
	meta, err := encode(schemas.NewMeta(resource, 200))
	if err != nil {
		panic(err) // two strings and an int always encode
	}
	return meta[:len(meta)-1]
}

// appendText appends s as a JSON string.
func appendText(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			quoted, err := encode(s)
			if err != nil {
				panic(err) // a string always encodes
			}
			return append(dst, quoted...)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}

// appendDeprecation appends a member for a superseded boundary version; nothing where d is nil.
func appendDeprecation(dst []byte, d *schemas.Deprecation) []byte {
	if d == nil {
		return dst
	}
	dst = append(dst, `,"deprecation":`...)
	return appendEncoded(dst, d)
}

// appendEncoded appends the JSON of a value made of strings.
func appendEncoded(dst []byte, value any) []byte {
	text, err := encode(value)
	if err != nil {
		panic(err) // strings always encode
	}
	return append(dst, text...)
}

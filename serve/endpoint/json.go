package endpoint

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"quartier/schemas"
)

// Answers are appended from fragments: JSON that the packs hold, and constants made once by the functions below. Each
// body is of one of the types in package schemas, from which the OpenAPI document is made; the server's conformance
// test checks the one against the other.

// OpenMeta is the JSON of the success meta of a resource, such as "scores", without its closing brace.
func OpenMeta(resource string) string { return open(schemas.NewMeta(resource, 200)) }

// OpenMetaBeta is OpenMeta for a resource whose interface is not final.
func OpenMetaBeta(resource string) string {
	return open(schemas.Meta{
		Message:    "Successfully called v3/" + resource + " API (beta: the interface can change without notice).",
		Type:       schemas.SuccessType,
		StatusCode: 200,
	})
}

func open(meta schemas.Meta) string {
	text := AppendEncoded(nil, meta)
	return string(text[:len(text)-1])
}

// Quote is s as a JSON string.
func Quote(s string) string { return string(AppendText(nil, s)) }

// Append appends fragments of JSON.
func Append(dst []byte, fragments ...string) []byte {
	for _, f := range fragments {
		dst = append(dst, f...)
	}
	return dst
}

// AppendComma appends a comma unless dst ends where a list or an object begins.
func AppendComma(dst []byte) []byte {
	if last := dst[len(dst)-1]; last == '[' || last == '{' {
		return dst
	}
	return append(dst, ',')
}

// AppendText appends s as a JSON string.
func AppendText(dst []byte, s string) []byte {
	ascii := true
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c == '"' || c == '\\' {
			return AppendEncoded(dst, strings.Clone(s)) // a copy, so that s need not be on the heap
		}
		ascii = ascii && c < utf8.RuneSelf
	}
	if !ascii && (!utf8.ValidString(s) || strings.Contains(s, "\u2028") || strings.Contains(s, "\u2029")) {
		return AppendEncoded(dst, strings.Clone(s))
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}

// AppendDeprecation appends a comma and the member "deprecation"; nothing where d is nil.
func AppendDeprecation(dst []byte, d *schemas.Deprecation) []byte {
	if d == nil {
		return dst
	}
	return AppendEncoded(append(dst, `,"deprecation":`...), d)
}

// AppendEncoded appends the JSON of a value of strings and integers, which always encodes.
func AppendEncoded(dst []byte, value any) []byte {
	text, err := Encode(value)
	if err != nil {
		panic(err)
	}
	return append(dst, text...)
}

// Encode returns compact JSON in which <, > and & are not escaped.
func Encode(v any) ([]byte, error) {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return []byte(strings.TrimSuffix(text.String(), "\n")), nil
}

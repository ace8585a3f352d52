package build

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"quartier/schemas"
)

// tagLabel is what people read for a tag: the words of its id. Cuisines are named alike in both languages.
func tagLabel(id string) schemas.Text {
	words := strings.ReplaceAll(id, "_", " ")
	first, size := utf8.DecodeRuneInString(words)
	label := string(unicode.ToUpper(first)) + words[size:]
	return schemas.Text{EN: label, FR: label}
}

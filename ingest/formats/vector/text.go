package vector

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
)

// plainDecimal formats a number without exponent and without a fraction of zeros, so that 123.0, 1.23e2 and 123 are the
// same key. Other text is returned unchanged.
func plainDecimal(number string) string {
	if strings.ContainsAny(number, "eE") {
		value, err := strconv.ParseFloat(number, 64)
		if err != nil {
			return number
		}
		number = strconv.FormatFloat(value, 'f', -1, 64)
	}
	whole, fraction, found := strings.Cut(number, ".")
	if found && strings.Trim(fraction, "0") == "" {
		return whole
	}
	return number
}

// decoder converts text of a dBASE file to UTF-8.
type decoder func([]byte) string

// encodingNamed returns the decoder for the text of a .cpg file or an option: "UTF-8", "1252", "ANSI 1252", "ISO-8859-1",
// "88591"; false where the name is not known.
func encodingNamed(name string) (decoder, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	name = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(name, "ansi"), "cp"))
	switch {
	case name == "utf-8" || name == "utf8" || name == "65001":
		return asUTF8, true
	case strings.HasPrefix(name, "8859") && len(name) > 4:
		name = "iso-8859-" + strings.TrimLeft(name[4:], "-_ ")
	case len(name) == 4 && strings.HasPrefix(name, "125"):
		name = "windows-" + name
	case name == "437":
		return from(charmap.CodePage437), true
	case name == "850":
		return from(charmap.CodePage850), true
	}
	found, err := htmlindex.Get(name)
	if err != nil {
		return nil, false
	}
	return from(found), true
}

func asUTF8(text []byte) string { return string(text) }

func from(e encoding.Encoding) decoder {
	return func(text []byte) string {
		decoded, err := e.NewDecoder().Bytes(text)
		if err != nil {
			return string(text)
		}
		return string(decoded)
	}
}

// guess decodes files without encoding, or with "ANSI": text that is valid UTF-8 is taken as UTF-8, because accented words
// in Windows-1252 almost never are, and other text as Windows-1252.
func guess(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	return windows1252(text)
}

var windows1252 = from(charmap.Windows1252)

package filekind

import (
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	for head, want := range map[string]string{
		"PK\x03\x04\x14\x00\x06\x00[Content_Types].xml": "an Excel workbook",
		"PK\x03\x04\x14\x00\x06\x00data.csv":            "a zip",
		"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\x00":          "an old Excel workbook",
		"%PDF-1.7":                                      "a PDF",
		"\xEF\xBB\xBF\n <!DOCTYPE HTML>":                "a page (HTML)",
		"<html lang=en>":                                "a page (HTML)",
		"SQLite format 3\x00":                           "an SQLite database",
		"lat,lng\n45,-75\n":                             "",
		"PK,name\n":                                     "",
		"":                                              "",
	} {
		if got := Of([]byte(head)); !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("%q is %q", head, got)
		}
	}
}

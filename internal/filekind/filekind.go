// Package filekind finds by its first bytes what a file is that was taken for a table of text.
package filekind

import "bytes"

// Head is how many bytes Of looks at.
const Head = 4096

// Of is what a file with these first bytes is, as messages call it; "" if it may be a table.
func Of(head []byte) string {
	head = head[:min(len(head), Head)]
	for _, known := range []struct{ begin, name string }{
		{"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "an old Excel workbook (.xls) or another document of Office; save it as .xlsx or CSV"},
		{"%PDF-", "a PDF; tables in it are not read"},
		{"SQLite format 3\x00", "an SQLite database; a GeoPackage has the ending .gpkg"},
		{"PAR1", "a Parquet file; give it the ending .parquet"},
		{"fgb\x03", "a FlatGeobuf file; give it the ending .fgb"},
	} {
		if bytes.HasPrefix(head, []byte(known.begin)) {
			return known.name
		}
	}
	if bytes.HasPrefix(head, []byte("PK\x03\x04")) {
		// the names of members are in their headers; the first ones of a workbook are at the beginning
		if bytes.Contains(head, []byte("xl/")) || bytes.Contains(head, []byte("[Content_Types].xml")) {
			return "an Excel workbook (.xlsx), not a table of text; give it the ending .xlsx, or save it as CSV"
		}
		return "a zip, not a table of text"
	}
	text := bytes.ToLower(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF")), " \t\r\n"))
	for _, begin := range []string{"<!doctype html", "<html", "<head", "<body"} {
		if bytes.HasPrefix(text, []byte(begin)) {
			return "a page (HTML), not a table; the server may have refused the download"
		}
	}
	return ""
}

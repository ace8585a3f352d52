// Package xlsxtest writes workbooks for tests.
package xlsxtest

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// Book is a workbook of one sheet for each text, whose rows are lines and whose cells are separated by bars: "name|lat". A cell
// that begins with "#" is a number, with "d" and a digit a date by its number, with "<" XML as it is; others are texts, those of
// the first sheet shared.
func Book(tb testing.TB, sheets ...string) []byte {
	tb.Helper()
	var shared []string
	files := map[string]string{
		"[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
		"xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd;@"/><numFmt numFmtId="165" ` +
			`formatCode="&quot;days&quot; 0.00"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs>` +
			`</styleSheet>`,
	}
	var list, relations strings.Builder
	for i, text := range sheets {
		fmt.Fprintf(&list, `<sheet name="Sheet%d" sheetId="%[1]d" r:id="r%[1]d"/>`, i+1)
		fmt.Fprintf(&relations, `<Relationship Id="r%d" Type="http://x/worksheet" Target="worksheets/sheet%[1]d.xml"/>`, i+1)
		var rows strings.Builder
		for n, line := range strings.Split(text, "\n") {
			fmt.Fprintf(&rows, `<row r="%d">`, n+1)
			for c, cell := range strings.Split(line, "|") {
				if i == 0 && cell != "" && !strings.ContainsAny(cell[:1], "#<d") {
					fmt.Fprintf(&rows, `<c r="%s" t="s"><v>%d</v></c>`, name(c, n), len(shared))
					shared = append(shared, cell)
					continue
				}
				rows.WriteString(xmlOf(cell, name(c, n)))
			}
			rows.WriteString("</row>")
		}
		files[fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1)] = "<worksheet><sheetData>" + rows.String() + "</sheetData></worksheet>"
	}
	files["xl/workbook.xml"] = `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>` +
		list.String() + `</sheets></workbook>`
	files["xl/_rels/workbook.xml.rels"] = "<Relationships>" + relations.String() + "</Relationships>"
	files["xl/sharedStrings.xml"] = "<sst><si><t>" + strings.Join(shared, "</t></si><si><t>") + "</t></si></sst>"
	return Zip(tb, files)
}

// name is that of a cell.
func name(column, row int) string { return fmt.Sprintf("%c%d", 'A'+column, row+1) }

func xmlOf(cell, name string) string {
	switch {
	case cell == "":
		return ""
	case cell[0] == '<':
		return cell
	case cell[0] == '#':
		return fmt.Sprintf(`<c r="%s"><v>%s</v></c>`, name, cell[1:])
	case cell[0] == 'd' && len(cell) > 1 && cell[1] >= '0' && cell[1] <= '9':
		return fmt.Sprintf(`<c r="%s" s="1"><v>%s</v></c>`, name, cell[1:])
	}
	return fmt.Sprintf(`<c r="%s" t="inlineStr"><is><r><t>%s</t></r><rPh><t>spoken</t></rPh></is></c>`, name, cell)
}

// Zip is an archive of these members.
func Zip(tb testing.TB, files map[string]string) []byte {
	tb.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	names := []string{"[Content_Types].xml"}
	for name := range files {
		if name != names[0] {
			names = append(names, name)
		}
	}
	for _, name := range names {
		member, err := w.Create(name)
		if err == nil {
			_, err = member.Write([]byte(files[name]))
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}

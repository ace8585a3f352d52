package xlsx_test

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"

	"quartier/internal/xlsx"
	"quartier/internal/xlsx/xlsxtest"
)

func text(t testing.TB, book []byte, sheet string) (string, error) {
	archive, err := zip.NewReader(bytes.NewReader(book), int64(len(book)))
	if err != nil {
		t.Fatal(err)
	}
	in, err := xlsx.Text(archive, sheet)
	if err != nil {
		return "", err
	}
	defer in.Close()
	all, err := io.ReadAll(in)
	return string(all), err
}

func TestText(t *testing.T) {
	first := "name|lat|lng|opened\nÉcole \"A\", B|#45.423099999999998|#-7.5690000000000001E1|d45292\n\n" +
		`Lined` + "|<c r=\"B4\" t=\"b\"><v>1</v></c>|<c r=\"C4\" t=\"e\"><v>#N/A</v></c>|d45292.5\n" +
		`<c r="C5" s="2"><v>12345678901234</v></c>` + "\n" + `<c r="A6" t="str"><f>A1</f><v>by formula</v></c>|#1E-7||d0.25`
	want := "\"name\",\"lat\",\"lng\",\"opened\"\n\"École \"\"A\"\", B\",45.4231,-75.69,2024-01-01\n\n" +
		"\"Lined\",TRUE,,2024-01-01T12:00:00\n,,12345678901234,\n\"by formula\",0.0000001,,06:00:00\n"
	book := xlsxtest.Book(t, first, "other|#1")
	for _, sheet := range []string{"", "Sheet1"} {
		if got, err := text(t, book, sheet); err != nil || got != want {
			t.Errorf("%v\n%s\nwant\n%s", err, got, want)
		}
	}
	if got, err := text(t, book, "Sheet2"); err != nil || got != "\"other\",1\n" {
		t.Errorf("%v %q", err, got)
	}
}

func TestRefused(t *testing.T) {
	sheet := func(text string) []byte { return xlsxtest.Book(t, text) }
	for name, c := range map[string]struct {
		book  []byte
		sheet string
		want  string
	}{
		"no such sheet":      {sheet("a"), "Data", `no such sheet "Data"; there are: Sheet1`},
		"no workbook":        {xlsxtest.Zip(t, map[string]string{"[Content_Types].xml": "", "a.csv": "a"}), "", "it has no xl/workbook.xml"},
		"a text that is not": {sheet(`<c r="A1" t="s"><v>-1</v></c>`), "", `row 1: a cell has the text number "-1" of 1`},
		"cells turned":       {sheet(`<c r="B1"><v>1</v></c>` + "|" + `<c r="A1"><v>1</v></c>`), "", `a cell has the name "A1"`},
		"a far cell":         {sheet(`<c r="ZZZZ1"><v>1</v></c>`), "", "a cell has the name"},
		"a far row":          {sheet(`</row><row r="99999999"><c r="A1"/>`), "", `after row 1: a row has the number "99999999"`},
		"cut short":          {sheet("a|b\n" + `<c r="A2"><v>1</v>`), "", "row 2"},
	} {
		if got, err := text(t, c.book, c.sheet); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q, %v; want %q", name, got, err, c.want)
		}
	}
}

// FuzzSheet reads sheets of any XML.
func FuzzSheet(f *testing.F) {
	f.Add(`<c r="A1" t="s"><v>0</v></c><c r="B1" s="1"><v>45292.5</v></c>`, "<t>x</t>")
	f.Add(`<c r="A1" t="inlineStr"><is><t>a</t><rPh><t>b</t></rPh></is></c></row><row r="9"><c><v>1e400</v></c>`, "<r><t>y</t></r>")
	f.Fuzz(func(t *testing.T, row, shared string) {
		book := xlsxtest.Zip(t, map[string]string{
			"[Content_Types].xml": "", "xl/workbook.xml": `<workbook><sheets><sheet name="s" r:id="1" ` +
				`xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/></sheets></workbook>`,
			"xl/_rels/workbook.xml.rels": `<a><Relationship Id="1" Type="/worksheet" Target="s.xml"/></a>`,
			"xl/s.xml":                   `<worksheet><sheetData><row r="1">` + row + `</row></sheetData></worksheet>`,
			"xl/sharedStrings.xml":       "<sst><si>" + shared + "</si></sst>",
		})
		got, err := text(t, book, "")
		if err == nil && strings.Count(got, "\n") > 1<<20 {
			t.Errorf("%d lines", strings.Count(got, "\n"))
		}
	})
}

package table

import (
	"bytes"
	"encoding/csv"
	"io"
	"slices"
	"strings"
	"testing"

	"quartier/ingest/source"
)

// parse reads a table whole; each row as its fields joined by |.
func parse(text string) (columns []string, rows []string, err error) {
	t, err := New(strings.NewReader(text), Dialect{Comma: ','})
	if err != nil {
		return nil, nil, err
	}
	for {
		if err := t.Next(); err == io.EOF {
			return t.Columns, rows, nil
		} else if err != nil {
			return t.Columns, rows, err
		}
		rows = append(rows, string(bytes.Join(t.fields, []byte("|"))))
	}
}

func TestTable(t *testing.T) {
	for _, c := range []struct{ name, text, columns, rows string }{
		{"plain", "a,b\n1,2\n3,4\n", "a b", "1|2;3|4"},
		{"no end of line at the end", "a,b\n1,2", "a b", "1|2"},
		{"mark and CRLF", "\ufeffa,b\r\n1,2\r\n\r\n", "a b", "1|2"},
		{"blank lines and blank rows", "\n\na,b\n\n1,2\n , \n,,,\n", "a b", "1|2"},
		{"short row", "a,b,c\n1\n", "a b c", "1"},
		{"quotes", "a,b\n\"x, y\",\"say \"\"no\"\"\"\n\"\",2\n", "a b", "x, y|say \"no\";|2"},
		{"quote before a space and behind text", "a,b\n \"x\" ,5\" pipe\n\"x\"y,\n", "a b", "x|5\" pipe;xy|"},
		{"line end inside of quotes", "a,b\n\"x\ny\",2\n3,4\n", "a b", "x\ny|2;3|4"},
		{"quoted header", "\"a\",\"b\"\n1,2\n", "a b", "1|2"},
		{"windows-1252", "a,b\nCh\xe2teau,\xc9cole\nChâteau,École\n", "a b", "Château|École;Château|École"},
		{"spaces", " a , b \n 1 ,\t2\n", "a b", "1|2"},
	} {
		columns, rows, err := parse(c.text)
		if got := strings.Join(columns, " "); err != nil || got != c.columns {
			t.Errorf("%s: columns %q, %v, want %q", c.name, got, err, c.columns)
		}
		if got := strings.Join(rows, ";"); got != c.rows {
			t.Errorf("%s: rows %q, want %q", c.name, got, c.rows)
		}
	}
	for name, text := range map[string]string{
		"empty": "", "blank": "\n\n", "quote never closed": "a,b\n1,\"2\n3,4\n",
		"endless quote": "a\n\"" + strings.Repeat("x\n", 1000), "endless line": "a\n" + strings.Repeat("x", 2*source.MaxLine),
	} {
		if _, _, err := parse(text); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestNoText(t *testing.T) {
	for text, want := range map[string]string{
		"PK\x03\x04\x14\x00,b\n":   "it is a zip, not a table of text",
		"a,\x1b[31mb\n1,2\n":       `it is binary, not a table of text: "a,\x1b[31mb"`,
		"\x1f\x8b\x08\x00\xff,b\n": "it has NUL bytes and is no text: \"\\x1f\uFFFD\\b\\x00\uFFFD,b\\n\"",
		"\x1f\x8b\x08\xff,b\n":     `it is binary, not a table of text: "\x1f‹\bÿ,b"`,
	} {
		if _, _, err := parse(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	in, err := New(strings.NewReader("a,b\n1,\x1b]0;x\x07\n"), Dialect{})
	if err != nil {
		t.Fatal(err)
	}
	if err := in.Next(); err != nil || in.Sample() != `"1,\x1b]0;x\a"` {
		t.Errorf("%s, %v", in.Sample(), err)
	}
}

func TestIndent(t *testing.T) {
	tab, err := New(strings.NewReader("a,b\n  x,  \n\" \u00a0\u00a0y\" ,\" z\"\n\xa0\xe9,1\n"), Dialect{})
	if err != nil {
		t.Fatal(err)
	}
	for row, want := range [][2]int{{2, 0}, {3, 1}, {1, 0}} {
		if err := tab.Next(); err != nil {
			t.Fatal(err)
		}
		if got := [2]int{tab.Indent(0), tab.Indent(1)}; got != want {
			t.Errorf("row %d: indents %v, want %v", row+1, got, want)
		}
	}
	if tab.Indent(7) != 0 {
		t.Error("a column that is not there is indented")
	}
}

func TestSeparator(t *testing.T) {
	tab, err := New(strings.NewReader("GEO_ID|B01003_E001\n1500000US1, 2|\"7|8\"\n"), Dialect{Comma: '|'})
	if err != nil || strings.Join(tab.Columns, " ") != "GEO_ID B01003_E001" {
		t.Fatal(tab, err)
	}
	if err := tab.Next(); err != nil || tab.Text(0) != "1500000US1, 2" || tab.Text(1) != "7|8" {
		t.Errorf("%q %q, %v", tab.Text(0), tab.Text(1), err)
	}
}

func TestTooShort(t *testing.T) {
	tab, err := New(strings.NewReader("a,b\n1,\n1\n1,2,3\n"), Dialect{})
	if err != nil {
		t.Fatal(err)
	}
	for row, want := range []bool{false, true, false} {
		if err := tab.Next(); err != nil || tab.TooShort() != want {
			t.Errorf("row %d: %t, %v", row+1, tab.TooShort(), err)
		}
	}
}

// What the standard library reads without complaint, and is not blank, is read the same.
func FuzzTable(f *testing.F) {
	for _, text := range []string{"a,b\n1,2\n", "\ufeffa,b\r\n\"x\"\"y\",\"\n\"\r\n", "a,b\n\xe9,\"", "a\n\"\"\n,,\n", "\"a\nb\",c\n\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		columns, rows, err := parse(text)
		if err != nil {
			return
		}
		if len(columns) == 0 || slices.Contains(rows, "") {
			t.Fatalf("%q: a blank header or row: %q %q", text, columns, rows)
		}
		if strings.ContainsAny(text, "\r|\ufeff\x00") || strings.ToValidUTF8(text, "") != text {
			return // the library leaves marks and code pages to others, and has its own way with \r
		}
		reader := csv.NewReader(strings.NewReader(text))
		reader.FieldsPerRecord = -1
		all, err := reader.ReadAll()
		if err != nil {
			return
		}
		var want []string
		for _, record := range all {
			for i := range record {
				record[i] = strings.TrimSpace(record[i])
			}
			if slices.ContainsFunc(record, func(s string) bool { return s != "" }) {
				want = append(want, strings.Join(record, "|"))
			}
		}
		if got := append([]string{strings.Join(columns, "|")}, rows...); !slices.Equal(got, want) {
			t.Fatalf("%q: %q, want %q", text, got, want)
		}
	})
}

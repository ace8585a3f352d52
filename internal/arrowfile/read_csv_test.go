package arrowfile

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/apache/arrow/go/v17/arrow/array"
	"golang.org/x/text/encoding/unicode"
	"pgregory.net/rapid"
)

// readText reads a CSV text as rows of cells, NULL being "∅", the first row the names.
func readCSV(in io.Reader, o ReadOptions) ([][]string, error) {
	r, err := OpenStream(in, "text", o)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var table [][]string
	var names []string
	for _, f := range r.Schema().Fields() {
		names = append(names, f.Name)
	}
	table = append(table, names)
	for {
		record, err := r.Next()
		if err == io.EOF {
			return table, nil
		}
		if err != nil {
			return table, err
		}
		for row := range int(record.NumRows()) {
			var cells []string
			for c := range int(record.NumCols()) {
				column := record.Column(c).(*array.String)
				if column.IsNull(row) {
					cells = append(cells, "∅")
				} else {
					cells = append(cells, strings.Clone(column.Value(row)))
				}
			}
			table = append(table, cells)
		}
		record.Release()
	}
}

func utf16(t *testing.T, text string, order unicode.Endianness, policy unicode.BOMPolicy) string {
	t.Helper()
	out, err := unicode.UTF16(order, policy).NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestCSVAsItComes(t *testing.T) {
	plain := "name,lat\nÉcole,45.4\n"
	for name, c := range map[string]struct{ text, want string }{
		"plain":                {plain, `[[name lat] [École 45.4]]`},
		"byte order mark":      {"\uFEFF" + plain, `[[name lat] [École 45.4]]`},
		"UTF-16 LE":            {utf16(t, plain, unicode.LittleEndian, unicode.UseBOM), `[[name lat] [École 45.4]]`},
		"UTF-16 BE":            {utf16(t, plain, unicode.BigEndian, unicode.UseBOM), `[[name lat] [École 45.4]]`},
		"UTF-16 without mark":  {utf16(t, plain, unicode.LittleEndian, unicode.IgnoreBOM), `[[name lat] [École 45.4]]`},
		"CRLF":                 {"a,b\r\n1,2\r\n", `[[a b] [1 2]]`},
		"CRLF after a quote":   {"a,b\r\n1,\"2\"\r\n3,4", `[[a b] [1 2] [3 4]]`},
		"no last line end":     {"a,b\n1,2", `[[a b] [1 2]]`},
		"semicolons":           {"a;b;c\n1,5;2;\"x;y\"\n", `[[a b c] [1,5 2 x;y]]`},
		"tabs":                 {"a\tb\n1\t2\n", `[[a b] [1 2]]`},
		"commas in quotes":     {"\"a,b,c\";d\n1;2\n", `[[a,b,c d] [1 2]]`},
		"quotes":               {"a,b\n\"say \"\"hi\"\"\",\"x\ny\"\n", "[[a b] [say \"hi\" x\ny]]"},
		"a quote inside":       {"a,b\n5\" pipe,2\n", `[[a b] [5" pipe 2]]`},
		"NULL and empty":       {"a,b\n,\"\"\n", `[[a b] [∅ ]]`},
		"empty lines":          {"a,b\n\n1,2\n\r\n3,4\n\n", `[[a b] [1 2] [3 4]]`},
		"one column":           {"a\n1\n\"\"\n", `[[a] [1] []]`},
		"no rows":              {"a,b\n", `[[a b]]`},
		"blanks stay":          {"a,b\n 1 ,\t2\n", "[[a b] [ 1  \t2]]"},
		"carriage return stay": {"a,b\n\"x\ry\",2\n", "[[a b] [x\ry 2]]"},
	} {
		t.Run(name, func(t *testing.T) {
			for reader, in := range map[string]io.Reader{"whole": strings.NewReader(c.text),
				"byte by byte": iotest.OneByteReader(strings.NewReader(c.text))} {
				got, err := readCSV(in, ReadOptions{})
				if text := fmt.Sprint(got); err != nil || text != c.want {
					t.Errorf("%s: %q, %v, want %q", reader, text, err, c.want)
				}
			}
		})
	}
}

func TestCSVThatCannotBeRead(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"nothing":              {"", "no line of names"},
		"an open quote":        {"a,b\n1,2\n3,\"x\ny,4\n5,6\n", "row 2: the quote in line 3, column 2 is not closed"},
		"too few cells":        {"a,b\n1,2\n3\n", "row 2 (line 3) has 1 cells, the line of names has 2"},
		"too many cells":       {"a,b\n\"x\ny\",2\n1,2,3\n", "row 2 (line 4) has 3 cells, the line of names has 2"},
		"text after a quote":   {"a,b\n\"1\"x,2\n", `row 1 (line 2), column 1: "x,2\n" follows a quote`},
		"Latin-1":              {"a,b\n\xC9cole,2\n", `row 1 (line 2), column a: "\xc9cole" is not UTF-8; if it is Windows-1252, say so`},
		"a name twice":         {"a,b,a\n", `column "a" is there twice`},
		"no name":              {"a,,b\n1,2,3\n", "column 2 of 3 has no name"},
		"a quote never closed": {"a,b\n\"" + strings.Repeat("1,2\n", 5<<20), "row 1, which begins in line 2, is longer than 16 MB"},
		"too many columns":     {strings.Repeat("a,", 10_000) + "b\n", "10001 columns, at most 10000"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readCSV(strings.NewReader(c.text), ReadOptions{})
			if !errors.Is(err, ErrRead) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// TestManyColumns reads 5,000 columns in blocks whose size is bounded by their bytes.
func TestManyColumns(t *testing.T) {
	const columns, count = 5000, 50
	var text bytes.Buffer
	for row := range count + 1 {
		for c := range columns {
			if c > 0 {
				text.WriteByte(',')
			}
			fmt.Fprintf(&text, "r%dc%d", row, c)
		}
		text.WriteByte('\n')
	}
	r, err := OpenStream(&text, "text", ReadOptions{Bytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	rows, blocks := int64(0), 0
	for {
		record, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		last := record.Column(columns - 1).(*array.String)
		if want := fmt.Sprintf("r%dc%d", rows+1, columns-1); last.Value(0) != want {
			t.Fatalf("%s, want %s", last.Value(0), want)
		}
		rows += record.NumRows()
		blocks++
		record.Release()
	}
	if rows != count || blocks < 2 {
		t.Errorf("%d rows in %d blocks", rows, blocks)
	}
}

// TestCSVAgreesWithEncodingCSV writes any cells by the standard library and reads them, however the text is divided.
func TestCSVAgreesWithEncodingCSV(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(2, 5).Draw(t, "columns")
		names := []string{"a", "b", "c", "d", "e"}[:width]
		want := [][]string{names}
		var text bytes.Buffer
		w := csv.NewWriter(&text)
		w.UseCRLF = rapid.Bool().Draw(t, "CRLF")
		w.Write(names)
		for range rapid.IntRange(0, 6).Draw(t, "rows") {
			row := rapid.SliceOfN(rapid.StringMatching(`[a",; é0.]{0,5}(\n[b",])?`), width, width).Draw(t, "row")
			w.Write(row)
			for i := range row {
				if row[i] == "" {
					row[i] = "∅"
				} else if w.UseCRLF {
					row[i] = strings.ReplaceAll(row[i], "\n", "\r\n") // as the writer does
				}
			}
			want = append(want, row)
		}
		w.Flush()
		got, err := readCSV(iotest.HalfReader(&text), ReadOptions{Rows: rapid.IntRange(1, 3).Draw(t, "block")})
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%q, %v, want %q", got, err, want)
		}
	})
}

// FuzzCSV reads any text: it is read or refused, the same way however it is divided.
func FuzzCSV(f *testing.F) {
	for _, text := range []string{
		"lat,lng,name\n45.4,-72.8,\"École, \"\"Nord\"\"\"\n,,\n", "lat;lng\r\n45,4;-72,8\r\n\r\n", "a|b|c\n1|\"x\ny\"|\n", "a\n\"\"\n1\n",
		"\xFE\xFF\x00a\x00,\x00b\x00\n\x001\x00,\x002\x00\n", "\xFF\xFEa\x00,\x00b\x00\r\x00\n\x00\"\x00\xC9\x00\"\x00,\x00\n\x00", "a,b\r1,2\r",
		"a,a\n", ",\n", "a,b\n1\n1,2,3\n",
		"a,b\n1,2\n", "\xFF\xFEa\x00,\x00b\x00\n\x00", "a;b\r\n\"x\"\"\";\r\n", "\xEF\xBB\xBFa\n\"", "a,b\n1", "a\tb\n\"1\"x\t2"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		whole, err := readCSV(bytes.NewReader(text), ReadOptions{})
		parts, again := readCSV(iotest.OneByteReader(bytes.NewReader(text)), ReadOptions{Rows: 1})
		if (err == nil) != (again == nil) || err == nil && fmt.Sprint(whole) != fmt.Sprint(parts) {
			t.Errorf("%q, %v, byte by byte %q, %v", whole, err, parts, again)
		}
		if err != nil && !errors.Is(err, ErrRead) {
			t.Errorf("error %v", err)
		}
	})
}

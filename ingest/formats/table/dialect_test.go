package table

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// notes is a sink that keeps issues as text.
type notes struct {
	list []string
	read int
}

func (n *notes) Part(string) {}

func (n *notes) Row(source.Row) error { return nil }
func (n *notes) Read(rows int)        { n.read += rows }
func (n *notes) String() string       { return strings.Join(n.list, "; ") }
func (n *notes) Issue(why reason.Reason, where string) {
	n.list = append(n.list, strings.TrimSpace(why.String()+" @ "+where))
}

func inUTF16(text string, mark bool, big bool) string {
	units := utf16.Encode([]rune(text))
	if mark {
		units = append([]uint16{0xfeff}, units...)
	}
	var b strings.Builder
	for _, u := range units {
		pair := []byte{byte(u), byte(u >> 8)}
		if big {
			pair[0], pair[1] = pair[1], pair[0]
		}
		b.Write(pair)
	}
	return b.String()
}

// TestDialects reads the same table of two columns and two rows as it is written in many ways.
func TestDialects(t *testing.T) {
	wanted := []string{"id", "name"}
	for _, c := range []struct {
		name, text string
		dialect    Dialect
		notes      string
	}{
		{"comma", "id,name\n1,Été\n2,\"B\n,;\"\n", Dialect{}, ""},
		{"semicolon", "id;name\n1;Été\n2;\"B\n,;\"\n", Dialect{}, `delimiter_found: ";" @`},
		{"tab", "id\tname\n1\tÉté\n2\t\"B\n,;\"\n", Dialect{}, `delimiter_found: "\t" @`},
		{"pipe", "id|name\n1|Été\n2|\"B\n,;\"\n", Dialect{}, `delimiter_found: "|" @`},
		{"CR alone", "id,name\r1,Été\r2,\"B\r,;\"\r", Dialect{}, "carriage_returns_found @"},
		{"CRLF", "id,name\r\n1,Été\r\n2,\"B\r\n,;\"\r\n", Dialect{}, ""},
		{"CR, then LF", "id,name\r1,Été\n2,\"B\n,;\"", Dialect{}, "carriage_returns_found @"},
		{"separator line", "sep=;\r\nid;name\r\n1;Été\r\n2;\"B\n,;\"", Dialect{}, ""},
		{"quoted separator line", "\"sep=\t\"\nid\tname\n1\tÉté\n2\t\"B\n,;\"", Dialect{}, ""},
		{"separator line without need", "SEP=,\nid,name\n1,Été\n2,\"B\n,;\"", Dialect{Comma: ','}, ""},
		{"title", "A list, of 2017\n\nas of May,,\nid,name\n1,Été\n2,\"B\n,;\"", Dialect{Header: wanted}, "title_lines_skipped @ lines 1 to 3"},
		{"title with more commas than the table", "a,b,c,d,e\na,b,c,d,e\nid;name\n1;Été\n2;\"B\n,;\"", Dialect{Header: wanted},
			`delimiter_found: ";" @; title_lines_skipped @ lines 1 to 2`},
		{"title that is skipped", "A list, of 2017\nid,name\n1,Été\n2,\"B\n,;\"", Dialect{Skip: 1}, ""},
		{"empty columns at the end", "id,name,,\n1,Été,,\n2,\"B\n,;\"\n", Dialect{}, ""},
		{"UTF-16", inUTF16("id,name\n1,Été\n2,\"B\n,;\"\n", true, false), Dialect{}, "utf_16_found @"},
		{"UTF-16, big end first", inUTF16("id,name\n1,Été\n2,\"B\n,;\"\n", true, true), Dialect{}, "utf_16_found @"},
		{"UTF-16 without mark", inUTF16("id,name\n1,Été\n2,\"B\n,;\"\n", false, false), Dialect{}, "utf_16_found @"},
		{"UTF-16 without mark, big end first", inUTF16("id,name\n1,Été\n2,\"B\n,;\"\n", false, true), Dialect{Encoding: "utf-16"}, ""},
		{"latin-1", "id,name\n1,\xc9t\xe9\n2,\"B\n,;\"\n", Dialect{Encoding: "latin-1"}, ""},
		{"latin-1 without a mark", "id,name\n1,\xc9t\xe9\n2,\"B\n,;\"\n", Dialect{}, ""},
	} {
		tab, err := New(strings.NewReader(c.text), c.dialect)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := fmt.Sprintf("%d %d", tab.Column("id"), tab.Column("name"))
		for err = tab.Next(); err == nil; err = tab.Next() {
			got += fmt.Sprintf("|%s %q %t %t", tab.At(0), tab.At(1), tab.TooShort(), tab.TooLong())
		}
		if want := `0 1|1 "Été" false false|2 "B\n,;" false false`; err != io.EOF || got != want {
			t.Errorf("%s: %s, %v, want %s", c.name, got, err, want)
		}
		out := &notes{}
		if tab.Report(out); out.String() != c.notes {
			t.Errorf("%s: notes %s, want %s", c.name, out, c.notes)
		}
	}
}

// A semicolon is found among decimal commas, and a comma among names with semicolons.
func TestSeparatorAmongOthers(t *testing.T) {
	for text, want := range map[string]string{
		"name;x;y\nA;1,5;2,5\nB;3,5;4,5\n":              "name x y",
		"name,x,y\nA;B,1,2\nC;D,3,4\n":                  "name x y",
		"Name, full;x\nA, B;1,5\nC;2\n":                 "Name, full x",
		"a|b;c\n1|2\n3|4\n":                             "a b;c",
		"name\nA\nB\n":                                  "name",
		"id,geometry\n1,\"LINESTRING (1 2; 3 4; 5 6)\"": "id geometry",
	} {
		tab, err := New(strings.NewReader(text), Dialect{})
		if err != nil || strings.Join(tab.Columns, " ") != want {
			t.Errorf("%q: %q, %v", text, tab.Columns, err)
		}
	}
}

// A name of several columns has to be numbered.
func TestColumnsOfOneName(t *testing.T) {
	tab, err := New(strings.NewReader("id,name,SYMBOL,name,\n1,2,3,4,\n"), Dialect{})
	if err != nil {
		t.Fatal(err)
	}
	if got := []int{tab.Column("name#1"), tab.Column("name#2"), tab.Column("name#3"), tab.Column("id#1"),
		tab.Column("")}; fmt.Sprint(got) != "[1 3 -1 -1 4]" {
		t.Error(got)
	}
	for name, want := range map[string]string{
		"id": "", "name#2": "", "": "",
		"name": "2 columns have the name name; write name#1 for the first of them, name#2 for the second",
		"x":    "no column x; there are: id, name, SYMBOL, name, ",
	} {
		if err := tab.Require(name); err == nil && want != "" || err != nil && err.Error() != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A row that is longer than the buffer, or a line end at its edge, changes nothing.
func TestLineEndsInPieces(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		lines := rapid.SliceOfN(rapid.StringMatching(`[a-z]{1,3}`), 1, 20).Draw(rt, "lines")
		var text strings.Builder
		for _, line := range lines {
			text.WriteString(line + rapid.SampledFrom([]string{"\n", "\r", "\r\n"}).Draw(rt, "end"))
		}
		in := &lineEnds{in: pieces{strings.NewReader(text.String()), rapid.IntRange(1, 5).Draw(rt, "piece")}}
		got, err := io.ReadAll(in)
		if want := strings.Join(lines, "\n") + "\n"; err != nil || string(got) != want {
			rt.Fatalf("%q: %q, want %q", text.String(), got, want)
		}
	})
}

// pieces reads few bytes at a time.
type pieces struct {
	io.Reader
	n int
}

func (p pieces) Read(b []byte) (int, error) { return p.Reader.Read(b[:min(p.n, len(b))]) }

func write(t testing.TB, text string) string {
	path := filepath.Join(t.TempDir(), "x.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

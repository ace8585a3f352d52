package table

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseNumber(t *testing.T) {
	const no = math.MaxFloat64
	for text, want := range map[string][2]float64{ // with a point, with a comma
		"1017449": {1017449, 1017449}, "1 017 449": {1017449, 1017449}, "1,017,449": {1017449, no}, "1.017.449,5": {no, 1017449.5},
		"1\u00a0017\u00a0449": {1017449, 1017449}, "1\u202f017,5": {no, 1017.5}, "1'017.5": {1017.5, no}, "1,017,449.25": {1017449.25, no},
		"1,234": {1234, 1.234}, "1.234": {1.234, 1234}, "0,123": {no, 0.123}, "1234,567": {no, 1234.567}, "1234.567": {1234.567, no},
		"-75.69": {-75.69, no}, "\u221275,69": {no, -75.69}, "+5": {5, 5}, ".5": {0.5, no}, "5.": {5, no}, "1.5e3": {1500, no},
		"1,5E-3":     {no, 0.0015},
		"$7,738,700": {7738700, no}, "-$5": {-5, -5}, "$ 5": {5, 5},
		"12,34": {no, 12.34}, "1,23,456": {no, no}, "1,234,56": {no, no}, "1 23": {no, no}, "1,234 567": {no, no}, "1..2": {no, no},
		"": {no, no}, "-": {no, no}, ",": {no, no}, "e5": {no, no}, "1e": {no, no}, "NaN": {no, no}, "Inf": {no, no}, "1e999": {no, no},
		"0x10": {no, no}, "1_000": {no, no},
		"45°25'30\"N": {no, no}, "45 25.5 N": {no, no}, "--1": {no, no}, "12 345": {12345, 12345}, "5%": {no, no}, "$": {no, no},
	} {
		for i, decimal := range []byte{'.', ','} {
			got, ok := ParseNumber([]byte(text), decimal)
			if !ok {
				got = no
			}
			if got != want[i] {
				t.Errorf("%q with %c: %v, want %v", text, decimal, got, want[i])
			}
		}
	}
}

// TestFindNumbers decides a column by all of its values.
func TestFindNumbers(t *testing.T) {
	for _, c := range []struct {
		values  string // separated by blanks
		meaning Meaning
		want    string // numbers, or the error
		notes   string
	}{
		{"1 2.5 x", AnyNumber, "1 2.5 ?", ""},
		{"1,234 2,5", AnyNumber, "1.234 2.5", `decimal_comma_found: v @ x.csv line 3: "2,5"`},
		{"1,234 1,234,567", AnyNumber, "1234 1.234567e+06", `thousands_separators_found: v @ x.csv line 3: "1,234,567"`},
		{"1,234 0.5", AnyNumber, "1234 0.5", ""},
		{"1.234 1.234.567,5", AnyNumber, "1234 1.2345675e+06",
			`decimal_comma_found: v @ x.csv line 3: "1.234.567,5"; thousands_separators_found: v @ x.csv line 3: "1.234.567,5"`},
		{"1_017_449 5", AnyNumber, "1.017449e+06 5", `thousands_separators_found: v @ x.csv line 2: "1 017 449"`},
		{"1.234 2.345", AnyNumber, "1.234 2.345", ""},
		{"1,234 2,345", AnyNumber,
			`column v: "1,234" in line 2 is a thousand or a decimal number, and no value of the column shows which; set the option decimal to "." ` +
				`or ","`, ""},
		{"1,234 2,345", WholeNumber, "1234 2345", ""},
		{"1.234 2.345", WholeNumber, "1234 2345", ""},
		{"1.000 2.000", WholeNumber,
			`column v: "1.000" in line 2 is a thousand or a whole number with decimals, and no value of the column shows which; set the option ` +
				`decimal to "." or ","`, ""},
		{"1234.0 5", WholeNumber, "1234 5", ""},
		{"45,421 -75,69", Degrees, "45.421 -75.69", `decimal_comma_found: v @ x.csv line 3: "-75,69"`},
		{"45,421", Degrees, "45.421", ""},
		{"1.5 2,5", AnyNumber,
			`column v: its decimal mark is the point in line 2 ("1.5") and the comma in line 3 ("2,5"); set the option decimal to one of them, ` +
				`and numbers with the other are rejected`, ""},
		{"1.234 2,345", WholeNumber,
			`column v: is the point or the comma its decimal mark, with "1.234" in line 2 and "2,345" in line 3? Set the option decimal`, ""},
	} {
		text := "v\tw\n" + strings.ReplaceAll(strings.ReplaceAll(c.values, " ", "\t\n"), "_", " ") + "\t\n"
		tab, err := Open(write(t, text), Dialect{Comma: '\t'})
		if err != nil {
			t.Fatal(err)
		}
		defer tab.Close()
		got := ""
		if err := tab.FindNumbers(t.Context(), map[int]Meaning{0: c.meaning}, ""); err != nil {
			_, got, _ = strings.Cut(err.Error(), "bad file: ")
		} else {
			got = numbersOf(t, tab)
		}
		out := &notes{}
		if tab.Report(out); got != c.want || out.String() != c.notes {
			t.Errorf("%s: %s\nwant %s\nnotes %s\nwant %s", c.values, got, c.want, out, c.notes)
		}
	}
}

func numbersOf(t *testing.T, tab *Table) string {
	var list []string
	for tab.Next() == nil {
		n, ok := tab.Number(0)
		if !ok {
			list = append(list, "?")
			continue
		}
		list = append(list, fmt.Sprint(n))
	}
	return strings.Join(list, " ")
}

// The option decides what the file does not, and what does not fit is no number.
func TestDecimalOption(t *testing.T) {
	for option, want := range map[string]string{".": "1234 1.5 ?", ",": "1.234 ? 2.5"} {
		tab, err := Open(write(t, "v\n\"1,234\"\n1.5\n\"2,5\"\n"), Dialect{})
		if err != nil {
			t.Fatal(err)
		}
		defer tab.Close()
		if err := tab.FindNumbers(t.Context(), map[int]Meaning{0: AnyNumber}, option); err != nil {
			t.Fatal(err)
		}
		if got := numbersOf(t, tab); got != want {
			t.Errorf("%s: %s, want %s", option, got, want)
		}
	}
}

// A number that is written in any of the ways is read as itself.
func TestNumbersComeBack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.Int64Range(0, 1e12).Draw(rt, "n")
		cents := rapid.IntRange(0, 99).Draw(rt, "cents")
		point := rapid.Bool().Draw(rt, "point")
		decimal, groups := ",", []string{"", ".", " ", "\u00a0", "\u202f", "'"}
		if point {
			decimal, groups = ".", []string{"", ",", " ", "\u00a0", "\u202f", "’"}
		}
		digits, group := strconv.FormatInt(n, 10), rapid.SampledFrom(groups).Draw(rt, "group")
		for i := len(digits) - 3; i > 0; i -= 3 {
			digits = digits[:i] + group + digits[i:]
		}
		text := fmt.Sprintf("%s%s%02d", digits, decimal, cents)
		want, err := strconv.ParseFloat(fmt.Sprintf("%d.%02d", n, cents), 64)
		if got, ok := ParseNumber([]byte(text), decimal[0]); err != nil || !ok || got != want {
			rt.Fatalf("%s: %v %t, want %v", text, got, ok, want)
		}
	})
}

// What both readings accept as a number without a mark is the same number; no reading gives what is not finite.
func FuzzNumber(f *testing.F) {
	for _, text := range []string{"1,234.5", "1.234,5", "1 017 449", "$-5", "1e5", "٣", "1'0", "−5"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, point := ParseNumber([]byte(text), '.')
		b, comma := ParseNumber([]byte(text), ',')
		if point && (math.IsNaN(a) || math.IsInf(a, 0)) || comma && (math.IsNaN(b) || math.IsInf(b, 0)) {
			t.Fatalf("%q: %v %v", text, a, b)
		}
		if point && comma && !strings.ContainsAny(text, ".,") && a != b {
			t.Fatalf("%q: %v or %v", text, a, b)
		}
		m := &marks{}
		m.observe([]byte(text), 1)
	})
}

// No file makes the search for its dialect fail other than by an error, and rows have the lines they stand in.
func FuzzDialect(f *testing.F) {
	for _, text := range []string{"sep=;\na;b\n", "t\n\nid;x\r1;2\r\n", "\xff\xfea\x00,\x00b\x00", "id\tname\n\"a\n", "\"id\"|x\n"} {
		f.Add(text, 0)
	}
	f.Fuzz(func(t *testing.T, text string, skip int) {
		tab, err := New(strings.NewReader(text), Dialect{Header: []string{"id"}, Skip: min(max(skip, 0), 5)})
		if err != nil {
			return
		}
		for line := tab.Line; tab.Next() == nil; line = tab.Line {
			if tab.Line <= line {
				t.Fatalf("%q: line %d after %d", text, tab.Line, line)
			}
		}
	})
}

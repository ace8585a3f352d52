package card

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode"

	"quartier/schemas"
	"quartier/serve/endpoint"
)

// TestWritten writes names as the font can.
func TestWritten(t *testing.T) {
	if errFace != nil {
		t.Fatal(errFace)
	}
	for given, want := range map[string]string{
		"Montréal": "Montréal", "Montre\u0301al": "Montréal", "L'Île <b>\"d'Or\"</b> & Cie": "L'Île <b>\"d'Or\"</b> & Cie",
		"Kāneʻohe": "", "Kāneohe": "Kaneohe", "Šipka": "Sipka", "  a \t\n b\u00a0c ": "a b c",
		"\u202eabc\u202c": "abc", "a\u2066b\u2069\u200f\x00": "ab", "ᐃᖃᓗᐃᑦ": "", "ירושלים": "", "東京": "", "": "", "\u200b": "", "a\xffb": "",
		"😀": "", "Z̸a̡l͢g": "Zalg", "Ｆｕｌｌ": "",
	} {
		got, ok := written(given)
		if got != want || ok != (want != "") {
			t.Errorf("%q is written %q, %v, want %q", given, got, ok, want)
		}
	}
	if got, ok := written("a" + strings.Repeat("é", 300)); !ok || len(got) != 401 {
		t.Errorf("%q of a long name of letters of two bytes", got)
	}
	if got, _ := written(strings.Repeat("long ", 2000)); len(got) > 400 {
		t.Errorf("%d bytes of a long name", len(got))
	}
}

// TestTextsFit draws names and texts of any length: all of them stay in the picture, and none is tofu.
func TestTextsFit(t *testing.T) {
	for _, n := range []int{0, 1, 20, 60, 300} {
		for _, word := range []string{"Saint-Jérôme ", "W", "i", "& < > \" ' "} {
			c := &content{language: "en", name: strings.Repeat(word, n), within: strings.Repeat(word, n), date: "2026-01-01",
				attributions: []string{strings.Repeat(word, n), "© OpenStreetMap"}}
			for range 6 {
				c.scores = append(c.scores, score{label: strings.Repeat(word, min(n, 20)), text: strings.Repeat(word, min(n, 20)),
					value: 45000, number: "4.5"})
			}
			p := draw(c, "dark")
			for _, e := range p.pieces {
				if e.size == 0 {
					continue
				}
				if end := e.x + measure(e.text, e.size); !e.end && end > width-margin+.01 || e.end && e.x > width-margin || e.y > height-8 {
					t.Errorf("%d × %q: %q ends at %v, %v", n, word, e.text, end, e.y)
				}
				for _, r := range e.text {
					if glyph(r) == 0 {
						t.Errorf("no glyph for %q", r)
					}
				}
			}
			picture, err := writeSVG(nil, p)
			if err != nil || n < 20 && len(picture) > 30_000 {
				t.Errorf("%d bytes: %v", len(picture), err)
			}
			if picture, err := writePNG(nil, p); err != nil || n < 20 && len(picture) > 30_000 {
				t.Errorf("%d bytes: %v", len(picture), err)
			}
		}
	}
}

// TestTextsOfAllScoresHaveGlyphs looks at every label and text that a picture can have.
func TestTextsOfAllScoresHaveGlyphs(t *testing.T) {
	for _, s := range schemas.Scores {
		for _, text := range []string{s.Label.EN, s.Label.FR} {
			for _, r := range text {
				if glyph(r) == 0 {
					t.Errorf("no glyph for %q of %s", r, text)
				}
			}
			if measure(text, 11) > 222 {
				t.Errorf("%s is cut", text)
			}
		}
	}
}

// BenchmarkPNG draws a usual picture.
func BenchmarkPNG(b *testing.B) {
	c := &content{language: "en", name: "Centretown", within: "Ottawa, Ontario", date: "2026-01-01", attributions: []string{
		"© OpenStreetMap contributors", "US Census Bureau, cartographic boundary files 2019; adapted from Statistics Canada, 2021 Census"}}
	for range 6 {
		c.scores = append(c.scores, score{label: "Pedestrian friendly", text: "most errands, if not all, can be done on foot",
			value: 45000, number: "4.5"})
	}
	for b.Loop() {
		if _, err := writePNG(nil, draw(c, "light")); err != nil {
			b.Fatal(err)
		}
	}
}

// TestUnknownScores are said to be so, and have no bar and no number.
func TestUnknownScores(t *testing.T) {
	values := make([]uint16, len(schemas.Scores))
	for i := range values {
		values[i] = schemas.AbsentValue
	}
	values[5], values[2] = 0, 30000 // shopping is 0
	all := endpoint.ScoreSet(1<<len(schemas.Scores) - 1)
	if got := fmt.Sprint(choose(all, values)); got != "[2 5 0 4 15 10]" {
		t.Errorf("chosen %s", got)
	}
	if got := fmt.Sprint(choose(1<<7|1<<5, values)); got != "[5 7]" {
		t.Errorf("chosen %s of two", got)
	}
	p := draw(&content{language: "en", scores: []score{{label: "Zero", text: "none", number: "0.0"},
		{label: "Absent", text: "not known", value: schemas.AbsentValue}}}, "light")
	bars := 0
	for _, e := range p.pieces {
		if e.size == 0 && e.ink == accent && e.x >= 0 {
			bars++
		}
	}
	if bars != 1 {
		t.Errorf("%d bars", bars)
	}
}

// FuzzCard draws whatever a name is: the SVG stays well formed, with the elements that it has.
func FuzzCard(f *testing.F) {
	f.Add("L'Île <b>\"d'Or\"</b> & Cie", "]]><script>alert(1)</script>")
	f.Add("\u202e\x00\xff", strings.Repeat("x", 500))
	f.Fuzz(func(t *testing.T, name, line string) {
		name, _ = written(name)
		line = strings.ToValidUTF8(strings.Map(func(r rune) rune {
			if unicode.In(r, unicode.Cc) || r > 0xfffd {
				return -1 // files of sources have none: they are checked where they are read
			}
			return r
		}, line), "")
		picture, err := writeSVG(nil, draw(&content{language: "en", name: name, attributions: []string{line}}, "light"))
		if err != nil {
			t.Fatal(err)
		}
		d := xml.NewDecoder(strings.NewReader(string(picture)))
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				t.Fatalf("%v in %s", err, picture)
			}
			if start, ok := token.(xml.StartElement); ok && !strings.Contains(" svg title desc style rect text ", " "+start.Name.Local+" ") {
				t.Fatalf("the element %s", start.Name.Local)
			}
		}
	})
}

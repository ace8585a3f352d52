package profiles

import (
	"encoding/json"
	"fmt"
	"html"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quartier/internal/pack"
	"quartier/internal/pack/packtest"
	"quartier/schemas/profile"
)

// place is a geography with the sentences of its sections in the languages.
type place struct {
	id    string
	texts [len(Locales)]Sentences
}

func fill(out *pack.Writer, places []place) error {
	w := NewWriter(out)
	for i := range places {
		if err := w.Add(places[i].id, &places[i].texts); err != nil {
			return err
		}
	}
	return nil
}

// check compares every text of a table with the sentences that went in.
func check(t interface {
	Helper()
	Fatalf(string, ...any)
}, table *Table, places []place) {
	t.Helper()
	if table.Len() != len(places) {
		t.Fatalf("%d geographies, want %d", table.Len(), len(places))
	}
	for i := range places {
		for l, name := range Locales {
			text, ok := table.Find(places[i].id, name)
			if any := len(slices.Concat(places[i].texts[l][:]...)) > 0; ok != any {
				t.Fatalf("%s in %s is found: %v", places[i].id, name, ok)
			}
			if !ok {
				continue
			}
			intro, sections := decode(t, text)
			for section := range profile.SectionCount {
				want := ""
				if sentences := places[i].texts[l][section]; len(sentences) > 0 {
					want = "<p>" + html.EscapeString(strings.Join(sentences, " ")) + "</p>"
				}
				got := intro
				if section != profile.Intro {
					got = sections[section.String()]
				}
				if got != want {
					t.Fatalf("%s, %s in %s: %q, want %q", places[i].id, section, name, got, want)
				}
			}
			if len(sections) != int(profile.SectionCount)-1 {
				t.Fatalf("%s in %s has the sections %v", places[i].id, name, sections)
			}
		}
	}
}

// decode parses a text.
func decode(t interface {
	Helper()
	Fatalf(string, ...any)
}, text Text) (intro string, sections map[string]string) {
	t.Helper()
	if err := json.Unmarshal(text.Intro, &intro); err != nil {
		t.Fatalf("intro %s: %v", text.Intro, err)
	}
	if err := json.Unmarshal(text.Sections, &sections); err != nil {
		t.Fatalf("sections %s: %v", text.Sections, err)
	}
	return intro, sections
}

// towns are three geographies, the last one without French.
func towns() []place {
	hill := place{id: "g10_2aaaaaaaaa"}
	hill.texts[0][profile.Intro] = []string{`The "Fairground" <South> & Hill is a neighbourhood.`}
	hill.texts[0][profile.Summary] = []string{"It is quiet.", "It has a park.", "Shops are far."}
	hill.texts[0][profile.Housing] = []string{"Most homes are houses."}
	hill.texts[1][profile.Intro] = []string{"Les Côteaux — l’un des quartiers d’Ottawa."}
	hill.texts[1][profile.Transport] = []string{"Un métro passe à 350\u00a0m.", "Line\nbreak\u2028."}
	vale := place{id: "g10_aaaaaaaaa7"}
	vale.texts[0][profile.Summary] = []string{"It is quiet.", "It has a path."}
	vale.texts[1][profile.Character] = []string{"C’est calme."}
	us := place{id: "g40_zzzzzzzzzz"}
	us.texts[0][profile.Services] = []string{"It has a park.", "It has a pharmacy."}
	return []place{hill, vale, us}
}

func open(t testing.TB, places []place) (*pack.File, *Table) {
	t.Helper()
	f := packtest.Open(t, func(out *pack.Writer) error { return fill(out, places) })
	table, err := Open(f)
	must(t, err)
	return f, table
}

func TestWhatGoesInComesOut(t *testing.T) {
	_, table := open(t, towns())
	check(t, table, towns())
	text, _ := table.Find("g10_2aaaaaaaaa", "en")
	if got := string(text.Intro); got != `"<p>The &#34;Fairground&#34; &lt;South&gt; &amp; Hill is a neighbourhood.</p>"` {
		t.Errorf("the intro is %s", got)
	}
	want := `{"summary":"<p>It is quiet. It has a park. Shops are far.</p>","transport":"","services":"","character":"","housing":"<p>Most ` +
		`homes are houses.</p>"}`
	if got := string(text.Sections); got != want {
		t.Errorf("the sections are %s, want %s", got, want)
	}
	if text, _ := table.Find("g40_zzzzzzzzzz", "en"); string(text.Intro) != `""` {
		t.Errorf("an intro without sentences is %s", text.Intro)
	}
	for _, id := range []string{"", "g10_", "g10_aaaaaaaaaa", "z"} {
		if _, ok := table.Find(id, "en"); ok {
			t.Errorf("%q is found", id)
		}
	}
	if _, ok := table.Find("g10_2aaaaaaaaa", "de"); ok {
		t.Error("a text in German")
	}
}

func TestEmptyTable(t *testing.T) {
	_, table := open(t, nil)
	if _, ok := table.Find("g10_aaaaaaaaaa", "en"); ok || table.Len() != 0 {
		t.Error("a geography where there is none")
	}
}

// TestAnyTexts checks sentences of any length and script.
func TestAnyTexts(t *testing.T) {
	sentence := rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom([]string{"", "In the ", "In the village ", "À ", "Le\u00a0"}).Draw(t, "opening") +
			rapid.OneOf(rapid.StringN(0, 40, -1), rapid.SampledFrom([]string{`"`, `\\`, `\\"`, "\x00", "\u2028", "&<>'"})).Draw(t, "rest")
	})
	path := t.TempDir() + "/x.pack"
	rapid.Check(t, func(t *rapid.T) {
		var places []place
		for i := range rapid.IntRange(0, 12).Draw(t, "places") {
			p := place{id: fmt.Sprintf("g10_%010d", i)}
			for l := range Locales {
				for section := range profile.SectionCount {
					p.texts[l][section] = rapid.SliceOfN(sentence, 0, 5).Draw(t, "sentences")
				}
			}
			places = append(places, p)
		}
		out, err := pack.Create(path)
		must(t, err)
		must(t, fill(out, places))
		must(t, out.Close())
		file, err := pack.Open(path)
		must(t, err)
		defer file.Close()
		table, err := Open(file)
		must(t, err)
		check(t, table, places)
	})
}

func must(t interface{ Fatal(...any) }, err error) {
	if err != nil {
		t.Fatal(err)
	}
}

func TestWriterRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		ids        []string
	}{
		{"no id", "not a geog_id", []string{"g10_short"}},
		{"an id again", "ids must ascend", []string{"g10_aaaaaaaaaa", "g10_aaaaaaaaaa"}},
	} {
		out, err := pack.Create(t.TempDir() + "/x.pack")
		if err != nil {
			t.Fatal(err)
		}
		w := NewWriter(out)
		for _, id := range tt.ids {
			err = w.Add(id, new([len(Locales)]Sentences))
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
		out.Abort()
	}
}

// lookUp calls all look-ups of a table.
func lookUp(table *Table) {
	var buffer []byte
	for _, p := range towns() {
		for _, l := range Locales {
			text, _ := table.Find(p.id, l)
			buffer = append(append(buffer[:0], text.Intro...), text.Sections...)
		}
	}
}

func TestDamageNeverPanics(t *testing.T) {
	f, _ := open(t, towns())
	packtest.Damage(t, f, 300, func(f *pack.File) bool {
		table, err := Open(f)
		if err != nil {
			return false
		}
		lookUp(table)
		return true
	})
}

// FuzzTable overwrites a few bytes of a valid file where the container does not detect it.
func FuzzTable(f *testing.F) {
	good := packtest.Open(f, func(out *pack.Writer) error { return fill(out, towns()) })
	packtest.Fuzz(f, good, func(file *pack.File) {
		if table, err := Open(file); err == nil {
			lookUp(table)
		}
	})
}

// BenchmarkProfile measures copying the texts of one of 100,000 geographies.
//
//	go test ./internal/pack/profiles -run '^$' -bench Profile
func BenchmarkProfile(b *testing.B) {
	const count = 100_000
	places := make([]place, count)
	for i := range places {
		places[i].id = fmt.Sprintf("g10_%010d", i)
		for section := range profile.SectionCount {
			for k := range 4 {
				places[i].texts[0][section] = append(places[i].texts[0][section],
					fmt.Sprintf("In the neighbourhood Place %d, there are %d shops and restaurants within a walk of %d minutes of the middle home.",
						i, i%97, k))
			}
		}
	}
	_, table := open(b, places)
	var buffer []byte
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		text, ok := table.Find(places[i*7919%count].id, "en")
		if !ok {
			b.Fatal("not found")
		}
		buffer = append(append(buffer[:0], text.Intro...), text.Sections...)
	}
	b.ReportMetric(float64(len(buffer)), "bytes")
}

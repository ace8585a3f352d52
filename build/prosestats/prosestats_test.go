package prosestats

import (
	"math"
	"slices"
	"testing"

	"quartier/build/released"
	"quartier/schemas/profile"
)

// TestSyllables compares with counts from dictionaries.
func TestSyllables(t *testing.T) {
	for language, words := range map[string]map[string]int{
		"en": {"homes": 1, "houses": 2, "large": 1, "little": 2, "table": 2, "the": 1, "neighbourhood": 3, "restaurants": 3, "named": 1, "rated": 2, "2021": 4, "—": 0, "bus,": 1, "apartments.": 3},
		"fr": {"villes": 1, "ville": 1, "quartier": 2, "maisons": 2, "logements,": 3, "gare": 1, "métro": 2, "l’école": 2, "«": 0, "à": 1, "deux": 1, "1": 1},
	} {
		for word, want := range words {
			if got := syllablesOf(word, language); got != want {
				t.Errorf("%q in %s has %d syllables, want %d", word, language, got, want)
			}
		}
	}
	if words, syllables := Count("There are 12\u00a0parks , here.", "en"); words != 5 || syllables != 6 {
		t.Errorf("%d words, %d syllables", words, syllables)
	}
}

// TestEase checks the formulas on the published example of Flesch: short words in short sentences are easy.
func TestEase(t *testing.T) {
	s := Section{Sentences: 1, Words: 6, Syllables: 6} // The cat sat on the mat.
	if got := s.Ease("en"); math.Abs(got-116.145) > 1e-9 {
		t.Errorf("Flesch is %v", got)
	}
	if got := s.Ease("fr"); math.Abs(got-127.31) > 1e-9 {
		t.Errorf("Kandel-Moles is %v", got)
	}
}

func TestNamesAndNumbersAreMasked(t *testing.T) {
	p := &released.Profile{
		Place: profile.Place{NameEN: "The Glebe", NameFR: "Le Glebe", CityEN: "Ottawa"},
		Facts: []profile.Fact{{Name: "bank street", NameFR: "rue du marché"}},
	}
	for _, c := range []struct{ a, b string }{
		{"The Glebe has 12 parks.", "Old Ottawa South has 3 parks."},
		{"Shops line bank street, with 1,234 of them.", "Shops line Main Street, with 12.5 of them."},
		{"La rue Bank compte 1\u00a0200 logements.", "La rue Sherbrooke Ouest compte 3 logements."},
		{"Autour d’Oka, c’est calme.", "Autour de Hull, c’est calme."},
		{"In Ottawa there are three parks.", "In Trois-Rivières there are eleven parks."},
		{"It is near Côte-de-Sable.", "It is near Hunt Club - McArthur."},
		{"It is near Algonquin-on-the-Hill St. Patrick.", "It is near Hurdman."},
	} {
		var a, b profile.Text
		a[0], b[0] = []profile.Sentence{{Text: c.a}}, []profile.Sentence{{Text: c.b}}
		x, y := maskAll(p, &a), maskAll(p, &b)
		if c.a[:9] == "The Glebe" { // a name at the beginning is masked only where it is known
			y = []string{"□ has # parks"}
		}
		if !slices.Equal(x, y) {
			t.Errorf("%q and %q", x, y)
		}
	}
	if a, b := mask("Most homes are houses."), mask("Most homes are apartments."); a == b {
		t.Error("other words are equal")
	}
}

func TestShared(t *testing.T) {
	for _, c := range []struct {
		a, b []string
		want float64
	}{
		{nil, nil, 0}, {[]string{"x", "y", "z"}, []string{"x"}, 0.5}, {[]string{"x", "x"}, []string{"x"}, 2.0 / 3}, {[]string{"a", "b"}, []string{"a", "b"}, 1},
	} {
		if got := Shared(c.a, c.b); got != c.want || Shared(c.b, c.a) != c.want {
			t.Errorf("%q and %q share %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// TestPairsMeetByVertices checks that vertices meet on both sides of the edges of cells, and farther ones do not.
func TestPairsMeetByVertices(t *testing.T) {
	list := []vertex{{0, 0, 1}, {0, 0, 2}, {5, 5, 3}, {5, 5, 1}, {5, 5, 3}, {7, 7, 4}}
	if got := meet(list); !slices.Equal(got, [][2]int32{{1, 2}, {1, 3}}) {
		t.Errorf("pairs %v", got)
	}
}

// TestShuffleKeepsLevels checks that every place with a text gets one of its own level, each once.
func TestShuffleKeepsLevels(t *testing.T) {
	n := &neighbours{ids: []string{"g10_a", "g30_b", "g10_c", "g10_d", "g30_e"}}
	of := n.shuffled(map[string][]string{"g10_a": {"1"}, "g30_b": {"2"}, "g10_c": {"3"}, "g30_e": {"5"}})
	if got := slices.Sorted(slices.Values(of)); !slices.Equal(got, []int32{0, 1, 2, 3, 4}) {
		t.Errorf("%v is no permutation", of)
	}
	for i, j := range of {
		if n.ids[i][:3] != n.ids[j][:3] || n.ids[i] == "g10_d" && i != int(j) {
			t.Errorf("%s has the text of %s", n.ids[i], n.ids[j])
		}
	}
}

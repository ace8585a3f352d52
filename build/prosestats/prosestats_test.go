package prosestats

import (
	"math"
	"slices"
	"testing"
)

// TestSyllables compares with counts from dictionaries.
func TestSyllables(t *testing.T) {
	for language, words := range map[string]map[string]int{
		"en": {"homes": 1, "houses": 2, "large": 1, "little": 2, "table": 2, "the": 1, "neighbourhood": 3, "restaurants": 3, "named": 1,
			"rated": 2, "2021": 4, "—": 0, "bus,": 1, "apartments.": 3},
		"fr": {"villes": 1, "ville": 1, "quartier": 2, "maisons": 2, "logements,": 3, "gare": 1, "métro": 2, "l’école": 2, "«": 0, "à": 1,
			"deux": 1, "1": 1},
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

// TestShuffleKeepsLevels checks that every place with a text gets one of its own level, each once.
func TestShuffleKeepsLevels(t *testing.T) {
	n := &places{ids: []string{"g10_a", "g30_b", "g10_c", "g10_d", "g30_e"}}
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

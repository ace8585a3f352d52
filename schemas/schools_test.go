package schemas

import (
	"slices"
	"testing"
)

func TestSchoolWords(t *testing.T) {
	for kind, words := range map[string][]string{SchoolLevelWord: SchoolLevels, SchoolTypeWord: SchoolTypes,
		SchoolLanguageWord: {"en", "fr", "cr"}} {
		for _, word := range words {
			if SchoolWordFR(kind, word) == word {
				t.Errorf("the %s %s has no translation", kind, word)
			}
		}
	}
	for _, c := range []struct{ kind, word, want string }{
		{SchoolProgramWord, "FRENCH Immersion", "immersion française"}, {SchoolProgramWord, "Robotics", "Robotics"},
		{SchoolLanguageWord, "fr", "français"}, {SchoolLanguageWord, "zz", "zz"}, {SchoolLevelWord, "", ""},
		{SchoolLevelWord, "public", "public"},
	} {
		if got := SchoolWordFR(c.kind, c.word); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.kind, c.word, got, c.want)
		}
	}
	kinds := []string{SchoolLevelWord, SchoolTypeWord, SchoolLanguageWord, SchoolProgramWord}
	if len(schoolWordIndex) != len(schoolWords) {
		t.Error("a word has two rows")
	}
	for _, w := range schoolWords {
		if !slices.Contains(kinds, w.kind) || w.id == "" || w.fr == "" {
			t.Errorf("%+v", w)
		}
	}
}

package schemas

import (
	"slices"
	"testing"
)

func TestPlaceClass(t *testing.T) {
	for word, want := range map[string]string{
		"daycares": "daycares", "preschool": "daycares", "day_care_preschool": "daycares", "Day care": "daycares",
		"coffee-shop": "cafes", "high_school": "high_school", "Elementary School": "primary_school", "zoo": "", "": "",
	} {
		if got, known := PlaceClass(word); got != want || known != (want != "") {
			t.Errorf("%q is %q, want %q", word, got, want)
		}
	}
	for _, s := range CategorySynonyms {
		if !slices.Contains(PlaceClasses(), s.Class) || slices.Contains(PlaceClasses(), s.Synonym) {
			t.Errorf("%q for %q", s.Synonym, s.Class)
		}
	}
	if !slices.IsSortedFunc(CategorySynonyms, func(a, b CategorySynonym) int {
		if a.Synonym < b.Synonym {
			return -1
		}
		return 1
	}) {
		t.Error("the synonyms are not in order")
	}
}

func TestNearestPlaceClasses(t *testing.T) {
	for word, want := range map[string]string{"parc": "parks", "daycars": "daycares", "resturants": "restaurants", "nursury": "daycares"} {
		if got := NearestPlaceClasses(word); len(got) != 3 || got[0] != want {
			t.Errorf("%q: %v, want %q first", word, got, want)
		}
	}
}

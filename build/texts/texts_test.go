package texts

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"quartier/internal/prose"
	"quartier/internal/prose/fair"
	"quartier/schemas/profile"
)

func collected(n int, end error) func(func(profile.Place, []profile.Fact) error) error {
	return func(emit func(profile.Place, []profile.Fact) error) error {
		facts := make([]profile.Fact, 1) // which is used again
		for i := range n {
			facts[0] = profile.Fact{Section: profile.Services, Code: profile.CountFact, Subject: "cafes", Value: float64(i % 50),
				Source: fmt.Sprint(i)}
			if err := emit(profile.Place{ID: fmt.Sprintf("g10_%010d", i), Level: 10, Type: "neighbourhood", Country: [2]string{"CA", "US"}[i%2],
				State: "ON", NameEN: fmt.Sprint("Place ", i)}, facts); err != nil {
				return err
			}
		}
		return end
	}
}

// TestOrder checks that profiles come out once, in the order of the facts, with texts in the languages of their country that
// are those of these facts.
func TestOrder(t *testing.T) {
	for _, n := range []int{0, 1, batchSize - 1, batchSize, 2*batchSize + 1} {
		var got []string
		_, err := Write(t.Context(), nil, collected(n, nil), func(p *Profile) error {
			if want := fmt.Sprint(len(got)); p.Facts[0].Source != want {
				t.Fatalf("profile %d has the facts of %s", len(got), p.Facts[0].Source)
			}
			if _, french := p.Texts["fr"]; french != (p.Place.Country == "CA") {
				t.Fatalf("%s has French: %v", p.Place.Country, french)
			}
			if again, _ := Of(p.Place, p.Facts); fmt.Sprint(again["en"]) != fmt.Sprint(p.Texts["en"]) {
				t.Fatalf("text %v, again %v", p.Texts["en"], again["en"])
			}
			got = append(got, p.Place.ID)
			return nil
		})
		if err != nil || len(got) != n || !slices.IsSorted(got) {
			t.Errorf("%d profiles of %d: %v", len(got), n, err)
		}
	}
}

func TestErrors(t *testing.T) {
	fault := errors.New("a fault")
	none := func(*Profile) error { return nil }
	if _, err := Write(t.Context(), nil, collected(3*batchSize, fault), none); !errors.Is(err, fault) {
		t.Errorf("of the facts: %v", err)
	}
	for _, at := range []string{"Place 0", fmt.Sprint("Place ", batchSize+1), fmt.Sprint("Place ", 3*batchSize)} {
		_, err := Write(t.Context(), nil, collected(3*batchSize+1, nil), func(p *Profile) error {
			if strings.EqualFold(p.Place.NameEN, at) {
				return fault
			}
			return nil
		})
		if !errors.Is(err, fault) {
			t.Errorf("of adding %s: %v", at, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Write(ctx, nil, collected(3*batchSize, nil), none); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestNeighboursDiffer writes places of the same facts that all touch each other: no two of them share more than half of
// their sentences, and without neighbours some do.
func TestNeighboursDiffer(t *testing.T) {
	const n = 16
	collect := func(emit func(profile.Place, []profile.Fact) error) error {
		for i := range n {
			facts := []profile.Fact{{Section: profile.Transport, Code: profile.ScoreFact, Subject: "car_friendly", Value: 4.9, Low: 4.8, High: 5,
				Source: "x"}}
			if err := emit(profile.Place{ID: fmt.Sprintf("g10_%010d", i), Level: 10, Type: "neighbourhood", Country: "US", State: "DE",
				NameEN: fmt.Sprint("Place ", i), AreaM2: 1e6}, facts); err != nil {
				return err
			}
		}
		return nil
	}
	all := map[string][]string{}
	for i := range n {
		for k := range n {
			if i != k {
				all[fmt.Sprintf("g10_%010d", i)] = append(all[fmt.Sprintf("g10_%010d", i)], fmt.Sprintf("g10_%010d", k))
			}
		}
	}
	for _, neighbours := range []map[string][]string{nil, all} {
		var texts [][]string
		if _, err := Write(t.Context(), neighbours, collect, func(p *Profile) error {
			texts = append(texts, Masked(p.Texts)[0])
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		over := 0
		for i := range texts {
			for k := range i {
				if Shared(texts[i], texts[k]) > maxShared {
					over++
				}
			}
		}
		if (over > 0) != (neighbours == nil) {
			t.Errorf("%d pairs over half; are neighbours known: %v", over, neighbours != nil)
		}
	}
}

// Texts that break a rule are left out in their language alone and counted, with an example in which no name is.
func TestTextsThatBreakARule(t *testing.T) {
	defer fair.Forbid("en", "meal")()
	n, with := batchSize+20, map[string]int{}
	left, err := Write(t.Context(), nil, collected(n, nil), func(p *Profile) error {
		for language, text := range p.Texts {
			with[language]++
			if why := prose.Broken(&text, language); why != nil {
				t.Errorf("%s in %s: %v", p.Place.ID, language, why)
			}
		}
		if masked := Masked(p.Texts); (masked[0] == nil) == (p.Broken["en"] == nil) || p.Broken["fr"] != nil {
			t.Errorf("%s has %v, broken %v", p.Place.ID, masked, p.Broken)
		}
		return nil
	})
	if err != nil || len(left) != 1 || left[0].Rows == 0 || with["en"]+int(left[0].Rows) != n || with["fr"] != n/2 {
		t.Fatalf("%d and %d texts of %d are written, and left out %+v: %v", with["en"], with["fr"], n, left, err)
	}
	if i := left[0]; i.Code != "text_left_out" || i.Step != "texts" ||
		!strings.Contains(i.Example, `in en: "meal" is about`) || strings.Contains(i.Example, "Place") {
		t.Errorf("issue %+v", i)
	}
}

func TestShared(t *testing.T) {
	for _, c := range []struct {
		a, b []string
		want float64
	}{
		{nil, nil, 0}, {[]string{"x", "y", "z"}, []string{"x"}, 0.5}, {[]string{"x", "x"}, []string{"x"}, 2.0 / 3},
		{[]string{"a", "b"}, []string{"a", "b"}, 1},
	} {
		if got := Shared(c.a, c.b); got != c.want || Shared(c.b, c.a) != c.want {
			t.Errorf("%q and %q share %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

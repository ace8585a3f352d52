package demography

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quartier/transform/regiontest"
)

// Every table of a survey is checked: bg1 has 60 people, bg2 40; both have a population in the survey.
func TestTablesOfAnotherVintage(t *testing.T) {
	const elsewhere = "census:bg:240050001009" // has no outline
	for _, c := range []struct {
		name  string
		stage func(*world)
		note  string
		fails []string
	}{
		{"all areas", func(w *world) {
			w.table("acs", bg1, "tenure", 20, 10, 10)
			w.table("acs", bg2, "tenure", 20, 10, 10)
		}, "", nil},
		{"some areas", func(w *world) {
			w.table("acs", bg1, "tenure", 20, 10, 10)
			w.table("acs", elsewhere, "tenure", 20, 10, 10)
		}, "source acs has tenure for 60 % of the people of its areas", nil},
		{"other areas", func(w *world) {
			w.table("acs", elsewhere, "tenure", 20, 10, 10)
			w.table("acs", elsewhere, "median_household_income", 50_000)
		}, "", []string{"source acs has tenure for none of the people of its states, such as those of " + bg1, "such as " + elsewhere}},
		{"another state", func(w *world) {
			w.table("acs", "census:bg:510050001001", "tenure", 20, 10, 10)
		}, "source acs has tenure for 0 % of the people of its areas", nil},
		{"allocated", func(w *world) {
			w.table("acs", tract, "tenure", 40, 20, 20)
		}, "", nil},
		{"larger areas", func(w *world) {
			w.table("acs", "census:place:2461400", "tenure", 40, 20, 20)
			w.table("acs", "census:place:2461400", "median_household_income", 50_000)
		}, "source acs has tenure for 0 % of the people of its areas", nil},
		{"never complete", func(w *world) {
			w.table("acs", bg1, "tenure", 20, -1, 10)
			w.table("acs", bg2, "tenure", 20, -1, 10)
		}, "source acs has tenure for 0 % of the people of its areas", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.survey("acs", 2, "2019-2023")
			w.block("b1", bg1, 60, 24, 30, square(0, 0, 1))
			w.block("b2", bg2, 40, 16, 20, square(1, 0, 1))
			w.table("acs", bg1, "population", 60)
			w.table("acs", bg2, "population", 40)
			c.stage(w)
			o, err := w.try()
			if len(c.fails) > 0 {
				fails(t, err, c.fails...)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := o.Notes["tables of source acs"]; got != c.note {
				t.Errorf("note %q", got)
			}
		})
	}
}

// Figures of small areas need outlines: without any there is a note, with others it is an error.
func TestStatisticsOfNoSmallArea(t *testing.T) {
	w := newWorld(t)
	w.survey("acs", 2, "2019-2023")
	w.survey("profile", 3, "2021")
	w.table("acs", bg1, "tenure", 20, 10, 10)
	w.table("acs", bg2, "tenure", 20, 10, 10)
	w.table("acs", tract, "population", 100)
	w.table("profile", da1, "population", 100)
	o := w.derive()
	if diff := cmp.Diff(map[string]string{
		"block groups of source acs": "source acs has data for 2 block groups, and no source has their blocks or outlines: " +
			"demographics around points are absent",
		"dissemination areas of source profile": "source profile has data for 1 dissemination areas, and no source has their blocks or " +
			"outlines: demographics around points are absent",
	}, o.Notes); diff != "" {
		t.Error(diff)
	}
	w.block("c1", da1, 100, 40, 50, regiontest.Square(0, 40_000, 100, 40_100))
	_, err := w.try()
	fails(t, err, "source acs has data for small areas such as "+bg1+", but for none of the region's, such as "+da1)
}

// Counties of which some outlines are missing have a note, which names the worst.
func TestOutlinesMissingInside(t *testing.T) {
	for _, c := range []struct {
		name    string
		missing float64 // people of an area of bg1's county, which has 100 with an outline; negative: missing
		note    string
	}{
		{"few", 5, ""},
		{"many", 25,
			"source acs: no outlines for 20 % of the people in county 24005: counts of geographies there are too low, e.g. census:bg:240050001009"},
		{"no counts", -1,
			"source acs: no outlines for 50 % of the small areas in county 24005: counts of geographies there are too low, e.g. " +
				"census:bg:240050001009"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.survey("acs", 2, "2019-2023")
			w.block("b1", bg1, 100, 40, 50, square(0, 0, 1))
			w.table("acs", bg1, "population", 100)
			w.table("acs", bg1, "households", 40)
			w.table("acs", "census:bg:240050001009", "population", c.missing)
			w.table("acs", "census:bg:240050001009", "households", 10)
			w.table("acs", "census:bg:240070001001", "population", 1000) // a county without outlines
			if got := w.derive().Notes["outlines of source acs"]; got != c.note {
				t.Errorf("note %q", got)
			}
		})
	}
	w := newWorld(t)
	w.survey("profile", 2, "2021")
	for i, da := range []string{da1, "statcan:da:35070011"} {
		w.block(da, da, 100, 40, 50, regiontest.Square(float64(100*i), 40_000, float64(100*i+100), 40_100))
		w.table("profile", da, "population", 100)
	}
	w.table("profile", da2, "population", 100)
	w.table("profile", "statcan:da:35070012", "population", 300)
	want := "source profile: no outlines for 75 % of the people in census division 3507: counts of geographies there are too low, e.g. " +
		"statcan:da:35070012; the same in 1 more"
	if got := w.derive().Notes["outlines of source profile"]; got != want {
		t.Errorf("note %q", got)
	}
}

func TestMismatched(t *testing.T) {
	for _, c := range []struct {
		a, b float64
		want bool
	}{{100, 300, true}, {100, 299, false}, {99, 3000, false}, {0, 100, true}, {0, 99, false}, {0, 0, false}, {5000, 5000, false}} {
		if mismatched(c.a, c.b, 3) != c.want || mismatched(c.b, c.a, 3) != c.want {
			t.Errorf("%v and %v: want %v", c.a, c.b, c.want)
		}
	}
}

// bg1 has 9,600 people in the blocks and the table; bg2 differs.
func TestCountsThatDifferFromTheBlocks(t *testing.T) {
	disagree := func(percent, published, counted int) string {
		return fmt.Sprintf("source acs and the blocks disagree on %d %% of the people by a factor of 3 or more, such as in %s: %d people in "+
			"the survey, %d in the blocks", percent, bg2, published, counted)
	}
	for _, c := range []struct {
		name        string
		blocks      int64
		published   float64
		note, fails string
	}{
		{name: "near enough", blocks: 400, published: 1100},
		{name: "a few", blocks: 400, published: 1200, note: disagree(4, 1200, 400)},
		{name: "many", blocks: 2400, published: 300, fails: disagree(20, 300, 2400)},
		{name: "a wrong column", blocks: 0, published: 2400, fails: disagree(20, 2400, 0)},
		{name: "no counts", blocks: -1, published: 2400},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.survey("acs", 2, "2019-2023")
			w.block("b1", bg1, 9600, 4000, 5000, square(0, 0, 1))
			w.block("b2", bg2, c.blocks, 40, 50, square(1, 0, 1))
			w.table("acs", bg1, "population", 9600)
			w.table("acs", bg2, "population", c.published)
			o, err := w.try()
			if c.fails != "" {
				fails(t, err, c.fails)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := o.Notes["counts of source acs"]; got != c.note {
				t.Errorf("note %q", got)
			}
			if c.note != "" {
				o.hasIssues("1 population_mismatch: acs (" + bg2 + ")")
			} else {
				o.hasIssues()
			}
		})
	}
}

// fails checks that an error is ErrMismatch and contains texts.
func fails(t *testing.T, err error, texts ...string) {
	t.Helper()
	if !errors.Is(err, ErrMismatch) {
		t.Fatalf("error %v", err)
	}
	for _, want := range texts {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not contain %q", err, want)
		}
	}
}

package demography

import (
	"errors"
	"strings"
	"testing"
)

// Every table of a survey joins by itself: bg1 has 60 people, bg2 40; both are told a population.
func TestTablesOfAnotherVintage(t *testing.T) {
	const elsewhere = "census:bg:240050001009" // has no outline
	for _, c := range []struct {
		name  string
		stage func(*world)
		note  string
		fails []string
	}{
		{"told of all", func(w *world) {
			w.table("acs", bg1, "tenure", 20, 10, 10)
			w.table("acs", bg2, "tenure", 20, 10, 10)
		}, "", nil},
		{"told of some", func(w *world) {
			w.table("acs", bg1, "tenure", 20, 10, 10)
			w.table("acs", elsewhere, "tenure", 20, 10, 10)
		}, "source acs tells tenure of 60 % of the people of its areas", nil},
		{"told of others", func(w *world) {
			w.table("acs", elsewhere, "tenure", 20, 10, 10)
			w.table("acs", elsewhere, "median_household_income", 50_000)
		}, "", []string{"source acs tells tenure of none of the people of its states, such as those of " + bg1, "such as " + elsewhere}},
		{"told of another state", func(w *world) {
			w.table("acs", "census:bg:510050001001", "tenure", 20, 10, 10)
		}, "source acs tells tenure of 0 % of the people of its areas", nil},
		{"handed down", func(w *world) {
			w.table("acs", tract, "tenure", 40, 20, 20)
		}, "", nil},
		{"told of larger areas", func(w *world) {
			w.table("acs", "census:place:2461400", "tenure", 40, 20, 20)
			w.table("acs", "census:place:2461400", "median_household_income", 50_000)
		}, "source acs tells tenure of 0 % of the people of its areas", nil},
		{"never told wholly", func(w *world) {
			w.table("acs", bg1, "tenure", 20, -1, 10)
			w.table("acs", bg2, "tenure", 20, -1, 10)
		}, "source acs tells tenure of 0 % of the people of its areas", nil},
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

// fails holds an error to be of figures that do not fit their areas, and to say so.
func fails(t *testing.T, err error, says ...string) {
	t.Helper()
	if !errors.Is(err, ErrMismatch) {
		t.Fatalf("error %v", err)
	}
	for _, want := range says {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not tell %q", err, want)
		}
	}
}

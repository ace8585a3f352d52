package place

import (
	"errors"
	"strings"
	"testing"

	"github.com/paulmach/orb"
)

func TestOf(t *testing.T) {
	for text, want := range map[string]string{
		"us-or": "us-or Oregon", "US-OR": "us-or Oregon", "oregon": "us-or Oregon", "ca-on": "ca-on Ontario",
		"Québec": "ca-qc Quebec", "quebec": "ca-qc Quebec",
		"Columbus, Ohio": "us-oh-columbus Columbus, Ohio", "columbus, OH": "us-oh-columbus Columbus, Ohio",
		"Montréal, QC": "ca-qc-montreal Montréal, Quebec", "Montreal, Québec": "ca-qc-montreal Montréal, Quebec",
		"St. Louis, MO": "", "District of Columbia": "us-dc District of Columbia", "New York, NY": "us-ny-new-york-city New York City, New York",
	} {
		p, err := Of(text)
		if want == "" {
			continue
		}
		if err != nil || p.Name+" "+p.Title != want {
			t.Errorf("%s: %v, %v; want %s", text, p, err, want)
		}
	}
}

func TestOfFailsWithWhatElseThereIs(t *testing.T) {
	for text, want := range map[string][]string{
		"Columbus":        {"is the name of 5", `"Columbus, Ohio" (787,033 people)`, `"Columbus, Nebraska"`},
		"Colombus, Ohio":  {"--box", "is no state"},
		"Columbia, Ohoi":  {`"Ohoi" is not the code or name`},
		"Gotham":          {"--box west,south,east,north", "us-or"},
		"Portlandia, ME":  {"near in spelling: Portland, Maine"},
		"":                {"--box"},
		"Spuzzum, Canada": {`"Canada" is not`},
	} {
		_, err := Of(text)
		if !errors.Is(err, ErrNotFound) {
			t.Errorf("%q: %v", text, err)
			continue
		}
		for _, part := range want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q: %v, want %q", text, err, part)
			}
		}
	}
}

func TestBoxes(t *testing.T) {
	box, err := ParseBox("-75.8, 45.3,-75.6,45.5")
	if err != nil {
		t.Fatal(err)
	}
	p, err := OfBox(box)
	if err != nil || len(p.States) != 2 || p.States[0].ID() != "ca-qc" && p.States[1].ID() != "ca-qc" || p.Whole {
		t.Errorf("%+v, %v; want Ontario and Quebec", p, err)
	}
	for _, text := range []string{"1,2,3", "a,b,c,d", "5,5,4,6", "0,0,1,1", "NaN,1,2,3"} {
		box, err := ParseBox(text)
		if err == nil {
			_, err = OfBox(box)
		}
		if !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestStates has a box for every state with an extract, and its tiles.
func TestStates(t *testing.T) {
	n := 0
	for _, s := range States() {
		if s.Extract == "" {
			continue
		}
		p, err := Of(s.ID())
		if err != nil {
			t.Errorf("%s: %v", s.ID(), err)
			continue
		}
		n++
		if b := p.Box; b.Max[0]-b.Min[0] > 70 || b.Max[1]-b.Min[1] > 45 || !p.Has(b) {
			t.Errorf("%s: box %v", s.ID(), b)
		}
	}
	if n < 50+1+13 {
		t.Errorf("%d states", n)
	}
	oregon, _ := Of("us-or")
	square := func(west, south float64) orb.Bound {
		return orb.Bound{Min: orb.Point{west, south}, Max: orb.Point{west + 1, south + 1}}
	}
	if oregon.Has(square(-75, 38)) || !oregon.Has(square(-123, 45)) {
		t.Error("what is in Oregon")
	}
}

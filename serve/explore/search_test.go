package explore

import (
	"math"
	"testing"
)

func TestPairsOfDegrees(t *testing.T) {
	for _, text := range []string{"45.0341, -72.6168", " 45.0341 -72.6168 ", "45.0341;-72.6168", "45,0341; -72,6168", "45,0341 -72,6168",
		"45.0341 N, 72.6168 W", "45.0341° n 72.6168° O"} {
		if lng, lat, ok := parsePair(text); !ok || lat != 45.0341 || lng != -72.6168 {
			t.Errorf("%q: %v, %v %v", text, lng, lat, ok)
		}
	}
	for _, text := range []string{"", "Ottawa", "45", "91, 0", "0, 181", "45.0341", "Highway 45, 72", "1 2 3", "NaN, 0", "0x1, 2", "٤٥, ٧٢"} {
		if _, _, ok := parsePair(text); ok {
			t.Errorf("%q is a pair of degrees", text)
		}
	}
}

func TestPostalAreas(t *testing.T) {
	for text, want := range map[string]string{"K1A 0B6": "K1A", "k1a0b6": "K1A", "K1A-0B": "K1A", "k1a 0": "K1A",
		" 19801-1234 ": "19801", "19801 12": "19801", "K1A": "",
		"19801": "", "K1A 0B6 X": "", "1980": "", "KAA 0B6": "", "": "", "45.1, 19801-1234": ""} {
		if got := postalArea(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestWholeWords(t *testing.T) {
	for _, c := range []struct {
		name, typed string
		want        bool
	}{{"Portland-Vancouver", "portland", true}, {"Portlandia", "portland", false}, {"L'Île-Perrot", "lile", true},
		{"Île-Perrot", "ile", true}, {"Portland", "portland", false}, {"", "", false}} {
		if got := wholeWords(c.name, c.typed); got != c.want {
			t.Errorf("%q of %q: %v", c.typed, c.name, got)
		}
	}
}

// FuzzSearched parses any query, and reads any text as coordinates and postal codes.
func FuzzSearched(f *testing.F) {
	for _, seed := range []string{"q=ballard&lat=47.6&lng=-122.3&zoom=12&limit=8", "q=45,1; -72,2",
		"q=K1A+0B6", "q=%00&zoom=1e9", "q=<b>&language=fr"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		var q searched
		if _, err := searchedSet.Parse(query, &q, nil); err != nil {
			return
		}
		if lng, lat, ok := parsePair(q.text.V); ok && !(math.Abs(lat) <= 90 && math.Abs(lng) <= 180) {
			t.Errorf("%q: %v, %v", q.text.V, lng, lat)
		}
		if area := postalArea(q.text.V); area != "" && len(area) != 3 && len(area) != 5 {
			t.Errorf("%q: %q", q.text.V, area)
		}
		s := searching{searched: &q}
		if reach := s.reach(); !(reach == 0 || reach >= leastReach && reach <= mostReach) {
			t.Errorf("%q: %v m", query, reach)
		}
	})
}

package geo

import (
	"errors"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"
)

func TestGeohash(t *testing.T) {
	for _, c := range []struct {
		lng, lat float64
		want     string
	}{
		{-5.6, 42.6, "ezs42"},           // the example of the Wikipedia article
		{10.40744, 57.64911, "u4pruyd"}, // the other one
		{-75.6972, 45.4215, "f244mkw"},
		{-180, -90, "0000000"}, {180, 90, "zzzzzzz"}, {0, 0, "s000000"},
	} {
		if got := Geohash(orb.Point{c.lng, c.lat}, len(c.want)); got != c.want {
			t.Errorf("%v, %v is in %s, want %s", c.lng, c.lat, got, c.want)
		}
	}
}

func TestGeohashCellHoldsItsPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := orb.Point{rapid.Float64Range(-180, 179.99).Draw(t, "lng"), rapid.Float64Range(-90, 89.99).Draw(t, "lat")}
		chars := rapid.IntRange(1, 12).Draw(t, "chars")
		name := Geohash(p, chars)
		cell, err := GeohashCell(strings.ToUpper(name))
		if err != nil || !cell.Contains(p) || Geohash(cell.Center(), chars) != name {
			t.Fatalf("%v is in %s, whose cell is %v, %v", p, name, cell, err)
		}
	})
}

func FuzzGeohashCell(f *testing.F) {
	for _, seed := range []string{"", "f244mdx", "a", "F244MDX", "ezs42ezs42ezs42", "é", "\xff", "f244\u212a"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		cell, err := GeohashCell(name)
		if err == nil && Geohash(cell.Center(), len(name)) != strings.ToLower(name) || err != nil && !errors.Is(err, ErrGeohash) {
			t.Fatalf("%q: %v, %v", name, cell, err)
		}
	})
}

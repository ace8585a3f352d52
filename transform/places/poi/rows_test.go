package poi

import (
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"quartier/schemas/derived"
)

// TestRowsAreWhatWasAdded reads rows in another order than they were written in.
func TestRowsAreWhatWasAdded(t *testing.T) {
	r, err := newRows(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer r.file.Close()
	var want []*POI
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 3*blockRows + 5 {
		p := &POI{Key: strings.Repeat("k", i), Source: "osm", priority: i % 3, Point: orb.Point{random.Float64(), -random.Float64()},
			area: float64(i), categories: set(1) << (i % 64), stop: i%2 == 0, unnamed: i%3 == 0, fastFood: i%5 == 0, brandsKnown: i%7 == 0,
			Name: "é\x00" + strings.Repeat("n", i), name: "e",
			Details: derived.Details{Address: "12 Main", URL: strings.Repeat("u", 300), CountryCode: "US"}}
		p.Wheelchair = "yes"
		for range i % 3 {
			p.Tags = append(p.Tags, "tag")
		}
		if i%2 == 1 {
			p.brands = []Brand{{"b", "B", i%4 == 1}}
		}
		want = append(want, p)
		if err := r.add(p.encode(nil)); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.flush(); err != nil {
		t.Fatal(err)
	}
	for _, i := range random.Perm(len(want)) {
		row, err := r.encoded(int32(i))
		if err != nil {
			t.Fatal(err)
		}
		if got := decode(row); !reflect.DeepEqual(got, want[i]) {
			t.Fatalf("row %d: %+v, want %+v", i, got, want[i])
		}
	}
}

// TestRowsThatCannotBeReadOrWritten is of a folder that is not there, and of a file that was closed.
func TestRowsThatCannotBeReadOrWritten(t *testing.T) {
	if _, err := newRows(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a folder that is not there")
	}
	d, err := deriveAll([]Record{{Source: "a", Key: "osm:node:1", Scheme: "quartier", Classes: []string{"parks"}}})
	if err != nil {
		t.Fatal(err)
	}
	d.places.rows.number = -1 // not what is in memory
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if err := d.look(); err == nil {
		t.Error("a closed file")
	}
}

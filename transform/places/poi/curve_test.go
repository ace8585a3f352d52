package poi

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/duck"
	_ "quartier/internal/duck/driver"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/derived"
	"quartier/schemas/staged"
)

// The table has the places that were derived, each once, numbered by curve and key. Some are at one point.
func TestPlacesAreWrittenAlongACurve(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var records []Record
		for i := range rapid.IntRange(0, 40).Draw(rt, "n") {
			at := orb.Point{-75 + float64(rapid.IntRange(0, 5).Draw(rt, "east")), 39 + float64(rapid.IntRange(0, 5).Draw(rt, "north"))}
			records = append(records, Record{Source: "a", Key: fmt.Sprint("osm:node:", i*7919%1000), Point: at, Scheme: "quartier",
				Classes: []string{"cafes"}, Details: staged.Details{Name: fmt.Sprint("Place ", i)}})
		}
		result, err := deriveAll(records)
		if err != nil {
			rt.Fatal(err)
		}
		want := map[string]orb.Point{}
		for _, p := range result.POIs {
			want[p.Key] = p.Point
		}
		db, err := duck.Memory()
		if err != nil {
			rt.Fatal(err)
		}
		defer db.Close()
		if _, err := db.Exec(schemas.Derived); err != nil {
			rt.Fatal(err)
		}
		if err := Write(t.Context(), db, result.Result); err != nil {
			rt.Fatal(err)
		}
		rows, err := sqlrow.All[derived.POI](t.Context(), db, "SELECT * FROM poi")
		if err != nil {
			rt.Fatal(err)
		}
		got := map[string]orb.Point{}
		for i, r := range rows {
			got[r.Key] = orb.Point{r.Lng, r.Lat}
			if r.Number != int32(i) || r.Curve != int64(geo.Hilbert(got[r.Key])) {
				rt.Fatalf("place %d: %+v", i, r)
			}
		}
		if !maps.Equal(got, want) || len(rows) != len(want) {
			rt.Fatalf("places %v, want %v", got, want)
		}
		if !slices.IsSortedFunc(rows, func(a, b derived.POI) int { return cmp.Or(cmp.Compare(a.Curve, b.Curve), cmp.Compare(a.Key, b.Key)) }) {
			rt.Fatalf("places are not in order: %v", rows)
		}
	})
}

package market

import (
	"context"
	"fmt"
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/pack/geographies"
	"quartier/internal/pack/packtest"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/market"
	"quartier/schemas/staged"
	"quartier/transform/market/figures"
)

// square is an outline from (west, south), tenths of degrees.
func square(west, south, east, north float64) orb.MultiPolygon {
	a, b, c, d := west/10, south/10, east/10, north/10
	return orb.MultiPolygon{{{{a, b}, {c, b}, {c, d}, {a, d}, {a, b}}}}
}

// testPlaces are a county of two halves with a ZIP code each, an old outline over the western one, and another state.
func testPlaces(t testing.TB) *geographies.Table {
	t.Helper()
	w, err := geographies.NewWriter(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	add := func(id, name string, level schemas.Level, state string, m orb.MultiPolygon, edit ...func(*geographies.Record)) {
		r := geographies.Record{ID: id, Level: level, Name: schemas.Text{EN: name, FR: name}, CountryCode: "US", StateCodes: []string{state},
			AreaM2: 1000 * float64(level), BBox: m.Bound(), Centroid: m.Bound().Center(), Geometry: m}
		for _, e := range edit {
			e(&r)
		}
		if err := w.Add(&r); err != nil {
			t.Fatal(err)
		}
	}
	add("g30_west", "West", schemas.Municipality, "US_PA", square(-780, 400, -775, 410))
	add("g30_east", "East", schemas.Municipality, "US_PA", square(-775, 400, -770, 410))
	add("g30_old", "Old West", schemas.Municipality, "US_PA", square(-780, 400, -776, 410), func(r *geographies.Record) {
		r.Superseded, r.ReplacedBy = true, "g30_west"
	})
	add("g32_west", "15001", schemas.PostalArea, "US_PA", square(-780, 400, -775, 410))
	add("g32_east", "15002", schemas.PostalArea, "US_PA", square(-775, 400, -770, 410))
	add("g37_both", "Both", schemas.County, "US_PA", square(-780, 400, -770, 410))
	add("g37_ohio", "Ohio County", schemas.County, "US_OH", square(-790, 400, -780, 410))
	add("g60_pa", "Pennsylvania", schemas.State, "US_PA", square(-780, 400, -770, 410))
	add("g60_oh", "Ohio", schemas.State, "US_OH", square(-790, 400, -780, 410))
	table, err := geographies.Open(packtest.Open(t, w.Finish))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// record is a listing with its changes.
type record struct {
	staged.Listing
	changes []staged.ListingChange
}

// cells are values by geography, type and interval.
type cells map[string]market.Values

func (c cells) of(geography string, t market.PropertyType, code string) (market.Values, bool) {
	v, ok := c[fmt.Sprintf("%s %s %s", geography, t, code)]
	return v, ok
}

// failer is a *testing.T or *rapid.T.
type failer interface{ Fatal(args ...any) }

// compute is Compute without a database.
func compute(t failer, places *geographies.Table, records []record, asOf market.Day) (cells, Summary) {
	c := &calibration.Standard().Market
	r := newResolver(places, c)
	var batches []*batch
	for first := 0; first < len(records); first += batchSize {
		b := &batch{first: first}
		for _, one := range records[first:min(first+batchSize, len(records))] {
			b.listings, b.changes = append(b.listings, one.Listing), append(b.changes, one.changes)
		}
		if err := r.resolve(b); err != nil {
			t.Fatal(err)
		}
		batches = append(batches, b)
	}
	r.join(batches)
	d := collect(batches, r.locator.sets)
	d.members = membersOf(r.locator.sets, places.Len())
	plan, out := figures.NewPlan(asOf, c), cells{}
	err := d.statistics(context.Background(), plan, func(s market.Statistics) error {
		for _, cell := range s.Cells {
			out[fmt.Sprintf("%s %s %s", places.ID(int(s.Geography)), cell.Type, plan.Intervals[cell.Interval].Code)] = cell.Values
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, Summary{Issues: r.issues.list()}
}

func ptr[T any](v T) *T { return &v }

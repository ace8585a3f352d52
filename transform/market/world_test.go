package market

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/pack/geographies"
	"quartier/internal/pack/packtest"
	"quartier/schemas"
	"quartier/schemas/market"
	"quartier/schemas/staged"
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

// days is a source whose listings change from a day to the next.
type days struct {
	records    []record
	generation int64
	whole      int64             // a generation of which no changes are listed
	log        []map[uint64]bool // listings that changed with each generation from 2
}

func (d *days) version(context.Context) (string, int64, error) { return "days", d.generation, nil }

func (d *days) read(_ context.Context, visit func(*batch) error) error {
	return d.visit(func(uint64) bool { return true }, visit)
}

func (d *days) changed(_ context.Context, since int64) (map[uint64]bool, bool, error) {
	ids := map[uint64]bool{}
	for g := since + 1; g <= d.generation; g++ {
		if g == 1 || g == d.whole {
			return nil, false, nil
		}
		maps.Copy(ids, d.log[g-2])
	}
	return ids, true, nil
}

func (d *days) readChanged(ctx context.Context, since int64, visit func(*batch) error) error {
	ids, _, _ := d.changed(ctx, since)
	return d.visit(func(id uint64) bool { return ids[id] }, visit)
}

func (d *days) visit(wanted func(uint64) bool, visit func(*batch) error) error {
	changes := map[uint64][]staged.ListingChange{}
	of := func(dst []staged.ListingChange, id uint64) []staged.ListingChange { return append(dst, changes[id]...) }
	for _, r := range d.records {
		changes[idOf(r.System, r.Key)] = r.changes
	}
	b, first := &batch{changes: of}, 0
	flush := func() error {
		first += len(b.listings)
		full := b
		b = &batch{first: first, changes: of}
		if len(full.listings) == 0 {
			return nil
		}
		return visit(full)
	}
	for _, r := range d.records {
		if !wanted(idOf(r.System, r.Key)) {
			continue
		}
		if b.listings = append(b.listings, r.Listing); len(b.listings) == batchSize {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// set makes other records the listings, and logs which changed.
func (d *days) set(records []record) {
	texts := func(list []record) map[uint64]string {
		m := map[uint64]string{}
		for _, r := range list {
			text, _ := json.Marshal(r)
			more, _ := json.Marshal(r.changes)
			m[idOf(r.System, r.Key)] = string(text) + string(more)
		}
		return m
	}
	before, now, changed := texts(d.records), texts(records), map[uint64]bool{}
	for id, text := range now {
		if before[id] != text {
			changed[id] = true
		}
	}
	for id := range before {
		if _, ok := now[id]; !ok {
			changed[id] = true
		}
	}
	d.records = records
	if d.generation++; d.generation > 1 {
		d.log = append(d.log, changed)
	}
}

// earlier are the statistics of the last day that was computed in a work folder, and that day.
type earlier struct {
	day   market.Day
	cells cells
}

// keptCells are those of each work folder.
var keptCells = map[string]earlier{}

// statistics computes from a source, with the cells of the earlier day that are not computed.
func statistics(t failer, places *geographies.Table, from source, asOf market.Day, work string) (cells, Summary) {
	intervals, out := market.Intervals(asOf), cells{}
	before, known := keptCells[work]
	if !known {
		before.day = market.NoDay
	}
	name := func(g uint32, of market.PropertyType, interval int) string {
		return fmt.Sprintf("%s %s %s", places.ID(int(g)), of, intervals[interval].Code)
	}
	in := Input{Places: places, AsOf: asOf, Work: work, Earlier: before.day}
	summary, err := compute(context.Background(), in, from, func(s market.Statistics) error {
		last := -1
		for _, cell := range s.Cells {
			if at := int(cell.Type)*len(intervals) + int(cell.Interval); at <= last || s.Computed != nil && !s.Computed[cell.Interval] {
				t.Fatal("cells are not in order, or not computed")
			} else {
				last = at
			}
			out[name(s.Geography, cell.Type, int(cell.Interval))] = cell.Values
		}
		for i, computed := range s.Computed {
			for of := range market.TypeCount {
				if v, ok := before.cells[name(s.Geography, of, i)]; ok && !computed {
					out[name(s.Geography, of, i)] = v
				}
			}
		}
		return nil
	})
	if err == nil && work != "" {
		keptCells[work] = earlier{asOf, out}
		err = keepNext(work)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out, summary
}

// keepNext makes what a computation left what the next one finds, as the component does when it is published.
func keepNext(work string) error {
	kept := filepath.Join(work, schemas.KeptFolder)
	return errors.Join(os.RemoveAll(kept), os.Rename(filepath.Join(work, schemas.KeptNext), kept))
}

// once computes listings that do not change.
func once(t failer, places *geographies.Table, records []record, asOf market.Day) (cells, Summary) {
	d := new(days)
	d.set(records)
	return statistics(t, places, d, asOf, "")
}

func ptr[T any](v T) *T { return &v }

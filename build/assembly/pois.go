package assembly

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas/derived"
)

// poisAtOnce is how many POIs of all regions together are in memory, and minAtOnce how many of a region at least: the driver
// has the whole result of a query in memory.
var poisAtOnce, minAtOnce = 1 << 16, 1 << 10

// atOnce is how many POIs of a region are read at once.
func (a *Assembly) atOnce() int32 {
	return int32(max(minAtOnce, poisAtOnce/max(1, len(a.regions))))
}

// selectPOIs selects one row for each POI, leaves those that another region merged into one that is kept, and orders the others.
func (a *Assembly) selectPOIs(ctx context.Context) error {
	if len(a.regions) > 1 { // within a region keys differ, and no POI was merged into another one
		if err := a.exec(ctx, query("leave_pois")); err != nil {
			return err
		}
		if err := a.dropMerged(ctx, query("merges_across_regions"), "dropped_poi"); err != nil {
			return err
		}
		const leave = "INSERT INTO left_poi SELECT region, number FROM poi_place SEMI JOIN dropped_poi ON dropped_key = poi_key"
		if err := a.exec(ctx, leave); err != nil {
			return err
		}
	}
	return a.orderPOIs(ctx)
}

// orderPOIs numbers the POIs of all regions along a Hilbert curve, in which order those of each region are.
func (a *Assembly) orderPOIs(ctx context.Context) error {
	var queues []*queue
	err := a.each(ctx, "SELECT region, max(number) + 1 FROM poi_place GROUP BY region ORDER BY region",
		sqlrow.Visit2(func(region, end int32) error {
			queues = append(queues, &queue{region: region, end: end, step: a.atOnce(), read: a.placesOf})
			return nil
		}))
	if err != nil {
		return err
	}
	order, err := a.db.Append(ctx, "poi_order")
	if err != nil {
		return err
	}
	fid := int64(0)
	err = merge(ctx, queues, func(region int32, p *place) error {
		fid++
		return order.Row(fid, region, p.Number)
	})
	return cmp.Or(err, order.Close())
}

// place is a POI as it is ordered: by curve and key.
type place struct {
	Number int32  `col:"number"`
	Curve  int64  `col:"curve"`
	Key    string `col:"poi_key"`
}

func (p *place) compare(q *place) int {
	return cmp.Or(cmp.Compare(p.Curve, q.Curve), strings.Compare(p.Key, q.Key))
}

// placesOf reads the places of a region from a number to below another one, without those that are left.
func (a *Assembly) placesOf(ctx context.Context, region, first, end int32) (list []place, err error) {
	text := fmt.Sprintf(`SELECT p.number, p.curve, p.poi_key
		FROM (FROM poi_place WHERE region = %d AND number >= %d AND number < %d) AS p
		ANTI JOIN left_poi AS l ON l.region = p.region AND l.number = p.number
		ORDER BY p.number`, region, first, end)
	err = duck.Batches(ctx, a.db, text, func(b *duck.Batch[place]) error {
		defer b.Release()
		for _, p := range b.Rows {
			p.Key = strings.Clone(p.Key)
			list = append(list, p)
		}
		return nil
	})
	return list, err
}

// queue is the places of a region in their order, of which some are in memory.
type queue struct {
	region     int32
	first, end int32 // numbers of those that are not read yet
	step       int32 // how many numbers are read at once
	read       func(ctx context.Context, region, first, end int32) ([]place, error)
	places     []place // that come next
}

// fill reads places if there are none in memory; false: there are no more.
func (q *queue) fill(ctx context.Context) (more bool, err error) {
	for len(q.places) == 0 && q.first < q.end {
		end := min(q.end, q.first+q.step)
		if q.places, err = q.read(ctx, q.region, q.first, end); err != nil {
			return false, err
		}
		q.first = end
	}
	return len(q.places) > 0, nil
}

// merge visits the places of all queues by curve and key.
func merge(ctx context.Context, queues []*queue, visit func(region int32, p *place) error) error {
	var waiting []*queue // by their next place
	put := func(q *queue) error {
		more, err := q.fill(ctx)
		if more {
			at, _ := slices.BinarySearchFunc(waiting, q, func(a, b *queue) int { return a.places[0].compare(&b.places[0]) })
			waiting = slices.Insert(waiting, at, q)
		}
		return err
	}
	for _, q := range queues {
		if err := put(q); err != nil {
			return err
		}
	}
	for len(waiting) > 0 {
		q := waiting[0]
		if err := visit(q.region, &q.places[0]); err != nil {
			return err
		}
		q.places = q.places[1:]
		if len(q.places) > 0 && (len(waiting) == 1 || q.places[0].compare(&waiting[1].places[0]) < 0) {
			continue
		}
		waiting = waiting[1:]
		if err := put(q); err != nil {
			return err
		}
	}
	return nil
}

// POI is a POI of the release.
type POI struct {
	FID    int64
	Region string // whose row was selected
	derived.POI
}

// POISpans are the first and the last fid of the POIs of each region by name, between which other regions have few.
func (a *Assembly) POISpans(ctx context.Context) (map[string][2]int64, error) {
	spans := map[string][2]int64{}
	return spans, a.each(ctx, "SELECT region, min(fid), max(fid) FROM poi_order GROUP BY region",
		sqlrow.Visit3(func(region int32, first, last int64) error {
			spans[a.regions[region].Name] = [2]int64{first, last}
			return nil
		}))
}

// POIs yields the POIs of the release ordered by FID, which are 1, 2, 3 … They are read from the databases of the regions, some of
// each at a time. The POI that is yielded is overwritten by the next one.
func (a *Assembly) POIs(ctx context.Context) iter.Seq2[*POI, error] {
	return func(yield func(*POI, error) bool) {
		regions, err := a.openPOIs(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		defer regions.db.Close()
		type next struct {
			FID    int64 `col:"fid"`
			Region int32 `col:"region"`
			Number int32 `col:"number"`
		}
		var p POI
		for first, full := int64(1), true; full; first += ChunkRows {
			list, err := sqlrow.All[next](ctx, a.conn, "SELECT * FROM poi_order WHERE fid >= ? AND fid < ? ORDER BY fid", first, first+ChunkRows)
			full = len(list) == ChunkRows
			for i := 0; i < len(list) && err == nil; i++ {
				p.FID, p.Region = list[i].FID, a.regions[list[i].Region].Name
				if p.POI, err = regions.at(ctx, list[i].Region, list[i].Number); err != nil {
					err = fmt.Errorf("region %s: %w", p.Region, err)
				} else if !yield(&p, nil) {
					return
				}
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// regionPOIs are the POIs of the regions' databases, which one database of little memory has attached.
type regionPOIs struct {
	db   *duck.DB
	step int32           // how many of a region are read at once
	rows [][]derived.POI // by region, consecutive ones
}

func (a *Assembly) openPOIs(ctx context.Context) (*regionPOIs, error) {
	db, err := duck.Memory()
	if err != nil {
		return nil, err
	}
	err = db.Limit(ctx, "256MB", filepath.Join(a.scratch, "pois.tmp"))
	for i := 0; i < len(a.regions) && err == nil; i++ {
		err = db.Attach(ctx, a.regions[i].Derived, fmt.Sprint("region", i))
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	return &regionPOIs{db, a.atOnce(), make([][]derived.POI, len(a.regions))}, nil
}

// at is the POI with a number, which rises from call to call for a region.
func (r *regionPOIs) at(ctx context.Context, region, number int32) (derived.POI, error) {
	rows := r.rows[region]
	if len(rows) == 0 || number > rows[len(rows)-1].Number {
		text := fmt.Sprintf("SELECT * FROM region%d.poi WHERE number >= ? AND number < ? ORDER BY number", region)
		rows = rows[:0]
		for row, err := range sqlrow.Select[derived.POI](ctx, r.db, text, number, number+r.step) {
			if err != nil {
				return derived.POI{}, err
			}
			if p := (orb.Point{row.Lng, row.Lat}); !geo.Valid(p) {
				return derived.POI{}, fmt.Errorf("%s is at %v, %v", row.Key, p[0], p[1])
			}
			rows = append(rows, *row)
		}
		r.rows[region] = rows
	}
	if len(rows) > 0 {
		if i := int(number - rows[0].Number); i >= 0 && i < len(rows) && rows[i].Number == number {
			return rows[i], nil
		}
	}
	return derived.POI{}, fmt.Errorf("it has no poi of number %d", number)
}

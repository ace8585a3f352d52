package destination

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/network"
	"quartier/internal/parallel"
	"quartier/internal/sqlrow"
	"quartier/transform/feature"
	"quartier/transform/issue"
)

// park is a POI of category parks, with its outline if one is staged.
type park struct {
	destination Destination
	outline     orb.MultiPolygon
}

// parks adds the POIs that are parks: at the gates in their outline if these are near enough to each other to be all; else wherever a
// street is inside or
// next to it; at their point if no outline is known.
func (f *deriver) parks(ctx context.Context) error {
	parks, err := f.readParks(ctx)
	if err != nil {
		return err
	}
	gates, err := readGates(ctx, f.staged)
	if err != nil {
		return err
	}
	inner := f.innerEdges(parks)
	entrances := make([][]Destination, len(parks))
	err = parallel.Nodes(ctx, len(parks), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			entrances[i] = f.entrances(&parks[i], gates, inner[i])
		}
	})
	for i, found := range entrances {
		if len(found) == 0 {
			f.issues.Add(issue.NoStreet, where(&parks[i].destination))
		}
		f.set.List = append(f.set.List, found...)
	}
	return err
}

// readParks reads the parks by key, with sizes and outlines of all records merged into them.
func (f *deriver) readParks(ctx context.Context) ([]park, error) {
	kept := map[string]string{}
	var key, value string
	err := sqlrow.Scan(ctx, f.derived, "SELECT merged_key, kept_key FROM poi_merge", []any{&key, &value}, func() error {
		kept[key] = value
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read keys: %w", err)
	}
	var parks []park
	index := map[string]int{}
	d := Destination{Class: "park"}
	err = sqlrow.Scan(ctx, f.derived, `SELECT poi_key, source_id, name, lng, lat FROM poi
		WHERE list_contains(string_split(categories, ','), 'parks') ORDER BY poi_key`,
		[]any{&d.Key, &d.Source, &d.Name, &d.Point[0], &d.Point[1]}, func() error {
			d.Station = d.Key
			index[d.Key] = len(parks)
			parks = append(parks, park{destination: d})
			return nil
		})
	if err != nil {
		return nil, fmt.Errorf("read parks: %w", err)
	}
	find := func(key string) *park {
		if other, merged := kept[key]; merged {
			key = other
		}
		if i, ok := index[key]; ok {
			return &parks[i]
		}
		return nil
	}
	if err := f.readSizes(ctx, find); err != nil {
		return nil, err
	}
	return parks, feature.Each(ctx, f.staged, "park", func(v *feature.Feature) error {
		outline, _ := v.Geometry.(orb.MultiPolygon)
		if p := find(v.Key); p != nil && (p.outline == nil || v.Key == p.destination.Key) {
			p.outline, p.destination.Hectares = outline, geo.Area(outline)/1e4
		}
		return nil
	})
}

func (f *deriver) readSizes(ctx context.Context, find func(key string) *park) error {
	var key string
	var m2 float64
	err := sqlrow.Scan(ctx, f.staged, "SELECT source_key, area_m2 FROM poi WHERE area_m2 > 0 ORDER BY source_key, area_m2",
		[]any{&key, &m2}, func() error {
			if p := find(key); p != nil {
				p.destination.Hectares = max(p.destination.Hectares, m2/1e4)
			}
			return nil
		})
	if err != nil {
		return fmt.Errorf("read sizes of parks: %w", err)
	}
	return nil
}

// gates are the gates of a region, by position.
type gates struct {
	points []orb.Point
	index  *coord.BoxIndex
}

func readGates(ctx context.Context, staged *duck.DB) (*gates, error) {
	g := &gates{}
	var boxes []orb.Bound
	err := feature.Each(ctx, staged, "gate", func(v *feature.Feature) error {
		if p, ok := v.Geometry.(orb.Point); ok {
			g.points, boxes = append(g.points, p), append(boxes, p.Bound())
		}
		return nil
	})
	g.index = coord.NewBoxIndex(boxes)
	return g, err
}

// entrances are a park at each of its entrances, about calibration.Destinations.ApartM apart.
func (f *deriver) entrances(p *park, g *gates, inner []uint32) []Destination {
	if p.outline == nil {
		return f.entrance(p, p.destination.Point)
	}
	var found []Destination
	if gates := f.gatesOf(p.outline, g); border(p.outline) <= f.c.Destinations.GateEveryM*float64(len(gates)) {
		for _, gate := range gates {
			found = append(found, f.entrance(p, gate)...)
		}
	}
	if len(found) == 0 {
		found = f.openEdges(p, inner)
	}
	if len(found) == 0 {
		found = f.nearestEdge(p)
	}
	return thinned(found, max(f.c.Destinations.ApartM, math.Sqrt(p.destination.Hectares*1e4)/perSide))
}

// perSide is how many entrances a park has along each side at most, of a limit of the implementation: a national park is not
// entered every 75 m.
const perSide = 32

// thinned are the first of the entrances in each square of a grid of so many metres, which does not depend on the others.
func thinned(found []Destination, metres float64) (kept []Destination) {
	seen := map[[2]int]bool{}
	for _, d := range found {
		mLng, mLat := geo.MetresPerDegree(math.Floor(d.Point[1]) + .5)
		cell := [2]int{int(math.Floor(d.Point[0] * mLng / metres)), int(math.Floor(d.Point[1] * mLat / metres))}
		if !seen[cell] {
			seen[cell] = true
			kept = append(kept, d)
		}
	}
	return kept
}

// border is the length of the outer rings of an outline in metres.
func border(outline orb.MultiPolygon) (metres float64) {
	for _, polygon := range outline {
		metres += geo.Length(orb.LineString(polygon[0]))
	}
	return metres
}

// entrance is the park at an entrance; none if no street is near enough.
func (f *deriver) entrance(p *park, at orb.Point) []Destination {
	place, ok := f.snap(at)
	if !ok {
		return nil
	}
	return []Destination{p.at(at, place)}
}

func (p *park) at(point orb.Point, place network.Place) Destination {
	d := p.destination
	d.Point, d.Place = point, place
	return d
}

// gatesOf are the gates on an outline.
func (f *deriver) gatesOf(outline orb.MultiPolygon, g *gates) []orb.Point {
	var found []orb.Point
	g.index.Search(grow(outline.Bound(), f.c.Destinations.GateM), func(item int) bool {
		if boundaryWithin(outline, g.points[item], f.c.Destinations.GateM) {
			found = append(found, g.points[item])
		}
		return true
	})
	slices.SortFunc(found, func(a, b orb.Point) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	return found
}

// boundaryWithin reports whether the ring of an outline is within limit metres of a point.
func boundaryWithin(outline orb.MultiPolygon, pt orb.Point, limit float64) bool {
	plane := geo.NewPlane(pt)
	for _, polygon := range outline {
		for _, ring := range polygon {
			for i := 1; i < len(ring); i++ {
				if plane.SegmentDistance(pt, ring[i-1], ring[i]) <= limit {
					return true
				}
			}
		}
	}
	return false
}

func grow(b orb.Bound, metres float64) orb.Bound {
	return geo.CircleBound(b.Min, metres).Union(geo.CircleBound(b.Max, metres))
}

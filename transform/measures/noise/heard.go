package noise

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/extent"
	"quartier/internal/geo"
	"quartier/internal/pointindex"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/transform/feature"
	"quartier/transform/measures/measure"
	"quartier/transform/network/edges"
)

// heard is where a class of schemas.HeardClasses is known, and where the total level is given without it.
type heard struct {
	known  bool         // a source has all of it within its extent
	search edges.Search // for what is audible on the ground

	accepted bool   // the region file accepts quiet without the class
	signs    *signs // of the class, near which it does not
}

// readHeard reads what is known of each class.
func readHeard(ctx context.Context, r *measure.Region) (map[string]*heard, error) {
	verdicts, err := feature.ReadHeard(ctx, r.Staged)
	if err != nil {
		return nil, err
	}
	c := &r.Calibration.Noise
	// As for streets in package edge: between the square of a point and the energy of a long line.
	weights := map[string]*extent.Weight{
		schemas.Railway:   extent.NewWeight(c.ReachM, func(metres float64) float64 { return math.Pow(max(metres, c.MinM), -1.5) }),
		schemas.Aerodrome: extent.NewWeight(c.Air.HeardM, nil),
	}
	classes := map[string]*heard{}
	for class, v := range verdicts {
		h := &heard{known: v.Verdict.Known(), search: r.Edges.NewHearing(class, weights[class]), accepted: v.Accepted != ""}
		if h.accepted {
			if h.signs, err = readSigns(ctx, r, class); err != nil {
				return nil, err
			}
		}
		classes[class] = h
	}
	return classes, nil
}

// at reports whether the class is known at a node, and whether the total level is given there.
func (h *heard) at(node int, p coord.Point, reachM float64) (known, given bool) {
	known = h.known && h.search.Known(node, nil)
	return known, known || h.accepted && !h.signs.near(p, reachM)
}

// signs are what sources show of a class without having all of it: tracks, runways, level crossings, land, stations and
// airports among the places.
type signs struct {
	points *pointindex.PointSet
	areas  []*geo.Prepared
}

// signKinds are the features and the categories of places that show a class.
var signKinds = map[string]struct {
	features   map[string]string // class by kind; "": any
	categories []string
}{
	schemas.Railway: {map[string]string{"rail": "", "land": "railway", "junction": "level_crossing"},
		[]string{"train_stations", "rapid_transit_stations", "subway_or_separated_rail_stations"}},
	schemas.Aerodrome: {map[string]string{"aerodrome": "", "runway": "", "land": "airport"}, []string{"airports"}},
}

func readSigns(ctx context.Context, r *measure.Region, class string) (*signs, error) {
	kinds, s := signKinds[class], &signs{}
	var points []coord.Point
	add := func(p orb.Point) {
		if at, ok := coord.NewPoint(p[0], p[1]); ok {
			points = append(points, at)
		}
	}
	for kind, of := range kinds.features {
		err := feature.Each(ctx, r.Staged, kind, func(f *feature.Feature) error {
			if of != "" && f.Class != of {
				return nil
			}
			switch g := f.Geometry.(type) {
			case orb.Point:
				add(g)
			case orb.LineString:
				geo.Along(g, r.Calibration.Noise.PieceM, func(p orb.Point, _ float64, _ int) { add(p) })
			case orb.MultiPolygon:
				s.areas = append(s.areas, geo.Prepare(g))
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	type place struct {
		Lng float64 `col:"lng"`
		Lat float64 `col:"lat"`
	}
	query := "SELECT lng, lat FROM poi WHERE list_has_any(string_split(categories, ','), string_split(?, ','))"
	for p, err := range sqlrow.Select[place](ctx, r.Derived, query, strings.Join(kinds.categories, ",")) {
		if err != nil {
			return nil, fmt.Errorf("places that show a %s: %w", class, err)
		}
		add(orb.Point{p.Lng, p.Lat})
	}
	s.points = pointindex.NewPointSet(points, r.Calibration.Noise.ReachM)
	return s, nil
}

// near reports whether a sign is within some metres of a point.
func (s *signs) near(p coord.Point, metres float64) bool {
	return s.points.Near(p, metres) || slices.ContainsFunc(s.areas,
		func(a *geo.Prepared) bool { return a.DistanceWithin(p.Orb(), metres) < metres })
}

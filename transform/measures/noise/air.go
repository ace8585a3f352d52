package noise

import (
	"context"
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/schemas/calibration"
	"quartier/transform/feature"
	"quartier/transform/network/strip"
)

// path is what aircraft fly along: a runway, and the glide beyond both of its ends. A field without runways is a path
// without length or glide.
type path struct {
	a, b  orb.Point
	level float64 // dB at Air.AtM
	glide float64 // metres beyond each end
}

func (p *path) middle() orb.Point { return orb.Point{(p.a[0] + p.b[0]) / 2, (p.a[1] + p.b[1]) / 2} }

// slant is how far from q aircraft are when they are nearest, metres.
func (p *path) slant(q orb.Point, tan float64) float64 {
	plane := geo.NewPlane(p.middle())
	x, y := plane.XY(q)
	bx, by := plane.XY(p.b)
	half := math.Hypot(bx, by)
	if half == 0 {
		return math.Hypot(x, y)
	}
	along, lateral := math.Abs(x*bx+y*by)/half-half, (x*by-y*bx)/half
	height := tan * min(max(along, 0), p.glide)
	return math.Sqrt(lateral*lateral + math.Pow(max(along-p.glide, 0), 2) + height*height)
}

// heard is the level of a path at a slant distance, dB.
func (p *path) heard(slant float64, c *calibration.Air) float64 {
	slant = max(slant, c.MinM)
	return p.level - c.Slope*math.Log10(slant/c.AtM) - c.DampDBKM*max(0, slant-c.AtM)/1000
}

// sky is the paths of a region, found by place.
type sky struct {
	paths []path
	index *strip.Index
	reach float64
	tan   float64
	least float64 // dB that are heard
	air   *calibration.Air
}

func newSky(paths []path, c *calibration.Noise) *sky {
	s := &sky{paths: make([]path, len(paths)), tan: math.Tan(c.Air.GlideDeg * math.Pi / 180), least: c.ReachDB, air: &c.Air}
	middles := make([]coord.Point, len(paths))
	for i := range paths {
		at := paths[i].middle()
		middles[i], _ = coord.NewPoint(at[0], at[1])
		far := c.Air.AtM
		for paths[i].heard(far, s.air) > c.ReachDB {
			far *= 1.1
		}
		s.reach = max(s.reach, far+paths[i].glide+geo.Distance(paths[i].a, paths[i].b)/2)
	}
	index, order := strip.New(middles, 5000)
	for i, from := range order {
		s.paths[i] = paths[from]
	}
	s.index = index
	return s
}

// at is the energy that is heard from aircraft at a point.
func (s *sky) at(p coord.Point) (energy float64) {
	at := strip.Degrees(p)
	s.index.Runs(p, s.reach, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if db := s.paths[i].heard(s.paths[i].slant(at, s.tan), s.air); db > s.least {
				energy += decibels(db)
			}
		}
	})
	return energy
}

// aerodrome is a staged one, and how many runways it has.
type aerodrome struct {
	class   string
	centre  orb.Point
	area    orb.MultiPolygon // nil: known as a point
	runways int
}

// distance in metres from p; 0 inside.
func (a *aerodrome) distance(p orb.Point) float64 {
	if a.area != nil {
		return geo.DistanceTo(a.area, p)
	}
	return geo.Distance(a.centre, p)
}

// flights are the paths over a region: of every runway with its share of its aerodrome's flights, and of every
// aerodrome of which no runway is known.
func flights(ctx context.Context, staged *duck.DB, c *calibration.Air) ([]path, error) {
	fields, err := aerodromes(ctx, staged)
	if err != nil {
		return nil, err
	}
	var paths []path
	var holders []int
	err = feature.Each(ctx, staged, "runway", func(f *feature.Feature) error {
		if line, ok := f.Geometry.(orb.LineString); ok {
			runway := path{a: line[0], b: line[len(line)-1], glide: c.GlideM}
			holder := holderOf(fields, runway.middle(), c.HolderM)
			if holder >= 0 {
				fields[holder].runways++
			}
			paths, holders = append(paths, runway), append(holders, holder)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	loud := func(class string, runways int) float64 {
		field := c.Fields[class]
		ops := field.Ops / float64(max(runways, 1))
		if runways == 0 && field.BareOps > 0 {
			ops = field.BareOps
		}
		return c.LevelDB + field.LevelDB + 10*math.Log10(ops/c.ReferenceOps)
	}
	for i, holder := range holders {
		if holder < 0 {
			paths[i].level = loud(c.Unknown, 1)
			continue
		}
		paths[i].level = loud(fields[holder].class, fields[holder].runways)
	}
	for _, field := range fields {
		if field.runways == 0 {
			paths = append(paths, path{a: field.centre, b: field.centre, level: loud(field.class, 0)})
		}
	}
	return paths, nil
}

func aerodromes(ctx context.Context, staged *duck.DB) ([]aerodrome, error) {
	var fields []aerodrome
	err := feature.Each(ctx, staged, "aerodrome", func(f *feature.Feature) error {
		switch g := f.Geometry.(type) {
		case orb.Point:
			fields = append(fields, aerodrome{class: f.Class, centre: g})
		case orb.MultiPolygon:
			if centre, ok := geo.InteriorPoint(g); ok {
				fields = append(fields, aerodrome{class: f.Class, centre: centre, area: g})
			}
		}
		return nil
	})
	return fields, err
}

// holderOf is the aerodrome nearest to p, of equally near ones the first; -1 where none is within limit metres.
func holderOf(fields []aerodrome, p orb.Point, limit float64) int {
	const widest = 15_000 // metres from an aerodrome's centre to its outline
	holder, nearest := -1, limit
	for i := range fields {
		if geo.NewPlane(p).Distance(fields[i].centre) > limit+widest {
			continue
		}
		if d := fields[i].distance(p); d < nearest || d == nearest && holder < 0 {
			holder, nearest = i, d
		}
	}
	return holder
}

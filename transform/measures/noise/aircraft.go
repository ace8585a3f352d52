package noise

import (
	"context"
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/pointindex"
	"quartier/schemas/calibration"
	"quartier/transform/feature"
)

// path is a runway with the glide paths beyond both of its ends, which aircraft follow. An aerodrome without known
// runways is a path of length and glide 0.
type path struct {
	a, b  orb.Point
	level float64 // dB at a slant distance of Air.AtM
	glide float64 // m beyond each end
}

func (p *path) middle() orb.Point { return orb.Point{(p.a[0] + p.b[0]) / 2, (p.a[1] + p.b[1]) / 2} }

// slant is the shortest distance in metres between q and an aircraft on the path. Directly under the glide path, 5 km
// beyond the runway's end, it is the height there: 5000·tan 3° = 262 m.
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

// audibleDB is the level in dB at a slant distance.
func (p *path) audibleDB(slant float64, c *calibration.Air) float64 {
	slant = max(slant, c.MinM)
	return p.level - c.Slope*math.Log10(slant/c.AtM) - c.DampDBKM*max(0, slant-c.AtM)/1000
}

// aircraft is an index of the flight paths of a region.
type aircraft struct {
	paths []path
	index *pointindex.Index
	reach float64 // m from a path's middle beyond which none is audible
	tan   float64 // of the glide angle
	minDB float64 // dB that are audible
	air   *calibration.Air
}

func newAircraft(paths []path, c *calibration.Noise) *aircraft {
	s := &aircraft{paths: make([]path, len(paths)), tan: math.Tan(c.Air.GlideDeg * math.Pi / 180), minDB: c.ReachDB, air: &c.Air}
	middles := make([]coord.Point, len(paths))
	for i := range paths {
		at := paths[i].middle()
		middles[i], _ = coord.NewPoint(at[0], at[1])
		far := c.Air.AtM
		for paths[i].audibleDB(far, s.air) > c.ReachDB {
			far *= 1.1
		}
		s.reach = max(s.reach, far+paths[i].glide+geo.Distance(paths[i].a, paths[i].b)/2)
	}
	index, order := pointindex.New(middles, 5000)
	for i, from := range order {
		s.paths[i] = paths[from]
	}
	s.index = index
	return s
}

// at is the energy of all aircraft at a point.
func (s *aircraft) at(p coord.Point) (energy float64) {
	at := p.Orb()
	s.index.Search(p, s.reach, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if db := s.paths[i].audibleDB(s.paths[i].slant(at, s.tan), s.air); db > s.minDB {
				energy += energyOf(db)
			}
		}
	})
	return energy
}

// aerodrome is a staged aerodrome with the number of its runways.
type aerodrome struct {
	class   string
	centre  orb.Point
	area    orb.MultiPolygon // nil: mapped as a point
	runways int
}

// distance is that from p in metres; 0 inside.
func (a *aerodrome) distance(p orb.Point) float64 {
	if a.area != nil {
		return geo.DistanceTo(a.area, p)
	}
	return geo.Distance(a.centre, p)
}

// flightPaths returns the paths of a region: one for each runway, with an equal share of the flights of its
// aerodrome, and one for each aerodrome without known runways.
func flightPaths(ctx context.Context, staged *duck.DB, c *calibration.Air) ([]path, error) {
	fields, err := aerodromes(ctx, staged)
	if err != nil {
		return nil, err
	}
	var paths []path
	var owners []int
	err = feature.Shapes(ctx, staged, "runway", func(_ *feature.Feature, line orb.LineString) {
		runway := path{a: line[0], b: line[len(line)-1], glide: c.GlideM}
		owner := aerodromeOf(fields, runway.middle(), c.HolderM)
		if owner >= 0 {
			fields[owner].runways++
		}
		paths, owners = append(paths, runway), append(owners, owner)
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
	for i, owner := range owners {
		if owner < 0 {
			paths[i].level = loud(c.Unknown, 1)
			continue
		}
		paths[i].level = loud(fields[owner].class, fields[owner].runways)
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

// aerodromeOf is the index of the aerodrome nearest to p, the first of equally near ones; -1 if none is within limit
// metres.
func aerodromeOf(fields []aerodrome, p orb.Point, limit float64) int {
	const widest = 15_000 // metres from an aerodrome's centre to its outline
	owner, nearest := -1, limit
	for i := range fields {
		if geo.NewPlane(p).Distance(fields[i].centre) > limit+widest {
			continue
		}
		if d := fields[i].distance(p); d < nearest || d == nearest && owner < 0 {
			owner, nearest = i, d
		}
	}
	return owner
}

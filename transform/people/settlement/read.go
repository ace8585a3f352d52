package settlement

import (
	"context"
	_ "embed"
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas/calibration"
	"quartier/transform/feature"
)

//go:embed streets.sql
var streetsSQL string

// Read reads the evidence of a region.
func Read(ctx context.Context, staged *duck.DB, c calibration.Settlement) (*Evidence, error) {
	e := &Evidence{c: c}
	for _, step := range []func(context.Context, *duck.DB) error{e.readStreets, e.readBuildings, e.readLand} {
		if err := step(ctx, staged); err != nil {
			return nil, err
		}
	}
	e.findBuilt()
	return e, nil
}

// readStreets places points along both sides of the streets that have houses. Where several sources have streets, those
// of a later one count where no earlier one has any near.
func (e *Evidence) readStreets(ctx context.Context, staged *duck.DB) error {
	type row struct {
		Class    string `col:"class"`
		Key      string `col:"source_key"`
		Priority int32  `col:"priority"`
		Geom     []byte `col:"geom"`
	}
	var points []coord.Point
	var weights []float32
	var hull geo.Hull
	earlier, priority := occupied{}, int32(math.MinInt32)
	for row, err := range sqlrow.Select[row](ctx, staged, streetsSQL) {
		if err != nil {
			return fmt.Errorf("read streets: %w", err)
		}
		share := e.c.Streets[row.Class]
		if share == 0 {
			continue
		}
		line, err := geo.LineString(row.Geom)
		if err != nil {
			return fmt.Errorf("read street %s: %w", row.Key, err)
		}
		if row.Priority != priority {
			priority = row.Priority
			earlier.add(points)
		}
		for _, p := range line {
			hull.Add(p)
		}
		fronts(line, e.c.StepM, e.c.FrontM, func(at orb.Point, metres float64) {
			if p, ok := coord.NewPoint(at[0], at[1]); ok && !earlier.near(p) {
				points, weights = append(points, p), append(weights, float32(metres*share))
			}
		})
	}
	if ring := hull.Ring(); ring != nil {
		e.hull = geo.Prepare(orb.MultiPolygon{{ring}})
	}
	e.streets = newLayer(points, weights)
	return nil
}

// fronts visits points at equal distances along both sides of a line, as far off as the houses, with the metres of the
// line that each stands for: half of the piece between two points.
//
// A line of 90 m with a step of 25 m has four points on each side, in the middle of pieces of 22.5 m: 11.25 m each.
func fronts(line orb.LineString, step, off float64, visit func(at orb.Point, metres float64)) {
	geo.Along(line, step, func(p orb.Point, metres float64, segment int) {
		if metres == 0 {
			return
		}
		plane := geo.NewPlane(p)
		x, y := plane.XY(line[segment+1])
		d := math.Hypot(x, y) // above 0: p is inside the segment
		visit(plane.Point(-off*y/d, off*x/d), metres/2)
		visit(plane.Point(off*y/d, -off*x/d), metres/2)
	})
}

// occupied is the squares of about 50 m in which the streets of earlier sources have points.
type occupied map[coord.Point]bool

const squareUnits = 5000 // 56 m of latitude: the resolution of the comparison, as wide as a street with its houses

func squareOf(p coord.Point) coord.Point {
	return coord.Point{Lng: p.Lng / squareUnits, Lat: p.Lat / squareUnits}
}

func (o occupied) add(points []coord.Point) {
	for _, p := range points {
		o[squareOf(p)] = true
	}
}

// near reports whether the square of a point or one of its eight neighbours is occupied.
func (o occupied) near(p coord.Point) bool {
	if len(o) == 0 {
		return false
	}
	s := squareOf(p)
	for x := s.Lng - 1; x <= s.Lng+1; x++ {
		for y := s.Lat - 1; y <= s.Lat+1; y++ {
			if o[coord.Point{Lng: x, Lat: y}] {
				return true
			}
		}
	}
	return false
}

// readBuildings reads the buildings that people may live in.
func (e *Evidence) readBuildings(ctx context.Context, staged *duck.DB) error {
	var points []coord.Point
	var weights []float32
	err := feature.Shapes(ctx, staged, "building", func(f *feature.Feature, at orb.Point) {
		homes := e.c.Buildings[f.Class]
		if f.Size < homes.LeastM2 || homes.MostM2 > 0 && f.Size > homes.MostM2 {
			return
		}
		if p, ok := coord.NewPoint(at[0], at[1]); ok && f.Size*homes.Storeys > 0 {
			points, weights = append(points, p), append(weights, float32(f.Size*homes.Storeys))
		}
	})
	e.buildings = newLayer(points, weights)
	return err
}

// findBuilt finds the points of streets that a building is near.
func (e *Evidence) findBuilt() {
	e.built = make([]bool, len(e.streets.points))
	for i, p := range e.streets.points {
		box := geo.CircleBound(p.Orb(), e.c.NearM)
		e.buildings.within(box, func(int) { e.built[i] = true })
	}
}

// readLand lowers the weights of points on land where few people live or nobody does: of several areas that contain a point
// the smallest counts, so that a park among houses is a park, and a hamlet among fields is none.
func (e *Evidence) readLand(ctx context.Context, staged *duck.DB) error {
	layers := []*layer{&e.streets, &e.buildings}
	type cover struct{ m2, share float32 }
	covers := make([][]cover, len(layers))
	for i, l := range layers {
		covers[i] = make([]cover, len(l.points))
	}
	err := feature.Shapes(ctx, staged, "land", func(f *feature.Feature, outline orb.MultiPolygon) {
		share, sparse := e.c.Land[f.Class]
		if !sparse {
			share = 1
		}
		area, m2 := geo.Prepare(outline), float32(geo.Area(outline))
		for i, l := range layers {
			l.within(area.Bound(), func(n int) {
				if c := &covers[i][n]; (c.m2 == 0 || m2 < c.m2) && area.Contains(l.points[n].Orb()) {
					*c = cover{m2, float32(share)}
				}
			})
		}
	})
	for i, l := range layers {
		for n, c := range covers[i] {
			if c.m2 > 0 {
				l.weights[n] *= c.share
			}
		}
	}
	return err
}

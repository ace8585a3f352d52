// Package regiontest builds small regions for the tests of transform: a staged database with features, streets open to
// pedestrians, and positions in metres around a point.
package regiontest

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/duck"
	_ "quartier/internal/duck/driver"
	"quartier/internal/geo"
	"quartier/internal/network"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/staged"
	"quartier/transform/measures/measure"
	"quartier/transform/network/street"
	"quartier/transform/network/traffic"
)

// Home is the centre of the region.
var Home = orb.Point{-76.7, 39.4}

// At is the point x metres east and y metres north of Home.
func At(x, y float64) orb.Point { return geo.NewPlane(Home).Point(x, y) }

// Line connects points given in metres east and north of Home: x, y, x, y …
func Line(xy ...float64) orb.LineString {
	var line orb.LineString
	for i := 0; i < len(xy); i += 2 {
		line = append(line, At(xy[i], xy[i+1]))
	}
	return line
}

// Square is a rectangle given in metres from Home.
func Square(west, south, east, north float64) orb.MultiPolygon {
	return orb.MultiPolygon{{{At(west, south), At(east, south), At(east, north), At(west, north), At(west, south)}}}
}

// Near fails the test unless got is within tolerance of want.
func Near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(got >= want-tolerance && got <= want+tolerance) {
		t.Errorf("%s: %.4f, want %.4f ± %.4f", what, got, want, tolerance)
	}
}

// WKB is a geometry as databases have it.
func WKB(t testing.TB, g orb.Geometry) []byte {
	t.Helper()
	data, err := geo.WKB(g)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Derived is an empty derived database.
func Derived(t testing.TB) *duck.DB {
	t.Helper()
	return create(t, "derived.duckdb", schemas.Derived)
}

func create(t testing.TB, name, ddl string) *duck.DB {
	t.Helper()
	db, err := duck.Create(filepath.Join(t.TempDir(), name), ddl)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// Region is a staged database and its streets. The only source is osm, of kind osm.
type Region struct {
	Staged  *duck.DB
	Streets []street.Street

	t        testing.TB
	features int
}

// New makes an empty region.
func New(t testing.TB) *Region {
	t.Helper()
	r := &Region{Staged: create(t, "staged.duckdb", schemas.Staged), t: t}
	r.Source("osm", 0, "osm", "2024-01-01")
	return r
}

// Source stages a source.
func (r *Region) Source(id string, priority int, kind, asOf string) {
	r.t.Helper()
	Stage(r, "source", staged.Source{SourceID: id, Priority: int32(priority), Kind: kind, AsOf: asOf})
}

// Stage inserts a row into a staged table.
func Stage[T any](r *Region, table string, row T) {
	r.t.Helper()
	if err := sqlrow.Insert(r.t.Context(), r.Staged, table, row); err != nil {
		r.t.Fatal(err)
	}
}

// Exec runs a statement.
func (r *Region) Exec(query string, args ...any) {
	r.t.Helper()
	if _, err := r.Staged.Exec(query, args...); err != nil {
		r.t.Fatalf("%s: %v", query, err)
	}
}

// Feature stages a feature.
func (r *Region) Feature(kind, class string, g orb.Geometry) { r.Sized(kind, class, 0, 0, g) }

// Sized stages a feature with a year and a size, 0 if missing.
func (r *Region) Sized(kind, class string, year int, size float64, g orb.Geometry) {
	r.t.Helper()
	data := WKB(r.t, g)
	r.features++
	f := staged.Feature{SourceID: "osm", SourceKey: fmt.Sprint(r.features), Kind: kind, Class: class, Year: int32(year), Geom: data}
	if size != 0 {
		f.Size = &size
	}
	Stage(r, "feature", f)
}

// Bikeway stages a piece of a city's cycling network; a point has a length in metres.
func (r *Region) Bikeway(source, class string, lengthM float64, g orb.Geometry) {
	r.t.Helper()
	data := WKB(r.t, g)
	r.features++
	row := staged.Bikeway{SourceID: source, SourceKey: fmt.Sprint(r.features), Class: class, Geom: data}
	if lengthM != 0 {
		row.LengthM = &lengthM
	}
	Stage(r, "bikeway", row)
}

// Street adds a two-way street open to pedestrians and bicycles and returns it for changes.
func (r *Region) Street(class string, xy ...float64) *street.Street {
	r.Streets = append(r.Streets, street.Street{Source: "osm", Key: fmt.Sprint(len(r.Streets)), Class: class, Foot: true, Bicycle: true,
		Car: "both", Line: Line(xy...)})
	return &r.Streets[len(r.Streets)-1]
}

// MapLand stages a distant street and area of land, so that the source has land cover.
func (r *Region) MapLand() {
	r.t.Helper()
	Stage(r, "street", staged.Street{SourceID: "osm", SourceKey: "far", Class: "primary", Foot: true, Bicycle: true, Car: "both",
		Geom: []byte{}})
	r.Feature("land", "residential", Square(50_000, 50_000, 50_100, 50_100))
}

// Network returns the streets with nodes at the given points, which need not be on them; each street is one edge.
func (r *Region) Network(points ...orb.Point) *street.Network {
	r.t.Helper()
	if err := traffic.Assume(r.t.Context(), r.Streets, nil, &calibration.Standard().Traffic); err != nil {
		r.t.Fatal(err)
	}
	net := &street.Network{Streets: r.Streets, Walk: &network.Graph{}}
	for _, p := range points {
		node, _ := coord.NewPoint(p[0], p[1])
		net.Walk.Nodes = append(net.Walk.Nodes, node)
	}
	for i := range r.Streets {
		points, _ := street.Points(nil, r.Streets[i].Line)
		net.Walk.Shape = append(net.Walk.Shape, points...)
		net.Walk.ShapeEnds = append(net.Walk.ShapeEnds, uint32(len(net.Walk.Shape)))
		net.Walk.Edges = append(net.Walk.Edges, network.Edge{Line: uint32(i)})
		net.WalkLine = append(net.WalkLine, uint32(i))
	}
	return net
}

// Measure returns the region as input of a measure, with nodes at the given points.
func (r *Region) Measure(points ...orb.Point) *measure.Region {
	return measure.NewRegion(r.Staged, r.Network(points...), calibration.Standard())
}

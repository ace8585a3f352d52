package spatialite

import (
	"database/sql"
	"errors"
	"fmt"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"
	"github.com/paulmach/orb/planar"
)

// Kernel runs geometry operations on one connection to an in-memory database with prepared statements. It is for one
// goroutine; several kernels may run in parallel.
type Kernel struct {
	db *sql.DB
	stmts
}

// stmts are the kernel's prepared statements. Geometries are passed as WKB.
type stmts struct {
	reason, polygonize, union, surface *sql.Stmt
	intersection, difference, buffer   *sql.Stmt
	transform, guess                   *sql.Stmt
}

// NewKernel starts a kernel; the caller closes it. It wraps ErrUnavailable if mod_spatialite is not installed.
func NewKernel() (*Kernel, error) {
	db, err := open(":memory:")
	if err != nil {
		return nil, err
	}
	k := &Kernel{db: db}
	if err := k.prepare(); err != nil {
		db.Close()
		return nil, fmt.Errorf("start geometry kernel: %w", err)
	}
	return k, nil
}

func (k *Kernel) prepare() error {
	if err := InitMetadata(k.db); err != nil {
		return err
	}
	for _, s := range []struct {
		stmt **sql.Stmt
		text string
	}{
		{&k.reason, "SELECT ST_IsValidReason(ST_GeomFromWKB(?))"},
		{&k.polygonize, "SELECT ST_AsBinary(ST_Polygonize(ST_UnaryUnion(ST_GeomFromWKB(?))))"},
		{&k.union, "SELECT ST_AsBinary(ST_UnaryUnion(ST_GeomFromWKB(?)))"},
		{&k.surface, "SELECT ST_AsBinary(ST_PointOnSurface(ST_GeomFromWKB(?)))"},
		{&k.intersection, "SELECT ST_AsBinary(ST_Intersection(ST_GeomFromWKB(?), ST_GeomFromWKB(?)))"},
		{&k.difference, "SELECT ST_AsBinary(ST_Difference(ST_GeomFromWKB(?), ST_GeomFromWKB(?)))"},
		{&k.buffer, "SELECT ST_AsBinary(ST_Buffer(ST_GeomFromWKB(?), ?))"},
		{&k.transform, "SELECT ST_AsBinary(ST_Transform(ST_GeomFromWKB(?), 4326, NULL, ?, ?))"},
		{&k.guess, "SELECT PROJ_GuessSridFromWKT(?)"},
	} {
		var err error
		if *s.stmt, err = k.db.Prepare(s.text); err != nil {
			return err
		}
	}
	return nil
}

// Close releases the kernel.
func (k *Kernel) Close() error { return k.db.Close() }

// Version returns the versions of the libraries, for a manifest or a report.
func (k *Kernel) Version() (spatialite, geos, proj string, err error) {
	err = k.db.QueryRow("SELECT spatialite_version(), geos_version(), proj_version()").Scan(&spatialite, &geos, &proj)
	return spatialite, geos, proj, err
}

// Union merges overlapping and touching parts. Each part must be valid.
func (k *Kernel) Union(parts orb.MultiPolygon) (orb.MultiPolygon, error) {
	if len(parts) == 0 {
		return nil, nil
	}
	g, err := geometry(k.union, encode(parts))
	if err != nil {
		return nil, fmt.Errorf("union of %d polygons: %w", len(parts), err)
	}
	return orient(Polygons(g)), nil
}

// Pieces are the areas into which lines cut the plane, without those outside of all lines and those that one piece surrounds.
func (k *Kernel) Pieces(lines orb.MultiLineString) (orb.MultiPolygon, error) {
	g, err := geometry(k.polygonize, encode(lines))
	if err != nil && !errors.Is(err, errNull) {
		return nil, fmt.Errorf("cut along %d lines: %w", len(lines), err)
	}
	return Polygons(g), nil
}

// Intersection is the common area of two valid geometries, without common lines and points; empty if there is none.
func (k *Kernel) Intersection(a, b orb.MultiPolygon) (orb.MultiPolygon, error) {
	if len(a) == 0 || len(b) == 0 || !a.Bound().Intersects(b.Bound()) {
		return nil, nil
	}
	g, err := geometry(k.intersection, encode(a), encode(b))
	if errors.Is(err, errNull) { // an empty intersection
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("intersection: %w", err)
	}
	return orient(Polygons(g)), nil
}

// Difference is the area of a valid geometry that is not in another one, without lines and points; empty if there is none.
func (k *Kernel) Difference(a, b orb.MultiPolygon) (orb.MultiPolygon, error) {
	if len(a) == 0 || len(b) == 0 || !a.Bound().Intersects(b.Bound()) {
		return a, nil
	}
	g, err := geometry(k.difference, encode(a), encode(b))
	if errors.Is(err, errNull) { // an empty difference
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("difference: %w", err)
	}
	return orient(Polygons(g)), nil
}

// PointOnSurface is a point inside a valid geometry.
func (k *Kernel) PointOnSurface(g orb.MultiPolygon) (orb.Point, error) {
	found, err := geometry(k.surface, encode(g))
	if err != nil {
		return orb.Point{}, fmt.Errorf("point on surface: %w", err)
	}
	point, ok := found.(orb.Point)
	if !ok {
		return orb.Point{}, fmt.Errorf("point on surface: got a %s", found.GeoJSONType())
	}
	return point, nil
}

// WiderM2 is the area in m² of what is left of a valid geometry that is drawn in by half of m metres at all of its edges: a
// strip of 100 × 8 m has 95 × 3 m of it for 5 m. It is measured in the plane around center.
func (k *Kernel) WiderM2(g orb.MultiPolygon, center orb.Point, m float64) (float64, error) {
	if len(g) == 0 {
		return 0, nil
	}
	left, err := geometry(k.buffer, encode(plane(g, center)), -m/2)
	if errors.Is(err, errNull) { // nothing is that wide
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("draw in by %v m: %w", m/2, err)
	}
	return planar.Area(orient(Polygons(left))), nil
}

// errNull is NULL as a result of SpatiaLite: the operation failed or its result is empty.
var errNull = errors.New("no geometry")

// geometry runs a statement that returns one WKB geometry.
func geometry(stmt *sql.Stmt, args ...any) (orb.Geometry, error) {
	var data []byte
	if err := stmt.QueryRow(args...).Scan(&data); err != nil {
		return nil, err
	}
	if data == nil {
		return nil, errNull
	}
	return wkb.Unmarshal(data)
}

// encode writes little-endian WKB, the form of every geometry column in the staged and derived files.
func encode(g orb.Geometry) []byte { return wkb.MustMarshal(g) }

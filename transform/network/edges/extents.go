package edges

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/clip"
	"github.com/paulmach/orb/encoding/wkb"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas/calibration"
	"quartier/schemas/staged"
)

// Extent is where a source has all that there is of what it has.
type Extent struct {
	Outline orb.MultiPolygon
	area    *geo.Prepared
	key     string
}

func newExtent(outline orb.MultiPolygon) *Extent {
	sum := sha256.New()
	fmt.Fprint(sum, outline)
	return &Extent{outline, geo.Prepare(outline), fmt.Sprintf("%x", sum.Sum(nil)[:8])}
}

// key is equal for lists of the same extents.
func key(list []*Extent) string {
	var keys []string
	for _, e := range list {
		keys = append(keys, e.key)
	}
	slices.Sort(keys)
	return strings.Join(slices.Compact(keys), "+")
}

// Extents are the extents of the sources of a region that have streets, places or stops.
type Extents struct {
	sources map[string]*Extent
}

// All are the extents by source.
func (x *Extents) All() map[string]*Extent { return x.sources }

// Contains reports whether a point is in an extent.
func (e *Extent) Contains(p orb.Point) bool { return e.area.Contains(p) }

// Within reports whether a point is in an extent, or within some metres of it.
func (e *Extent) Within(p orb.Point, metres float64) bool {
	return e.area.DistanceWithin(p, metres) < metres
}

// of are the extents of some sources, by their ids; nil if none of them has one.
func (x *Extents) of(sources map[string]bool) (list []*Extent) {
	for _, id := range slices.Sorted(maps.Keys(sources)) {
		if e := x.sources[id]; e != nil {
			list = append(list, e)
		}
	}
	return list
}

// ErrBoundary is the error of an extent that is a boundary which the region does not have.
var ErrBoundary = errors.New("extent is not a boundary of the region")

// Declared are the extents that the region file declares, by source.
func Declared(ctx context.Context, db *duck.DB) (map[string]*Extent, error) {
	x := &Extents{map[string]*Extent{}}
	_, err := x.readDeclared(ctx, db)
	return x.sources, err
}

// Read reads the declared extents, and works out those of the other sources.
func Read(ctx context.Context, db *duck.DB, c *calibration.Hull) (*Extents, error) {
	x := &Extents{map[string]*Extent{}}
	headers, err := x.readDeclared(ctx, db)
	if err != nil {
		return nil, err
	}
	found, err := readContents(ctx, db)
	if err != nil {
		return nil, err
	}
	for id, in := range found {
		if x.sources[id] != nil {
			continue
		}
		outline := in.outline(c)
		if box, has := headers[id]; has {
			outline = inBox(outline, box, c.FullBox)
		}
		if len(outline) > 0 {
			x.sources[id] = newExtent(outline)
		}
	}
	return x, nil
}

// OfTimetables are the extents of the sources with whole timetables, as Read works them out, without reading other places.
func OfTimetables(ctx context.Context, db *duck.DB, c *calibration.Hull) (map[string]*Extent, error) {
	all, err := Declared(ctx, db)
	if err != nil {
		return nil, err
	}
	found := map[string]*contents{}
	err = addPoints(ctx, db, finder(found), "SELECT source_id, lng, lat FROM stop WHERE source_id IN (SELECT source_id FROM schedule)")
	for id, in := range found {
		if outline := in.outline(c); all[id] == nil && len(outline) > 0 {
			all[id] = newExtent(outline)
		}
	}
	return all, err
}

// readDeclared reads the extents that the region file declares, and the boxes in headers.
func (x *Extents) readDeclared(ctx context.Context, db *duck.DB) (headers map[string]orb.Bound, err error) {
	const query = `SELECT e.source_id, e.basis, e.boundary_key, coalesce(e.geom, b.geom) AS geom
		FROM extent AS e LEFT JOIN boundary AS b ON b.source_key = e.boundary_key ORDER BY e.source_id, e.boundary_key`
	headers = map[string]orb.Bound{}
	declared := map[string]orb.MultiPolygon{}
	for row, err := range sqlrow.Select[staged.Extent](ctx, db, query) {
		if err != nil {
			return nil, fmt.Errorf("read extents: %w", err)
		}
		if row.Geom == nil {
			return nil, fmt.Errorf("%w: source %s: extent.boundary %q", ErrBoundary, row.SourceID, row.BoundaryKey)
		}
		g, err := wkb.Unmarshal(row.Geom)
		outline, ok := g.(orb.MultiPolygon)
		if err != nil || !ok {
			return nil, fmt.Errorf("read extent of source %s: a %T, %w", row.SourceID, g, err)
		}
		if row.Basis == staged.ExtentHeader {
			headers[row.SourceID] = outline.Bound()
			continue
		}
		declared[row.SourceID] = append(declared[row.SourceID], outline...)
	}
	for id, outline := range declared {
		x.sources[id] = newExtent(outline)
	}
	return headers, nil
}

// inBox is the box in the header of a file if the data fill it, else their part in it: extracts of states have boxes too,
// and ways that leave an extract are often in it as a whole.
func inBox(outline orb.MultiPolygon, box orb.Bound, full float64) orb.MultiPolygon {
	var part orb.MultiPolygon
	for _, polygon := range outline {
		if ring := clip.Ring(box, slices.Clone(polygon[0])); len(ring) > 3 {
			part = append(part, orb.Polygon{ring})
		}
	}
	whole := orb.MultiPolygon{{box.ToRing()}}
	if geo.Area(part) >= full*geo.Area(whole) {
		return whole
	}
	return part
}

package staging

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/internal/geo"
	"quartier/internal/outline"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/staged"
)

// extent is where the rows of a source are. Rows of which something can be asked at a point (places, streets, census
// areas) are its coverage: their hull and a margin, within the states that they are in.
type extent struct {
	source.Whereabouts
	hull   geo.Hull        // of the rows of the coverage
	box    orb.Bound       // of the hull
	states map[string]bool // codes of the states with such rows
}

// extentMargin is in metres: the default radius of a search for places, which finds something from that far.
const extentMargin = 5000

// maxOutside is the number of rows after which a source without any in Canada and the United States is refused.
const maxOutside = 10_000

// located counts a row by where it is and returns the code of its state, "" outside. covers: it is part of the coverage. It fails if
// the source cannot be in Canada or the United States.
func (s *sink) located(covers bool, at orb.Point, more ...orb.Point) (code string) {
	e := &s.extent
	code = e.Add(at)
	if code == "" {
		if e.Inside == 0 && e.Outside >= maxOutside && s.failed == nil {
			s.failed = e.Err()
		}
		return code
	}
	if !covers {
		return code
	}
	if e.states == nil {
		e.states, e.box = map[string]bool{}, orb.Bound{Min: at, Max: at}
	}
	e.states[code] = true
	for _, p := range append(more, at) {
		if outline.Near(p) {
			e.hull.Add(p)
			e.box = e.box.Extend(p)
		}
	}
	return code
}

// locatedArea counts a row with an outline. Outlines that are not valid are left to other checks.
func (s *sink) locatedArea(covers bool, g orb.MultiPolygon) {
	if len(g) > 0 && len(g[0]) > 0 && len(g[0][0]) > 0 {
		box := g.Bound()
		s.located(covers, g[0][0][0], box.Min, box.Max)
	}
}

// locatedPOI counts a place. The country of its address, if it is another one, names where it is.
func (s *sink) locatedPOI(p *source.POI) {
	s.located(true, p.Point)
	if country := strings.ToUpper(strings.TrimSpace(p.CountryCode)); s.extent.Place == "" && country != "CA" && country != "US" {
		s.extent.Place = country
	}
}

// locatedFeature counts a feature.
func (s *sink) locatedFeature(g orb.Geometry) {
	switch g := g.(type) {
	case orb.Point:
		s.located(false, g)
	case orb.LineString:
		if len(g) > 0 {
			s.located(false, g[0])
		}
	case orb.MultiPolygon:
		s.locatedArea(false, g)
	}
}

// area returns the hull of the coverage with the margin around it.
func (e *extent) area() orb.MultiPolygon {
	ring := e.hull.Ring()
	if ring == nil { // a point, or points on a line
		ring = e.box.ToRing()
	}
	var wide geo.Hull
	for _, p := range ring {
		lng, lat := geo.MetresPerDegree(p[1])
		for i := range 8 {
			sin, cos := math.Sincos(float64(i) * math.Pi / 4)
			wide.Add(orb.Point{p[0] + extentMargin*cos/lng, p[1] + extentMargin*sin/lat})
		}
	}
	return orb.MultiPolygon{{wide.Ring()}}
}

// writeCoverage writes the coverage of a source: for each state with rows, the part of its outline in the extent.
func (s *sink) writeCoverage(ctx context.Context) error {
	codes := slices.Sorted(maps.Keys(s.extent.states))
	if len(codes) == 0 {
		return nil
	}
	area := s.extent.area()
	for _, code := range codes {
		part, err := s.file.kernel.Intersection(area, outline.Of(code))
		if err != nil {
			return fmt.Errorf("extent of source %s in %s: %w", s.source, code, err)
		}
		if err := s.file.cover(ctx, s.source, code, part); err != nil {
			return err
		}
	}
	return nil
}

// cover writes a row of coverage, unless it has no area.
func (f *File) cover(ctx context.Context, sourceID, code string, g orb.MultiPolygon) error {
	if len(g) == 0 {
		return nil
	}
	wkb, err := geo.WKB(g)
	if err != nil {
		return err
	}
	f.covered[code] = true
	return sqlrow.Insert(ctx, f.db, "coverage", staged.Coverage{SourceID: sourceID, CountryCode: code[:2], StateCode: code[3:], Geom: wkb})
}

// addBoundary notes the states that a boundary is in, and the state of which it is the outline.
func (f *File) addBoundary(b source.Boundary) {
	switch b.Level {
	case schemas.Country:
		for _, s := range schemas.States {
			if s.Country == b.Country {
				f.bounded[s.Country+"_"+s.Code] = true
			}
		}
	case schemas.State:
		f.outlined[b.State] = true // no code is used in both countries
	default:
		for _, polygon := range b.Geometry {
			if code := outline.At(polygon[0][0]); code != "" {
				f.bounded[code] = true
			}
		}
	}
}

// outlinesID is the id of the source of the outlines that come with the program. Ids in region files have no colon.
const outlinesID = "quartier:outlines"

// Finish writes the coverage of a region that consists of boundaries or addresses, which is the states that they are in, and the
// source of the outlines of states that no source of the region has. priority is the number of sources.
func (f *File) Finish(ctx context.Context, priority int) error {
	if len(f.covered) == 0 {
		for _, code := range slices.Sorted(maps.Keys(f.bounded)) {
			if err := f.cover(ctx, outlinesID, code, outline.Of(code)); err != nil {
				return err
			}
		}
	}
	used := int64(0)
	for code := range f.covered {
		if !f.outlined[code[len("US_"):]] {
			used++
		}
	}
	if used == 0 {
		return nil
	}
	sum, size := outline.Digest()
	about := outline.Origin
	return sqlrow.Insert(ctx, f.db, "source", staged.Source{
		SourceID: outlinesID, Priority: int32(priority), Kind: schemas.OutlinesKind, Path: about.File, SHA256: sum, Bytes: size, AsOf: about.AsOf,
		Licence: about.Licence, Attribution: about.Attribution, URL: about.URL, RowsRead: used, RowsStaged: used,
	})
}

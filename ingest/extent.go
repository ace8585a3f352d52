package ingest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/paulmach/orb"
	"gopkg.in/yaml.v3"

	"quartier/ingest/source"
	"quartier/internal/geo"
	"quartier/schemas/staged"
)

// Extent declares where a source has all that there is of what it has. One of its fields is given.
type Extent struct {
	Box      source.BBox  `yaml:"box,omitempty"`      // [west, south, east, north] in degrees
	Polygon  [][2]float64 `yaml:"polygon,omitempty"`  // [longitude, latitude] of its corners, in order
	Boundary boundaryKeys `yaml:"boundary,omitempty"` // source keys of outlines of the region
}

// boundaryKeys are one key or a list of them.
type boundaryKeys []string

// UnmarshalYAML reads a key or a list.
func (k *boundaryKeys) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		*k = boundaryKeys{node.Value}
		return nil
	}
	return node.Decode((*[]string)(k))
}

// maxCorners is the number of corners of a polygon in a region file.
const maxCorners = 10_000

// check returns an error that has the value at fault, and the field that has it.
func (e *Extent) check() (field string, err error) {
	if e == nil {
		return "", nil
	}
	given := 0
	for _, has := range []bool{e.Box != nil, e.Polygon != nil, e.Boundary != nil} {
		if has {
			given++
		}
	}
	switch {
	case given != 1:
		return "", fmt.Errorf("extent has %d of box, polygon and boundary, not one", given)
	case e.Boundary != nil:
		if len(e.Boundary) == 0 || slices.Contains(e.Boundary, "") {
			return "boundary", errors.New("extent.boundary has no key, or an empty one")
		}
		return "", nil
	case e.Box != nil:
		if len(e.Box) == 0 || e.Box.Check() != nil {
			return "box", fmt.Errorf("extent.box %v is not [west, south, east, north] in degrees", []float64(e.Box))
		}
		return "", nil
	}
	return "polygon", e.checkPolygon()
}

func (e *Extent) checkPolygon() error {
	if len(e.Polygon) > maxCorners {
		return fmt.Errorf("extent.polygon has %d corners; at most %d are read", len(e.Polygon), maxCorners)
	}
	for _, p := range e.Polygon {
		if !geo.Valid(p) {
			return fmt.Errorf("extent.polygon: %v is not [longitude, latitude] in degrees", p)
		}
	}
	if len(e.Polygon) < 3 || geo.SignedArea(e.ring()) == 0 {
		return fmt.Errorf("extent.polygon of %d corners has no area", len(e.Polygon))
	}
	return nil
}

// ring is the polygon, closed.
func (e *Extent) ring() (ring orb.Ring) {
	for _, p := range e.Polygon {
		ring = append(ring, p)
	}
	if ring[0] != ring[len(ring)-1] {
		ring = append(ring, ring[0])
	}
	return ring
}

// rows are the rows of staged.extent of a source.
func (e *Extent) rows(id string) (rows []staged.Extent, err error) {
	for _, key := range e.Boundary {
		rows = append(rows, staged.Extent{SourceID: id, Basis: staged.ExtentBoundary, BoundaryKey: key})
	}
	if e.Boundary != nil {
		return rows, nil
	}
	var ring orb.Ring
	if e.Box != nil {
		ring = orb.Bound{Min: orb.Point{e.Box[0], e.Box[1]}, Max: orb.Point{e.Box[2], e.Box[3]}}.ToRing()
	} else {
		ring = e.ring()
	}
	geom, err := geo.WKB(orb.MultiPolygon{{ring}})
	return []staged.Extent{{SourceID: id, Basis: staged.ExtentDeclared, Geom: geom}}, err
}

// extentRows are the rows of staged.extent of a source: its declared extent, else the box in the header of its file.
func (s *Source) extentRows(kind source.Kind, in source.Input) ([]staged.Extent, error) {
	if s.Extent != nil {
		return s.Extent.rows(s.ID)
	}
	boxed, has := kind.(source.Boxed)
	if !has {
		return nil, nil
	}
	box, known, err := boxed.Box(in)
	if err != nil || !known {
		return nil, err
	}
	geom, err := geo.WKB(orb.MultiPolygon{{box.ToRing()}})
	return []staged.Extent{{SourceID: s.ID, Basis: staged.ExtentHeader, Geom: geom}}, err
}

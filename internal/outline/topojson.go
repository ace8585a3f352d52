package outline

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
)

// topology is a TopoJSON file: rings are sequences of arcs, which neighbours share, and arcs are steps on a grid.
type topology struct {
	Arcs      [][][2]int
	Transform struct{ Scale, Translate [2]float64 }
	Objects   struct {
		States struct{ Geometries []object }
	}
}

type object struct {
	Type       string
	Arcs       json.RawMessage // of a polygon, or of each of several
	Properties struct{ Code string }
}

// decode reads states in the order of their codes.
func decode(r io.Reader) ([]state, error) {
	unzipped, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("read outlines: %w", err)
	}
	var t topology
	if err := json.NewDecoder(unzipped).Decode(&t); err != nil {
		return nil, fmt.Errorf("read outlines: %w", err)
	}
	lines := t.lines()
	var states []state
	for _, o := range t.Objects.States.Geometries {
		polygons, err := o.polygons()
		if err != nil {
			return nil, fmt.Errorf("read outline of %s: %w", o.Properties.Code, err)
		}
		s := state{code: o.Properties.Code}
		for _, rings := range polygons {
			var polygon orb.Polygon
			for _, arcs := range rings {
				polygon = append(polygon, ring(arcs, lines))
			}
			s.geometry = append(s.geometry, polygon)
		}
		s.Prepared = geo.Prepare(s.geometry)
		states = append(states, s)
	}
	return states, nil
}

// lines returns the arcs in degrees.
func (t *topology) lines() []orb.LineString {
	lines := make([]orb.LineString, len(t.Arcs))
	for i, arc := range t.Arcs {
		var at [2]int
		for _, step := range arc {
			at[0], at[1] = at[0]+step[0], at[1]+step[1]
			lines[i] = append(lines[i], orb.Point{
				float64(at[0])*t.Transform.Scale[0] + t.Transform.Translate[0],
				float64(at[1])*t.Transform.Scale[1] + t.Transform.Translate[1],
			})
		}
	}
	return lines
}

// polygons returns the arcs of each ring of each polygon.
func (o object) polygons() (polygons [][][]int, err error) {
	if o.Type == "Polygon" {
		polygons = make([][][]int, 1)
		return polygons, json.Unmarshal(o.Arcs, &polygons[0])
	}
	return polygons, json.Unmarshal(o.Arcs, &polygons)
}

// ring joins arcs; arc −1 is arc 0 backwards, −2 is arc 1 backwards. The last point of an arc is the first of the next.
func ring(arcs []int, lines []orb.LineString) (r orb.Ring) {
	for _, arc := range arcs {
		line := lines[max(arc, ^arc)]
		if arc < 0 {
			line = slices.Clone(line)
			slices.Reverse(line)
		}
		if len(r) > 0 {
			line = line[1:]
		}
		r = append(r, line...)
	}
	return r
}

package tiles

import (
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/clip"
	"github.com/paulmach/orb/encoding/mvt"
	"github.com/paulmach/orb/geojson"
)

// encode is a vector tile of what choose returned for it, in the order of layers and numbers; nil if nothing is left of it. Of
// the last tile there are none of higher zooms.
func encode(t tile, list []shape, last bool) ([]byte, error) {
	var out mvt.Layers
	for len(list) > 0 {
		l := list[0].layer
		n := 1
		for n < len(list) && list[n].layer == l {
			n++
		}
		if features := encodeLayer(t, list[:n]); len(features) > 0 {
			if layers[l].wide && last {
				for _, f := range features {
					f.Properties[lastField] = 1
				}
			}
			out = append(out, &mvt.Layer{Name: layers[l].name, Version: 2, Extent: extent, Features: features})
		}
		list = list[n:]
	}
	if out == nil {
		return nil, nil
	}
	return mvt.Marshal(out)
}

// encodeLayer returns the features of one layer in units of the tile. Lines with the same properties are one feature, and so are
// areas without an id.
func encodeLayer(t tile, list []shape) (features []*geojson.Feature) {
	byProps := map[string]int{} // by properties: index in features
	for _, s := range list {
		var g orb.Geometry
		switch shape := s.geometry.(type) {
		case orb.Point:
			g = t.inside(shape)
		case orb.LineString:
			pieces := t.lines(shape)
			if len(pieces) == 0 {
				continue
			}
			if i, found := byProps[string(s.props)]; found {
				features[i].Geometry = append(features[i].Geometry.(orb.MultiLineString), pieces...)
				continue
			}
			byProps[string(s.props)] = len(features)
			g = pieces
		case orb.MultiPolygon:
			areas := t.areas(shape)
			if len(areas) == 0 {
				continue
			}
			if s.id == 0 {
				if i, found := byProps[string(s.props)]; found {
					features[i].Geometry = append(features[i].Geometry.(orb.MultiPolygon), areas...)
					continue
				}
				byProps[string(s.props)] = len(features)
			}
			g = areas
		}
		f := &geojson.Feature{Geometry: g, Properties: s.layer.decode(s.props)}
		if s.id != 0 {
			f.ID = s.id
		}
		features = append(features, f)
	}
	for _, f := range features {
		if m, ok := f.Geometry.(orb.MultiLineString); ok {
			byScore := list[0].layer == heat
			m = join(m, byScore)
			for i := range m { // what is one line by now needs fewer points
				switch {
				case t.z < MaxZoom && byScore:
					m[i] = simplified(m[i], step)
				case t.z < MaxZoom:
					m[i] = simplified(m[i], step/2)
				case byScore:
					m[i] = simplified(m[i], 1)
				}
			}
			f.Geometry = m
		}
	}
	return features
}

// local is a point of the grid in units of the tile.
func (t tile) local(p orb.Point) orb.Point {
	o, u := t.origin(), unit(t.z)
	return orb.Point{math.Round((p[0] - o[0]) / u), math.Round((p[1] - o[1]) / u)}
}

// inside is local of a point that is in the tile and stays there: rounding never moves it to the next one.
func (t tile) inside(p orb.Point) orb.Point {
	o, u := t.origin(), unit(t.z)
	return orb.Point{math.Floor((p[0] - o[0]) / u), math.Floor((p[1] - o[1]) / u)}
}

// lines are the parts of a line in the tile and its margin.
func (t tile) lines(line orb.LineString) (out orb.MultiLineString) {
	box := t.box(margin * unit(t.z))
	parts := orb.MultiLineString{line}
	if !within(line.Bound(), box) {
		parts = clip.LineString(box, line)
	}
	for _, part := range parts {
		var piece orb.LineString
		for _, p := range part {
			if q := t.local(p); len(piece) == 0 || piece[len(piece)-1] != q {
				piece = append(piece, q)
			}
		}
		if len(piece) >= 2 {
			out = append(out, piece)
		}
	}
	return out
}

// areas are the parts of an area, outer rings clockwise on the map and holes the other way. Parts without area are dropped.
func (t tile) areas(m orb.MultiPolygon) (out orb.MultiPolygon) {
	for _, polygon := range m {
		var part orb.Polygon
		for i, ring := range polygon {
			r := make(orb.Ring, len(ring))
			for k, p := range ring {
				r[k] = t.local(p)
			}
			r = tidy(r)
			size := area(r)
			if i == 0 && size == 0 {
				break
			}
			if size == 0 {
				continue
			}
			if size > 0 != (i == 0) {
				r.Reverse()
			}
			part = append(part, r)
		}
		if part != nil {
			out = append(out, part)
		}
	}
	return out
}

// join puts lines together that meet end to end, so that they need fewer points; unless through, where no third one does. Lines
// that are there twice, in either direction, are kept once.
//
// Example: (0,0)–(4,0), (8,0)–(4,0) and (8,0)–(8,8) become (0,0)–(4,0)–(8,0)–(8,8).
func join(lines orb.MultiLineString, through bool) orb.MultiLineString {
	if len(lines) < 2 {
		return lines
	}
	at := map[orb.Point][]int{} // lines that end at a point; twice where both ends do
	used := make([]bool, len(lines))
	for i, line := range lines {
		a, b := line[0], line[len(line)-1]
		if slices.ContainsFunc(at[a], func(k int) bool { return same(lines[k], line) }) {
			used[i] = true
			continue
		}
		at[a], at[b] = append(at[a], i), append(at[b], i)
	}
	// next is the line that goes on from the end of another, in that direction; nil: none, or not which one.
	next := func(end orb.Point) orb.LineString {
		if here := at[end]; len(here) == 2 || through {
			for _, i := range here {
				if !used[i] {
					used[i] = true
					if line := lines[i]; line[0] != end {
						line.Reverse()
					}
					return lines[i]
				}
			}
		}
		return nil
	}
	var out orb.MultiLineString
	for i, line := range lines {
		if used[i] {
			continue
		}
		used[i] = true
		for range 2 { // from its end, then from its beginning
			for more := next(line[len(line)-1]); more != nil; more = next(line[len(line)-1]) {
				line = append(line, more[1:]...)
			}
			line.Reverse()
		}
		out = append(out, line)
	}
	return out
}

// same reports whether two lines have the same points, in either direction.
func same(a, b orb.LineString) bool {
	if slices.Equal(a, b) {
		return true
	}
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[len(b)-1-i] {
			return false
		}
	}
	return true
}

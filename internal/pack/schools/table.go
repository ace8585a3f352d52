package schools

import (
	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/internal/pack/strips"
)

// Table answers searches from a mapped file. It is safe for concurrent use until the file is closed.
type Table struct {
	index      strips.Index
	lists      []uint8                 `pack:"school.lists schools"`
	regions    []uint16                `pack:"school.region schools"`
	ranks      []uint32                `pack:"school.rank schools"`
	text       pack.Lists[byte]        `pack:"school.json schools"`
	french     pack.Lists[byte]        `pack:"school.json.fr schools"`
	first      []uint32                `pack:"school.catchment ends"`
	areas      []uint32                `pack:"catchment.area catchments"`
	words      []uint32                `pack:"catchment.text 2 catchments"`
	word       pack.Lists[byte]        `pack:"catchment.word"`
	geometry   pack.Lists[byte]        `pack:"area.json areas"`
	schools    pack.Lists[uint32]      `pack:"area.school? areas"`
	rings      pack.Lists[uint32]      `pack:"area.ring areas"`
	points     pack.Lists[coord.Point] `pack:"area.point areas"`
	regionCode []string                `pack:"region.code"`
	tree       coord.Tree              // of the areas; empty until layout 15, where no school is found by its catchment
}

// Open opens the table in f. It copies the regions; the rest stays in the mapped file.
func Open(f *pack.File) (*Table, error) {
	l := pack.NewLoader(f)
	t := &Table{index: strips.Load(l, "school.")}
	areas := pack.LoadLists[byte](l, "area.json", pack.Any).Len()
	l.Fill(t, "", map[string]int{
		"schools": len(t.index.Points), "ends": len(t.index.Points) + 1,
		"catchments": len(pack.Load[uint32](l, "catchment.area", pack.Any)), "areas": areas,
	})
	if l.Has("area.tree") {
		var ok bool
		if t.tree, ok = coord.TreeFrom(pack.Load[coord.Point](l, "area.tree", pack.Any), areas); !ok {
			l.Fail("section area.tree does not have the boxes of %d areas", areas)
		}
	}
	return t, l.Err()
}

// Len is the number of schools.
func (t *Table) Len() int { return len(t.index.Points) }

// Catchments is the number of catchments.
func (t *Table) Catchments() int { return len(t.areas) }

// AppendSchool appends the JSON of a hit, a schemas.School; nothing if the file is damaged.
func (t *Table) AppendSchool(dst []byte, h strips.Hit, f *Form) []byte {
	text := t.text.At(int(h.Index))
	if f.French {
		if french := t.french.At(int(h.Index)); len(french) > 0 {
			text = french
		}
	}
	if len(text) == 0 {
		return dst
	}
	dst = append(dst, text...)
	dst = h.AppendMetres(dst)
	dst = append(dst, '}')
	if f.Catchments {
		dst = append(dst, `,"catchments":[`...)
		dst = t.appendCatchments(dst, h.Index, f)
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

func (t *Table) appendCatchments(dst []byte, school uint32, f *Form) []byte {
	first, last := t.first[school], t.first[school+1]
	if first > last || uint64(last) > uint64(len(t.areas)) {
		return dst
	}
	language := uint32(0)
	if f.French {
		language = 1
	}
	at, placed := coord.NewPoint(f.Lng, f.Lat)
	for c := first; c < last; c++ {
		area, word := int(t.areas[c]), int(t.words[2*c+language])
		geometry := t.geometry.At(area)
		if len(geometry) == 0 || word >= t.word.Len() {
			continue
		}
		if c > first {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"geometry":`...)
		dst = append(dst, geometry...)
		if placed && t.inside(area, at) {
			dst = append(dst, `,"inside":true`...)
		} else {
			dst = append(dst, `,"inside":false`...)
		}
		dst = append(dst, t.word.At(word)...)
	}
	return dst
}

// inside reports whether a point is in an area or on its border.
func (t *Table) inside(area int, p coord.Point) bool {
	if len(t.tree.Corners()) > 0 && !t.tree.Box(uint32(area)).Intersects(coord.Box{Min: p, Max: p}) {
		return false
	}
	return within(coord.Area{Points: t.points.At(area), Ends: t.rings.At(area)}, p)
}

// within reports whether a point is in an area or on its border, of which the width is that of a unit of coordinates,
// because rounding moves vertices and points.
func within(a coord.Area, p coord.Point) bool {
	inside := false
	for i := range a.Ends {
		ring := a.Ring(i)
		for k := 1; k < len(ring); k++ {
			if onEdge(ring[k-1], ring[k], p) {
				return true
			}
			if coord.Crosses(ring[k-1], ring[k], p) {
				inside = !inside
			}
		}
	}
	return inside
}

// onEdge reports whether p is on the edge a–b: between its ends, and at most a unit above or below, or east or west of it,
// whichever is the shorter way. For example (3, 1) is on the edge from (0, 0) to (10, 4), which passes at (3, 1.2).
func onEdge(a, b, p coord.Point) bool {
	if p.Lat < min(a.Lat, b.Lat) || p.Lat > max(a.Lat, b.Lat) || p.Lng < min(a.Lng, b.Lng) || p.Lng > max(a.Lng, b.Lng) {
		return false
	}
	dx, dy := int64(b.Lng)-int64(a.Lng), int64(b.Lat)-int64(a.Lat)
	cross := dx*(int64(p.Lat)-int64(a.Lat)) - dy*(int64(p.Lng)-int64(a.Lng))
	return max(cross, -cross) <= max(dx, -dx, dy, -dy)
}

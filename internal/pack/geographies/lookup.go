package geographies

import (
	"slices"

	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/schemas"
)

// ByID is the index of the geography with an id.
func (t *Table) ByID(id string) (int, bool) {
	if len(id) == 0 || len(id) > maxID || len(t.hash) == 0 {
		return 0, false
	}
	slot := hash(id) % uint64(len(t.hash))
	for range t.hash {
		n := int(t.hash[slot])
		if n == 0 || n > t.count {
			return 0, false
		}
		if string(t.ids.At(n-1)) == id {
			return n - 1, true
		}
		if slot++; slot == uint64(len(t.hash)) {
			slot = 0
		}
	}
	return 0, false
}

// nestedAt is how many geographies contain a point at most in practice; more cost an allocation.
const nestedAt = 32

// At appends to dst the current geographies of the given levels that contain a point, by level, the smallest first, then
// area.
func (t *Table) At(dst []int, lng, lat float64, levels schemas.LevelSet) []int {
	p, ok := coord.NewPoint(lng, lat)
	if !ok {
		return dst
	}
	if len(t.locator.nodes) == 0 {
		return t.boxes.at(t, dst, p, levels)
	}
	var buffer [nestedAt]int32
	for _, i := range t.locator.at(buffer[:0], p) {
		if uint64(i) < uint64(t.count) && (levels == 0 || levels&t.levels[i] != 0) {
			dst = append(dst, int(i))
		}
	}
	return dst
}

// RegionsAt appends to dst the codes of the regions that contain a point, each once, in the order of Writer.AddCoverage:
// those whose outline does, else the one whose extent is the first that does.
func (t *Table) RegionsAt(dst []string, lng, lat float64) []string {
	p, ok := coord.NewPoint(lng, lat)
	if !ok {
		return dst
	}
	first := len(dst)
	var buffer [nestedAt]int32
	for _, i := range t.coverage.at(buffer[:0], p) {
		if uint64(i) >= uint64(t.outlines[0]) && len(dst) > first {
			break
		}
		if uint64(i) < uint64(len(t.covered)) && !slices.Contains(dst[first:], t.covered[i]) {
			dst = append(dst, t.covered[i])
		}
	}
	return dst
}

// AppendID appends the geog_id of geography i in quotes.
func (t *Table) AppendID(dst []byte, i int) []byte {
	dst = append(dst, '"')
	dst = append(dst, t.ids.At(i)...)
	return append(dst, '"')
}

// AppendMember appends the JSON member of geography i: its quoted id, a colon and its entry, a schemas.Geography. The
// geometry is empty unless it is requested and the geography is Canadian. One that is stored compressed too is not appended
// but returned. Nothing is appended if the file is damaged.
func (t *Table) AppendMember(dst []byte, i int, withGeometry bool) (out []byte, large pack.Insert) {
	text, gap := t.text.At(i), int(t.gaps[i])
	if gap > len(text) {
		return dst, large
	}
	geometry := t.geometry.At(i)
	if !withGeometry || len(geometry) == 0 {
		return append(dst, text...), large
	}
	dst = append(dst, text[:gap]...)
	if deflated := t.deflated.At(i); len(deflated) > 0 {
		large = pack.Insert{At: len(dst), Text: geometry, Deflated: deflated}
	} else {
		dst = append(dst, geometry...)
	}
	return append(dst, text[min(gap+len("[]"), len(text)):]...), large
}

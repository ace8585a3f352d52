package terrain

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas/calibration"
	"quartier/schemas/staged"
)

// readSurface combines the staged elevation tiles near the nodes in one lattice, that of the first tile at the
// resolution of the calibration; nil if there are none. Where sources overlap, the first that has a height counts.
func readSurface(ctx context.Context, db *duck.DB, nodes []coord.Point, t *calibration.Terrain) (*surface, error) {
	b := &builder{near: newNeighbourhood(nodes, math.Max(t.Slope.RadiusM, t.Street.RadiusM)+margin), cellM: t.CellM}
	for h, err := range sqlrow.Select[heights](ctx, db, `
		SELECT t.*, priority FROM elevation_tile AS t JOIN source USING (source_id) ORDER BY priority, tile`) {
		if err != nil {
			return nil, fmt.Errorf("read elevation tiles: %w", err)
		}
		if len(h.Cells) != int(4*h.Columns*h.Rows) || !(h.StepLng > 0 && h.StepLat > 0) {
			return nil, fmt.Errorf("read elevation tiles: a tile of %d by %d cells has %d bytes", h.Columns, h.Rows, len(h.Cells))
		}
		b.add(h)
	}
	b.merge()
	return b.merged, nil
}

// margin in metres around discs, for smoothing and slopes.
const margin = 200

// heights is a staged elevation tile.
type heights struct {
	staged.ElevationTile
	Priority int32 `col:"priority"`
}

// cell is the height of a cell in metres.
func (h *heights) cell(column, row int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(h.Cells[4*(row*int(h.Columns)+column):]))
}

// bound is the bounding box of the cells.
func (h *heights) bound() orb.Bound {
	return orb.Bound{
		Min: orb.Point{h.West - h.StepLng/2, h.North - (float64(h.Rows)-.5)*h.StepLat},
		Max: orb.Point{h.West + (float64(h.Columns)-.5)*h.StepLng, h.North + h.StepLat/2},
	}
}

// builder merges tiles into one surface: consecutive tiles of one source and lattice become a layer, and each layer
// fills the gaps of the earlier ones.
type builder struct {
	near   *neighbourhood
	cellM  float64
	merged *surface
	layer  *layer
}

// layer is the tiles of one source on one lattice. across × down fine cells are averaged to one cell of the surface.
type layer struct {
	*surface
	priority int32
	fine     lattice
	across   int
	down     int
	counts   map[key][]uint16 // fine cells with a height in each cell
}

// add puts a staged tile into the layer that it belongs to.
func (b *builder) add(h *heights) {
	if !b.near.touches(h.bound()) {
		return
	}
	fine := lattice{h.West, h.North, h.StepLng, h.StepLat}
	if b.layer == nil || b.layer.priority != h.Priority || !b.layer.fine.same(fine) {
		b.merge()
		mLng, mLat := geo.MetresPerDegree(h.North)
		across, down := max(1, int(math.Round(b.cellM/(h.StepLng*mLng)))), max(1, int(math.Round(b.cellM/(h.StepLat*mLat))))
		coarse := lattice{h.West + float64(across-1)/2*h.StepLng, h.North - float64(down-1)/2*h.StepLat, float64(across) * h.StepLng,
			float64(down) * h.StepLat}
		b.layer = &layer{newSurface(coarse), h.Priority, fine, across, down, map[key][]uint16{}}
	}
	b.layer.add(h, b.near)
}

// add sums the cells of a staged tile into the tiles of the layer that are near nodes.
func (l *layer) add(h *heights, near *neighbourhood) {
	x, y := l.fine.at(orb.Point{h.West, h.North})
	west, north := int(math.Round(x)), int(math.Round(y)) // of the first cell
	first, _ := tileOf(floorDiv(west, l.across), floorDiv(north, l.down))
	last, _ := tileOf(floorDiv(west+int(h.Columns)-1, l.across), floorDiv(north+int(h.Rows)-1, l.down))
	for row := first.row; row <= last.row; row++ {
		for column := first.column; column <= last.column; column++ {
			k := key{column, row}
			if !near.touches(l.bound(k)) {
				continue
			}
			if l.counts[k] == nil {
				l.counts[k] = make([]uint16, side*side)
			}
			l.sum(h, k, west, north)
		}
	}
}

// sum adds the cells of a staged tile, whose first cell is at west and north of the fine lattice, to a tile of the
// layer.
func (l *layer) sum(h *heights, k key, west, north int) {
	tile, counts := l.tile(k), l.counts[k]
	from, to := k.column*side*l.across, (k.column+1)*side*l.across
	for y := max(north, k.row*side*l.down); y < min(north+int(h.Rows), (k.row+1)*side*l.down); y++ {
		for x := max(west, from); x < min(west+int(h.Columns), to); x++ {
			v := h.cell(x-west, y-north)
			if v != v {
				continue
			}
			at := (floorDiv(y, l.down)-k.row*side)*side + floorDiv(x, l.across) - k.column*side
			if counts[at] == 0 {
				tile[at] = 0
			}
			tile[at] += v
			counts[at]++
		}
	}
}

// bound is the bounding box of a tile.
func (s *surface) bound(k key) orb.Bound {
	nw, se := s.centre(k.column*side, k.row*side), s.centre((k.column+1)*side, (k.row+1)*side)
	return orb.Bound{Min: orb.Point{nw[0] - s.stepLng/2, se[1] + s.stepLat/2}, Max: orb.Point{se[0] - s.stepLng/2, nw[1] + s.stepLat/2}}
}

// merge turns the sums of the current layer into means and fills the gaps of the surface with them. A cell with
// heights in less than half of its fine cells stays unknown.
func (b *builder) merge() {
	l := b.layer
	if l == nil {
		return
	}
	b.layer = nil
	for k, tile := range l.tiles {
		for i, n := range l.counts[k] {
			if tile[i] /= float32(n); 2*int(n) < l.across*l.down {
				tile[i] = unknown
			}
		}
	}
	l.counts = nil
	if b.merged == nil {
		b.merged = l.surface
		return
	}
	b.merged.fill(l.surface, b.near)
}

// fill takes heights that are missing from another surface.
func (s *surface) fill(from *surface, near *neighbourhood) {
	for _, k := range from.keys() {
		box := from.bound(k)
		west, north := s.at(orb.Point{box.Min[0], box.Max[1]})
		east, south := s.at(orb.Point{box.Max[0], box.Min[1]})
		first, last := key{int(math.Ceil(west - 1)), int(math.Ceil(north - 1))}, key{int(math.Floor(east + 1)), int(math.Floor(south + 1))}
		for row := first.row; row <= last.row; row++ {
			for column := first.column; column <= last.column; column++ {
				if v := s.cell(column, row); v == v {
					continue
				}
				h := from.height(s.centre(column, row))
				tk, at := tileOf(column, row)
				if math.IsNaN(h) || s.tiles[tk] == nil && !near.touches(s.bound(tk)) {
					continue
				}
				s.tile(tk)[at] = float32(h)
			}
		}
	}
}

// neighbourhood is the set of squares of 0.02° that are near nodes.
type neighbourhood map[key]bool

const squareDeg = 0.02

func squareOf(p orb.Point) key {
	return key{int(math.Floor(p[0] / squareDeg)), int(math.Floor(p[1] / squareDeg))}
}

// newNeighbourhood contains the squares that discs of the radius in metres around the nodes may touch.
func newNeighbourhood(nodes []coord.Point, radius float64) *neighbourhood {
	occupied := map[key]orb.Bound{}
	for _, n := range nodes {
		p := n.Orb()
		k := squareOf(p)
		if box, known := occupied[k]; known {
			occupied[k] = box.Extend(p)
		} else {
			occupied[k] = orb.Bound{Min: p, Max: p}
		}
	}
	near := neighbourhood{}
	for _, box := range occupied {
		sw, ne := geo.CircleBound(box.Min, radius), geo.CircleBound(box.Max, radius)
		near.each(sw.Union(ne), func(k key) bool { near[k] = true; return true })
	}
	return &near
}

// each visits the squares of a box until visit returns false.
func (n *neighbourhood) each(box orb.Bound, visit func(k key) bool) {
	first, last := squareOf(box.Min), squareOf(box.Max)
	for row := first.row; row <= last.row; row++ {
		for column := first.column; column <= last.column; column++ {
			if !visit(key{column, row}) {
				return
			}
		}
	}
}

// touches reports whether a box may be near a node.
func (n *neighbourhood) touches(box orb.Bound) (found bool) {
	n.each(box, func(k key) bool {
		found = (*n)[k]
		return !found
	})
	return found
}

package tiles

import (
	"cmp"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/pmtiles"
)

// made is a tile, or a run of equal ones, as it is stored.
type made struct {
	id   uint64
	run  uint32
	data []byte
}

// maker makes tiles; it is for one goroutine.
type maker struct {
	spool   *spool
	several bool // regions: they may have the same row
	zip     *pmtiles.Compressor
}

// block makes the tiles of a block, for each zoom of its band.
func (m *maker) block(at block) ([][]made, error) {
	data, err := m.spool.read(at)
	if err != nil {
		return nil, err
	}
	features := m.features(data)
	z, x, y, _ := pmtiles.Tile(at.id)
	b := m.spool.bands[at.band]
	zooms := make([][]made, b.hi-b.lo+1)
	for zoom := b.lo; zoom <= b.hi; zoom++ {
		d := descent{maker: m, zoom: zoom}
		root := tile{z, x, y}
		if err := d.descend(root, choose(drawn(features, zoom), root, zoom)); err != nil {
			return nil, err
		}
		slices.SortFunc(d.tiles, func(a, b made) int { return cmp.Compare(a.id, b.id) })
		zooms[zoom-b.lo] = d.tiles
	}
	return zooms, nil
}

// features reads records, in the order of layers and numbers, without those that several regions have.
func (m *maker) features(data []byte) (list []feature) {
	for r := (recordReader{rest: data}); len(r.rest) > 0; {
		list = append(list, r.next())
	}
	slices.SortStableFunc(list, func(a, b feature) int { return cmp.Or(cmp.Compare(a.layer, b.layer), cmp.Compare(a.number, b.number)) })
	if !m.several {
		return list
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(f feature) bool {
		if f.layer == heat || f.layer == pois {
			return false
		}
		f.number, f.id = 0, 0
		record := string(f.encode(f.geometry))
		twice := seen[record]
		seen[record] = true
		return twice
	})
}

// shape is what a zoom draws of a feature.
type shape struct {
	*feature
	geometry orb.Geometry
	bound    orb.Bound
}

// thinned is the size of the cells of which all halves of edges that begin there have the scores of one node below the highest
// zoom, in units of the tile: 8 pixels on a screen that shows it at 512 pixels.
const thinned = 64

// drawn is what a zoom draws of features: areas and lines simplified, the nodes of heat thinned.
func drawn(features []feature, zoom uint8) (list []shape) {
	cells := map[[2]int64]*feature{}
	for i := range features {
		f := &features[i]
		if !f.drawnAt(zoom, zoom) {
			continue
		}
		if zoom < layers[f.layer].full {
			again := *f
			again.props, f = f.layer.early(f.props), &again
		}
		g := f.geometry
		switch shape := g.(type) {
		case orb.LineString:
			g = coarserLine(shape, zoom)
			if f.layer == heat && zoom < MaxZoom {
				size := thinned * unit(zoom)
				cell := [2]int64{int64(shape[0][0] / size), int64(shape[0][1] / size)}
				if cells[cell] == nil {
					cells[cell] = f
				}
				f = cells[cell]
			}
		case orb.MultiPolygon:
			if zoom < MaxZoom {
				if shape = coarser(shape, stepOf(f.layer, zoom)); len(shape) == 0 {
					continue
				}
				g = shape
			}
		}
		list = append(list, shape{f, g, g.Bound()})
	}
	return list
}

// choose returns what of a list is in a tile, for the tiles of a zoom: points that are in it, lines that may go through it
// and its margin, areas cut to both.
func choose(list []shape, t tile, zoom uint8) (in []shape) {
	inner, outer := t.box(0), t.box(margin*unit(zoom))
	for _, s := range list {
		switch g := s.geometry.(type) {
		case orb.Point:
			if g[0] < inner.Min[0] || g[1] < inner.Min[1] || g[0] >= inner.Max[0] || g[1] >= inner.Max[1] {
				continue
			}
		case orb.LineString:
			if !outer.Intersects(s.bound) {
				continue
			}
		case orb.MultiPolygon:
			if !outer.Intersects(s.bound) {
				continue
			}
			if !within(s.bound, outer) {
				if g = cut(g, outer); len(g) == 0 {
					continue
				}
				s.geometry, s.bound = g, g.Bound()
			}
		}
		in = append(in, s)
	}
	return in
}

// descent makes the tiles of one zoom.
type descent struct {
	*maker
	zoom  uint8
	tiles []made
}

// descend makes the tiles in t of a list that choose returned. Where areas fill all of t there is one tile for all.
//
// Example: the inside of a province at zoom 14 is a run of 64 equal tiles for a block of zoom 11, however large it is.
func (d *descent) descend(t tile, list []shape) error {
	if len(list) == 0 {
		return nil
	}
	first, run := pmtiles.Below(t.z, t.x, t.y, d.zoom)
	if t.z < d.zoom && !(filled(list, t.box(margin*unit(d.zoom))) && d.alike(t)) {
		for _, child := range t.children() {
			if err := d.descend(child, choose(list, child, d.zoom)); err != nil {
				return err
			}
		}
		return nil
	}
	below := tile{d.zoom, t.x << (d.zoom - t.z), t.y << (d.zoom - t.z)}
	if below != t {
		list = choose(list, below, d.zoom)
	}
	data, err := encode(below, list, d.zoom == WideZoom && !d.spool.isNear(below.z, below.x, below.y))
	if err != nil || data == nil {
		return err
	}
	d.tiles = append(d.tiles, made{first, uint32(run), slices.Clone(d.zip.Compress(data))})
	return nil
}

// alike reports whether of the tiles of the zoom in t either all or none are the last ones.
func (d *descent) alike(t tile) bool {
	if d.zoom != WideZoom {
		return true
	}
	side := uint32(1) << (WideZoom - t.z)
	first := d.spool.isNear(WideZoom, t.x*side, t.y*side)
	for x := range side {
		for y := range side {
			if d.spool.isNear(WideZoom, t.x*side+x, t.y*side+y) != first {
				return false
			}
		}
	}
	return true
}

// filled reports whether all that is drawn in a box are areas without an edge in it.
func filled(list []shape, box orb.Bound) bool {
	for _, s := range list {
		m, ok := s.geometry.(orb.MultiPolygon)
		if !ok || !fills(m, box) {
			return false
		}
	}
	return true
}

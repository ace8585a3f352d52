package tiles

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/paulmach/orb"

	"quartier/internal/pmtiles"
)

// band is a range of zooms whose tiles are made together, block by block: a block is a tile of the lowest zoom.
type band struct{ lo, hi uint8 }

// The bands of the archives. The last one has blocks small enough that the features of a dense city's block fit into memory.
var (
	mapBands  = []band{{0, 3}, {4, 7}, {8, 10}, {11, 14}} // of the ground, too
	heatBands = []band{{10, 10}, {11, 14}}
)

// block is a tile of the lowest zoom of a band, by the index of the band and its number.
type block struct {
	band int
	id   uint64
}

// maxBuffered is how many bytes of records are kept before they are written to the file.
const maxBuffered = 32 << 20

// spool keeps features by block in a temporary file. Several goroutines may write to it.
type spool struct {
	bands    []band
	mu       sync.Mutex
	file     *os.File
	end      int64
	blocks   map[block]*bucket
	buffered int
	bound    orb.Bound              // of all features, on the grid
	near     func() map[uint64]bool // tiles of WideZoom above which there are some; to be called when all features are there
}

// bucket is the records of a block: chunks of the file, then those that are not written yet.
type bucket struct {
	chunks []chunk
	buffer []byte
	near   bool // one of them is not of a wide feature
}

type chunk struct {
	offset int64
	length int
}

func newSpool(path string, bands []band) (*spool, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	s := &spool{bands: bands, file: f, blocks: map[block]*bucket{}, bound: orb.Bound{Min: orb.Point{world, world}}}
	s.near = sync.OnceValue(s.findNear)
	return s, nil
}

// findNear returns the tiles of WideZoom above which something is that is not wide, and those around them.
func (s *spool) findNear() map[uint64]bool {
	near := map[uint64]bool{}
	for at, b := range s.blocks {
		if !b.near || s.bands[at.band].lo <= WideZoom {
			continue
		}
		z, x, y, _ := pmtiles.Tile(at.id)
		x, y = x>>(z-WideZoom), y>>(z-WideZoom)
		for i := range uint32(3) {
			for k := range uint32(3) {
				if id, ok := pmtiles.TileID(WideZoom, x+i-1, y+k-1); ok { // below 0 is beyond the last
					near[id] = true
				}
			}
		}
	}
	return near
}

// isNear reports whether a tile of WideZoom or above has tiles above WideZoom, or is one.
func (s *spool) isNear(z uint8, x, y uint32) bool {
	id, _ := pmtiles.TileID(WideZoom, x>>(z-WideZoom), y>>(z-WideZoom))
	return s.near()[id]
}

func (s *spool) close() error {
	err := s.file.Close()
	return cmp.Or(os.Remove(s.file.Name()), err)
}

// add adds a feature to the blocks of every band that draws it.
func (s *spool) add(f *feature) error {
	if m, isArea := f.geometry.(orb.MultiPolygon); isArea && len(m) == 0 {
		return nil // smaller than the grid
	}
	for i, b := range s.bands {
		if !f.drawnAt(b.lo, b.hi) {
			continue
		}
		g := f.geometry
		switch shape := g.(type) {
		case orb.MultiPolygon:
			if b.hi < MaxZoom {
				shape = coarser(shape, stepOf(f.layer, b.hi))
			}
			if len(shape) > 0 {
				if err := s.spread(f, i, tile{}, shape, shape.Bound()); err != nil {
					return err
				}
			}
			continue
		case orb.LineString:
			g = coarserLine(shape, b.hi)
		}
		if err := s.insert(f, i, g); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bound = s.bound.Union(f.geometry.Bound())
	return nil
}

// insert adds a point to its block, and a line to those around which it may be.
func (s *spool) insert(f *feature, band int, g orb.Geometry) error {
	z := s.bands[band].lo
	size, pad := float64(extent)*unit(z), 0.0
	if _, isPoint := g.(orb.Point); !isPoint {
		pad = margin * unit(z)
	}
	b, last := g.Bound(), float64(uint32(1)<<z-1)
	data := f.encode(g)
	for x := max(0, (b.Min[0]-pad)/size); x <= min(last, (b.Max[0]+pad)/size); x = float64(uint32(x) + 1) {
		for y := max(0, (b.Min[1]-pad)/size); y <= min(last, (b.Max[1]+pad)/size); y = float64(uint32(y) + 1) {
			id, _ := pmtiles.TileID(z, uint32(x), uint32(y))
			if err := s.write(f, block{band, id}, data); err != nil {
				return err
			}
		}
	}
	return nil
}

// spread cuts an area into the blocks of a band below a tile, and writes them.
func (s *spool) spread(f *feature, band int, t tile, m orb.MultiPolygon, bound orb.Bound) error {
	z := s.bands[band].lo
	if t.z == z {
		id, _ := pmtiles.TileID(z, t.x, t.y)
		return s.write(f, block{band, id}, f.encode(m))
	}
	for _, child := range t.children() {
		box := child.box(2 * margin * unit(z))
		if !box.Intersects(bound) {
			continue
		}
		part := m
		if !within(bound, box) {
			part = cut(m, box)
		}
		if len(part) == 0 {
			continue
		}
		if err := s.spread(f, band, child, part, part.Bound()); err != nil {
			return err
		}
	}
	return nil
}

// write appends a record of a feature to a block.
func (s *spool) write(f *feature, at block, record []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.blocks[at]
	if b == nil {
		b = &bucket{}
		s.blocks[at] = b
	}
	b.buffer, b.near = append(b.buffer, record...), b.near || !f.wide
	if s.buffered += len(record); s.buffered < maxBuffered {
		return nil
	}
	s.buffered = 0
	for _, b := range s.blocks {
		if len(b.buffer) == 0 {
			continue
		}
		if _, err := s.file.WriteAt(b.buffer, s.end); err != nil {
			return fmt.Errorf("write features: %w", err)
		}
		b.chunks = append(b.chunks, chunk{s.end, len(b.buffer)})
		s.end += int64(len(b.buffer))
		b.buffer = nil
	}
	return nil
}

// list are the blocks of a band in the order of their tiles, above WideZoom those near something that is not wide.
func (s *spool) list(band int) (list []block) {
	for b := range s.blocks {
		if b.band != band {
			continue
		}
		if z, x, y, _ := pmtiles.Tile(b.id); z <= WideZoom || s.isNear(z, x, y) {
			list = append(list, b)
		}
	}
	slices.SortFunc(list, func(a, b block) int { return cmp.Compare(a.id, b.id) })
	return list
}

// read returns the records of a block, those of a layer in the order in which they were written.
func (s *spool) read(at block) ([]byte, error) {
	b := s.blocks[at]
	var data []byte
	for _, c := range b.chunks {
		n := len(data)
		data = append(data, make([]byte, c.length)...)
		if _, err := s.file.ReadAt(data[n:], c.offset); err != nil {
			return nil, fmt.Errorf("read features: %w", err)
		}
	}
	return append(data, b.buffer...), nil
}

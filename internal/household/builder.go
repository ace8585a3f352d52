package household

import (
	"fmt"
	"unsafe"

	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/internal/pointindex"
)

// homeSize is the size of a home in memory and in a file.
const homeSize = int(unsafe.Sizeof(Home{}))

// Builder indexes homes that are in a temporary file: it has 12 bytes of each in memory until they are indexed, the index 4.
type Builder struct {
	dir    string
	homes  *pack.Spool // in the order in which they were added
	points []coord.Point
}

// NewBuilder makes a builder with temporary files without a name in dir.
func NewBuilder(dir string) (*Builder, error) {
	homes, err := pack.NewSpool(dir)
	return &Builder{dir: dir, homes: homes}, err
}

// Close removes the temporary file.
func (b *Builder) Close() error { return b.homes.Close() }

// Add adds a home.
func (b *Builder) Add(h *Home) error {
	if _, err := b.homes.Append(unsafe.Slice((*byte)(unsafe.Pointer(h)), homeSize)); err != nil {
		return fmt.Errorf("keep homes: %w", err)
	}
	b.points = append(b.points, h.place())
	return nil
}

// Index indexes the homes. They are pages of a file, which are read when they are used, until the index is closed.
func (b *Builder) Index() (*Index, error) {
	index, order := pointindex.New(b.points, indexStripM)
	b.points = nil
	added, unmap, err := b.homes.Map()
	if err != nil {
		return nil, fmt.Errorf("read homes: %w", err)
	}
	defer unmap()
	sorted, err := pack.NewSpool(b.dir)
	if err != nil {
		return nil, err
	}
	defer sorted.Close()
	for _, i := range order {
		if _, err := sorted.Append(added[int(i)*homeSize:][:homeSize]); err != nil {
			return nil, fmt.Errorf("sort homes: %w", err)
		}
	}
	x := &Index{index: index}
	var data []byte
	if data, x.unmap, err = sorted.Map(); err != nil {
		return nil, fmt.Errorf("sort homes: %w", err)
	}
	if len(data) > 0 {
		x.Homes = unsafe.Slice((*Home)(unsafe.Pointer(&data[0])), len(data)/homeSize)
	}
	return x, nil
}

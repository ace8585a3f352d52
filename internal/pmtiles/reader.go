package pmtiles

import (
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// maxMetadata is the largest metadata that is read, in bytes.
const maxMetadata = 16 << 20

// Archive finds tiles in the bytes of an archive, which must not change. It may be used by several goroutines at a time.
type Archive struct {
	data   []byte
	header Header
	root   *directory
	mapped bool
}

// directory is a directory as it is searched. Leaf directories are read when they are needed, and kept.
type directory struct {
	entries []Entry
	leaves  []atomic.Pointer[directory] // nil where the directory has none; otherwise one for each entry
}

// maxDepth is how many directories lead to a tile at most, as in other readers.
const maxDepth = 4

// Open reads the header and checks every directory of an archive: that tiles are in order and inside of the file. Tiles
// themselves are not read. Any damage is an error that wraps ErrDamaged.
func Open(data []byte) (*Archive, error) {
	h, err := parseHeader(data)
	if err != nil {
		return nil, err
	}
	a := &Archive{data: data, header: h}
	if a.root, err = a.directory(h.Root); err != nil {
		return nil, err
	}
	var s sums
	if err := a.check(a.root, firstOf(MaxZoom+1), 1, &s); err != nil {
		return nil, err
	}
	if h.Entries != 0 && h.Entries != s.entries || h.Addressed != 0 && h.Addressed != s.addressed {
		return nil, damaged("%d entries for %d tiles, the header has %d for %d", s.entries, s.addressed, h.Entries, h.Addressed)
	}
	return a, nil
}

// OpenFile is Open for a file, which is mapped into memory until Close. It must not be changed or truncated until then.
func OpenFile(path string) (*Archive, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open archive of tiles: %w", err)
	}
	defer f.Close()
	return Map(f)
}

// Map is OpenFile for a file that is open already, and can be closed while it is mapped.
func Map(f *os.File) (*Archive, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("open archive of tiles: %w", err)
	}
	if info.Size() < headerSize {
		return nil, fmt.Errorf("open archive of tiles %s: %w", f.Name(), damaged("no header"))
	}
	data, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map archive of tiles %s: %w", f.Name(), err)
	}
	a, err := Open(data)
	if err != nil {
		syscall.Munmap(data)
		return nil, fmt.Errorf("open archive of tiles %s: %w", f.Name(), err)
	}
	a.mapped = true
	return a, nil
}

// Close unmaps the file of an archive of OpenFile or Map. Every tile of it is invalid then.
func (a *Archive) Close() error {
	if !a.mapped {
		return nil
	}
	data := a.data
	a.data, a.mapped = nil, false
	return syscall.Munmap(data)
}

// Contains reports whether an address is in the bytes of the archive.
func (a *Archive) Contains(address uintptr) bool {
	first := uintptr(unsafe.Pointer(unsafe.SliceData(a.data)))
	return address >= first && address-first < uintptr(len(a.data))
}

// Header is the head of the archive.
func (a *Archive) Header() Header { return a.header }

// Size is the length of the archive in bytes.
func (a *Archive) Size() int64 { return int64(len(a.data)) }

// Metadata is the metadata of the archive: a JSON object. It is not parsed.
func (a *Archive) Metadata() ([]byte, error) { return a.plain(a.header.Metadata, maxMetadata) }

// Tile returns the bytes of a tile as they are stored, without a copy; Header has how they are compressed. found is false
// where the archive has no such tile. Nothing is allocated, except where a leaf directory is used for the first time.
func (a *Archive) Tile(z uint8, x, y uint32) (tile []byte, found bool) {
	id, ok := TileID(z, x, y)
	if !ok {
		return nil, false
	}
	for d := a.root; ; {
		i := find(d.entries, id)
		if i < 0 {
			return nil, false
		}
		e := &d.entries[i]
		if e.Run > 0 {
			if id-e.ID >= uint64(e.Run) {
				return nil, false
			}
			return a.bytes(e), true
		}
		leaf := d.leaves[i].Load()
		if leaf == nil {
			var err error
			if leaf, err = a.leaf(e); err != nil {
				return nil, false // never: Open has read it
			}
			d.leaves[i].Store(leaf)
		}
		d = leaf
	}
}

// bytes are the bytes of the tiles of an entry.
func (a *Archive) bytes(e *Entry) []byte {
	at := a.header.Tiles.Offset + e.Offset
	return a.data[at : at+uint64(e.Length) : at+uint64(e.Length)]
}

// Each calls visit for every entry of tiles in order, with the bytes that they all have.
func (a *Archive) Each(visit func(e Entry, tile []byte) error) error { return a.each(a.root, visit) }

func (a *Archive) each(d *directory, visit func(e Entry, tile []byte) error) error {
	for i := range d.entries {
		e := &d.entries[i]
		if e.Run > 0 {
			if err := visit(*e, a.bytes(e)); err != nil {
				return err
			}
			continue
		}
		leaf, err := a.leaf(e)
		if err != nil {
			return err
		}
		if err := a.each(leaf, visit); err != nil {
			return err
		}
	}
	return nil
}

// sums are what the entries of an archive add up to.
type sums struct{ entries, addressed uint64 }

// check checks the directories below d, whose tiles are before end.
func (a *Archive) check(d *directory, end uint64, depth int, s *sums) error {
	for i := range d.entries {
		e := &d.entries[i]
		next := end
		if i+1 < len(d.entries) {
			next = d.entries[i+1].ID
		}
		if e.ID >= end || e.ID+uint64(e.Run) > end {
			return damaged("tile %d is in two directories", e.ID)
		}
		if e.Run > 0 {
			s.entries, s.addressed = s.entries+1, s.addressed+uint64(e.Run)
			continue
		}
		if depth == maxDepth {
			return damaged("more than %d directories below each other", maxDepth)
		}
		leaf, err := a.leaf(e)
		if err != nil {
			return err
		}
		if len(leaf.entries) == 0 || leaf.entries[0].ID != e.ID {
			return damaged("the leaf directory of tile %d does not begin with it", e.ID)
		}
		if err := a.check(leaf, next, depth+1, s); err != nil {
			return err
		}
	}
	return nil
}

// leaf reads the leaf directory of an entry.
func (a *Archive) leaf(e *Entry) (*directory, error) {
	return a.directory(Section{a.header.Leaves.Offset + e.Offset, uint64(e.Length)})
}

func (a *Archive) directory(s Section) (*directory, error) {
	data, err := a.plain(s, maxDirectoryBytes)
	if err != nil {
		return nil, err
	}
	d := &directory{}
	if d.entries, err = parseDirectory(data, &a.header); err != nil {
		return nil, err
	}
	for i := range d.entries {
		if d.entries[i].Run == 0 {
			d.leaves = make([]atomic.Pointer[directory], len(d.entries))
			break
		}
	}
	return d, nil
}

// plain returns a section of the file without its compression.
func (a *Archive) plain(s Section, limit int64) ([]byte, error) {
	data := a.data[s.Offset : s.Offset+s.Length]
	if a.header.Internal == Gzip {
		return Decompress(data, limit)
	}
	if int64(len(data)) > limit {
		return nil, damaged("a directory or metadata of %d bytes", len(data))
	}
	return data, nil
}

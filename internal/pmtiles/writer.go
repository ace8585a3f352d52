package pmtiles

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
)

// maxRemembered is how many different tiles a writer remembers to store them once; later ones that are equal to others than
// the one before are stored again. It bounds the memory: 80 bytes each.
const maxRemembered = 1 << 18

// Writer writes an archive of tiles that are compressed by gzip. The same tiles give the same bytes.
type Writer struct {
	file    *os.File
	out     *bufio.Writer
	zip     *Compressor
	header  Header
	entries []Entry
	known   map[[sha256.Size]byte]stored
	last    [sha256.Size]byte // digest of the tile of the last entry
}

// stored is where a tile is stored.
type stored struct {
	offset uint64
	length uint32
}

// Description is what a header and the metadata have that does not follow from the tiles.
type Description struct {
	MinZoom, MaxZoom uint8 // that the archive is made for, whether it has tiles of them or not
	Min, Max         Position
	CenterZoom       uint8
	Center           Position
	Metadata         []byte // a JSON object
}

// Create creates an archive at path, which must not exist. Close must be called.
func Create(path string) (*Writer, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("create archive of tiles: %w", err)
	}
	w := &Writer{file: f, out: bufio.NewWriterSize(f, 1<<20), zip: NewCompressor(), known: map[[sha256.Size]byte]stored{}}
	w.header = Header{
		Tiles: Section{Offset: rootEnd}, Clustered: true,
		Internal: Gzip, TileCompression: Gzip, Type: MVT,
	}
	if _, err := w.out.Write(make([]byte, rootEnd)); err != nil {
		f.Close()
		return nil, err
	}
	return w, nil
}

// Close closes the file. An archive that is not finished is left as it is.
func (w *Writer) Close() error {
	if w.file == nil {
		return nil
	}
	f := w.file
	w.file = nil
	return f.Close()
}

// Add adds a vector tile, compressed by gzip, which run tiles from a number on are. Tiles come in the order of their numbers.
// data is not kept.
func (w *Writer) Add(id uint64, run uint32, data []byte) error {
	if len(data) == 0 || run == 0 || id >= firstOf(MaxZoom+1)-uint64(run) {
		return fmt.Errorf("%d tiles from %d of %d bytes", run, id, len(data))
	}
	digest := sha256.Sum256(data)
	w.header.Addressed += uint64(run)
	if n := len(w.entries); n > 0 {
		e := &w.entries[n-1]
		next := e.ID + uint64(e.Run)
		if id < next {
			return fmt.Errorf("tile %d comes after tile %d", id, next-1)
		}
		if id == next && digest == w.last && uint64(e.Run)+uint64(run) < 1<<32 {
			e.Run += run
			return nil
		}
	}
	w.last = digest
	at, found := w.known[digest]
	if !found {
		at = stored{w.header.Tiles.Length, uint32(len(data))}
		if len(w.known) < maxRemembered {
			w.known[digest] = at
		}
		if _, err := w.out.Write(data); err != nil {
			return err
		}
		w.header.Tiles.Length += uint64(len(data))
		w.header.Contents++
	}
	w.header.Entries++
	w.entries = append(w.entries, Entry{ID: id, Offset: at.offset, Length: at.length, Run: run})
	return nil
}

// Finish writes what comes after the tiles and the header, and closes the file. It does not sync it.
func (w *Writer) Finish(d Description) error {
	if d.MinZoom > d.MaxZoom || d.MaxZoom > MaxZoom {
		return fmt.Errorf("zooms %d to %d", d.MinZoom, d.MaxZoom)
	}
	root, leaves, err := w.directories()
	if err != nil {
		return err
	}
	h := &w.header
	metadata := w.zip.Compress(d.Metadata)
	h.Metadata = Section{h.Tiles.Offset + h.Tiles.Length, uint64(len(metadata))}
	h.Leaves = Section{h.Metadata.Offset + h.Metadata.Length, uint64(len(leaves))}
	h.Root = Section{headerSize, uint64(len(root))}
	h.MinZoom, h.MaxZoom, h.Min, h.Max, h.CenterZoom, h.Center = d.MinZoom, d.MaxZoom, d.Min, d.Max, d.CenterZoom, d.Center
	for _, part := range [][]byte{metadata, leaves} {
		if _, err := w.out.Write(part); err != nil {
			return err
		}
	}
	if err := w.out.Flush(); err != nil {
		return err
	}
	if _, err := w.file.WriteAt(append(h.append(nil), root...), 0); err != nil {
		return err
	}
	return w.Close()
}

// directories encodes the entries: in the root if they fit, otherwise in the smallest leaf directories of equal numbers of
// entries whose list fits the root.
func (w *Writer) directories() (root, leaves []byte, err error) {
	root = append(root, w.zip.Compress(appendDirectory(nil, w.entries))...)
	for size := 4096; len(root) > rootEnd-headerSize; size += size / 4 {
		var list []Entry
		leaves = leaves[:0]
		for at := 0; at < len(w.entries); at += size {
			leaf := w.zip.Compress(appendDirectory(nil, w.entries[at:min(at+size, len(w.entries))]))
			list = append(list, Entry{ID: w.entries[at].ID, Offset: uint64(len(leaves)), Length: uint32(len(leaf))})
			leaves = append(leaves, leaf...)
		}
		root = append(root[:0], w.zip.Compress(appendDirectory(nil, list))...)
		if size > len(w.entries) && len(root) > rootEnd-headerSize {
			return nil, nil, errors.New("the directory of the archive does not fit its root") // never: one entry does
		}
	}
	return root, leaves, nil
}

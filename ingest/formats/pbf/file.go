// Package pbf reads OpenStreetMap PBF files as batches of nodes, ways and relations in file order. Blocks are decompressed
// and decoded in parallel; further passes skip the blocks without requested elements. The limits of the format bound
// memory, not the size of the file.
//
// It reads dense and plain nodes, zlib, zstd and raw blobs, negative ids and locations on ways. Files that require a
// feature other than OsmSchema-V0.6 and DenseNodes are refused.
package pbf

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/source"
)

// File is an open PBF file. Its methods may not run concurrently.
type File struct {
	Header  Header
	Workers int // goroutines that decode; Open sets it to the number of processors

	r      io.ReaderAt
	size   int64
	closer io.Closer
	data   int64   // offset of the first block after the header
	index  []entry // of the data blocks, after the first complete pass
	jobs   []*job  // with their buffers, for the next pass
}

// entry is a data block with the kinds of its elements.
type entry struct {
	frame
	holds element.Kinds
}

var _ element.File = (*File)(nil)

// Open opens the file at path and reads its header.
func Open(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open pbf: %w", err)
	}
	stat, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("open pbf: %w", err)
	}
	file, err := New(f, stat.Size())
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("open pbf %s: %w", path, err)
	}
	file.closer = f
	return file, nil
}

// New reads the header of the size bytes of r.
func New(r io.ReaderAt, size int64) (*File, error) {
	if size == 0 {
		return nil, fmt.Errorf("%w: the file is empty", source.ErrBadFile)
	}
	head, err := readFrame(r, 0, size, make([]byte, source.MaxPBFHeader))
	if err != nil {
		return nil, err
	}
	if head.kind != "OSMHeader" {
		return nil, bad(0, "not an OSM PBF file: it does not start with an OSMHeader")
	}
	blob := make([]byte, head.size)
	if _, err := r.ReadAt(blob, head.blob); err != nil {
		return nil, readError(0, err)
	}
	var in unpacker
	defer in.close()
	content, err := in.open(blob)
	if err != nil {
		return nil, bad(0, "header: %w", err)
	}
	header, err := parseHeader(content)
	if err != nil {
		return nil, bad(0, "header: %w", err)
	}
	return &File{Header: header, Workers: runtime.GOMAXPROCS(0), r: r, size: size, data: head.end()}, nil
}

// Bound returns the extent in the file's header.
func (f *File) Bound() (orb.Bound, bool) {
	if f.Header.Bound == nil {
		return orb.Bound{}, false
	}
	return *f.Header.Bound, true
}

// Close closes the file that Open opened.
func (f *File) Close() error {
	if f.closer == nil {
		return nil
	}
	return f.closer.Close()
}

// Read implements element.File.
func (f *File) Read(ctx context.Context, want element.Want, visit func(*element.Batch) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := newPass(f, want)
	wait := p.start(ctx)
	err := p.deliver(ctx, visit)
	cancel()
	wait()
	if err != nil {
		f.jobs = nil // some may have an unread block
		return err
	}
	if f.index == nil {
		f.index = p.index
	}
	return nil
}

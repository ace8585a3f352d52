// Package osmxml reads OpenStreetMap XML, plain or compressed by gzip or bzip2, as the API, JOSM and Overpass write it, as
// the same batches as package pbf. Elements that an editor marked as deleted are skipped.
package osmxml

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/source"
)

// File is an OSM XML file, which is opened for each pass.
type File struct {
	path   string
	limits source.Limits
	bound  *orb.Bound
}

var _ element.File = (*File)(nil)

// Open reads the start of the file at path to check that it is OSM XML and to find its extent.
func Open(path string, limits source.Limits) (*File, error) {
	f := &File{path: path, limits: limits}
	err := f.each(func(r io.Reader) error {
		p := newParser(r, element.Want{Kinds: element.All}, limits)
		_, err := p.next() // the bounds precede the first element
		if err == io.EOF {
			err = nil
		}
		f.bound = p.bound
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return f, nil
}

// Bound returns the extent in the file.
func (f *File) Bound() (orb.Bound, bool) {
	if f.bound == nil {
		return orb.Bound{}, false
	}
	return *f.bound, true
}

// Close does nothing: the file is closed after each pass.
func (f *File) Close() error { return nil }

// Read implements element.File.
func (f *File) Read(ctx context.Context, want element.Want, visit func(*element.Batch) error) error {
	return f.each(func(r io.Reader) error { return Parse(ctx, r, want, f.limits, visit) })
}

// A batch ends with one of these numbers of elements and of bytes of the document.
const (
	batchSize  = 4096
	batchBytes = 8 << 20
)

// Parse reads a decompressed document, as File.Read does.
func Parse(ctx context.Context, r io.Reader, want element.Want, limits source.Limits, visit func(*element.Batch) error) error {
	p := newParser(r, want, limits)
	for {
		_, err := p.next()
		if err != nil && err != io.EOF {
			return err
		}
		end := err == io.EOF
		if p.held == batchSize || p.xml.InputOffset()-p.from > batchBytes || end && p.held > 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			p.batch.Names = p.table.Names
			if err := visit(&p.batch); err != nil {
				return err
			}
			p.reset()
		}
		if end {
			return ctx.Err()
		}
	}
}

// each opens and decompresses the file and calls do.
func (f *File) each(do func(io.Reader) error) error {
	file, err := os.Open(f.path)
	if err != nil {
		return err
	}
	defer file.Close()
	r, err := unpack(file, f.limits)
	if err != nil {
		return err
	}
	return do(r)
}

func unpack(file io.Reader, limits source.Limits) (io.Reader, error) {
	r := bufio.NewReaderSize(file, 64<<10)
	magic, err := r.Peek(3)
	switch {
	case len(magic) == 0 && errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%w: the file is empty", source.ErrBadFile)
	case err != nil && !errors.Is(err, io.EOF):
		return nil, err
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		return source.Unpack(r, limits, func(r io.Reader) (io.Reader, error) {
			z, err := gzip.NewReader(r)
			if err != nil {
				return nil, fmt.Errorf("%w: gzip: %w", source.ErrBadFile, err)
			}
			return z, nil
		})
	case string(magic) == "BZh":
		return source.Unpack(r, limits, func(r io.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil })
	}
	return r, nil
}

// fileError wraps an error of decoding or decompression in source.ErrBadFile, with the position.
func (p *parser) fileError(err error) error {
	line, _ := p.xml.InputPos()
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		line, err = syntax.Line, errors.New(syntax.Msg)
	}
	return fmt.Errorf("%w: line %d (byte %d): %w", source.ErrBadFile, line, p.xml.InputOffset(), err)
}

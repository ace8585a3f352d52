// Package osmxml reads OpenStreetMap XML, plain or packed with gzip or bzip2, as the API, JOSM and Overpass write it.
// In goes a file, out come the same batches as from a PBF file. What an editor marked as deleted is left out.
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

// File is an OSM XML file; every pass opens it anew.
type File struct {
	path  string
	bound *orb.Bound
}

var _ element.File = (*File)(nil)

// Open looks at the beginning of the file at path: that it is OSM XML, and which extent it claims.
func Open(path string) (*File, error) {
	f := &File{path: path}
	err := f.each(func(r io.Reader) error {
		p := newParser(r, element.Want{Kinds: element.All})
		_, err := p.next() // the bounds stand before the first element
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

// Bound is the extent that the file claims.
func (f *File) Bound() (orb.Bound, bool) {
	if f.bound == nil {
		return orb.Bound{}, false
	}
	return *f.bound, true
}

// Close does nothing: no file stays open between passes.
func (f *File) Close() error { return nil }

// Read goes through the file once. See element.File.
func (f *File) Read(ctx context.Context, want element.Want, visit func(*element.Batch) error) error {
	return f.each(func(r io.Reader) error { return Parse(ctx, r, want, visit) })
}

// batchSize is how many elements are handed out together.
const batchSize = 4096

// Parse goes through an unpacked document once, as File.Read does.
func Parse(ctx context.Context, r io.Reader, want element.Want, visit func(*element.Batch) error) error {
	p := newParser(r, want)
	for {
		_, err := p.next()
		if err != nil && err != io.EOF {
			return err
		}
		end := err == io.EOF
		if p.held == batchSize || end && p.held > 0 {
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

// each opens the file, unpacks it and hands it to do.
func (f *File) each(do func(io.Reader) error) error {
	file, err := os.Open(f.path)
	if err != nil {
		return err
	}
	defer file.Close()
	r, err := unpack(file)
	if err != nil {
		return err
	}
	return do(r)
}

func unpack(file io.Reader) (io.Reader, error) {
	r := bufio.NewReaderSize(file, 64<<10)
	magic, err := r.Peek(3)
	switch {
	case len(magic) == 0 && errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%w: the file is empty", source.ErrBadFile)
	case err != nil && !errors.Is(err, io.EOF):
		return nil, err
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, fmt.Errorf("%w: gzip: %w", source.ErrBadFile, err)
		}
		return z, nil
	case string(magic) == "BZh":
		return bzip2.NewReader(r), nil
	}
	return r, nil
}

// place wraps an error of the decoder or of the unpacking under it as one of the file.
func (p *parser) place(err error) error {
	line, _ := p.xml.InputPos()
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		line, err = syntax.Line, errors.New(syntax.Msg)
	}
	return fmt.Errorf("%w: line %d (byte %d): %w", source.ErrBadFile, line, p.xml.InputOffset(), err)
}

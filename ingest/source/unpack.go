package source

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"quartier/internal/deflate64"
)

// Unpack limits what a compressed file expands to. open starts the decompression; packed counts the bytes that it reads.
func Unpack(packed io.Reader, limits Limits, open func(io.Reader) (io.Reader, error)) (io.Reader, error) {
	counted := &countedReader{Reader: packed}
	r, err := open(counted)
	if err != nil {
		return nil, err
	}
	return &unpacked{from: counted, r: r, limits: limits}, nil
}

type countedReader struct {
	io.Reader
	n int64
}

func (c *countedReader) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.n += int64(n)
	return n, err
}

type unpacked struct {
	from   *countedReader
	r      io.Reader
	n      int64
	limits Limits
}

func (u *unpacked) Read(b []byte) (int, error) {
	n, err := u.r.Read(b)
	u.n += int64(n)
	if most := u.limits.expanded(u.from.n); u.n > most {
		return 0, u.limits.expandsTooMuch(fmt.Sprintf("what the first %d compressed bytes expand to", u.from.n), most)
	}
	return n, err
}

func (l Limits) expandsTooMuch(part string, most int64) error {
	return fmt.Errorf("%w, which limits: {expansion: …} of the source raises", TooLarge(part, most, "bytes"))
}

// OpenZip opens an archive. It refuses one with a file that expands beyond the limits; package zip refuses one that expands
// to more than it declares. Errors other than those of the system name the archive and wrap ErrBadFile.
func OpenZip(path string, limits Limits) (*zip.ReadCloser, error) {
	archive, err := zip.OpenReader(path)
	var system *fs.PathError
	if errors.As(err, &system) {
		return nil, err
	}
	name := filepath.Base(path)
	if err != nil {
		return nil, BadFile(name, "it is not a valid .zip: %v", err)
	}
	archive.RegisterDecompressor(deflate64.Method, deflate64.NewReader)
	if err := limits.checkMembers(archive.File); err != nil {
		archive.Close()
		return nil, InFile(name, err)
	}
	return archive, nil
}

// ReadZip opens an archive in an archive, which is kept in memory, as OpenZip does. Errors do not have its name.
func ReadZip(r io.Reader, limits Limits) (*zip.Reader, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxInnerZip+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MaxInnerZip {
		return nil, TooLarge("an archive in an archive", MaxInnerZip, "bytes")
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("it is not a valid .zip: %w", err)
	}
	archive.RegisterDecompressor(deflate64.Method, deflate64.NewReader)
	return archive, limits.checkMembers(archive.File)
}

// CheckExpansion returns the error of a part of a file that expands from packed to unpacked bytes beyond the limit.
func (l Limits) CheckExpansion(part string, packed, unpacked int64) error {
	most := l.expanded(packed)
	if unpacked <= most {
		return nil
	}
	return l.expandsTooMuch(fmt.Sprintf("%s, of %d compressed bytes,", part, packed), most)
}

func (l Limits) checkMembers(files []*zip.File) error {
	for _, file := range files {
		const most = 1 << 61
		if err := l.CheckExpansion(file.Name, int64(min(file.CompressedSize64, most)), int64(min(file.UncompressedSize64, most))); err != nil {
			return err
		}
	}
	return nil
}

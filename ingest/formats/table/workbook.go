package table

import (
	"archive/zip"
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"quartier/ingest/source"
	"quartier/internal/xlsx"
)

// openText opens a file of text, unpacking one with gzip (.gz). Of a workbook it opens a sheet as text, and sets the dialect to
// that; of a .zip the only table.
func openText(path string, d *Dialect) (io.ReadCloser, error) {
	open := onlyTable
	switch strings.ToLower(filepath.Ext(path)) {
	default:
		return os.Open(path)
	case ".gz":
		return openGzip(path)
	case ".xlsx":
		open = func(archive *zip.Reader) (io.ReadCloser, error) { return xlsx.Text(archive, d.Sheet) }
		d.Comma, d.Encoding = ',', ""
	case ".zip":
	}
	archive, err := source.OpenZip(path, source.Limits{})
	if err != nil {
		return nil, err
	}
	text, err := open(&archive.Reader)
	if err != nil {
		archive.Close()
		return nil, source.InFile(path, err)
	}
	return archived{text, archive}, nil
}

// openGzip opens a file that is compressed by gzip, up to the limits of what files expand to.
func openGzip(path string) (io.ReadCloser, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	text, err := source.Unpack(bufio.NewReader(file), source.Limits{}, func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) })
	if err != nil {
		file.Close()
		return nil, source.BadFile(path, "gzip: %w", err)
	}
	return unzipped{text, file}, nil
}

// unzipped is the text of a compressed file.
type unzipped struct {
	io.Reader
	io.Closer
}

// onlyTable opens the only .csv of an archive, or else its only .tsv or .txt.
func onlyTable(archive *zip.Reader) (io.ReadCloser, error) {
	for _, extensions := range [][]string{{".csv"}, {".tsv", ".txt"}} {
		var found []*zip.File
		for _, file := range archive.File {
			if slices.Contains(extensions, strings.ToLower(path.Ext(file.Name))) && !strings.HasPrefix(path.Base(file.Name), "._") {
				found = append(found, file)
			}
		}
		switch {
		case len(found) == 1:
			return found[0].Open()
		case len(found) > 1:
			return nil, fmt.Errorf("it has %d tables, %s and %s among them: unpack it and give one", len(found), found[0].Name, found[1].Name)
		}
	}
	return nil, errors.New("it has no table (.csv, .tsv, .txt)")
}

// archived is a text that closes its archive too.
type archived struct {
	io.ReadCloser
	archive io.Closer
}

// Close closes both.
func (a archived) Close() error { return errors.Join(a.ReadCloser.Close(), a.archive.Close()) }

package table

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"quartier/ingest/source"
	"quartier/internal/xlsx"
)

// openText opens a file of text. Of a workbook it opens a sheet as text, and sets the dialect to that.
func openText(path string, d *Dialect) (io.ReadCloser, error) {
	if !isWorkbook(path) {
		return os.Open(path)
	}
	archive, err := source.OpenZip(path, source.Limits{})
	if err != nil {
		return nil, err
	}
	sheet, err := xlsx.Text(&archive.Reader, d.Sheet)
	if err != nil {
		archive.Close()
		return nil, source.InFile(path, err)
	}
	d.Comma, d.Encoding = ',', ""
	return workbook{sheet, archive}, nil
}

func isWorkbook(path string) bool { return strings.EqualFold(filepath.Ext(path), ".xlsx") }

// workbook is a sheet that closes its archive too.
type workbook struct {
	io.ReadCloser
	archive io.Closer
}

// Close closes both.
func (w workbook) Close() error { return errors.Join(w.ReadCloser.Close(), w.archive.Close()) }

package batch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"quartier/cmd/quartier/features"
	"quartier/ingest/source"
	"quartier/internal/arrowfile"
	"quartier/internal/xlsx"
)

// workbook is the format of workbooks of Office Open XML, which are read.
const workbook arrowfile.Format = "xlsx"

// Formats that are read and written; of those that are read alone there is one more.
var (
	outFormats = []arrowfile.Format{arrowfile.CSV, arrowfile.Parquet, arrowfile.GeoParquet, features.GeoJSON, features.GeoPackage}
	inFormats  = append([]arrowfile.Format{workbook}, outFormats...)
)

// formatOf is the format of a file by its extension.
func formatOf(path string, read bool) (arrowfile.Format, error) {
	formats := outFormats
	if read {
		formats = inFormats
	}
	extension := strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
	if extension == "geojsonl" || extension == "geojsons" {
		extension = string(features.GeoJSON)
	}
	var known []string
	for _, f := range formats {
		if extension == string(f) {
			return f, nil
		}
		known = append(known, "."+string(f))
	}
	return "", fmt.Errorf("%s: the extension names no format; known are %s", path, strings.Join(known, ", "))
}

// openFile opens the input.
func (j *job) openFile(o arrowfile.ReadOptions) (arrowfile.Reader, error) {
	switch j.InFormat {
	case features.GeoJSON:
		return features.OpenGeoJSON(j.In, o)
	case features.GeoPackage:
		return features.OpenGeoPackage(context.Background(), j.In, j.Layer, o)
	case workbook:
		return openWorkbook(j.In, j.Layer, o)
	}
	return arrowfile.Open(j.In, o)
}

// openWorkbook opens a sheet, whose cells are texts as those of a CSV file.
func openWorkbook(path, sheet string, o arrowfile.ReadOptions) (arrowfile.Reader, error) {
	archive, err := source.OpenZip(path, source.Limits{})
	if err != nil {
		return nil, err
	}
	text, err := xlsx.Text(&archive.Reader, sheet)
	if err != nil {
		archive.Close()
		return nil, fmt.Errorf("%s: %w: %w", path, arrowfile.ErrRead, err)
	}
	o.Encoding = ""
	in, err := arrowfile.OpenStream(text, path, o)
	if err != nil {
		return nil, errors.Join(err, text.Close(), archive.Close())
	}
	return sheetReader{in, text, archive}, nil
}

type sheetReader struct {
	arrowfile.Reader
	text, archive io.Closer
}

// Close closes the workbook too.
func (s sheetReader) Close() error {
	return errors.Join(s.Reader.Close(), s.text.Close(), s.archive.Close())
}

// convert writes the joined parts as features.
func (j *job) convert(ctx context.Context, joined string, metadata map[string]string) (err error) {
	in, err := arrowfile.Open(joined, arrowfile.ReadOptions{Format: arrowfile.Parquet, Rows: sliceRows})
	if err != nil {
		return err
	}
	defer in.Close()
	if j.final == features.GeoJSON && j.Out == Standard {
		return features.WriteGeoJSON(ctx, j.Stdout, in, j.shape.options.Geometry, j.shape.nested, metadata)
	}
	unfinished := j.parts.path("joined." + string(j.final))
	if j.final == features.GeoPackage {
		if j.Out == Standard {
			return fmt.Errorf("%w: a GeoPackage is not written to standard output", ErrInput)
		}
		err = features.WriteGeoPackage(ctx, unfinished, in, j.shape.options.Geometry, metadata["quartier:as_of"], metadata)
	} else {
		err = j.writeGeoJSON(ctx, unfinished, in, metadata)
	}
	if err != nil {
		return err
	}
	return os.Rename(unfinished, j.Out)
}

func (j *job) writeGeoJSON(ctx context.Context, path string, in arrowfile.Reader, metadata map[string]string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	err = features.WriteGeoJSON(ctx, file, in, j.shape.options.Geometry, j.shape.nested, metadata)
	return errors.Join(err, file.Sync(), file.Close())
}

// nestedColumns are the columns of an input that have JSON as text.
func nestedColumns(in *arrow.Schema) (names []string) {
	for _, f := range in.Fields() {
		if features.IsJSON(f) {
			names = append(names, f.Name)
		}
	}
	return names
}

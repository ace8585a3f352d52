package export

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"quartier/internal/arrowfile"
)

// ogr is the program of GDAL that writes FlatGeobuf.
const ogr = "ogr2ogr"

// findOGR returns an error if the program is not there or has no FlatGeobuf.
func findOGR() error {
	path, err := exec.LookPath(ogr)
	if err != nil {
		return ErrNoOGR
	}
	formats, err := exec.Command(path, "--formats").Output()
	if err != nil || !bytes.Contains(formats, []byte("FlatGeobuf")) {
		return fmt.Errorf("%w with that format: %s", ErrNoOGR, path)
	}
	return nil
}

// flatGeobuf writes a CSV file in a folder beside, which ogr2ogr converts.
type flatGeobuf struct {
	*arrowfile.Writer
	path, work string
}

func createFlatGeobuf(path string, t *Table, o arrowfile.Options) (*flatGeobuf, error) {
	work, err := os.MkdirTemp(filepath.Dir(path), "."+t.Name+"-*")
	if err != nil {
		return nil, err
	}
	f := &flatGeobuf{path: path, work: work}
	var kinds []string
	for _, field := range t.schema().Fields() {
		kinds = append(kinds, `"`+csvType(field.Type)+`"`)
	}
	err = os.WriteFile(f.csv()+"t", []byte(strings.Join(kinds, ",")+"\n"), 0o644)
	if err == nil {
		f.Writer, err = arrowfile.Create(f.csv(), t.schema(), o)
	}
	if err != nil {
		os.RemoveAll(work)
		return nil, err
	}
	return f, nil
}

func (f *flatGeobuf) csv() string { return filepath.Join(f.work, "rows.csv") }

// csvType is the type of a column in the file of types beside a CSV file (https://gdal.org/drivers/vector/csv.html).
func csvType(t arrow.DataType) string {
	switch t := t.(type) {
	case *arrow.BooleanType:
		return "Integer(Boolean)"
	case *arrow.Int32Type:
		return "Integer"
	case *arrow.Int64Type:
		return "Integer64"
	case *arrow.Float64Type:
		return "Real"
	case *arrow.Decimal128Type:
		return fmt.Sprintf("Real(%d.%d)", t.Precision+2, t.Scale)
	case *arrow.Date32Type:
		return "Date"
	}
	return "String"
}

// Close converts the rows and puts the file in its place.
func (f *flatGeobuf) Close(ctx context.Context) error {
	defer os.RemoveAll(f.work)
	if err := f.Writer.Close(ctx); err != nil {
		return err
	}
	made := filepath.Join(f.work, "rows.fgb")
	layer := strings.TrimSuffix(filepath.Base(f.path), filepath.Ext(f.path))
	command := exec.CommandContext(ctx, ogr, "-f", "FlatGeobuf", made, f.csv(), "-nln", layer, "-a_srs", "EPSG:4326",
		"-oo", "GEOM_POSSIBLE_NAMES="+GeometryColumn, "-oo", "KEEP_GEOM_COLUMNS=NO", "-oo", "EMPTY_STRING_AS_NULL=YES")
	if text, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", ogr, err, bytes.TrimSpace(text))
	}
	return os.Rename(made, f.path)
}

// Abort removes what is not complete.
func (f *flatGeobuf) Abort() {
	f.Writer.Abort()
	os.RemoveAll(f.work)
}

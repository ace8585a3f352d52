// Package batch adds columns to the rows of a file. Input: a CSV, Parquet, GeoParquet, GeoJSON or GeoPackage file, or a sheet of
// a workbook, with points, and the columns of package enrich. Output: a file with every row and column as it was, and the columns
// that were added.
//
// Rows are read in blocks. Each block becomes a file of its own in a folder beside the output, a part, on all processors; at
// the end the parts are joined. So the bytes of the output do not depend on the number of processors, and a run that was
// interrupted continues with the blocks that have no part yet.
package batch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/apache/arrow/go/v17/arrow"

	"quartier/cmd/quartier/features"
	"quartier/internal/arrowfile"
	"quartier/serve/enrich"
)

// Errors of a run.
var (
	ErrUsage   = errors.New("usage")                                       // options that contradict each other
	ErrInput   = errors.New("the input cannot be used")                    // wrong columns, another reference system
	ErrTooBad  = errors.New("too many rows have no usable point")          // over Options.MaxBad
	ErrExists  = errors.New("the output exists")                           // and Options.Force is not set
	ErrStopped = errors.New("the run can be continued")                    // what is finished is kept in parts
	ErrAnother = errors.New("the parts that are there are of another run") // of another input or other options
)

// Standard is the name of standard input and output.
const Standard = "-"

// Options of a run.
type Options struct {
	In, Out             string           // paths, or Standard
	InFormat, OutFormat arrowfile.Format // "": by the extensions
	Layer               string           // sheet of a workbook or layer of a GeoPackage; "": the first or only one
	Encoding            string           // of CSV; "": UTF-8 or UTF-16
	Decimal             string           // mark of coordinates in text: "." or ","; "": either, in degrees

	H3           *int // in place of an input: cells of this resolution; nil: none
	GeohashCells int  // in place of an input: geohashes of this length; 0: none

	Lat, Lng, Geometry, Geohash string // columns with the points; "": guessed
	Polygons                    string // column with shapes, which rows have in place of points; "": none
	Address                     string // column with addresses, which rows have in place of points; "": none
	HouseNumber, Street, Unit   string // columns with the parts of addresses, likewise
	City, State, PostalCode     string
	AddressLevel                string // the least level of a match, as the choice of columns has it
	CRS                         string // of the points or shapes; "": that of the file, else WGS 84

	Limit     int64   // most rows; 0: all
	Sample    float64 // share of the rows, 0 to 1; 0: all
	Jobs      int     // blocks that are worked on at once; 0: a processor each
	MaxBad    float64 // share of rows without a usable point from which on the run fails
	Overwrite bool    // columns of the input that have the names of added ones are left out
	Resume    bool    // continue with the parts that are there
	Force     bool    // replace the output
	PlanOnly  bool    // end after the plan

	Version string    // of the program
	block   int       // rows of a block, for tests; 0: by the columns
	Stdin   io.Reader // for Standard
	Stdout  io.Writer // for Standard
	Screen  io.Writer // for what is said meanwhile
}

// job is a run.
type job struct {
	Options
	byExtension bool             // OutFormat is that of the extension of Out
	final       arrowfile.Format // into which the joined parts are converted; "": they are the output
	crs         string           // of the points or shapes as PROJ knows it; "": WGS 84
	enricher    *enrich.Enricher
	columns     []enrich.Column
	points      locator
	shape       shape // of the output
	parts       *parts
}

// Run enriches a file and returns what became of its rows.
func Run(ctx context.Context, e *enrich.Enricher, o Options) (Summary, error) {
	j := &job{Options: o, enricher: e, columns: e.Columns()}
	if j.Jobs <= 0 {
		j.Jobs = runtime.GOMAXPROCS(0)
	}
	if err := j.check(); err != nil {
		return Summary{}, err
	}
	in, err := j.open(j.blockRows())
	if err != nil {
		return Summary{}, err
	}
	defer in.Close()
	if err := j.prepare(in.Schema()); err != nil {
		return Summary{}, fmt.Errorf("%s%s: %w", j.In, j.gridName(), err)
	}
	if err := j.plan(ctx, in); err != nil || j.PlanOnly {
		return Summary{}, err
	}
	return j.run(ctx, in)
}

// check checks the options and completes the formats.
func (j *job) check() (err error) {
	if j.gridName() != "" {
		if err := j.checkGrid(); err != nil {
			return err
		}
		j.InFormat = arrowfile.CSV // not read
	}
	if j.InFormat == "" && j.In == Standard {
		j.InFormat = arrowfile.CSV
	}
	if j.InFormat == "" {
		j.InFormat, err = formatOf(j.In, true)
	}
	if err != nil {
		return fmt.Errorf("--in %w; --in-format says which it is", err)
	}
	if j.OutFormat == "" && j.Out == Standard {
		j.OutFormat = arrowfile.CSV
	}
	if j.OutFormat == "" {
		j.byExtension = true
		j.OutFormat, err = formatOf(j.Out, false)
	}
	if err != nil {
		return fmt.Errorf("--out %w; --format says which it is to be", err)
	}
	if j.OutFormat == features.GeoJSON || j.OutFormat == features.GeoPackage {
		j.final, j.OutFormat, j.byExtension = j.OutFormat, arrowfile.GeoParquet, false
	}
	switch {
	case j.In == Standard && j.InFormat != arrowfile.CSV:
		return fmt.Errorf("%w: %s is read from its end, standard input from its beginning; give a file", ErrInput, j.InFormat)
	case (j.In == Standard || j.Out == Standard) && j.Resume:
		return fmt.Errorf("%w: a run from standard input or to standard output cannot be resumed", ErrInput)
	case j.Out == Standard:
		return nil
	}
	if same(j.In, j.Out) {
		return fmt.Errorf("%w: input and output are the same file", ErrInput)
	}
	if _, err := os.Lstat(j.Out); err == nil && !j.Force {
		return fmt.Errorf("%w: %s", ErrExists, j.Out)
	}
	return nil
}

func same(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// Limits of a block: of its rows, and about the most bytes that its cells and the values that are added take.
const (
	maxBlockRows  = arrowfile.GroupRows
	minBlockRows  = 1000
	blockBytes    = 64 << 20
	bytesPerValue = 16
)

// blockRows is how many rows a block has at most. It depends on the columns alone.
func (j *job) blockRows() int {
	if j.block > 0 {
		return j.block
	}
	return min(max(blockBytes/(bytesPerValue*len(j.columns)), minBlockRows), maxBlockRows)
}

// open begins to read the input, in blocks of a number of rows at most.
func (j *job) open(rows int) (arrowfile.Reader, error) {
	var in arrowfile.Reader
	var err error
	options := arrowfile.ReadOptions{Format: j.InFormat, Rows: rows, Bytes: blockBytes, Encoding: j.Encoding,
		Foreign: j.hasAddresses()}
	if j.gridName() != "" {
		in = newGrid(j.enricher, &j.Options, rows)
	} else if j.In == Standard {
		in, err = arrowfile.OpenStream(j.Stdin, "standard input", options)
	} else {
		in, err = j.openFile(options)
	}
	if err != nil {
		return nil, err
	}
	if j.Sample > 0 && j.Sample < 1 {
		in = &sampled{Reader: in, share: j.Sample}
	}
	if j.Limit > 0 {
		in = &limited{Reader: in, left: j.Limit}
	}
	return in, nil
}

// prepare finds the columns of the points and decides on those of the output.
func (j *job) prepare(schema *arrow.Schema) (err error) {
	if j.points, err = j.locate(schema); err != nil {
		return err
	}
	if err := j.reference(schema); err != nil {
		return err
	}
	what := map[kind]string{polygons: "shapes", written: "addresses"}[j.points.kind]
	if what == "" {
		what = "points"
	}
	system := ""
	if j.crs != "" {
		system = fmt.Sprintf(", in %.60s", j.crs)
	}
	fmt.Fprintf(j.Screen, "%s: %s%s\n", what, j.points, system)
	j.shape, err = j.shapeOf(schema)
	return err
}

// run makes the parts and joins them.
func (j *job) run(ctx context.Context, in arrowfile.Reader) (s Summary, err error) {
	if j.parts, err = openParts(j); err != nil {
		return s, err
	}
	defer func() {
		if cerr := j.parts.close(); err == nil {
			err = cerr
		}
	}()
	if err := j.work(ctx, in); err != nil {
		return s, j.parts.stopped(err)
	}
	if s, err = j.parts.summary(); err != nil {
		return s, err
	}
	s.explain(j)
	if share := s.badShare(); share > j.MaxBad {
		return s, fmt.Errorf("%w: %.3g %% of %d, at most %.3g %% are accepted%s", ErrTooBad, 100*share, s.Rows, 100*j.MaxBad, j.parts.left())
	}
	if err := j.join(ctx); err != nil {
		return s, j.parts.stopped(err)
	}
	return s, j.parts.remove()
}

// join joins the parts.
func (j *job) join(ctx context.Context) error {
	metadata, err := j.enricher.Metadata()
	if err != nil {
		return err
	}
	options := j.shape.options
	options.Metadata = metadata
	if j.final == "" {
		return j.parts.join(ctx, j.Out, j.Stdout, j.shape.schema, options)
	}
	path := j.parts.path("joined")
	if err := arrowfile.Join(ctx, path, j.shape.schema, options, j.parts.files()); err != nil {
		return err
	}
	return j.convert(ctx, path, metadata)
}

// Package export writes the tables of a release as files for analysis: GeoParquet, Parquet, CSV or FlatGeobuf, with a
// catalog of their columns, digests and licences. A table is a declaration in the folder tables.
package export

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"golang.org/x/sync/errgroup"

	"quartier/internal/arrowfile"
	"quartier/schemas"
)

// The formats of files. Of Parquet, those of tables with geometries are GeoParquet.
const (
	Parquet    = "parquet"
	CSV        = "csv"
	FlatGeobuf = "flatgeobuf"
)

// extensions are the extensions of the formats.
var extensions = map[string]string{Parquet: ".parquet", CSV: ".csv", FlatGeobuf: ".fgb"}

// The ways in which tables are divided into files.
const (
	ByLevel = "level"
	ByState = "state"
)

// The errors of an export.
var (
	ErrStopped = errors.New("the export ended before it was complete") // nothing of it is left
	ErrExists  = errors.New("the export is there already")
	ErrNoTable = errors.New("no such table")
	ErrOptions = errors.New("the table cannot be exported like this")
	ErrNoOGR   = errors.New("FlatGeobuf is written by ogr2ogr, which is not installed")
)

// Options of an export.
type Options struct {
	Places, Market string     // folders of the components; Market is "" if there is none
	Private        string     // folder of the custom geographies; used with Customer alone
	Customer       string     // whose custom geographies are exported too; "": none are
	Agreement      *Agreement // of the customer; nil: everything is exported
	Out            string     // folder of the files
	Tables         []string   // names; empty: all that the format has
	Format         string
	Partition      string // ByLevel, ByState or "": a file for each table
	Force          bool   // replace an export
	ToolVersion    string
	Log            *slog.Logger
}

// File is a file of an export.
type File struct {
	Name  string // below the folder
	Rows  int64
	Bytes int64
	Sum   string // SHA-256

	table *Table
}

// exporter is a run.
type exporter struct {
	Options
	sources    *provenance
	regions    *regions // of the agreement; nil: all
	unfinished *unfinished
	left       map[string]string // why a table is left out, by its name
}

// Run writes an export and returns its files, by table and partition. Each file is put in its place when it is complete, the
// catalog at last.
func Run(ctx context.Context, o Options) ([]File, error) {
	e := &exporter{Options: o, left: map[string]string{}}
	var err error
	if e.sources, err = readProvenance(&o); err != nil {
		return nil, err
	}
	tables, err := e.tables()
	if err != nil {
		return nil, err
	}
	if err := e.checkCustomer(ctx); err != nil {
		return nil, err
	}
	if e.regions, err = e.openRegions(); err != nil {
		return nil, err
	}
	defer e.regions.close()
	if err := e.prepare(tables); err != nil {
		return nil, err
	}
	if e.unfinished, err = begin(e.Out); err != nil {
		return nil, err
	}
	all, err := e.write(ctx, tables)
	if err != nil {
		return nil, e.unfinished.end(stopped{err})
	}
	return all, e.unfinished.end(nil)
}

// write writes the files of tables, and the catalog.
func (e *exporter) write(ctx context.Context, tables []*Table) ([]File, error) {
	files := make([][]File, len(tables))
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, t := range tables {
		group.Go(func() (err error) {
			if err := within.Err(); err != nil {
				return err
			}
			if files[i], err = e.table(within, t); err != nil {
				return fmt.Errorf("export %s: %w", t.Name, err)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	all := slices.Concat(files...)
	return all, e.writeCatalog(tables, all)
}

// tables are those that were asked for, or all that there are and the format has.
func (e *exporter) tables() (list []*Table, err error) {
	if extensions[e.Format] == "" {
		return nil, fmt.Errorf("%w: format %q is none of %s, %s and %s", ErrOptions, e.Format, Parquet, CSV, FlatGeobuf)
	}
	if e.Partition != "" && e.Partition != ByLevel && e.Partition != ByState {
		return nil, fmt.Errorf("%w: tables are divided by %s or %s, not by %q", ErrOptions, ByLevel, ByState, e.Partition)
	}
	if e.Format == FlatGeobuf {
		if err := findOGR(); err != nil {
			return nil, err
		}
	}
	for i := range Tables {
		t := &Tables[i]
		named := slices.Contains(e.Tables, t.Name)
		if !named && len(e.Tables) > 0 {
			continue
		}
		_, there := e.sources.manifest.File(t.File)
		switch reason := e.without(t); {
		case t.packed() && !there && !named:
		case t.packed() && !there:
			return nil, fmt.Errorf("%w: %s: no region of the release has a source of addresses", ErrOptions, t.Name)
		case reason == "":
			list = append(list, e.Agreement.columns(t))
		case named:
			return nil, fmt.Errorf("%w: %s: %s", ErrOptions, t.Name, reason)
		default:
			e.left[t.Name] = reason
			e.Log.Info("table is left out", "table", t.Name, "reason", reason)
		}
	}
	for _, name := range e.Tables {
		if !slices.ContainsFunc(Tables, func(t Table) bool { return t.Name == name }) {
			return nil, fmt.Errorf("%w: %q; there are %s", ErrNoTable, name, strings.Join(Names(), ", "))
		}
	}
	return list, nil
}

// Names are the names of all tables.
func Names() (names []string) {
	for _, t := range Tables {
		names = append(names, t.Name)
	}
	return names
}

// without is why a table cannot be exported, or "".
func (e *exporter) without(t *Table) string {
	switch {
	case e.Format == FlatGeobuf && t.Geometry == "":
		return "it has no geometries, which FlatGeobuf is for"
	case t.Component == schemas.Market && e.Market == "":
		return "there are no market statistics; give their folder with --market"
	}
	return e.Agreement.lacks(t)
}

// checkCustomer leaves the component private out if the customer has no custom geographies, and says it.
func (e *exporter) checkCustomer(ctx context.Context) error {
	if e.Private == "" {
		return nil
	}
	m, err := schemas.ReadPrivateManifest(e.Private)
	if err != nil {
		return err
	}
	if m.Places != e.sources.manifest.Digest {
		return fmt.Errorf("%w: the custom geographies of %s are of other places than %s", ErrOptions, e.Private, e.Places)
	}
	t := &Table{File: schemas.PrivateFile, From: "custom_geography", Owned: "geog_id"}
	found, err := (&component{folder: e.Private, owner: e.Customer}).values(ctx, t, "owner")
	if err == nil && len(found) == 0 {
		e.Log.Info("the customer has no custom geographies", "customer", e.Customer)
		e.Private = ""
	}
	return err
}

func (e *exporter) private() *component { return e.component(e.Private, e.Customer) }

func (e *exporter) component(folder, owner string) *component {
	return &component{folder, owner, e.Agreement, e.regions}
}

// prepare makes the folder and removes the files of the catalog that is there, if it may.
func (e *exporter) prepare(tables []*Table) error {
	if err := os.MkdirAll(e.Out, 0o755); err != nil {
		return err
	}
	if err := removeUnfinished(e.Out); err != nil {
		return err
	}
	paths := []string{filepath.Join(e.Out, CatalogFile)}
	for _, t := range tables {
		path := filepath.Join(e.Out, t.Name)
		paths = append(paths, path, path+extensions[e.Format])
	}
	for _, path := range paths {
		if _, err := os.Lstat(path); err == nil && !e.Force {
			return fmt.Errorf("%w: %s", ErrExists, path)
		}
	}
	return removeCatalogued(e.Out)
}

// table writes the files of a table.
func (e *exporter) table(ctx context.Context, t *Table) ([]File, error) {
	by := map[string]string{ByLevel: t.Level, ByState: t.State}[e.Partition]
	if by == "" {
		f, err := e.file(ctx, t, t.Name, "", nil)
		return []File{f}, err
	}
	values, err := e.partitions(ctx, t, by)
	if err != nil {
		return nil, err
	}
	var files []File
	for _, value := range values {
		folder, err := partitionFolder(e.Partition, value)
		if err != nil {
			return nil, err
		}
		f, err := e.file(ctx, t, filepath.Join(t.Name, folder, t.Name), by, &value)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// partitions are the values by which a table is divided, sorted.
func (e *exporter) partitions(ctx context.Context, t *Table, by string) ([]string, error) {
	var all []string
	for _, c := range e.components(t) {
		values, err := c.values(ctx, t, by)
		if err != nil {
			return nil, err
		}
		all = append(all, values...)
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// unknownPartition is what readers of Hive partitions know as NULL.
const unknownPartition = "__HIVE_DEFAULT_PARTITION__"

var partitionValue = regexp.MustCompile(`^[A-Za-z0-9_]+$`)

func partitionFolder(by, value string) (string, error) {
	if value == "" {
		value = unknownPartition
	}
	if !partitionValue.MatchString(value) {
		return "", fmt.Errorf("%s %q cannot be the name of a folder", by, value)
	}
	return by + "=" + value, nil
}

// components are those that have rows of a table.
func (e *exporter) components(t *Table) []*component {
	if t.Component == schemas.Market {
		return []*component{e.component(e.Market, "")}
	}
	list := []*component{e.component(e.Places, "")}
	if e.Private != "" && t.Owned != "" {
		list = append(list, e.private())
	}
	return list
}

// file writes the rows with a value, if it is not nil, to a file.
func (e *exporter) file(ctx context.Context, t *Table, name, by string, value *string) (File, error) {
	path := filepath.Join(e.Out, name+extensions[e.Format])
	if err := e.unfinished.add(name + extensions[e.Format]); err != nil {
		return File{}, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return File{}, err
	}
	out, err := e.create(path, t)
	if err != nil {
		return File{}, err
	}
	defer out.Abort()
	for _, c := range e.components(t) {
		scanner := newScanner(t, out.WriteBatch)
		err := c.each(ctx, t, by, value, func(rows driver.Rows) error { return scanner.scan(ctx, rows) })
		if err != nil {
			return File{}, err
		}
	}
	rows := out.Rows()
	if err := out.Close(ctx); err != nil {
		return File{}, err
	}
	f := File{Name: filepath.ToSlash(name) + extensions[e.Format], Rows: rows, table: t}
	if f.Sum, f.Bytes, err = sumOf(path); err != nil {
		return f, err
	}
	e.Log.Info("table is written", "file", f.Name, "rows", f.Rows, "bytes", f.Bytes)
	return f, nil
}

// output is a file that is being written.
type output interface {
	WriteBatch(arrow.Record) error
	Rows() int64
	Close(context.Context) error
	Abort()
}

func (e *exporter) create(path string, t *Table) (output, error) {
	o := arrowfile.Options{Format: arrowfile.Parquet, Metadata: e.sources.metadata(t)}
	if t.Geometry != "" {
		o.Format, o.Geometry = arrowfile.GeoParquet, GeometryColumn
	}
	switch e.Format {
	case CSV:
		o.Format = arrowfile.CSV
	case FlatGeobuf:
		o.Format = arrowfile.CSV
		return createFlatGeobuf(path, t, o)
	}
	return arrowfile.Create(path, t.schema(), o)
}

// Package overture reads the places of Overture Maps: in goes a release's GeoParquet, or GeoJSON made from it, out
// come POIs with Overture's own category ids. Columns have come and gone from release to release; those that a file
// lacks are absent in its rows.
package overture

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
)

// Kind is the reader of Overture places.
type Kind struct{}

// Options of an Overture source.
type Options struct {
	MinConfidence float64     `yaml:"min_confidence" doc:"leave out places whose confidence is lower (0–1); a place without one is kept"`
	BBox          source.BBox `yaml:"bbox" doc:"[west, south, east, north] in degrees: leave out places outside"`
	Countries     []string    `yaml:"countries" doc:"two-letter codes: leave out places whose address says another country; a place that says none is kept"`
	Category      string      `yaml:"category" doc:"Overture category of places that have none; without it they are rejected"`
}

// Info describes the kind.
func (Kind) Info() source.Info {
	return source.Info{
		Kind:  "overture",
		Title: "Places of Overture Maps",
		Formats: []string{
			"GeoParquet of theme=places/type=place, old and new schema; a file or a folder of .parquet files",
			"GeoJSON (collection or one feature a line) with the same properties; a file or a folder of .geojson files",
		},
		Yields:  []string{"poi"},
		Options: Options{},
		Notes: "Scheme overture. Classes are categories.primary (categories.main in old releases), then the alternates; " +
			"without categories those of taxonomy; basic_category comes last. " +
			"Name is names.primary, else the English, the local or the first common name; the French name is names.common.fr. " +
			"Of addresses, phones and websites the first is taken. " +
			"Places whose operating_status is permanently_closed or temporarily_closed are left out and counted. " +
			"A GeoJSON feature without an id gets a key made of its name and position. Rows come in the order of their ids.",
	}
}

// Stage reads the places of a file or folder.
func (Kind) Stage(ctx context.Context, in source.Input, out source.Sink) error {
	var options Options
	if err := in.Decode(&options); err != nil {
		return err
	}
	if err := options.check(); err != nil {
		return fmt.Errorf("%w of source %s: %w", source.ErrBadOptions, in.Source, err)
	}
	files, err := list(in.Path)
	if err != nil {
		return err
	}
	s := stager{options: options, out: out, memory: memoryLimit}
	if parquet, err := isParquet(files[0]); err != nil {
		return err
	} else if parquet {
		return s.parquet(ctx, in.Path, files)
	}
	return s.geojson(ctx, files)
}

func (o Options) check() error {
	if !(o.MinConfidence >= 0 && o.MinConfidence <= 1) {
		return fmt.Errorf("min_confidence %v is not in 0–1", o.MinConfidence)
	}
	for _, c := range o.Countries {
		if len(c) != 2 {
			return fmt.Errorf("country %q is not a two-letter code", c)
		}
	}
	return o.BBox.Check()
}

// list is the file itself, or the .parquet files below the folder, else the .geojson files there, in order.
func list(path string) ([]string, error) {
	files, err := source.Files(path, ".parquet", ".geojson")
	isOther := func(file string) bool { return !strings.EqualFold(filepath.Ext(file), ".parquet") }
	if parquet := slices.DeleteFunc(slices.Clone(files), isOther); len(parquet) > 0 {
		return parquet, err
	}
	return files, err
}

// isParquet looks at the first and the last four bytes.
func isParquet(path string) (bool, error) {
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	magic := []byte("PAR1")
	head, tail := make([]byte, 4), make([]byte, 4)
	file.ReadAt(head, 0)
	if !bytes.Equal(head, magic) {
		return false, nil
	}
	info, err := file.Stat()
	if err != nil {
		return false, err
	}
	file.ReadAt(tail, max(info.Size()-4, 0))
	if info.Size() < 12 || !bytes.Equal(tail, magic) {
		return false, fmt.Errorf("%s: %w: parquet without its end, cut at byte %d", path, source.ErrBadFile, info.Size())
	}
	return true, nil
}

// stager judges places one by one.
type stager struct {
	options Options
	out     source.Sink
	memory  string // what DuckDB may take
}

const (
	outsideBBox   = "outside the bbox"
	lowConfidence = "confidence below min_confidence"
)

// put stages one place, or says why not. where names its row.
func (s stager) put(p *place, point orb.Point, where string) error {
	if reason := s.unwanted(p, point); reason != "" {
		s.out.Issue(source.Uncoded(source.Skipped, reason), where)
		return nil
	}
	if c := p.Confidence; c != nil && !(*c >= 0 && *c <= 1) {
		s.out.Issue(source.Uncoded(source.Repaired, "confidence outside 0–1 left out"), where)
		p.Confidence = nil
	}
	if p.ID == "" {
		s.out.Issue(source.Uncoded(source.Repaired, "no id: key made of name and position"), where)
		p.ID = p.ownID(point)
	}
	row := p.poi(point)
	if len(row.Classes) == 0 && s.options.Category != "" {
		row.Classes = []string{s.options.Category}
	}
	return s.out.POI(row)
}

func (s stager) unwanted(p *place, point orb.Point) (reason string) {
	switch p.OperatingStatus {
	case "permanently_closed":
		return "permanently closed"
	case "temporarily_closed":
		return "temporarily closed"
	}
	if p.Confidence != nil && *p.Confidence < s.options.MinConfidence {
		return lowConfidence
	}
	if !s.options.BBox.Contains(point) {
		return outsideBBox
	}
	country := p.location().Country
	if len(s.options.Countries) > 0 && country != "" &&
		!slices.ContainsFunc(s.options.Countries, func(c string) bool { return strings.EqualFold(c, country) }) {
		return "in another country"
	}
	return ""
}

// finish turns an error of a reader into one that names the file and, unless the context ended, calls it bad.
func finish(ctx context.Context, path string, err error) error {
	if err == nil || ctx.Err() != nil {
		return cmp.Or(ctx.Err(), err)
	}
	if errors.Is(err, source.ErrBadFile) || ofMachine(err) {
		return fmt.Errorf("%s: %w", path, err)
	}
	return fmt.Errorf("%s: %w: %w", path, source.ErrBadFile, err)
}

// ofMachine reports whether DuckDB failed for want of memory or disk, which is no fault of the file.
func ofMachine(err error) bool {
	for _, sign := range []string{"Out of Memory Error", "No space left on device", "failed to offload", "Could not write"} {
		if strings.Contains(err.Error(), sign) {
			return true
		}
	}
	return false
}

// Package overture is the kind for the places of Overture Maps, as GeoParquet of a release or GeoJSON made from it. POIs
// have Overture's category ids. Columns differ from release to release; those that are not in a file are missing in its
// rows.
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

	"quartier/ingest/formats/geojson"
	"quartier/ingest/formats/geoparquet"
	"quartier/ingest/source"
	"quartier/schemas"
	"quartier/schemas/reason"
)

var own reason.List

var (
	lowConfidence     = own.Skipped("low_confidence", "The confidence is below the option min_confidence.")
	temporarilyClosed = own.Skipped("temporarily_closed", "The place is temporarily closed.")
	invalidStatus     = own.Rejected("invalid_operating_status",
		"The operating status is none of open, permanently_closed and temporarily_closed.")
	incompleteTaxonomy = own.Rejected("incomplete_taxonomy", "The taxonomy of the place has no primary category or no hierarchy.")
	invalidCategory    = own.Rejected("invalid_category", "A category is not of lower-case words joined by underscores.")
	datasetFound       = own.Noted("dataset_found", "Places are from the data set that the detail names.")
	generatedKey       = own.Repaired("generated_key", "The place has no id; its key is made of its name and position.")
)

// Options of an Overture source.
type Options struct {
	MinConfidence float64     `yaml:"min_confidence" unit:"share" range:"0,1" doc:"skip places with a lower confidence; places without one are read"`
	BBox          source.BBox `yaml:"bbox" unit:"degrees" range:"-180,180" doc:"[west, south, east, north]: skip places outside"`
	Countries     []string    `yaml:"countries" doc:"two-letter codes: skip places with an address in another country; places without a country are read"`
	Category      string      `yaml:"category" doc:"Overture category of places without one; by default they are rejected"`
}

// kind has beside a declaration the number of rows of Parquet files.
type kind struct{ source.Declaration[Options] }

// Kind is the source kind "overture".
var Kind = kind{source.Declaration[Options]{
	Kind:  "overture",
	Title: "Places of Overture Maps",
	Formats: []string{
		"GeoParquet of theme=places/type=place, schema 2.0 (taxonomy) and the earlier ones (categories); a file or a folder of .parquet files",
		"GeoJSON (collection or one feature a line, GeoJSONSeq) with the same properties, as the overturemaps program and ogr2ogr write it; a " +
			"file or a folder of .geojson, .geojsonl, .geojsons or .geojsonseq files",
	},
	Yields: []string{"poi"},
	Own:    &own,
	Reasons: slices.Concat(geojson.Reasons(), []reason.Reason{
		source.PermanentlyClosed, source.OutsideBBox, source.OtherCountry, source.ConfidenceRemoved, source.MissingKey,
		source.MissingGeometry, source.WrongGeometryType,
	}),
	Notes: "Scheme overture. Classes are taxonomy.primary and its alternates; of a place without taxonomy categories.primary " +
		"(categories.main in old releases) and its alternates. Where the primary one is not in Overture's lists, the hierarchy of " +
		"taxonomy without its broadest category follows, and at last basic_category. The key is the id, from 2025 on that of GERS. " +
		"Name is names.primary, else the English, the local or the first common name; the French name is names.common.fr. " +
		"Of addresses, phones and websites the first one is used. " +
		"Places with operating_status permanently_closed or temporarily_closed, or with confidence 0, are skipped and counted. " +
		"A place without confidence has that of its source; its data sets are counted. " +
		"The url overture://RELEASE/places/place/WEST,SOUTH,EAST,NORTH.parquet, with a release such as 2026-08-19.0 or latest, fetches the row " +
		"groups of a release in which a row meets the box; bbox leaves out their other rows. " +
		"A GeoJSON feature without an id gets a key made of its name and position. Rows are ordered by id.",
	Complete: func(o *Options, _ source.Input) error {
		var f source.Faults
		for _, code := range o.Countries {
			f.Value(len(code) != 2, "countries", code, "%q is not a two-letter code", code)
		}
		known := o.Category == "" || schemas.KnownPlaceClass("overture", o.Category)
		f.Value(!known, "category", o.Category, "%q is no category of Overture's lists", o.Category)
		f.Add(o.BBox.Check())
		return f.Err()
	},
	Inspect: inspect,
	Read:    read,
}}

// inspect checks the columns of Parquet files and the features of small GeoJSON files.
func inspect(ctx context.Context, in source.Input, o *Options) error {
	files, err := list(in.Path)
	if err != nil {
		return err
	}
	var faults source.Faults
	parquet, err := isParquet(files[0])
	if err == nil && parquet {
		err = checkParquet(ctx, in.Path, files, in.Limits)
	}
	faults.Add(err)
	for _, file := range files {
		if !parquet && source.IsSmall(file) {
			s := stager{options: *o, out: source.Discard{}, limits: in.Limits}
			faults.Add(finish(ctx, file, s.features(ctx, file, new([]located))))
		}
	}
	return faults.Err()
}

func read(ctx context.Context, in source.Input, o *Options, out source.Sink) error {
	files, err := list(in.Path)
	if err != nil {
		return err
	}
	s := stager{options: *o, out: out, memory: geoparquet.Memory, limits: in.Limits}
	if parquet, err := isParquet(files[0]); err != nil {
		return err
	} else if parquet {
		return s.parquet(ctx, in.Path, files)
	}
	return s.geojson(ctx, files)
}

// list returns the file itself, or the .parquet files in the folder, else its .geojson files, in order.
func list(path string) ([]string, error) {
	files, err := source.Files(path, ".parquet", ".geojson", ".geojsonl", ".geojsons", ".geojsonseq")
	isOther := func(file string) bool { return !strings.EqualFold(filepath.Ext(file), ".parquet") }
	if parquet := slices.DeleteFunc(slices.Clone(files), isOther); len(parquet) > 0 {
		return parquet, err
	}
	return files, err
}

// isParquet checks the first and the last four bytes.
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
		return false, fmt.Errorf("%s: %w: truncated parquet file of %d bytes", path, source.ErrBadFile, info.Size())
	}
	return true, nil
}

// stager checks and stages places.
type stager struct {
	options Options
	out     source.Sink
	memory  string // limit of DuckDB
	limits  source.Limits
}

// put stages one place, or counts why it is skipped. where names its row.
func (s stager) put(p *place, point orb.Point, where string) error {
	p.Confidence = p.confidence()
	if why := cmp.Or(p.fault(), s.skipReason(p, point)); !why.OK() {
		s.out.Issue(why, where)
		return nil
	}
	for i, o := range p.Sources {
		if o.Dataset != "" && !slices.ContainsFunc(p.Sources[:i], func(other origin) bool { return other.Dataset == o.Dataset }) {
			s.out.Issue(datasetFound.With(o.Dataset), where)
		}
	}
	if c := p.Confidence; c != nil && !(*c >= 0 && *c <= 1) {
		s.out.Issue(source.ConfidenceRemoved, where)
		p.Confidence = nil
	}
	if p.ID == "" {
		s.out.Issue(generatedKey, where)
		p.ID = p.ownID(point)
	}
	row := p.poi(point)
	if len(row.Classes) == 0 && s.options.Category != "" {
		row.Classes = []string{s.options.Category}
	}
	return s.out.Row(row)
}

// skipReason returns why a place is skipped; the zero value if it is not.
func (s stager) skipReason(p *place, point orb.Point) reason.Reason {
	switch p.OperatingStatus {
	case "permanently_closed":
		return source.PermanentlyClosed
	case "temporarily_closed":
		return temporarilyClosed
	}
	if p.Confidence != nil && *p.Confidence == 0 { // "we're sure that the place doesn't exist (anymore)"
		return source.PermanentlyClosed
	}
	if p.Confidence != nil && *p.Confidence < s.options.MinConfidence {
		return lowConfidence
	}
	if !s.options.BBox.Contains(point) {
		return source.OutsideBBox
	}
	country := p.location().Country
	if len(s.options.Countries) > 0 && country != "" &&
		!slices.ContainsFunc(s.options.Countries, func(c string) bool { return strings.EqualFold(c, country) }) {
		return source.OtherCountry
	}
	return reason.Reason{}
}

// finish returns an error with the name of the file. It wraps source.ErrBadFile unless the context ended.
func finish(ctx context.Context, path string, err error) error {
	if err == nil || ctx.Err() != nil {
		return cmp.Or(ctx.Err(), err)
	}
	if errors.Is(err, source.ErrBadFile) || isResourceError(err) {
		return fmt.Errorf("%s: %w", path, err)
	}
	return fmt.Errorf("%s: %w: %w", path, source.ErrBadFile, err)
}

// isResourceError reports whether DuckDB ran out of memory or disk, which is not an error of the file.
func isResourceError(err error) bool {
	for _, sign := range []string{"Out of Memory Error", "No space left on device", "failed to offload", "Could not write"} {
		if strings.Contains(err.Error(), sign) {
			return true
		}
	}
	return false
}

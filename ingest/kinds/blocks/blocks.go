// Package blocks is the kind for census blocks, the smallest areas with counts, and for points along streets where people
// live. It reads a file of outlines, with a table of counts where the outlines have none, or a file of points, into rows of
// staged.block or staged.home.
package blocks

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"quartier/ingest/formats/table"
	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

var reasons reason.List

var (
	withoutCounts = reasons.Repaired("block_without_counts",
		"The table of counts has no row for the block; it is staged without counts.")
	zeroWeight           = reasons.Skipped("zero_weight", "The weight is 0: nobody lives at the point.")
	incompletePopulation = reasons.Skipped("incomplete_block_population",
		"The population of the areas of the option whole is not staged, because blocks have none.")
	countsWithoutOutline = reasons.Skipped("counts_without_outline",
		"Rows of the table of counts have no outline in the file; counted once for the table.")
	nonBlock          = reasons.Skipped("counts_of_non_block", "The row is of another summary level than blocks.")
	headerMismatch    = reasons.Rejected("header_count_mismatch", "The counts of the tables differ from those of the geographic header.")
	landAreaRemoved   = reasons.Repaired("invalid_land_area_removed", "The land area is not a number and was removed.")
	countRemoved      = reasons.Repaired("invalid_count_removed", "A count is not a whole number and was removed.")
	householdsRemoved = reasons.Repaired("households_exceed_dwellings",
		"There are more households than dwellings; the households were removed.")
)

// Kind is the source kind "blocks".
var Kind = source.Declaration[Options]{
	Kind:  "blocks",
	Title: "Census blocks with population, dwellings and households",
	Formats: []string{
		"TIGER/Line TABBLOCK20 shapefiles of the US Census Bureau, in a .zip",
		"redistricting data (PL 94-171) of 2020, with TABBLOCK20 outlines: a folder or .zip with geographic header and segments",
		"dissemination block boundary files of Statistics Canada: shapefile, GeoJSON, GeoPackage or GeoParquet",
		"CSV of counts by block, such as the Geographic Attribute File of Statistics Canada",
		"GeoJSON of pseudo-households: points along streets with their share of a block's people",
	},
	Yields: []string{"block", "home", "survey", "statistic"},
	Own:    &reasons,
	Reasons: slices.Concat(vector.Reasons(), table.Reasons(),
		[]reason.Reason{source.MissingKey, source.DuplicateKey, source.MissingGeometry, source.WrongFieldCount, source.InvalidWeight}),
	Notes: "Where outlines and counts are two files, the source's path is the folder with both, so that its digest covers both, and the " +
		"options outlines and counts name them. " +
		"TABBLOCK20 has no households, so that housing units are used for weights; redistricting data have them as occupied units. " +
		"Blocks without a row in the table of counts are staged without counts; the source fails where their share exceeds most_unjoined, as " +
		"it does with a table of another vintage. " +
		"Invalid outlines are repaired. Layouts: " + source.LayoutNames(layouts) + ".",
	Complete: (*Options).complete,
	Inspect:  inspect,
	Read:     read,
}

// inspect checks the columns of outlines and those of counts.
func inspect(ctx context.Context, in source.Input, o *Options) error {
	outlines, counts, err := o.files(in)
	if err != nil {
		return err
	}
	err = vector.Check(ctx, outlines, o.file(in.Limits), o.wanted(counts == ""), nil)
	if counts == "" {
		return err
	}
	if o.redistricting() {
		_, missing := os.Stat(counts)
		return source.Join(err, missing)
	}
	t, _, openErr := openCounts(counts, *o)
	if openErr == nil {
		openErr = t.Close()
	}
	return source.Join(err, openErr)
}

// files returns the paths of outlines and counts; counts are "" where the outlines have them.
func (o *Options) files(in source.Input) (outlines, counts string, err error) {
	info, err := os.Stat(in.Path)
	if err != nil {
		return "", "", err
	}
	var f source.Faults
	if !info.IsDir() {
		f.Option(o.Outlines != "", "outlines", "names a file in a folder, and the source's path is not one")
		f.Option(o.Counts != "", "counts", "names a file in a folder, and the source's path is not one")
		return in.Path, "", f.Err()
	}
	f.Option(o.Outlines == "", "outlines", "is missing; set it to the file of outlines in the folder")
	if o.Counts != "" {
		counts = filepath.Join(in.Path, o.Counts)
	}
	return filepath.Join(in.Path, o.Outlines), counts, f.Err()
}

// read reads the file or, of a folder, the files that the options name.
func read(ctx context.Context, in source.Input, o *Options, out source.Sink) error {
	outlines, counts, err := o.files(in)
	if err != nil {
		return err
	}
	s := &stage{options: *o, out: out, counted: map[string]bool{}}
	if counts != "" {
		out.Part(filepath.Base(counts))
		if o.redistricting() {
			s.table, err = readRedistricting(ctx, counts, in.Limits, out)
		} else {
			s.table, err = readCounts(ctx, counts, *o, out)
		}
		if err != nil {
			return err
		}
	}
	if s.layer, err = vector.Open(ctx, outlines, o.file(in.Limits)); err != nil {
		return err
	}
	defer s.layer.Close()
	out.Part(filepath.Base(outlines))
	return s.run(ctx)
}

// stage is one run of the kind.
type stage struct {
	options  Options
	out      source.Sink
	layer    *vector.Layer
	table    *counts // nil where the outlines have the counts
	selected int     // features of the file inside bbox

	counted           map[string]bool // keys of blocks, with the option whole
	people            int64           // of all of them
	withoutPopulation int             // number of blocks
}

func (s *stage) run(ctx context.Context) error {
	take := s.block
	if s.options.Weight != "" {
		take = s.home
	}
	err := s.layer.Stage(ctx, s.out, s.options.wanted(s.table == nil), "bbox selects", func(f vector.Feature) (bool, error) {
		if b := s.options.BBox; b != nil && f.Geometry != nil && !b.Contains(f.Geometry.Bound().Center()) {
			s.out.Issue(source.OutsideBBox, f.Where(""))
			return false, nil
		}
		s.selected++
		if !f.Fault.OK() {
			s.out.Issue(f.Fault, f.Where(""))
			return true, nil
		}
		return true, take(f)
	})
	if err != nil {
		return err
	}
	if err := s.joined(); err != nil {
		return err
	}
	return s.stageAggregate()
}

// stageAggregate stages the population of the geographies that all blocks together make up (option whole), unless a block
// has none.
func (s *stage) stageAggregate() error {
	if len(s.options.Whole) == 0 {
		return nil
	}
	if s.withoutPopulation > 0 {
		s.out.Issue(incompletePopulation, fmt.Sprintf("%d blocks", s.withoutPopulation))
		return nil
	}
	if err := s.out.Row(source.Survey{Vintage: s.options.Vintage, Title: "Census, counts by block"}); err != nil {
		return err
	}
	for _, key := range s.options.Whole {
		if err := s.out.Row(source.Statistic{AreaKey: key, Cell: "population.total", Estimate: float64(s.people)}); err != nil {
			return err
		}
	}
	return nil
}

// joined counts rows without an outline, and fails where too many blocks have no counts.
func (s *stage) joined() error {
	if s.table == nil {
		return nil
	}
	if s.table.unused() > 0 {
		all, left := s.table.people()
		s.out.Issue(countsWithoutOutline, fmt.Sprintf("%d of %d rows of %s with %d of %d people", s.table.unused(), len(s.table.rows),
			s.options.Counts, left, all))
	}
	share, most := float64(s.table.unjoined)/float64(s.selected), s.options.mostUnjoined()
	switch {
	case share <= most:
		return nil
	case s.table.conflicts > 0:
		return s.layer.Bad("%d of %d blocks (%.1f %%) have no counts, more than %.1f %%: for %d of them the tables of %s differ from its "+
			"geographic header: %s",
			s.table.unjoined, s.selected, 100*share, 100*most, s.table.conflicts, s.options.Counts, twoReleases)
	}
	return s.layer.Bad("%d of %d blocks (%.1f %%) have no row in %s, more than %.1f %%: is it of another vintage?", s.table.unjoined,
		s.selected, 100*share, s.options.Counts, 100*most)
}

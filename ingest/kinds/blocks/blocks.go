// Package blocks is the kind for the smallest areas that people are counted in, and for the places along streets where
// they live. In goes a file of outlines, with a table of counts where the outlines have none, or a file of points; out
// come rows of staged.block or staged.home.
package blocks

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

var reasons reason.List

var (
	withoutCounts        = reasons.Repaired("block_without_counts", "The table of counts has no row for the block; it is staged without counts.")
	zeroWeight           = reasons.Skipped("zero_weight", "The weight is 0: nobody lives at the point.")
	incompletePopulation = reasons.Skipped("incomplete_block_population", "The population of the areas of the option whole is not staged, because blocks have none.")
	countsWithoutOutline = reasons.Skipped("counts_without_outline", "Rows of the table of counts have no outline in the file; counted once for the table.")
	nonBlock             = reasons.Skipped("counts_of_non_block", "The row is of another summary level than blocks.")
	headerMismatch       = reasons.Rejected("header_count_mismatch", "The counts of the tables differ from those of the geographic header.")
	landAreaRemoved      = reasons.Repaired("invalid_land_area_removed", "The land area is not a number and was removed.")
	countRemoved         = reasons.Repaired("invalid_count_removed", "A count is not a whole number and was removed.")
	householdsRemoved    = reasons.Repaired("households_exceed_dwellings", "There are more households than dwellings; the households were removed.")
)

// Kind is the source kind "blocks".
type Kind struct{}

// Info describes the kind.
func (Kind) Info() source.Info {
	return source.Info{
		Kind:  "blocks",
		Title: "Census blocks with their people, dwellings and households",
		Formats: []string{
			"TIGER/Line TABBLOCK20 shapefiles of the US Census Bureau, in a .zip",
			"redistricting data (PL 94-171) of 2020, beside TABBLOCK20 outlines: a folder or .zip with geographic header and segments",
			"dissemination block boundary files of Statistics Canada: shapefile, GeoJSON or GeoPackage",
			"CSV of counts by block (Geographic Attribute File of Statistics Canada and the like)",
			"GeoJSON of pseudo-households: points along streets with their share of a block's people",
		},
		Yields:  []string{"block", "home", "survey", "statistic"},
		Options: Options{},
		Reasons: slices.Concat(reasons, vector.Reasons(), []reason.Reason{source.MissingKey, source.DuplicateKey, source.MissingGeometry, source.WrongFieldCount, source.InvalidWeight}),
		Notes: "Where outlines and counts are two files, the source's path is the folder that holds both, so that its digest is of both, and outlines: and counts: name them in it. " +
			"TABBLOCK20 itself has no households: they are absent, and housing units stand in where weights are needed; redistricting data have them as occupied units. " +
			"Blocks without a row in the table of counts are staged without counts; more than most_unjoined of them fail the source, as another vintage's would. " +
			"Outlines that cross themselves are mended. Layouts: " + strings.Join(layoutNames(), ", ") + ".",
	}
}

// Stage reads the file or, of a folder, the files that the options name.
func (Kind) Stage(ctx context.Context, in source.Input, out source.Sink) error {
	o, err := options(in)
	if err != nil {
		return err
	}
	info, err := os.Stat(in.Path)
	if err != nil {
		return err
	}
	outlines, counts := in.Path, ""
	if info.IsDir() {
		if o.Outlines == "" {
			return fmt.Errorf("%w of source %s: outlines: is missing; name the file of outlines in the folder", source.ErrBadOptions, in.Source)
		}
		outlines = filepath.Join(in.Path, o.Outlines)
		if o.Counts != "" {
			counts = filepath.Join(in.Path, o.Counts)
		}
	} else if o.Outlines+o.Counts != "" {
		return fmt.Errorf("%w of source %s: outlines: and counts: name files in the source's path, which is no folder", source.ErrBadOptions, in.Source)
	}
	s := &stage{options: o, out: out, counted: map[string]bool{}}
	if counts != "" {
		read := readCounts
		if o.redistricting() {
			read = readRedistricting
		}
		if s.table, err = read(ctx, counts, o, out); err != nil {
			return err
		}
	}
	if s.layer, err = vector.Open(outlines, vector.Options{Layer: o.Layer, CRS: o.CRS, Encoding: o.Encoding}); err != nil {
		return err
	}
	defer s.layer.Close()
	return s.run(ctx)
}

// stage is one run of the kind.
type stage struct {
	options Options
	out     source.Sink
	layer   *vector.Layer
	table   *counts // nil where the outlines have the counts
	read    int     // features of the file
	asked   int     // those inside of bbox

	counted   map[string]bool // blocks, where the whole is asked for
	people    int64           // of all of them
	uncounted int             // blocks whose people nobody told
}

func (s *stage) run(ctx context.Context) error {
	if s.layer.FieldsKnown {
		if err := s.complain(); err != nil {
			return err
		}
	}
	take := s.block
	if s.options.Weight != "" {
		take = s.home
	}
	err := s.layer.Read(ctx, func(f vector.Feature) error {
		s.read++
		s.out.Read(1)
		if b := s.options.BBox; b != nil && f.Geometry != nil && !b.Contains(f.Geometry.Bound().Center()) {
			s.out.Issue(source.OutsideBBox, where(f))
			return nil
		}
		s.asked++
		if !f.Fault.OK() {
			s.out.Issue(f.Fault, where(f))
			return nil
		}
		return take(f)
	})
	if err != nil {
		return err
	}
	if s.read == 0 {
		return s.layer.Bad("there are no features in it")
	}
	if err := s.complain(); err != nil {
		return err
	}
	if s.asked == 0 {
		return s.layer.Bad("bbox leaves none of its %d features", s.read)
	}
	if err := s.joined(); err != nil {
		return err
	}
	return s.whole()
}

// whole tells the population of the geographies that all blocks together make up. A block whose people nobody told leaves
// it untold.
func (s *stage) whole() error {
	if len(s.options.Whole) == 0 {
		return nil
	}
	if s.uncounted > 0 {
		s.out.Issue(incompletePopulation, fmt.Sprintf("%d blocks", s.uncounted))
		return nil
	}
	if err := s.out.Survey(source.Survey{Vintage: s.options.Vintage, Title: "Census, counts by block"}); err != nil {
		return err
	}
	for _, key := range s.options.Whole {
		if err := s.out.Statistic(source.Statistic{AreaKey: key, Cell: "population.total", Estimate: float64(s.people)}); err != nil {
			return err
		}
	}
	return nil
}

// complain names the columns that are missing.
func (s *stage) complain() error {
	return s.layer.CheckFields(s.options.wanted(s.table == nil)...)
}

// joined tells how many blocks have no counts, and fails where they are too many.
func (s *stage) joined() error {
	if s.table == nil {
		return nil
	}
	if s.table.unused() > 0 {
		all, left := s.table.people()
		s.out.Issue(countsWithoutOutline, fmt.Sprintf("%d of %d rows of %s with %d of %d people", s.table.unused(), len(s.table.rows), s.options.Counts, left, all))
	}
	share, most := float64(s.table.unjoined)/float64(s.asked), s.options.mostUnjoined()
	switch {
	case share <= most:
		return nil
	case s.table.disagreed > 0:
		return s.layer.Bad("%d of %d blocks (%.1f %%) have no counts, over %.1f %%: for %d of them the tables of %s have others than its geographic header: %s",
			s.table.unjoined, s.asked, 100*share, 100*most, s.table.disagreed, s.options.Counts, twoReleases)
	}
	return s.layer.Bad("%d of %d blocks (%.1f %%) have no row in %s, over %.1f %%: another vintage?", s.table.unjoined, s.asked, 100*share, s.options.Counts, 100*most)
}

func where(f vector.Feature) string { return fmt.Sprintf("feature %d", f.Row) }

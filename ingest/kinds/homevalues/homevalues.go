// Package homevalues is the kind for home values. It reads a home value index, with one row per region and one column per
// month, or a plain table with one value per geography, into rows of staged.home_value, one per geography and year.
package homevalues

import (
	"context"
	"os"
	"slices"

	"quartier/ingest/formats/table"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

var reasons reason.List

var (
	missingCountyCode = reasons.Rejected("missing_county_code", "The county has no valid FIPS codes of state and county.")
	invalidZIPCode    = reasons.Rejected("invalid_zip_code", "The ZIP code is not a number of at most five digits.")
	unsupportedType   = reasons.Skipped("unsupported_region_type",
		"The region is neither a county, a ZIP code nor the country, and the option key is absent.")
	noValue          = reasons.Skipped("no_value_in_years", "The row has no value in the years that the options select.")
	invalidYear      = reasons.Rejected("invalid_year", "The year is not a number of four digits.")
	invalidHomeValue = reasons.Rejected("invalid_home_value", "The home value is not a positive number.")
	homeValueRemoved = reasons.Repaired("invalid_home_value_removed",
		"The home value of a month is not a positive number; the month was left out.")
)

// Kind is the source kind "home-values".
var Kind = source.Declaration[Options]{
	Kind:  "home-values",
	Title: "Home values of geographies by year",
	Formats: []string{
		"Zillow Home Value Index (ZHVI) CSV of counties, ZIP codes, neighbourhoods …: one row per region, one column per month",
		"CSV with one value per geography",
	},
	Yields: []string{"home_value"},
	Own:    &reasons,
	Reasons: slices.Concat(table.Reasons(), []reason.Reason{source.ExcludedByOption, source.MissingKey, source.DuplicateKey,
		source.WrongFieldCount}),
	Notes: "The value of a year is the mean of its months with a value; their number is staged too. " +
		"Without the option key, counties become census:county, ZIP codes census:zcta, the country census:country, and other types of region " +
		"are skipped; for neighbourhoods set, for example, scheme: zillow:neighbourhood and key: RegionID. " +
		"Values are in current dollars, not adjusted for inflation.",
	Decode: options,
	Inspect: func(ctx context.Context, in source.Input, o *Options) error {
		s, err := open(in, *o)
		if err != nil {
			return err
		}
		defer s.table.Close()
		if !source.IsSmall(in.Path) {
			return nil
		}
		return source.Join(s.findNumbers(ctx), s.table.CheckWhere(o.Where))
	},
	Read: func(ctx context.Context, in source.Input, o *Options, out source.Sink) error {
		s, err := open(in, *o)
		if err != nil {
			return err
		}
		defer s.table.Close()
		s.out = out
		if err := s.findNumbers(ctx); err != nil {
			return err
		}
		return s.run(ctx)
	},
}

// open opens the file and finds its columns.
func open(in source.Input, o Options) (*stage, error) {
	if info, err := os.Stat(in.Path); err == nil && info.IsDir() {
		return nil, source.BadFile(in.Path, "it is a folder, not a file")
	}
	t, err := table.Open(in.Path, table.Dialect{Header: o.columns()})
	if err != nil {
		return nil, err
	}
	s := &stage{options: o, table: t, path: in.Path, keys: map[string]bool{}}
	if err := s.open(); err != nil {
		t.Close()
		return nil, err
	}
	return s, nil
}

// stage is one run of the kind.
type stage struct {
	options Options
	table   *table.Table
	path    string
	out     source.Sink
	months  []monthColumn   // nil with the option value
	keys    map[string]bool // of the rows so far
}

// open finds the columns; an error where one is missing.
func (s *stage) open() (err error) {
	if err := s.table.Require(s.options.columns()...); err != nil {
		return s.bad("%w", err)
	}
	if s.options.Value != "" {
		return nil
	}
	if s.months, err = months(s.table.Columns); err != nil {
		return s.bad("%v", err)
	}
	if len(s.months) == 0 {
		return s.bad("no column of a month, such as 2021-01-31; there are: %s", s.table.Names())
	}
	return nil
}

// findNumbers finds how the values are written.
func (s *stage) findNumbers(ctx context.Context) error {
	values := map[int]table.Meaning{}
	if s.options.Value != "" {
		values[s.table.Column(s.options.Value)] = table.AnyNumber
	}
	for _, m := range s.months {
		values[m.column] = table.AnyNumber
	}
	return s.table.FindNumbers(ctx, values, s.options.Decimal)
}

func (s *stage) bad(format string, args ...any) error { return source.BadFile(s.path, format, args...) }

func (s *stage) run(ctx context.Context) error {
	read, selected, unsupported := 0, 0, 0
	err := s.table.Each(ctx, s.out, func() error {
		read++
		if s.table.TooShort() {
			return s.bad("line %d has fewer fields than there are columns: is the file truncated?", s.table.Line)
		}
		if !s.options.selects(s.table) {
			s.out.Issue(source.ExcludedByOption.With("where"), s.here())
			return nil
		}
		selected++
		key, fault := s.options.key(s.table)
		if fault == unsupportedType {
			unsupported++
			s.out.Issue(fault, s.here())
			return nil
		}
		return s.row(key, fault)
	})
	switch {
	case err != nil:
		return err
	case read == 0:
		return s.bad("it has no rows")
	case selected == 0:
		return s.bad("where selects none of its %d rows", read)
	case unsupported == selected:
		return s.bad("none of its regions is a county, a ZIP code or the country; set key: and scheme:")
	}
	return nil
}

// here describes the row in messages.
func (s *stage) here() string { return s.table.Here() }

// row stages the years of a geography.
func (s *stage) row(key string, fault reason.Reason) error {
	switch {
	case !fault.OK():
	case s.table.TooLong():
		fault = source.WrongFieldCount
	case s.months != nil && s.keys[key]:
		fault = source.DuplicateKey
	}
	if !fault.OK() {
		s.out.Issue(fault, s.here())
		return nil
	}
	s.keys[key] = true
	values := s.single
	if s.months != nil {
		values = s.years
	}
	for _, v := range values() {
		v.AreaKey = key
		if err := s.out.Row(v); err != nil {
			return err
		}
	}
	return nil
}

// Package corrections is the kind for lists of corrections: places that other sources publish and that are to be dropped,
// moved, renamed or put in other categories. It reads a table into rows of staged.correction; transform applies them.
package corrections

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"quartier/ingest/formats/table"
	"quartier/ingest/source"
	"quartier/schemas"
	"quartier/schemas/reason"
)

var reasons reason.List

var (
	unknownAction = reasons.Rejected("unknown_correction", "The action is none of drop, move, rename and recategorise.")
	withoutPlace  = reasons.Rejected("correction_without_target", "The correction has neither a key nor a name with lat and lng.")
	withoutValue  = reasons.Rejected("correction_without_value",
		"A move has no new_lat and new_lng, a rename no new_name, or a recategorise no category.")
	unknownCategory = reasons.Rejected("unknown_correction_category", "A category of the correction is not the id of a category.")
	invalidWithin   = reasons.Rejected("invalid_correction_distance", "The distance within_m is not a number above 0 and of at most 1,000 m.")
)

// Options of a list of corrections.
type Options struct {
	WithinM float64 `yaml:"within_m" unit:"metres" range:"0,1000" doc:"distance within which a place of the name is looked for, where the row does not say; default: 50"`
	Decimal string  `yaml:"decimal" values:". ," doc:"decimal mark of the coordinates; default: as found"`
}

const (
	standardWithin = 50.0   // metres
	mostWithin     = 1000.0 // metres
)

// Kind is the source kind "corrections".
var Kind = source.Declaration[Options]{
	Kind:  "corrections",
	Title: "Corrections of places",
	Formats: []string{"CSV with a header: action, key, name, lat, lng, within_m, new_name, new_lat, new_lng, category; only action and what " +
		"the rows use is needed"},
	Yields: []string{"correction"},
	Own:    &reasons,
	Reasons: slices.Concat(table.Reasons(), []reason.Reason{
		source.WrongFieldCount, source.MissingGeometry, source.InvalidCoordinate, source.CoordinateInMinutes, source.AssumedWindows1252}),
	Notes: "Actions: drop removes a place, move gives it new_lat and new_lng, rename new_name, recategorise the ids in category (several " +
		"separated by blanks or semicolons) in place of its own. " +
		"A place is named by key, the source's key as pois.sqlite and explain show it (osm:node:123), also that of a record that was merged " +
		"into it; or by name with lat and lng: the nearest place of that name, without regard to case and accents, within within_m. " +
		"Corrections are applied after duplicates are merged, so that they are the last word about what is shown, in the order of the lists " +
		"and of their rows. " +
		"They apply to POIs, and by key to outlines of geographies (census:place:4159000, as geographies.sqlite shows it), which can be " +
		"dropped and renamed; the old name still finds it. Those of places made of stops leave the departures as they are; schools are not " +
		"corrected. " +
		"Each one that is applied is counted, those of POIs are listed in pois.sqlite and by explain; one whose place is not there is counted " +
		"as an issue of the step poi.",
	Complete: func(o *Options, _ source.Input) error {
		if o.WithinM == 0 {
			o.WithinM = standardWithin
		}
		return nil
	},
	Inspect: func(ctx context.Context, in source.Input, o *Options) error {
		s, err := open(ctx, in.Path, *o)
		if err == nil {
			s.table.Close()
		}
		return err
	},
	Read: read,
}

func read(ctx context.Context, in source.Input, o *Options, out source.Sink) error {
	s, err := open(ctx, in.Path, *o)
	if err != nil {
		return err
	}
	defer s.table.Close()
	rows := 0
	err = s.table.Each(ctx, out, func() error {
		rows++
		c, detail, why := s.row()
		if !why.OK() {
			out.Issue(why, s.table.Here()+detail)
			return nil
		}
		if s.table.Foreign {
			out.Issue(source.AssumedWindows1252, s.table.Here())
		}
		return out.Row(c)
	})
	if err == nil && rows == 0 {
		err = source.BadFile(in.Path, "it has no rows")
	}
	return err
}

// columns of the table.
var columns = []string{"action", "key", "name", "lat", "lng", "within_m", "new_name", "new_lat", "new_lng", "category"}

// list is a table that is being read.
type list struct {
	table   *table.Table
	options Options
	index   map[string]int // of columns; −1: absent
}

// open opens a table and finds its columns.
func open(ctx context.Context, path string, o Options) (*list, error) {
	t, err := table.Open(path, table.Dialect{Header: columns})
	if err != nil {
		return nil, err
	}
	s := &list{t, o, map[string]int{}}
	for _, name := range columns {
		s.index[name] = t.Column(name)
	}
	err = t.Require("action")
	for _, name := range t.Columns {
		if err == nil && name != "" && !slices.Contains(columns, name) && !isNote(name) {
			err = fmt.Errorf("column %s is none of %s, and none of note and comment", name, strings.Join(columns, ", "))
		}
	}
	if err != nil {
		t.Close()
		return nil, source.BadFile(path, "%v", err)
	}
	numbers := map[int]table.Meaning{}
	for _, name := range []string{"lat", "lng", "new_lat", "new_lng"} {
		if column := s.index[name]; column >= 0 {
			numbers[column] = table.Degrees
		}
	}
	if err := t.FindNumbers(ctx, numbers, o.Decimal); err != nil {
		t.Close()
		return nil, err
	}
	return s, nil
}

// isNote reports whether a column is for people.
func isNote(name string) bool { return slices.Contains([]string{"note", "notes", "comment"}, name) }

// row returns the correction of a row, or why it is none and the value at fault.
func (s *list) row() (c source.Correction, detail string, why reason.Reason) {
	if s.table.TooShort() || s.table.TooLong() {
		return c, "", source.WrongFieldCount
	}
	text := func(name string) string { return s.table.Text(s.index[name]) }
	c = source.Correction{Line: int32(s.table.Line), Action: strings.ToLower(text("action")), PlaceKey: text("key"), Name: text("name")}
	if c.Action == "recategorize" || c.Action == "re-categorise" {
		c.Action = schemas.RecategorisePlace
	}
	if !slices.Contains(schemas.CorrectionActions, c.Action) {
		return c, ": action " + table.Shorten(text("action")), unknownAction
	}
	if detail, why = s.target(&c); !why.OK() {
		return c, detail, why
	}
	switch c.Action {
	case schemas.RenamePlace:
		if c.NewName = text("new_name"); c.NewName == "" {
			return c, "", withoutValue
		}
	case schemas.RecategorisePlace:
		ids := strings.FieldsFunc(text("category"), func(r rune) bool { return strings.ContainsRune(" ;,|", r) })
		for _, id := range ids {
			if _, known := schemas.CategoryIndex(id); !known {
				return c, ": category " + table.Shorten(id), unknownCategory
			}
		}
		if c.Categories = strings.Join(ids, ","); c.Categories == "" {
			return c, "", withoutValue
		}
	case schemas.MovePlace:
		if c.NewLat, c.NewLng, detail, why = s.point("new_lat", "new_lng"); why == source.MissingGeometry {
			why = withoutValue
		}
	}
	return c, detail, why
}

// target sets what the place is found by.
func (s *list) target(c *source.Correction) (detail string, why reason.Reason) {
	if c.PlaceKey != "" {
		return "", why
	}
	if c.Lat, c.Lng, detail, why = s.point("lat", "lng"); why == source.MissingGeometry || why.OK() && c.Name == "" {
		return "", withoutPlace
	}
	within := s.options.WithinM
	if column := s.index["within_m"]; len(s.table.At(column)) > 0 {
		var ok bool
		if within, ok = s.table.Number(column); !ok || !(within > 0 && within <= mostWithin) {
			return ": " + s.table.Value(column), invalidWithin
		}
	}
	c.WithinM = &within
	return detail, why
}

// point reads two coordinates.
func (s *list) point(lat, lng string) (y, x *float64, detail string, why reason.Reason) {
	var p [2]float64
	for i, name := range []string{lat, lng} {
		column := s.index[name]
		if len(s.table.At(column)) == 0 {
			return nil, nil, "", source.MissingGeometry
		}
		var ok bool
		if p[i], ok = s.table.Number(column); !ok {
			return nil, nil, ": " + s.table.Value(column), source.CoordinateFault(s.table.Text(column))
		}
	}
	return &p[0], &p[1], "", why
}

// Package schoolratings is the kind for marks of schools: letters, or shares of the pupils at or above a standard. It reads one
// table into rows of staged.school_rating.
package schoolratings

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"quartier/ingest/address"
	"quartier/ingest/formats/table"
	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// Options name the columns of a table.
type Options struct {
	SchoolID           string            `yaml:"school_id" doc:"number of the school with its scheme, as the list of schools has it: nces:{NCESSCH}; of a column alone the scheme is the source's id"`
	SchoolName         string            `yaml:"school_name" doc:"column with the name of the school, for rows without a number"`
	Board              string            `yaml:"board" doc:"column with the name of the board or district, which distinguishes schools of one name"`
	Boards             map[string]string `yaml:"boards" doc:"value of board: name as the list of schools has it"`
	State              string            `yaml:"state" doc:"column with the state or province, by code or name; default: that of the region"`
	Mark               string            `yaml:"mark" doc:"column with the mark; required"`
	Scale              string            `yaml:"scale" values:"percent share letter" doc:"what a mark is: pupils at or above the standard in percent, 0–100, or as a share, 0–1, or a letter, A+ to F; required"`
	Nulls              []string          `yaml:"nulls" doc:"values that mean missing, beside * and N/R"`
	vector.FileOptions `yaml:",inline"`
}

var reasons reason.List

var (
	missingMark = reasons.Skipped("missing_mark", "The school has no mark.")
	invalidMark = reasons.Rejected("invalid_mark", "The mark is not of the scale in the options.")
)

// Kind is the source kind "school-ratings".
var Kind = vector.Kind(source.Declaration[Options]{
	Kind:  "school-ratings",
	Title: "Ratings of schools",
	Formats: []string{"CSV with a row for each school: the results of EQAO in Ontario and of states, or letters of an agency",
		"GeoJSON, with or without geometries"},
	Yields: []string{"school_rating"},
	Own:    &reasons,
	Notes: "A rating is joined to its school by school_id, else by name and board, and by name alone where the name occurs once. Shares " +
		"become letters by the ladder of the calibration; letters are used as they are. " +
		"The other name of a board is mapped by boards: {Ottawa CSB: Ottawa Catholic School Board}.",
	Complete: func(o *Options, _ source.Input) error {
		var f source.Faults
		f.Option(o.SchoolID == "" && o.SchoolName == "", "school_id", "is missing; set it or school_name")
		f.Option(o.Mark == "", "mark", "is missing")
		f.Option(o.Scale == "", "scale", "is missing; it is percent, share or letter")
		f.Option(len(o.Boards) > 0 && o.Board == "", "boards", "requires board")
		f.Add(o.Check())
		return f.Err()
	},
}, vector.Features[Options]{
	File: func(o *Options, in source.Input) *vector.File { // which needs no geometries
		wanted := source.Lists(append(source.Columns(o.SchoolID), o.SchoolName, o.Board, o.State, o.Mark)...)
		f := (&vector.TableOptions{FileOptions: o.FileOptions}).FileOf(in, wanted...)
		f.Columns.Bare, f.Columns.Nulls = true, append([]string{"*", "N/R"}, o.Nulls...)
		return f
	},
	Text: true,
	Name: func(o *Options, f vector.Feature) string { return f.Value(o.SchoolName) },
	Row:  (*Options).row,
})

// row is the rating of a row of the table.
func (o *Options) row(r vector.Record) (source.Row, reason.Reason) {
	v := source.SchoolRating{SourceKey: key(r), SchoolID: source.Qualify(o.SchoolID, r.In.Source, r.Value), SchoolName: r.Value(o.SchoolName),
		BoardName: r.Value(o.Board), StateCode: r.In.State}
	if name, mapped := o.Boards[v.BoardName]; mapped {
		v.BoardName = name
	}
	if o.State != "" {
		v.StateCode = address.State(r.Value(o.State))
	}
	var why reason.Reason
	text := r.Value(o.Mark)
	if v.Share, v.Letter, why = mark(text, o.Scale); why == invalidMark {
		r.Out.Issue(why, r.Where(v.SchoolName)+": "+table.Shorten(text))
		return nil, reason.Reason{}
	}
	return v, why
}

// key is that of a row: its line in a table, else its number.
func key(r vector.Record) string {
	return fmt.Sprintf("%s:%d", r.In.Source, cmp.Or(r.Line, r.Row))
}

var letters = regexp.MustCompile(`^[A-F][+-]?$`)

// mark reads a mark of a scale: 87 or 87 % of percent is 0.87.
func mark(text, scale string) (share *float64, letter string, why reason.Reason) {
	if text == "" {
		return nil, "", missingMark
	}
	if scale == "letter" {
		letter = strings.ReplaceAll(strings.ToUpper(text), "−", "-")
		if !letters.MatchString(letter) {
			return nil, "", invalidMark
		}
		return nil, letter, why
	}
	n, ok := table.ParseNumber([]byte(strings.TrimSpace(strings.TrimSuffix(text, "%"))), '.')
	if scale == "percent" {
		n /= 100
	}
	if !ok || !(n >= 0 && n <= 1) {
		return nil, "", invalidMark
	}
	return &n, "", why
}

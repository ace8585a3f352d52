package schools

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas/staged"
	"quartier/transform/places/normalize"
)

// record is a staged record of a school.
type record struct {
	staged.School
	priority int32 // of its source, from 0
	names    []name
	grades   span // that it teaches
}

func newRecord(row staged.School, priority int32) *record {
	r := &record{School: row, priority: priority, names: namesOf(row.Name, row.NameFR)}
	r.PostalCode = normalize.PostalCode(row.PostalCode, cmp.Or(row.CountryCode, "US"))
	r.grades = teaches(row.Grades, row.Levels, row.CountryCode)
	if r.placed() && !geo.Valid(r.at()) {
		r.Lng, r.Lat = nil, nil
	}
	return r
}

func (r *record) placed() bool { return r.Lng != nil && r.Lat != nil }

// at is where the record is placed.
func (r *record) at() orb.Point { return orb.Point{*r.Lng, *r.Lat} }

// label names the record in a report.
func (r *record) label() string {
	return fmt.Sprintf("%s %s of %s", r.SourceKey, normalize.Space(cmp.Or(r.Name, r.NameFR, "(no name)")), r.SourceID)
}

// compareRecords orders records by priority, source and key.
func compareRecords(a, b *record) int {
	return cmp.Or(cmp.Compare(a.priority, b.priority), cmp.Compare(a.SourceID, b.SourceID), cmp.Compare(a.SourceKey, b.SourceKey))
}

// readRecords reads the staged records in their order.
func readRecords(ctx context.Context, db *duck.DB) (list []*record, err error) {
	type row struct {
		staged.School
		Priority int32 `col:"priority"`
	}
	for row, err := range sqlrow.Select[row](ctx, db, "SELECT school.*, priority FROM school JOIN source USING (source_id)") {
		if err != nil {
			return nil, fmt.Errorf("read staged schools: %w", err)
		}
		list = append(list, newRecord(row.School, row.Priority))
	}
	slices.SortFunc(list, compareRecords)
	return list, nil
}

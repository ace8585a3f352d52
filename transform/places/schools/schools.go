// Package schools merges the staged records of schools into schools, each once, and joins them with their catchments and
// ratings. Input: staged.school, catchment and school_rating. Output: derived.school, school_source and school_catchment.
package schools

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/schemas/calibration"
	"quartier/schemas/derived"
	"quartier/schemas/staged"
	"quartier/transform/issue"
)

// Places locates schools. It is poi.Places.
type Places interface {
	// StateAt is the country and state of a point, 'US' and 'DE'; false if it is outside all known states.
	StateAt(p orb.Point) (country, state string, ok bool)
	// CityAt is the name of the city at a point; "" if there is none.
	CityAt(p orb.Point) string
}

// Result is what was derived.
type Result struct {
	Schools    []derived.School       // by key
	Sources    []derived.SchoolSource // by school and record
	Catchments int                    // written
	Records    int                    // read
	Issues     []issue.Issue
}

// Own is the number of schools that the region's own sources have.
func (r *Result) Own() (n int) {
	for i := range r.Schools {
		if !staged.Lent(r.Schools[i].SourceID) {
			n++
		}
	}
	return n
}

// deriver derives the schools of a region.
type deriver struct {
	places Places
	c      *calibration.Schools
	issues *issue.Counter
	result *Result

	names    [][]name         // of all records, by school
	byID     map[string]int   // schools by authority id and by key of a record
	byName   map[string][]int // schools by folded name, ascending
	inferred map[int]bool     // schools whose levels are those of their catchments
}

// Derive reads the staged schools and writes the derived ones. The result does not depend on the order of staged rows.
func Derive(ctx context.Context, from, into *duck.DB, places Places, c *calibration.Schools) (*Result, error) {
	records, err := readRecords(ctx, from)
	if err != nil {
		return nil, err
	}
	d := newDeriver(places, c)
	d.schools(records)
	if err := d.rate(ctx, from); err != nil {
		return nil, err
	}
	if err := d.catchments(ctx, from, into); err != nil {
		return nil, err
	}
	d.finish()
	return d.result, d.write(ctx, into)
}

func newDeriver(places Places, c *calibration.Schools) *deriver {
	return &deriver{places: places, c: c, issues: issue.NewCounter("schools"), result: &Result{},
		byID: map[string]int{}, byName: map[string][]int{}, inferred: map[int]bool{}}
}

// schools merges records, which must be in their order, and makes schools of them.
func (d *deriver) schools(records []*record) {
	d.result.Records = len(records)
	records = slices.DeleteFunc(records, func(r *record) bool {
		office := isOffice(r.Name + " | " + r.NameFR)
		if office {
			d.issues.Add(notASchool.With(r.SourceID), r.label())
		}
		return office
	})
	for _, g := range merge(groups(records, d.c, d.issues), d.c, d.issues) {
		s, why := g.school(d.places)
		if !why.OK() {
			d.issues.Add(why.With(g.first().SourceID), g.first().label())
			continue
		}
		d.add(g, s)
	}
}

// add adds a school.
func (d *deriver) add(g *group, s derived.School) {
	at := len(d.result.Schools)
	d.result.Schools = append(d.result.Schools, s)
	d.names = append(d.names, g.names())
	for _, key := range keysOf(g.names()) {
		d.byName[key] = append(d.byName[key], at)
	}
	for _, m := range g.members {
		for _, id := range []string{m.AuthorityID, m.SourceKey} {
			if _, known := d.byID[id]; !known && id != "" {
				d.byID[id] = at
			}
		}
		d.result.Sources = append(d.result.Sources, sourceOf(g, m))
	}
}

// sourceOf is the row of a record of a school.
func sourceOf(g *group, m member) derived.SchoolSource {
	row := derived.SchoolSource{SchoolKey: g.first().SourceKey, SourceID: m.SourceID, SourceKey: m.SourceKey, Name: m.Name, Reason: m.reason}
	if row.Name == "" {
		row.Name = m.NameFR
	}
	kept := g.first()
	if m.record == kept {
		return row
	}
	if kept.placed() && m.placed() {
		metres := geo.Distance(kept.at(), m.at())
		row.DistanceM = &metres
	}
	if len(kept.names) > 0 && len(m.names) > 0 {
		folded, _ := similarity(kept.names, m.names)
		row.NameSimilarity = &folded
	}
	return row
}

// finish drops the schools whose names say that they are none, notes those whose levels nothing implies, and orders them.
func (d *deriver) finish() {
	r := d.result
	dropped := map[string]bool{}
	r.Schools = slices.DeleteFunc(r.Schools, func(s derived.School) bool {
		if s.Levels != "" {
			return false
		}
		why := withoutLevel
		if _, known := LevelsOfName(s.Name+" | "+s.NameFR, s.CountryCode); known {
			dropped[s.Key], why = true, notASchool
		}
		d.issues.Add(why.With(s.SourceID), s.Key+" "+s.Name)
		return dropped[s.Key]
	})
	r.Sources = slices.DeleteFunc(r.Sources, func(s derived.SchoolSource) bool { return dropped[s.SchoolKey] })
	slices.SortFunc(r.Schools, func(a, b derived.School) int { return cmp.Compare(a.Key, b.Key) })
	slices.SortFunc(r.Sources, compareSources)
	r.Issues = d.issues.Issues()
}

// write writes derived.school and derived.school_source.
func (d *deriver) write(ctx context.Context, db *duck.DB) error {
	if err := duck.Write(ctx, db, "school", slices.Values(d.result.Schools)); err != nil {
		return fmt.Errorf("write schools: %w", err)
	}
	if err := duck.Write(ctx, db, "school_source", slices.Values(d.result.Sources)); err != nil {
		return fmt.Errorf("write records of schools: %w", err)
	}
	return nil
}

// Package jobs places the jobs of a region: those of census areas at points inside them, those of points where they are.
// Input: staged.job, staged.block and staged.zone. Output: derived.job_place, in which every job of the input is once, or is
// counted by an issue. Thousandths of a job are divided without loss.
package jobs

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas/derived"
	"quartier/schemas/reason"
	"quartier/schemas/staged"
	"quartier/transform/issue"
)

// Reasons are those of this package.
var Reasons reason.List

var (
	beyondRegion = Reasons.Skipped("jobs_beyond_region",
		"The jobs are of an area that the region does not have, as it has no other of its block group or dissemination area.")
	unknownBlock = Reasons.Skipped("jobs_of_unknown_block",
		"The region has other blocks of the block group or dissemination area of the jobs' block, and not that one: jobs and blocks may be of "+
			"two censuses.")
)

// thousandth is the unit of jobs.
const thousandth = 1000

// Result are the places with jobs of a region.
type Result struct {
	Places []derived.JobPlace // without numbers, in the order of sources and keys
	Issues []issue.Issue
	Note   string // what became of the jobs; "" without sources of jobs

	placed, beyond, unknown int64 // thousandths
}

// Derive writes the places with jobs of a region, and those that its neighbours lend. around has the rows of both.
func Derive(ctx context.Context, own, around, db *duck.DB) (*Result, error) {
	r, err := Read(ctx, own)
	if err != nil {
		return nil, err
	}
	all := r.Places
	const lent = "SELECT job.* FROM job JOIN source USING (source_id) WHERE contains(source_id, '/') ORDER BY priority, source_key"
	for j, err := range sqlrow.Select[staged.Job](ctx, around, lent) {
		if err != nil {
			return nil, fmt.Errorf("read jobs of neighbours: %w", err)
		}
		all = append(all, at(j, j.SourceKey, orb.Point{*j.Lng, *j.Lat}))
	}
	return r, duck.WriteEach(ctx, db, "job_place", all, func(i int, p derived.JobPlace) (derived.JobPlace, error) {
		p.JobPlace = int32(i)
		return p, nil
	})
}

// Read places the jobs of a staged region.
func Read(ctx context.Context, db *duck.DB) (*Result, error) {
	r, issues := &Result{}, issue.NewCounter("jobs")
	var rows []staged.Job
	const query = "SELECT job.* FROM job JOIN source USING (source_id) ORDER BY priority, source_key"
	for row, err := range sqlrow.Select[staged.Job](ctx, db, query) {
		if err != nil {
			return nil, fmt.Errorf("read jobs: %w", err)
		}
		rows = append(rows, *row)
	}
	if len(rows) == 0 {
		return r, nil
	}
	areas, err := readAreas(ctx, db, issues)
	if err != nil {
		return nil, err
	}
	taken := map[string]bool{}
	for i := range rows {
		j := &rows[i]
		places := areas.places[j.SourceKey]
		switch {
		case j.Lng != nil:
			r.add(at(j, j.SourceKey, orb.Point{*j.Lng, *j.Lat}))
		case taken[j.SourceKey]:
			issues.Add(issue.DuplicateKey, j.SourceKey)
		case len(places) > 0:
			taken[j.SourceKey] = true
			r.divide(j, places)
		case areas.groups[groupOf(j.SourceKey)]:
			r.unknown += j.Jobs
			issues.Add(unknownBlock, j.SourceKey)
		default:
			r.beyond += j.Jobs
			issues.Add(beyondRegion, j.SourceKey)
		}
	}
	r.Issues, r.Note = issues.Issues(), r.note()
	return r, nil
}

// note says how many of the jobs are placed.
func (r *Result) note() string {
	text := some(r.placed/thousandth, "job is", "jobs are") + " at " + some(int64(len(r.Places)), "place", "places")
	if r.beyond > 0 {
		text += "; " + some(r.beyond/thousandth, "more is", "more are") + " in areas that the region does not have"
	}
	if r.unknown > 0 {
		text += "; " + some(r.unknown/thousandth, "more is", "more are") +
			" in blocks that the region lacks: jobs and blocks may be of two censuses"
	}
	return text
}

// some is a number with the words for one or for several.
func some(n int64, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}

func (r *Result) add(p derived.JobPlace) {
	r.placed += p.Jobs
	r.Places = append(r.Places, p)
}

// divide divides the jobs of an area evenly over its places; the first ones have a thousandth more where they cannot be equal.
// Which of them are of which sector or earnings is unknown then.
//
// For example, 10 jobs in three blocks are 3.334, 3.333 and 3.333.
func (r *Result) divide(j *staged.Job, places []place) {
	n := int64(len(places))
	for i, where := range places {
		p := at(j, where.key, where.at)
		p.Jobs = j.Jobs / n
		if int64(i) < j.Jobs%n {
			p.Jobs++
		}
		if n > 1 {
			p.Sectors, p.Earnings = "", ""
		}
		if p.Jobs > 0 {
			r.add(p)
		}
	}
}

func at(j *staged.Job, key string, p orb.Point) derived.JobPlace {
	return derived.JobPlace{SourceID: j.SourceID, SourceKey: j.SourceKey, PlaceKey: key, Lng: p[0], Lat: p[1], Jobs: j.Jobs,
		Sectors: j.Sectors, Earnings: j.Earnings}
}

// place is a point inside a block or zone.
type place struct {
	key string
	at  orb.Point
}

// areas are where the jobs of census areas can be.
type areas struct {
	places map[string][]place // by the key of the area
	groups map[string]bool    // groupOf all blocks
}

//go:embed places.sql
var placesSQL string

func readAreas(ctx context.Context, db *duck.DB, issues *issue.Counter) (*areas, error) {
	a := &areas{map[string][]place{}, map[string]bool{}}
	err := sqlrow.Each(ctx, db, placesSQL, sqlrow.Visit3(func(area, key string, geom []byte) error {
		outline, err := geo.MultiPolygon(geom)
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		if inside, ok := geo.InteriorPoint(outline); ok {
			a.places[area] = append(a.places[area], place{key, inside})
		} else {
			issues.Add(issue.NoInteriorPoint, key)
		}
		return nil
	}))
	if err != nil {
		return nil, fmt.Errorf("read areas with jobs: %w", err)
	}
	type group struct {
		Key string `col:"key"`
	}
	const groups = "SELECT DISTINCT left(source_key, -3) AS key FROM block"
	for g, err := range sqlrow.Select[group](ctx, db, groups) {
		if err != nil {
			return nil, fmt.Errorf("read blocks: %w", err)
		}
		a.groups[g.Key] = true
	}
	return a, nil
}

// groupOf is the key of a block without the last three digits, which number the blocks of the United States in their block
// group, after its own digit, and those of Canada in their dissemination area.
func groupOf(key string) string {
	const number = 3
	return key[:max(0, len(key)-number)]
}

package lend

import (
	"context"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/sqlrow"
	"quartier/schemas/derived"
	"quartier/schemas/staged"
	"quartier/transform/jobs"
	"quartier/transform/network/edges"
)

// jobsReachM is how far from the region's extents its neighbours' jobs are lent: what a fast train reaches in 45 minutes is
// farther away than anything else that measures look at.
const jobsReachM = 60_000

// borrowJobs copies the neighbour's places with jobs that the region does not have itself, as points: their blocks are not
// lent that far.
func (l *lender) borrowJobs(ctx context.Context, number int, n Neighbour) error {
	db, err := duck.Open(n.Staged)
	if err != nil {
		return err
	}
	defer db.Close()
	theirs, err := jobs.Read(ctx, db)
	if err != nil || len(theirs.Places) == 0 {
		return err
	}
	if l.ownJobs == nil {
		if err := l.readOwnJobs(ctx); err != nil {
			return err
		}
	}
	box := l.jobsBox()
	var lent []staged.Job
	for i := range theirs.Places {
		p := &theirs.Places[i]
		at := orb.Point{p.Lng, p.Lat}
		near := func(e *edges.Extent) bool { return e.Within(at, jobsReachM) }
		if l.ownJobs[jobOf(p)] || !box.Contains(at) || !l.anyExtent(near) {
			continue
		}
		key := p.SourceKey
		if p.PlaceKey != key { // of an area that is divided
			key += " in " + p.PlaceKey
		}
		lent = append(lent, staged.Job{SourceID: staged.LentID(n.Name, p.SourceID), SourceKey: key, Lng: &at[0], Lat: &at[1], Jobs: p.Jobs,
			Sectors: p.Sectors, Earnings: p.Earnings})
	}
	if len(lent) == 0 {
		return nil
	}
	return l.insertJobs(ctx, number, n, db, lent)
}

// insertJobs writes the rows with their sources.
func (l *lender) insertJobs(ctx context.Context, number int, n Neighbour, db *duck.DB, lent []staged.Job) error {
	used := map[string]bool{}
	for _, j := range lent {
		used[j.SourceID] = true
	}
	sources, err := sqlrow.All[staged.Source](ctx, db, "SELECT * FROM source ORDER BY priority")
	if err != nil {
		return err
	}
	for i := range sources {
		sources[i].SourceID, sources[i].Priority = staged.LentID(n.Name, sources[i].SourceID), int32(lentPriority(number))+sources[i].Priority
	}
	sources = slices.DeleteFunc(sources, func(s staged.Source) bool { return !used[s.SourceID] })
	if err := sqlrow.Insert(ctx, l.db, "source", sources...); err != nil {
		return err
	}
	return duck.WriteEach(ctx, l.db, "job", lent, func(_ int, j staged.Job) (staged.Job, error) { return j, nil })
}

// job is what is the same of a place with jobs that two regions have: ids of points are those of their region's sources.
type job struct {
	key, place string
	at         orb.Point
}

func jobOf(p *derived.JobPlace) job {
	return job{p.SourceKey, p.PlaceKey, orb.Point{p.Lng, p.Lat}}
}

func (l *lender) readOwnJobs(ctx context.Context) error {
	l.ownJobs = map[job]bool{}
	db, err := duck.Open(l.path)
	if err != nil {
		return err
	}
	defer db.Close()
	own, err := jobs.Read(ctx, db)
	if err != nil {
		return err
	}
	for i := range own.Places {
		l.ownJobs[jobOf(&own.Places[i])] = true
	}
	return nil
}

func (l *lender) anyExtent(is func(*edges.Extent) bool) bool {
	for _, e := range l.own.All() {
		if is(e) {
			return true
		}
	}
	return false
}

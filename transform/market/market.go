// Package market computes market statistics: from the listings of market.duckdb and the outlines of a release it finds the
// state of every listing on every day, the geographies that contain it, and the statistics of each geography, type of
// property and interval as of a day.
package market

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"quartier/internal/duck"
	"quartier/internal/pack/geographies"
	"quartier/schemas/calibration"
	"quartier/schemas/market"
	"quartier/schemas/reason"
	"quartier/transform/market/relist"
)

// Input is what statistics are computed from.
type Input struct {
	Listings *duck.DB           // market.duckdb (schemas/listings.sql)
	Places   *geographies.Table // of the release beside which the statistics stand
	Digest   string             // of that release
	AsOf     market.Day         // statistics are of the days before it
	Work     string             // folder of what a later run may reuse; "": nothing is kept
	Earlier  market.Day         // of the statistics of which those that are not computed are known; NoDay: there are none
	Progress func(step string)  // called at the beginning of each step; nil: not called
}

// Summary is what was computed.
type Summary struct {
	AsOf     market.Day
	Listings int64    // that there are
	Located  int64    // of these in a geography
	States   []string // codes of the states with listings, "US_PA", sorted
	Issues   []Issue  // by reason
	Full     string   // why everything was computed; "": only what changed was
	Changed  int64    // listings that were added, changed or removed since the run before, unless everything was computed
}

// Issue is how many listings have a reason.
type Issue struct {
	Reason reason.Reason
	Rows   int64
}

// Compute computes the statistics of every geography that has listings and passes them to emit, by ascending geography. Of
// months and quarters in which no listing counts differently from an earlier day none are computed. What is computed and what
// is known from that day depends on listings, release and day alone, not on what the work folder held.
func Compute(ctx context.Context, in Input, emit func(market.Statistics) error) (Summary, error) {
	return compute(ctx, in, database{in.Listings}, emit)
}

func compute(ctx context.Context, in Input, from source, emit func(market.Statistics) error) (summary Summary, err error) {
	if in.Progress == nil {
		in.Progress = func(string) {}
	}
	now, err := headOf(ctx, in, from)
	if err != nil {
		return summary, err
	}
	r := &resolver{calibration: &calibration.Standard().Market}
	earlier, ids, why := reusable(ctx, in, from, now)
	if earlier != nil {
		defer func() { err = errors.Join(err, earlier.Close()) }()
	}
	s, gone, err := r.current(ctx, in, from, earlier, ids)
	if err != nil {
		return summary, err
	}
	in.Progress("statistics")
	if err := keep(in.Work, now, s); err != nil {
		return summary, err
	}
	summary = s.summary(in.AsOf)
	summary.Full, summary.Changed = why, int64(len(ids))
	w := newWorker(in, s, r.calibration)
	if earlier != nil {
		w.reuse(earlier, gone)
		if err := earlier.file.Forget(); err != nil {
			return summary, err
		}
	}
	w.load(in)
	return summary, w.run(ctx, emit)
}

// current is the rows of the listings as they are now: those that an earlier computation kept without those that changed,
// which are gone, and these as they are now; or if it is nil those of all.
func (r *resolver) current(ctx context.Context, in Input, from source, earlier *kept, ids map[uint64]bool) (s *store, gone removed,
	err error) {
	in.Progress("listings")
	if earlier == nil {
		r.locator = newLocator(in.Places, nil)
		s, err = r.resolveAll(ctx, from.read)
	} else {
		r.locator = newLocator(in.Places, earlier.store.sets)
		s, gone, err = r.patch(ctx, from, earlier, ids)
	}
	if err != nil {
		return nil, nil, err
	}
	s.sets = r.locator.sets
	in.Progress("re-listings")
	if earlier == nil {
		s.edges = relist.Edges(s.links, r.calibration)
	} else {
		s.edges = append(s.edges, relist.EdgesFrom(s.links, len(earlier.store.links)-len(gone), r.calibration)...)
	}
	s.join(r.calibration)
	return s, gone, nil
}

func (r *resolver) patch(ctx context.Context, from source, earlier *kept, ids map[uint64]bool) (*store, removed, error) {
	fresh, err := r.resolveAll(ctx, func(ctx context.Context, visit func(*batch) error) error {
		return from.readChanged(ctx, earlier.Generation, visit)
	})
	if err != nil {
		return nil, nil, err
	}
	s, gone := earlier.store.without(ids, len(fresh.links))
	s.add(fresh, 0, len(fresh.links))
	return s, gone, nil
}

// reusable opens what an earlier computation kept and the listings that changed since, or says why all is computed.
func reusable(ctx context.Context, in Input, from source, now head) (k *kept, ids map[uint64]bool, why string) {
	k, ids, why = openRows(ctx, in, from, now)
	switch {
	case k == nil:
		return nil, nil, why
	case k.AsOf != in.Earlier:
		why = "the statistics of that day are not kept"
	case k.AsOf > now.AsOf:
		why = fmt.Sprintf("what is kept is as of %s, a later day", k.AsOf)
	default:
		return k, ids, ""
	}
	k.Close()
	return nil, nil, why
}

// openRows opens the rows that an earlier computation kept, which depend on no day, and the listings that changed since, or
// says why they are of no use.
func openRows(ctx context.Context, in Input, from source, now head) (k *kept, ids map[uint64]bool, why string) {
	k, err := openKept(in.Work)
	if err != nil {
		return nil, nil, err.Error()
	}
	switch {
	case k.Basis != now.Basis:
		why = fmt.Sprintf("another basis: %s", k.Basis.unlike(now.Basis))
	case k.Generation > now.Generation:
		why = "what is kept is of listings that were taken in later"
	default:
		var known bool
		if ids, known, err = from.changed(ctx, k.Generation); err != nil {
			why = err.Error()
		} else if !known {
			why = "the listings changed as a whole"
		}
	}
	if why != "" {
		k.Close()
		return nil, nil, why
	}
	return k, ids, ""
}

// summary counts the listings.
func (s *store) summary(asOf market.Day) Summary {
	sum, states, rows := Summary{AsOf: asOf, Listings: int64(len(s.notes))}, map[[2]byte]bool{}, make([]int64, len(Reasons))
	for _, n := range s.notes {
		if n.Set != 0 {
			sum.Located++
		}
		if n.State[0] != 0 && !states[n.State] {
			states[n.State] = true
			sum.States = append(sum.States, "US_"+string(n.State[:]))
		}
		for i := range rows {
			rows[i] += int64(n.Issues >> i & 1)
		}
	}
	slices.Sort(sum.States)
	for i, n := range rows {
		if n > 0 {
			sum.Issues = append(sum.Issues, Issue{Reasons[i], n})
		}
	}
	return sum
}

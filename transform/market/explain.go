package market

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quartier/internal/sqlrow"
	"quartier/internal/timezone"
	"quartier/schemas/calibration"
	"quartier/schemas/market"
	"quartier/schemas/staged"
	"quartier/transform/market/figures"
	"quartier/transform/market/timeline"
)

// Entry is a listing behind the statistics of a geography, type and interval, with what became of it.
type Entry struct {
	Listing  staged.Listing
	Changes  []staged.ListingChange
	Timeline timeline.Timeline // days in the zone
	Zone     string            // of its place
	Joined   *figures.Joined   // what it has of listings of the home that it continues; nil: it continues none
	State    string            // at the end of the last day: active, under contract, pending, off, closed or "" before it came on
	Price    int64             // list price at that time, dollars; 0: not known
	Parts    []Part            // the numbers in which it counts, or does not although it could
}

// Part is what a listing is in a number.
type Part struct {
	Metric market.Metric // a count, or the median or extreme that stands for its percentiles too
	Counts bool
	Value  float64 // days, dollars, square feet or a year; 1 in a count; a share in MedianPercentDifference
	Why    string  // it does not count; "": it does
}

// Explain lists the listings behind the cell of a geography, type and interval (its code), ordered by system and key. Of the
// listings it reads those and those that changed since the computation that in.Work keeps; without one it reads all.
func Explain(ctx context.Context, in Input, geography int, t market.PropertyType, code string) (entries []Entry, err error) {
	at, err := market.Parse(code, in.AsOf, market.Intervals(in.AsOf))
	if err != nil {
		return nil, err
	}
	db := database{in.Listings}
	now, err := headOf(ctx, in, db)
	if err != nil {
		return nil, err
	}
	in.Progress = func(string) {}
	earlier, ids, _ := openRows(ctx, in, db, now)
	if earlier != nil {
		defer func() { err = errors.Join(err, earlier.Close()) }()
	}
	r := &resolver{calibration: &calibration.Standard().Market}
	var s *store
	if earlier != nil && len(ids) == 0 {
		s, r.locator = earlier.store, newLocator(in.Places, earlier.store.sets)
	} else if s, _, err = r.current(ctx, in, db, earlier, ids); err != nil {
		return nil, err
	}
	plan := figures.NewPlan(in.AsOf, r.calibration)
	found := s.behind(plan, uint32(geography), t, at, r.calibration)
	return r.entries(ctx, db, s, found, plan.Intervals[at])
}

// behind is the numbers of the listings that count in an interval of a geography and type, by ID.
func (s *store) behind(plan *figures.Plan, geography uint32, t market.PropertyType, interval int, c *calibration.Market) map[uint64]int {
	need := make([]bool, len(plan.Intervals))
	need[interval] = true
	plan = plan.Only(need)
	one, none := figures.NewKernel(plan), figures.NewKernel(plan)
	inside := make([]bool, len(s.sets))
	for n, set := range s.sets {
		inside[n] = slices.Contains(set, geography)
	}
	found := map[uint64]int{}
	for n := range s.notes {
		if !inside[s.notes[n].Set] {
			continue
		}
		spans, sales := s.rows(nil, nil, n, c)
		income := len(spans) > 0 && spans[0].Income || len(sales) > 0 && sales[0].Income
		if !figures.Joins(s.links[n].Type, income, t) {
			continue
		}
		one.Reset()
		one.Spans(spans)
		one.Sales(sales)
		if one.Differs(none, interval) {
			found[s.links[n].ID] = n
		}
	}
	return found
}

// entries reads the listings that were found again and explains each.
func (r *resolver) entries(ctx context.Context, db database, s *store, ids map[uint64]int, i market.Interval) ([]Entry, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var list []string
	for id := range ids {
		list = append(list, fmt.Sprint(int64(id)))
	}
	slices.Sort(list)
	var entries []Entry
	where := " key_hash IN (" + strings.Join(list, ", ") + ") AND counts"
	changes := map[uint64][]staged.ListingChange{}
	for row, err := range sqlrow.Select[staged.ListingChange](ctx, db,
		"SELECT "+sqlrow.List[staged.ListingChange]("")+" FROM change_record WHERE"+where) {
		if err != nil {
			return nil, err
		}
		id := idOf(row.System, row.Key)
		changes[id] = append(changes[id], *row)
	}
	for row, err := range sqlrow.Select[staged.Listing](ctx, db, "SELECT "+sqlrow.List[staged.Listing]("")+" FROM listing_record WHERE"+where+
		" AND status <> 11 ORDER BY system, listing_key") {
		if err != nil {
			return nil, err
		}
		id := idOf(row.System, row.Key)
		e := Entry{Listing: *row, Changes: changes[id]}
		if n, ok := ids[id]; ok {
			if err := r.explain(&e, s, n, i); err != nil {
				return nil, err
			}
			entries = append(entries, e)
		}
	}
	return entries, nil
}

func (r *resolver) explain(e *Entry, s *store, n int, i market.Interval) (err error) {
	at, _ := r.locator.locate(&e.Listing)
	if at.state != "" {
		e.Zone = timezone.At("US_"+at.state, at.position[0], at.position[1])
	}
	if e.Timeline, err = timelineOf(&e.Listing, e.Changes, at, r.calibration); err != nil {
		return err
	}
	if j, ok := s.joined[int32(n)]; ok {
		e.Joined = &j
	}
	e.State = e.Timeline.StateAt(i.Last)
	if e.State == "active" || e.State == "under contract" {
		e.Price = e.Timeline.PriceAt(i.Last)
	}
	spans, sales := s.rows(nil, nil, n, r.calibration)
	e.Parts = partsOf(e, spans, sales, i, r.calibration)
	return nil
}

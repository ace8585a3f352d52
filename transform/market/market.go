// Package market computes market statistics: from the listings of market.duckdb and the outlines of a release it finds the
// state of every listing on every day, the geographies that contain it, and the statistics of each geography, type of
// property and interval as of a day.
package market

import (
	"context"
	"slices"

	"quartier/internal/duck"
	"quartier/internal/pack/geographies"
	"quartier/internal/parallel"
	"quartier/schemas/calibration"
	"quartier/schemas/market"
	"quartier/schemas/reason"
	"quartier/transform/market/figures"
)

// Input is what statistics are computed from.
type Input struct {
	Listings *duck.DB           // market.duckdb (schemas/listings.sql)
	Places   *geographies.Table // of the release beside which the statistics stand
	Digest   string             // of that release
	AsOf     market.Day         // statistics are of the days before it
	Work     string             // folder of what a later run may reuse; "": nothing is kept
	Progress func(step string)  // called at the beginning of each step; nil: not called
}

// Summary is what was computed.
type Summary struct {
	AsOf     market.Day
	Listings int64    // rows read, or known from the run before
	Located  int64    // of these in a geography
	States   []string // codes of the states with listings, "US_PA", sorted
	Issues   []Issue  // by reason
	Full     string   // why everything was computed; "": only what changed was
	Changed  int64    // listings that were added, changed or removed since the run before
}

// Issue is how many listings have a reason.
type Issue struct {
	Reason  reason.Reason
	Rows    int64
	Example string // file and row of the first one, in the order of texts
}

// Compute computes the statistics of every geography that has listings and passes them to emit, by ascending geography. The
// statistics depend on listings, release and day alone, not on what the work folder held.
func Compute(ctx context.Context, in Input, emit func(market.Statistics) error) (Summary, error) {
	if in.Progress == nil {
		in.Progress = func(string) {}
	}
	c := &calibration.Standard().Market
	data, err := load(ctx, in, c)
	if err != nil {
		return Summary{}, err
	}
	in.Progress("statistics")
	plan := figures.NewPlan(in.AsOf, c)
	return data.summary, data.statistics(ctx, plan, emit)
}

// geographiesAhead is how many geographies are computed before the first of them is passed on.
const geographiesAhead = 512

// statistics computes the cells of all geographies.
func (d *data) statistics(ctx context.Context, plan *figures.Plan, emit func(market.Statistics) error) error {
	type work struct{ kernel *figures.Kernel }
	for from := 0; from < len(d.members); from += geographiesAhead {
		batch := make([]market.Statistics, min(geographiesAhead, len(d.members)-from))
		err := parallel.EachWith(ctx, len(batch), func() work { return work{figures.NewKernel(plan)} }, func(w work, n int) error {
			g := from + n
			if len(d.members[g]) == 0 {
				return nil
			}
			w.kernel.Reset()
			for _, set := range d.members[g] {
				w.kernel.Spans(d.spansOf(set))
				w.kernel.Sales(d.salesOf(set))
			}
			batch[n] = market.Statistics{Geography: uint32(g), Cells: w.kernel.Cells(nil, nil)}
			return nil
		})
		if err != nil {
			return err
		}
		for _, s := range batch {
			if len(s.Cells) > 0 {
				if err := emit(s); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// membersOf lists the sets that contain each geography.
func membersOf(sets [][]uint32, geographies int) [][]uint32 {
	members := make([][]uint32, geographies)
	for set, list := range sets {
		for _, g := range list {
			members[g] = append(members[g], uint32(set))
		}
	}
	return slices.Clip(members)
}

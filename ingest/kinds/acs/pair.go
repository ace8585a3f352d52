package acs

import (
	"context"
	"maps"
	"slices"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// read reads an input.
func (s *stage) read(ctx context.Context, in *input, list []taken) error {
	estimates, err := openSheet(in.path, in)
	if err != nil {
		return err
	}
	defer estimates.close()
	if err := in.locate(estimates, list, 'E'); err != nil {
		return err
	}
	if in.apart != "" {
		return s.pair(ctx, in, estimates, list)
	}
	if err := in.locate(estimates, list, 'M'); err != nil {
		return err
	}
	figures := make([]figure, width(list))
	for {
		key, err := estimates.next(ctx, s)
		if key == "" || err != nil {
			return err
		}
		estimates.estimates(list, figures)
		estimates.margins(list, figures, s.out)
		if err := s.area(key, estimates.where(), list, figures); err != nil {
			return err
		}
	}
}

// half is a row of one file that waits for its like in the other.
type half struct {
	where   string
	figures []figure
}

// pair reads estimates and margins of error from two files, a row of either by turns. NHGIS writes both in one order, so
// that hardly a row has to wait for the other.
func (s *stage) pair(ctx context.Context, in *input, estimates *sheet, list []taken) error {
	margins, err := openSheet(in.apart, in)
	if err != nil {
		return err
	}
	defer margins.close()
	if err := in.locate(margins, list, 'M'); err != nil {
		return err
	}
	bare, spare := map[string]half{}, map[string]half{} // estimates and margins that wait
	areas := 0
	for more := true; more; {
		key, err := estimates.next(ctx, s)
		if err != nil {
			return err
		}
		if more = key != ""; more {
			areas++
			h := half{estimates.where(), make([]figure, width(list))}
			estimates.estimates(list, h.figures)
			bare[key] = h
			if err := s.meet(key, bare, spare, list); err != nil {
				return err
			}
		}
		if key, err = margins.next(ctx, s); err != nil {
			return err
		}
		if key != "" {
			more = true
			h := half{margins.where(), make([]figure, width(list))}
			margins.margins(list, h.figures, s.out)
			spare[key] = h
			if err := s.meet(key, bare, spare, list); err != nil {
				return err
			}
		}
	}
	return s.unpaired(in, areas+len(spare), bare, spare)
}

// meet stages an area of which both halves are there.
func (s *stage) meet(key string, bare, spare map[string]half, list []taken) error {
	e, ok := bare[key]
	m, both := spare[key]
	if !ok || !both {
		return nil
	}
	delete(bare, key)
	delete(spare, key)
	for i := range e.figures {
		e.figures[i].MOE = m.figures[i].MOE
	}
	return s.area(key, e.where, list, e.figures)
}

// unpaired tells of the rows of which the other file has none, and fails where they are too many of all areas.
func (s *stage) unpaired(in *input, areas int, bare, spare map[string]half) error {
	for _, rest := range []struct {
		why    reason.Reason
		halves map[string]half
	}{{missingMargins, bare}, {missingEstimates, spare}} {
		for _, key := range slices.Sorted(maps.Keys(rest.halves)) {
			s.out.Issue(rest.why, rest.halves[key].where)
		}
	}
	alone := len(bare) + len(spare)
	if share, most := float64(alone)/float64(max(areas, 1)), s.options.mostUnpaired(); share > most {
		return source.BadFile(in.path, "%d of %d areas (%.1f %%) have estimates or margins of error alone, over %.1f %%: is %s of the same table?", alone, areas, 100*share, 100*most, in.apart)
	}
	return nil
}

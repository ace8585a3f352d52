package acs

import (
	"context"
	"maps"
	"slices"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// read reads an input.
func (s *stage) read(ctx context.Context, in *input, list []mappedEntry) error {
	estimates, err := in.reopen(ctx, in.file)
	if err != nil {
		return err
	}
	defer estimates.Close()
	s.out.Part(in.file.Base())
	if err := in.locate(estimates, list, 'E'); err != nil {
		return err
	}
	if in.marginsFile != nil {
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

// unpairedRow is a row of one file whose counterpart in the other was not read yet.
type unpairedRow struct {
	where   string
	figures []figure
}

// pair reads estimates and margins of error from two files, alternating between them. NHGIS writes both in the same
// order, so that few rows are kept in memory.
func (s *stage) pair(ctx context.Context, in *input, estimates *sheet, list []mappedEntry) error {
	margins, err := in.reopen(ctx, *in.marginsFile)
	if err != nil {
		return err
	}
	defer margins.Close()
	if err := in.locate(margins, list, 'M'); err != nil {
		return err
	}
	estimatesOf, marginsOf := map[string]unpairedRow{}, map[string]unpairedRow{} // estimates and margins of error without counterpart
	areas := 0
	for more := true; more; {
		key, err := estimates.next(ctx, s)
		if err != nil {
			return err
		}
		if more = key != ""; more {
			areas++
			h := unpairedRow{estimates.where(), make([]figure, width(list))}
			estimates.estimates(list, h.figures)
			estimatesOf[key] = h
			if err := s.joinMargins(key, estimatesOf, marginsOf, list); err != nil {
				return err
			}
		}
		if key, err = margins.next(ctx, s); err != nil {
			return err
		}
		if key != "" {
			more = true
			h := unpairedRow{margins.where(), make([]figure, width(list))}
			margins.margins(list, h.figures, s.out)
			marginsOf[key] = h
			if err := s.joinMargins(key, estimatesOf, marginsOf, list); err != nil {
				return err
			}
		}
	}
	return s.unpaired(in, areas+len(marginsOf), estimatesOf, marginsOf)
}

// joinMargins stages an area of which both rows were read.
func (s *stage) joinMargins(key string, estimatesOf, marginsOf map[string]unpairedRow, list []mappedEntry) error {
	e, ok := estimatesOf[key]
	m, both := marginsOf[key]
	if !ok || !both {
		return nil
	}
	delete(estimatesOf, key)
	delete(marginsOf, key)
	for i := range e.figures {
		e.figures[i].MOE = m.figures[i].MOE
	}
	return s.area(key, e.where, list, e.figures)
}

// unpaired counts the rows without a counterpart and fails where their share of all areas is too large.
func (s *stage) unpaired(in *input, areas int, estimatesOf, marginsOf map[string]unpairedRow) error {
	for _, rest := range []struct {
		why    reason.Reason
		halves map[string]unpairedRow
	}{{missingMargins, estimatesOf}, {missingEstimates, marginsOf}} {
		for _, key := range slices.Sorted(maps.Keys(rest.halves)) {
			s.out.Issue(rest.why, rest.halves[key].where)
		}
	}
	alone := len(estimatesOf) + len(marginsOf)
	if share, most := float64(alone)/float64(max(areas, 1)), s.options.mostUnpaired(); share > most {
		return source.BadFile(in.file.Path,
			"%d of %d areas (%.1f %%) have only estimates or only margins of error, more than %.1f %%: is %s of the same table?", alone, areas,
			100*share, 100*most, in.marginsFile.Path)
	}
	return nil
}

package staged

import (
	"database/sql/driver"
	"math"
	"strconv"
	"strings"

	"quartier/ingest/source"
	"quartier/schemas/demographics"
	"quartier/schemas/reason"
)

// What a figure may be at most. All households of the United States together earn some 1.5e13 dollars, and a home is
// not worth a thousand million.
const (
	mostCounted     = 1e9  // people, households, dwellings of an area
	mostDollars     = 1e14 // of an area together
	mostHomeDollars = 1e9  // of one home
	mostHomeMedian  = 1e8  // of the homes of an area, in the middle
	leastHomeMedian = 1e3
	firstYear       = 1900 // of values of homes
	lastYear        = 2100
)

// cellSet says which cells of an area were staged, by their places in demographics.Cells.
type cellSet [(demographics.CellCount + 63) / 64]uint64

// add reports whether the cell is new.
func (s *cellSet) add(cell int) bool {
	word, bit := &s[cell/64], uint64(1)<<(cell%64)
	known := *word&bit != 0
	*word |= bit
	return !known
}

// Survey stages what a source's statistics are of.
func (s *sink) Survey(v source.Survey) error {
	v.Vintage, v.Title = strings.TrimSpace(v.Vintage), strings.TrimSpace(v.Title)
	fault := textFault([]field{{"vintage", v.Vintage}, {"title", v.Title}})
	switch {
	case !fault.OK():
	case v.Vintage == "":
		fault = missingVintage
	case v.Title == "":
		fault = missingTitle
	}
	return s.row("survey", v.Title+" "+v.Vintage, fault, []string{}, func() ([]driver.Value, error) {
		return []driver.Value{s.source.ID, v.Vintage, v.Title}, nil
	})
}

// Statistic stages a figure. It comes by the million, and mostly one area after the other.
func (s *sink) Statistic(v source.Statistic) error {
	if err := s.proceed(); err != nil {
		return err
	}
	cell, known := demographics.CellOf(v.Cell)
	fault := unfit("area key", v.AreaKey)
	switch {
	case !fault.OK():
	case v.AreaKey == "":
		fault = source.MissingKey
	case !known:
		fault = unknownCell
	default:
		fault = estimateFault(cell, v.Estimate)
	}
	if fault.OK() && !s.statistics(v.AreaKey).add(cell) {
		fault = source.DuplicateKey
	}
	if !fault.OK() {
		s.Issue(fault, v.AreaKey+" "+v.Cell)
		return nil
	}
	moe := driver.Value(nil)
	if v.MOE != nil {
		moe = s.within(v.MOE, mostOf(cell), source.MarginRemoved, v.AreaKey+" "+v.Cell)
	}
	return s.append("statistic", s.source.ID, v.AreaKey, v.Cell, v.Estimate, moe)
}

// statistics are the cells staged of an area.
func (s *sink) statistics(area string) *cellSet {
	if s.area.cells == nil || s.area.key != area {
		cells := s.areas[area]
		if cells == nil {
			cells = new(cellSet)
			s.areas[strings.Clone(area)] = cells
		}
		s.area.key, s.area.cells = area, cells
	}
	return s.area.cells
}

// estimateFault says why a figure cannot be staged; the zero Reason where it can.
func estimateFault(cell int, estimate float64) reason.Reason {
	switch {
	case math.IsNaN(estimate) || math.IsInf(estimate, 0):
		return source.InvalidNumber
	case estimate < 0:
		return source.NegativeCount
	case estimate > mostOf(cell):
		return implausibleEstimate
	case estimate == 0 && leastOf(cell) > 0:
		return zeroMedian
	case estimate < leastOf(cell):
		return implausibleEstimate
	}
	return reason.Reason{}
}

// mostOf is the limit of a cell's figures.
func mostOf(cell int) float64 {
	switch id := demographics.Cells[cell].ID; {
	case strings.HasSuffix(id, ".dollars"):
		return mostDollars
	case id == "median_home_value.value":
		return mostHomeMedian
	case strings.HasSuffix(id, "_income.value"):
		return source.MostIncome
	}
	return mostCounted
}

// leastOf is the least that a cell's figures can be: above 0 of medians and means in dollars.
func leastOf(cell int) float64 {
	switch id := demographics.Cells[cell].ID; {
	case id == "median_home_value.value":
		return leastHomeMedian
	case strings.HasSuffix(id, "_income.value"):
		return 1
	}
	return 0
}

// Zone stages the outline of a small area, mended where that is needed.
func (s *sink) Zone(z source.Zone) error {
	fault := textFault([]field{{"key", z.Key}})
	switch {
	case !fault.OK():
	case z.Key == "":
		fault = source.MissingKey
	default:
		fault = outlineFault(z.Geometry)
	}
	return s.row("zone", z.Key, fault, []string{z.Key}, func() ([]driver.Value, error) {
		geom, err := s.outline(z.Geometry, z.Key)
		if geom == nil || err != nil {
			return nil, err
		}
		return []driver.Value{s.source.ID, z.Key, geom}, nil
	})
}

// HomeValue stages what homes of an area are worth in a year.
func (s *sink) HomeValue(v source.HomeValue) error {
	year := strconv.Itoa(v.Year)
	fault := textFault([]field{{"area key", v.AreaKey}})
	switch {
	case !fault.OK():
	case v.AreaKey == "":
		fault = source.MissingKey
	case v.Year < firstYear || v.Year > lastYear:
		fault = yearOutOfRange
	case v.Months < 1 || v.Months > 12:
		fault = invalidMonthCount
	case !(v.Dollars > 0):
		fault = implausibleHomeValue
	case v.Dollars > mostHomeDollars:
		fault = implausibleHomeValue
	}
	return s.row("home_value", v.AreaKey+" "+year, fault, []string{v.AreaKey, year}, func() ([]driver.Value, error) {
		return []driver.Value{s.source.ID, v.AreaKey, int32(v.Year), v.Dollars, int32(v.Months)}, nil
	})
}

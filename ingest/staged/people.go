package staged

import (
	"database/sql/driver"
	"math"
	"strconv"
	"strings"

	"quartier/ingest/source"
	"quartier/schemas/demographics"
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
	case fault != "":
	case v.Vintage == "":
		fault = "survey without years"
	case v.Title == "":
		fault = "survey without title"
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
	case fault != "":
	case v.AreaKey == "":
		fault = "no key"
	case !known:
		fault = "unknown cell of a table"
	default:
		fault = estimateFault(cell, v.Estimate)
	}
	if fault == "" && !s.statistics(v.AreaKey).add(cell) {
		fault = "area and cell stand twice"
	}
	if fault != "" {
		s.Issue(source.Rejected, fault, v.AreaKey+" "+v.Cell)
		return nil
	}
	moe := driver.Value(nil)
	if v.MOE != nil {
		moe = s.within(v.MOE, mostOf(cell), "impossible margin of error left out", v.AreaKey+" "+v.Cell)
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

// estimateFault says why a figure cannot be staged; "" where it can.
func estimateFault(cell int, estimate float64) string {
	switch {
	case math.IsNaN(estimate) || math.IsInf(estimate, 0):
		return "estimate that is no number"
	case estimate < 0:
		return "negative count"
	case estimate > mostOf(cell):
		return "estimate too large to be true"
	case estimate == 0 && leastOf(cell) > 0:
		return "median or mean of 0"
	case estimate < leastOf(cell):
		return "estimate too small to be true"
	}
	return ""
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
	case fault != "":
	case z.Key == "":
		fault = "no key"
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
	case fault != "":
	case v.AreaKey == "":
		fault = "no key"
	case v.Year < firstYear || v.Year > lastYear:
		fault = "year that cannot be"
	case v.Months < 1 || v.Months > 12:
		fault = "other than 1 to 12 months of a year"
	case !(v.Dollars > 0):
		fault = "home value that is not above 0"
	case v.Dollars > mostHomeDollars:
		fault = "home value too large to be true"
	}
	return s.row("home_value", v.AreaKey+" "+year, fault, []string{v.AreaKey, year}, func() ([]driver.Value, error) {
		return []driver.Value{s.source.ID, v.AreaKey, int32(v.Year), v.Dollars, int32(v.Months)}, nil
	})
}

package staging

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/schemas/demographics"
	"quartier/schemas/reason"
	"quartier/schemas/staged"
)

// stageBlock stages a census block, its outline repaired where necessary.
func (s *sink) stageBlock(b source.Block) error {
	s.locatedArea(true, b.Geometry)
	fault := cmp.Or(
		checkTexts("key", b.Key, "area key", b.AreaKey),
		when(b.Key == "", source.MissingKey),
		when(negative(b.Population) || negative(b.Dwellings) || negative(b.Households), source.NegativeCount),
		checkOutline(b.Geometry),
	)
	if ok, err := s.accept("block", b.Key, fault, b.Key); !ok {
		return err
	}
	outline, err := s.outline(b.Geometry, b.Key)
	if outline == nil {
		return err
	}
	return write(s, "block", staged.Block{
		SourceID: s.source, SourceKey: b.Key, AreaKey: b.AreaKey, Population: b.Population, Dwellings: b.Dwellings,
		Households: b.Households, LandM2: s.inRange(b.LandM2, 1e13, landAreaRemoved, b.Key), Geom: outline,
	})
}

// stageHome stages a point on a street where residents of a block live.
func (s *sink) stageHome(h source.Home) error {
	fault := cmp.Or(
		checkTexts("key", h.SourceKey, "block key", h.BlockKey),
		when(h.SourceKey == "" || h.BlockKey == "", source.MissingKey),
		when(!(h.Weight > 0) || math.IsInf(h.Weight, 1), source.InvalidWeight),
		checkLocation(orb.Point{h.Lng, h.Lat}),
	)
	h.SourceID = s.source
	return put(s, "home", h, h.SourceKey, fault, h.SourceKey)
}

// stageJob stages the jobs of an area or at a point. Their points say nothing of where the region's sources have all there is.
func (s *sink) stageJob(j source.Job) error {
	fault := cmp.Or(
		checkText("key", j.SourceKey),
		when(j.SourceKey == "", source.MissingKey),
		when(j.Jobs < 1, source.NegativeCount),
		when((j.Lng == nil) != (j.Lat == nil), source.MissingGeometry),
	)
	if fault.OK() && j.Lng != nil && j.Lat != nil {
		fault = checkLocation(orb.Point{*j.Lng, *j.Lat})
	}
	j.SourceID = s.source
	return put(s, "job", j, j.SourceKey, fault, j.SourceKey)
}

// The limits of plausible estimates. All households of the United States together earn some 1.5e13 dollars, and no home
// is worth 1e9 dollars.
const (
	maxCount           = 1e9  // persons, households, dwellings of an area
	maxDollars         = 1e14 // aggregate of an area
	maxHomeValue       = 1e9  // of one home
	maxMedianHomeValue = 1e8
	minMedianHomeValue = 1e3
	minYear            = 1900 // of home values
	maxYear            = 2100
)

// cellSet is a set of cells, by their index in demographics.Cells.
type cellSet [(demographics.CellCount + 63) / 64]uint64

// add reports whether the cell is new.
func (s *cellSet) add(cell int) bool {
	word, bit := &s[cell/64], uint64(1)<<(cell%64)
	known := *word&bit != 0
	*word |= bit
	return !known
}

// stageSurvey stages the survey of a source's statistics.
func (s *sink) stageSurvey(v source.Survey) error {
	v.SourceID, v.Vintage, v.Title = s.source, strings.TrimSpace(v.Vintage), strings.TrimSpace(v.Title)
	fault := cmp.Or(
		checkTexts("vintage", v.Vintage, "title", v.Title),
		when(v.Vintage == "", missingVintage),
		when(v.Title == "", missingTitle),
	)
	return put(s, "survey", v, v.Title+" "+v.Vintage, fault, "")
}

// stageStatistic stages an estimate. Sources have millions of them, mostly grouped by area.
func (s *sink) stageStatistic(v source.Statistic) error {
	cell, known := demographics.CellOf(v.Cell)
	fault := checkText("area key", v.AreaKey)
	switch {
	case !fault.OK():
	case v.AreaKey == "":
		fault = source.MissingKey
	case !known:
		fault = unknownCell
	default:
		fault = checkEstimate(cell, v.Estimate)
	}
	if fault.OK() && !s.cellsOf(v.AreaKey).add(cell) {
		fault = source.DuplicateKey
	}
	if err := s.checkContext(); err != nil {
		return err
	}
	if !fault.OK() {
		s.Issue(fault, v.AreaKey+" "+v.Cell)
		return nil
	}
	if v.MOE != nil {
		v.MOE = s.inRange(v.MOE, maxEstimate(cell), source.MarginRemoved, v.AreaKey+" "+v.Cell)
	}
	v.SourceID = s.source
	return write(s, "statistic", v)
}

// cellsOf returns the staged cells of an area.
func (s *sink) cellsOf(area string) *cellSet {
	if s.lastCells == nil || s.lastArea != area {
		cells := s.cells[area]
		if cells == nil {
			cells = new(cellSet)
			s.cells[strings.Clone(area)] = cells
		}
		s.lastArea, s.lastCells = area, cells
	}
	return s.lastCells
}

// checkEstimate returns why an estimate cannot be staged, if it cannot.
func checkEstimate(cell int, estimate float64) reason.Reason {
	switch {
	case math.IsNaN(estimate) || math.IsInf(estimate, 0):
		return source.InvalidNumber
	case estimate < 0:
		return source.NegativeCount
	case estimate > maxEstimate(cell):
		return implausibleEstimate
	case estimate == 0 && minEstimate(cell) > 0:
		return zeroMedian
	case estimate < minEstimate(cell):
		return implausibleEstimate
	}
	return reason.Reason{}
}

// maxEstimate is the largest plausible estimate of a cell.
func maxEstimate(cell int) float64 {
	switch id := demographics.Cells[cell].ID; {
	case strings.HasSuffix(id, ".dollars"):
		return maxDollars
	case strings.HasSuffix(id, "_home_value.value"):
		return maxMedianHomeValue
	case strings.HasSuffix(id, "_income.value"):
		return source.MaxIncome
	}
	return maxCount
}

// minEstimate is the smallest plausible estimate of a cell: above 0 for medians and means in dollars.
func minEstimate(cell int) float64 {
	switch id := demographics.Cells[cell].ID; {
	case strings.HasSuffix(id, "_home_value.value"):
		return minMedianHomeValue
	case strings.HasSuffix(id, "_income.value"):
		return 1
	}
	return 0
}

// stageZone stages the outline of a small area, repaired where necessary.
func (s *sink) stageZone(z source.Zone) error {
	s.locatedArea(true, z.Geometry)
	fault := cmp.Or(checkText("key", z.Key), when(z.Key == "", source.MissingKey), checkOutline(z.Geometry))
	if ok, err := s.accept("zone", z.Key, fault, z.Key); !ok {
		return err
	}
	outline, err := s.outline(z.Geometry, z.Key)
	if outline == nil {
		return err
	}
	return write(s, "zone", staged.Zone{SourceID: s.source, SourceKey: z.Key, Geom: outline})
}

// stageHomeValue stages the value of homes of an area in a year.
func (s *sink) stageHomeValue(v source.HomeValue) error {
	v.SourceID = s.source
	year := strconv.Itoa(int(v.Year))
	fault := cmp.Or(
		checkText("area key", v.AreaKey),
		when(v.AreaKey == "", source.MissingKey),
		when(v.Year < minYear || v.Year > maxYear, yearOutOfRange),
		when(v.Months < 1 || v.Months > 12, invalidMonthCount),
		when(!(v.Dollars > 0) || v.Dollars > maxHomeValue, implausibleHomeValue),
	)
	return put(s, "home_value", v, v.AreaKey+" "+year, fault, v.AreaKey, year)
}

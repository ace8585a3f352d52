package travel

import (
	"math"
	"slices"

	"quartier/internal/coord"
	"quartier/internal/margin"
	"quartier/internal/pack/pois"
	"quartier/internal/pack/schools"
	"quartier/internal/pack/strips"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/demographics"
	"quartier/schemas/trips"
	"quartier/serve/scope"
)

// countPeople counts people and households of the country of the place, as the areas of a geography are added up, where enough of the
// people there have the figure.
func (m *Counter) countPeople(release *scope.Release, one *trips.Reach, include uint64) {
	share := math.Round(1e4*release.Coverage(&m.shape)) / 1e4
	one.Coverage.People = &share
	constants := &calibration.Standard().Demographics
	if share < constants.MinCoverage {
		return
	}
	release.Total(&m.shape, &m.totals)
	for _, f := range []struct {
		bit  uint64
		cell int
		into **trips.ReachPeople
	}{{people, populationCell, &one.People}, {households, householdsCell, &one.Households}} {
		if known := m.totals.Known[demographics.Cells[f.cell].Table]; include&f.bit != 0 && m.totals.Persons > 0 &&
			known >= constants.MinKnownForCounts*m.totals.Persons {
			*f.into = counted(m.totals.Cells[f.cell])
		}
	}
}

// counted is a sum with its interval.
func counted(sum margin.Sum) *trips.ReachPeople {
	out := &trips.ReachPeople{Value: int(math.Round(sum.Figure().Estimate))}
	if lower, upper, ok := sum.Interval(0, math.Inf(1)); ok {
		out.ConfidenceInterval = &schemas.ConfidenceInterval{Lower: math.Round(lower), Upper: math.Round(upper)}
	}
	return out
}

// Cells of people.
var populationCell, householdsCell = mustCell("population.total"), mustCell("households.total")

func mustCell(id string) int {
	cell, ok := demographics.CellOf(id)
	if !ok {
		panic("unknown cell " + id)
	}
	return cell
}

// countJobs counts jobs, where a source of them covers the place where one begins.
func (m *Counter) countJobs(release *scope.Release, one *trips.Reach, from coord.Point, edge []coord.Point) {
	if one.Coverage.Jobs = none; release.KnowsJobs(from) {
		sum := release.JobsIn(&m.shape)
		one.Jobs, one.Coverage.Jobs = &sum, complete
		if slices.ContainsFunc(edge, func(p coord.Point) bool { return !release.KnowsJobs(p) }) {
			one.Coverage.Jobs = partial
		}
	}
}

// countPOIs counts points of interest.
func (m *Counter) countPOIs(release *scope.Release, from coord.Point, area *coord.Area) *trips.ReachPOIs {
	release.POIs(&pois.Query{Shape: pois.Shape{Lng: from.Orb()[0], Lat: from.Orb()[1], Area: area}}, &m.pois)
	out := &trips.ReachPOIs{Total: m.pois.TotalCount, ByCategory: map[string]int{}}
	for i, c := range schemas.Categories {
		if m.pois.Known&(1<<i) != 0 {
			out.ByCategory[c.ID] = m.pois.TotalByCategory[i]
		} else {
			out.Unknown = append(out.Unknown, c.ID)
		}
	}
	return out
}

// countSchools counts schools.
func (m *Counter) countSchools(release *scope.Release, from coord.Point, area *coord.Area) *trips.ReachSchools {
	all := release.SchoolTable().Len()
	release.Schools(&schools.Query{Shape: strips.Shape{Lng: from.Orb()[0], Lat: from.Orb()[1], Area: area}, Limit: all}, &m.schools)
	return &trips.ReachSchools{Primary: len(m.schools.Primary), High: len(m.schools.High)}
}

// Package estimates computes the demographics of geographies: figures published for the geography itself, and otherwise
// sums over the small areas inside of it, with their errors.
package estimates

import (
	"context"
	"fmt"

	"github.com/paulmach/orb"

	"quartier/build/assembly"
	"quartier/internal/areal"
	"quartier/internal/demography"
	"quartier/internal/pack/smallareas"
	"quartier/internal/parallel"
	"quartier/schemas/calibration"
	"quartier/schemas/demographics"
)

// Request is a geography whose demographics are computed.
type Request struct {
	Country   string // 'CA' or 'US'
	Outline   orb.MultiPolygon
	Published []assembly.PublishedFigure // for the geography itself, by cell
	HomeValue bool                       // compute the home value, too
}

// Result is the demographics of a geography.
type Result struct {
	Cells     demography.Cells
	Values    []demography.Value // in the order of demographics.Flat(demographics.ByGeography); nil where nobody lives
	Coverage  float64            // share of its ground that small areas cover, 0 to 1; 1 where every table is published
	Summed    bool               // some cells are sums over small areas
	Vintages  tableVintages      // of the small areas, where some cells are; nil where these are not known
	HomeValue demography.Middle  // in dollars; the estimate is NaN where it is not known or was not requested

	homeValueTable int // the table that HomeValue is from
}

// batchSize is the number of geographies whose results are in memory.
const batchSize = 2048

// Compute computes the demographics of count geographies. request returns the geography with a number; it is called
// concurrently. receive is called with the results in the order of the numbers.
func Compute(ctx context.Context, areas *smallareas.Table, count int, request func(i int) (Request, error),
	receive func(i int, r *Result) error) error {
	for first := 0; first < count; first += batchSize {
		if err := computeBatch(ctx, areas, nil, first, min(first+batchSize, count), request, receive); err != nil {
			return err
		}
	}
	return nil
}

// computeBatch computes the numbers first to end-1 in parallel.
func computeBatch(ctx context.Context, areas *smallareas.Table, vintages *areaVintages, first, end int,
	request func(i int) (Request, error), receive func(i int, r *Result) error) error {
	results := make([]Result, end-first)
	newEstimator := func() *estimator {
		return &estimator{areas: areas, vintages: vintages, constants: &calibration.Standard().Demographics}
	}
	err := parallel.EachWith(ctx, len(results), newEstimator, func(e *estimator, i int) error {
		r, err := request(first + i)
		if err != nil {
			return err
		}
		return e.compute(&r, &results[i])
	})
	if err != nil {
		return err
	}
	for i := range results {
		if err := receive(first+i, &results[i]); err != nil {
			return err
		}
	}
	return nil
}

// estimator computes the demographics of one geography after another.
type estimator struct {
	areas      *smallareas.Table
	vintages   *areaVintages // of the areas; nil: not known
	constants  *calibration.Demographics
	shape      areal.Shape
	totals     smallareas.Totals
	homeValues []areaHomeValue
}

func (e *estimator) compute(r *Request, out *Result) error {
	e.shape.SetPolygons(r.Outline)
	scope := smallareas.Scope{Country: r.Country}
	*out = Result{HomeValue: unknownHomeValue, Coverage: 1}
	for _, p := range r.Published {
		if demographics.Cells[p.Cell].Has(r.Country) {
			out.Cells.Set(p.Cell, p.Figure)
		}
	}
	if err := e.addUp(r.Country, scope, out); err != nil {
		return err
	}
	if people, ok := out.Cells.Get(populationCell); ok && people.Estimate < 0.5 {
		return nil
	}
	values := demography.Of(r.Country, &out.Cells, e.constants)
	for _, v := range values {
		if v.Present {
			out.Values = values
		}
	}
	if out.Values == nil || !r.HomeValue {
		return nil
	}
	return e.setHomeValue(r, scope, out)
}

// addUp sets the tables that are not published to their sums over small areas, where these cover enough of the ground.
func (e *estimator) addUp(country string, scope smallareas.Scope, out *Result) (err error) {
	coverage := e.areas.Coverage(&e.shape, scope)
	if coverage < e.constants.MinCoverage {
		out.Coverage = coverage
		return nil
	}
	e.areas.Total(&e.shape, scope, &e.constants.Parts, &e.totals)
	for table := range demographics.Tables {
		if !out.Cells.HasTable(table) && e.setTable(country, table, &out.Cells) {
			out.Summed, out.Coverage = true, coverage
			if coverage < e.constants.MinCoverageCounts {
				out.Cells.SetPartial(table)
			}
		}
	}
	if e.vintages != nil {
		out.Vintages, err = e.vintages.within(e.areas, &e.shape, scope)
	}
	return err
}

// setHomeValue sets the home value: the published mean in a country without published medians of the geography, the median
// of the homes by value, else that of the small areas.
func (e *estimator) setHomeValue(r *Request, scope smallareas.Scope, out *Result) (err error) {
	if f, ok := out.Cells.Get(meanHomeValueCell); ok {
		out.HomeValue, out.homeValueTable = demography.Middle{Figure: f}, demographics.Cells[meanHomeValueCell].Table
		return nil
	}
	if f, ok := demography.HomeValue(&out.Cells, e.constants); ok {
		out.HomeValue, out.homeValueTable = f, binnedHomeValues
		return nil
	}
	if out.Coverage < e.constants.MinCoverage {
		return nil
	}
	out.homeValueTable = demographics.Cells[homeValueCell].Table
	out.HomeValue, err = e.medianHomeValue(scope)
	return err
}

// setTable sets the cells of a table to their sums over small areas, where areas with enough people have the table.
func (e *estimator) setTable(country string, table int, cells *demography.Cells) (any bool) {
	if t := &demographics.Tables[table]; t.In(country) == demographics.NoUniverse || !e.known(table) {
		return false
	}
	for _, i := range demographics.Tables[table].Cells {
		cell := &demographics.Cells[i]
		if !cell.Has(country) || cell.Role == demographics.Scalar || !e.known(cell.CoverageUnit) {
			continue
		}
		cells.SetSum(i, e.totals.Cells[i])
		any = true
	}
	if e.totals.Known[table] < e.constants.MinKnownForCounts*e.totals.Persons {
		cells.SetPartial(table)
	}
	return any
}

// known reports whether enough people of the geography live in small areas that have the table or optional cell.
func (e *estimator) known(topic int) bool {
	return e.totals.Persons > 0 && e.totals.Known[topic] >= e.constants.MinKnown*e.totals.Persons
}

// Cells that are used by name.
var (
	populationCell = mustCell("population.total")
	householdsCell = mustCell("households.total")
	ownersCell     = mustCell("tenure.owner")
	homeValueCell  = mustCell("median_home_value.value")

	meanHomeValueCell = mustCell("average_home_value.value")
	incomeCell        = mustCell("median_household_income.value")

	incomeTable, _      = demographics.TableOf("household_income")
	binnedHomeValues, _ = demographics.TableOf("home_value")
)

func mustCell(id string) int {
	cell, ok := demographics.CellOf(id)
	if !ok {
		panic(fmt.Sprintf("unknown cell %q", id))
	}
	return cell
}

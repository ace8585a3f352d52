package build

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync/atomic"

	"github.com/paulmach/orb"
	"golang.org/x/sync/errgroup"

	"quartier/internal/areal"
	"quartier/internal/demography"
	"quartier/internal/margin"
	"quartier/internal/pack/smallareas"
	"quartier/schemas/calibration"
	"quartier/schemas/demographics"
)

// Outlined is a geography whose people are to be described.
type Outlined struct {
	Country   string // 'CA' or 'US'
	Outline   orb.MultiPolygon
	Published []Published // figures of the geography itself, by cell
	Alone     bool        // what is published is all: small areas lie in too little of it to be added up
	Worth     bool        // what homes are worth in its small areas is asked for
}

// Published is a figure that was published for a geography.
type Published struct {
	Cell    int // place in demographics.Cells
	Figure  margin.Figure
	Vintage string
}

// Description is what is known of the people of a geography.
type Description struct {
	Cells  demography.Cells
	Values []demography.Value // in the order of demographics.Flat(demographics.ByGeography); nil where nobody lives
	Summed bool               // some of it is added up over small areas
	Worth  float64            // dollars that homes are worth in its small areas; NaN where that is not known or not asked for
}

// described is how many geographies are described before they are told.
const described = 2048

// DescribeGeographies describes count geographies: at gives the geography of a number, and is asked by several at once;
// told takes the descriptions one after the other in the order of the numbers.
func DescribeGeographies(ctx context.Context, areas *smallareas.Table, count int, at func(i int) (Outlined, error), told func(i int, d *Description) error) error {
	for first := 0; first < count; first += described {
		if err := describe(ctx, areas, first, min(first+described, count), at, told); err != nil {
			return err
		}
	}
	return nil
}

// describe describes the geographies from first to before end, shared out between the processors.
func describe(ctx context.Context, areas *smallareas.Table, first, end int, at func(i int) (Outlined, error), told func(i int, d *Description) error) error {
	descriptions := make([]Description, end-first)
	var next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() error {
			d := &describer{areas: areas, constants: &calibration.Standard().Demographics}
			for {
				i := int(next.Add(1)) - 1
				if i >= len(descriptions) {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				g, err := at(first + i)
				if err == nil {
					err = d.describe(&g, &descriptions[i])
				}
				if err != nil {
					return err
				}
			}
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for i := range descriptions {
		if err := told(first+i, &descriptions[i]); err != nil {
			return err
		}
	}
	return nil
}

// describer describes one geography at a time.
type describer struct {
	areas     *smallareas.Table
	constants *calibration.Demographics
	shape     areal.Shape
	totals    smallareas.Totals
	worths    []worth
}

func (d *describer) describe(g *Outlined, out *Description) error {
	d.shape.SetPolygons(g.Outline)
	scope := smallareas.Scope{Country: g.Country}
	*out = Description{Worth: math.NaN()}
	for _, p := range g.Published {
		if demographics.Cells[p.Cell].Has(g.Country) {
			out.Cells.Set(p.Cell, p.Figure)
		}
	}
	if !g.Alone {
		d.areas.Total(&d.shape, scope, smallareas.AllocationError{Tau: d.constants.Tau, Cut: d.constants.Cut}, &d.totals)
		for table := range demographics.Tables {
			if !out.Cells.HasTable(table) && d.add(g.Country, table, &out.Cells) {
				out.Summed = true
			}
		}
	}
	if people, ok := out.Cells.Get(populationCell); ok && people.Estimate < 0.5 {
		return nil
	}
	values := demography.Of(g.Country, &out.Cells, d.constants)
	for _, v := range values {
		if v.Present {
			out.Values = values
		}
	}
	if out.Values == nil || g.Alone || !g.Worth {
		return nil
	}
	var err error
	out.Worth, err = d.worth(scope)
	return err
}

// add sets the cells of a table to their sums over small areas, where enough people are of areas that have the table.
func (d *describer) add(country string, table int, cells *demography.Cells) (any bool) {
	if t := &demographics.Tables[table]; t.In(country) == demographics.Nobody || !d.told(table) {
		return false
	}
	for _, i := range demographics.Tables[table].Cells {
		cell := &demographics.Cells[i]
		sum := &d.totals.Cells[i]
		if !cell.Has(country) || cell.Role == demographics.Scalar || !d.told(cell.Topic) {
			continue
		}
		cells.Set(i, sum.Figure())
		any = true
	}
	if d.totals.Known[table] < d.constants.MinKnownForCounts*d.totals.Persons {
		cells.SetPartial(table)
	}
	return any
}

// told reports whether enough people of the geography live in small areas that have the table or optional cell.
func (d *describer) told(topic int) bool {
	return d.totals.Persons > 0 && d.totals.Known[topic] >= d.constants.MinKnown*d.totals.Persons
}

// The cells that are asked for by name.
var (
	populationCell = mustCell("population.total")
	householdsCell = mustCell("households.total")
	ownersCell     = mustCell("tenure.owner")
	homeValueCell  = mustCell("median_home_value.value")
	incomeCell     = mustCell("median_household_income.value")

	incomeTable, _ = demographics.TableOf("household_income")
)

func mustCell(id string) int {
	cell, ok := demographics.CellOf(id)
	if !ok {
		panic(fmt.Sprintf("there is no cell %q", id))
	}
	return cell
}

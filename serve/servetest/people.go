package servetest

import (
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/margin"
	"quartier/internal/pack"
	"quartier/internal/pack/people"
	"quartier/internal/pack/smallareas"
	"quartier/schemas"
	"quartier/schemas/demographics"
)

// Two small areas are inhabited, boxes of 0.02 by 0.01 degrees around NorthLat and SouthLat. Each has two blocks, west and
// east of Lng; the western one has three times the population of the eastern one.
const (
	NorthPeople = 4000
	SouthPeople = 2000
	areaWidth   = 0.02
	areaHeight  = 0.01
)

// AreaFigure is the estimate of a cell in a small area with a population. Totals are the population; other cells differ.
func AreaFigure(cell, people int) float64 {
	switch c := &demographics.Cells[cell]; {
	case c.Role == demographics.Total || c.ID == "household_income_sum.households" || c.ID == "individual_income_sum.recipients":
		return float64(people)
	case c.ID == "household_income_sum.dollars" || c.ID == "individual_income_sum.dollars":
		return float64(people) * 54321
	}
	return float64(people/100 + cell)
}

// smallArea is a small area of two blocks around Lng.
type smallArea struct {
	region string
	lat    float64
	values []smallareas.Value
}

func areaOf(region string, lat float64, people int) smallArea {
	a := smallArea{region: region, lat: lat}
	for cell := range demographics.Cells {
		if c := &demographics.Cells[cell]; c.Has(region[:2]) && c.Role != demographics.Scalar && demographics.Tables[c.Table].ID != "bedrooms" {
			a.values = append(a.values, smallareas.Value{Cell: cell, Figure: margin.Figure{Estimate: AreaFigure(cell, people), MOE: 10}})
		}
	}
	return a
}

func (w *world) writeSmallAreas(out *pack.Writer, m *schemas.Manifest) error {
	table := smallareas.NewWriter(out)
	for _, area := range w.areas {
		half := func(west float64, weight float64) smallareas.Part {
			return smallareas.Part{Outline: box(west, area.lat-areaHeight/2, west+areaWidth/2, area.lat+areaHeight/2),
				Weights: [demographics.Universes]float64{weight, weight, weight}}
		}
		if err := table.AddArea(area.region, smallareas.Sigma{Within: 0.3}, area.values,
			[]smallareas.Part{half(Lng-areaWidth/2, 3), half(Lng, 1)}); err != nil {
			return err
		}
	}
	m.Counts.SmallAreas, m.Counts.SmallAreaParts = int64(len(w.areas)), int64(2*len(w.areas))
	return table.Finish()
}

// WesternBlock has three quarters of the population of the north.
func WesternBlock() orb.Ring {
	return box(Lng-areaWidth/2, NorthLat-areaHeight/2, Lng, NorthLat+areaHeight/2)[0][0]
}

// Described lists the geographies with demographics, in ascending order.
var Described = []string{Replaced, NorthOld, NorthCity, SouthCity}

// GeographyFigure is a variable of Described[described], by index in demographics.Flat(demographics.ByGeography). Counts
// have intervals, shares only in the United States; the median income of two is in an open bin.
func GeographyFigure(described, place int) people.Value {
	at := demographics.Flat(demographics.ByGeography)[place]
	category := &demographics.ByGeography[at.Category]
	v := &category.Variables[at.Variable]
	country := "CA"
	if Described[described] == SouthCity {
		country = "US"
	}
	if !category.Has(country) || !v.Has(country) || category.ID == "housing_bedroom_count" {
		return people.Value{}
	}
	scale := math.Pow10(v.Decimals())
	value := people.Value{Value: float64(100*described+place+1) / scale, Present: true}
	if v.ID == "median_household_income" {
		if value.Open = openEnds[Described[described]]; value.Open != demographics.Closed {
			return value
		}
	}
	if v.Method != demographics.Share || country == "US" {
		value.Lower, value.Upper, value.Interval = float64(100*described+place)/scale, float64(100*described+place+3)/scale, true
	}
	return value
}

var openEnds = map[string]demographics.OpenEnd{NorthCity: demographics.OpenUpper, SouthCity: demographics.OpenLower}

func described() (all []people.Geography) {
	for i, id := range Described {
		g := people.Geography{ID: id, Country: "CA", Vintage: "2021"}
		if id == SouthCity {
			g.Country, g.Vintage, g.Vintages = "US", "2019-2023, 2020", "commute_mode=2019-2023;income_stats=2019-2023;population_total=2020"
		}
		for place := range people.Variables() {
			g.Values = append(g.Values, GeographyFigure(i, place))
		}
		all = append(all, g)
	}
	return all
}

func (w *world) writePeople(out *pack.Writer, m *schemas.Manifest) error {
	table := people.NewWriter(out)
	for _, g := range w.described {
		if err := table.Add(g); err != nil {
			return err
		}
	}
	m.Counts.DescribedGeographies = int64(len(w.described))
	return table.Finish()
}

package enrich

import (
	"fmt"

	"quartier/internal/demography"
	"quartier/schemas"
	"quartier/schemas/column"
	vocabulary "quartier/schemas/demographics"
	"quartier/serve/product/demographics"
	"quartier/serve/product/pois"
)

// peopleFiller fills the variables of the people around by radius.
type peopleFiller struct {
	radii   []float64
	counter demographics.Counter
}

// maxPeopleRadiusM is the largest radius in which people are counted, in metres.
const maxPeopleRadiusM = pois.MaxRadiusM

// openDemographics has the people within radii. Names have the radius where there are several.
func openDemographics(e *Enricher) (part, error) {
	radii, err := e.choice.radii("demographics", demographics.DefaultRadiusM, maxPeopleRadiusM)
	if err != nil {
		return part{}, err
	}
	var p part
	for _, radius := range radii {
		suffix := ""
		if len(radii) > 1 {
			suffix = fmt.Sprintf("_%gm", radius)
		}
		p.columns = append(p.columns, e.choice.people(suffix, within(radius))...)
	}
	p.places, p.filler = true, func() filler { return &peopleFiller{radii: radii} }
	return p, nil
}

// people are the variables around a point or in a shape.
func (c *Choice) people(suffix string, where schemas.Text) (columns []Column) {
	members := column.Members("{around}")
	for i, at := range vocabulary.Flat(vocabulary.Around) {
		v := &vocabulary.Around[at.Category].Variables[at.Variable]
		name := v.ID + suffix
		columns = append(columns, c.column(name, column.Of("demographics.around_"+members[i].Name).With("where", where)))
		if v.Method == vocabulary.Median {
			columns = append(columns, c.column(v.ID+"_open"+suffix, column.Of("demographics.around_open").With("label", same(name))))
		}
	}
	return columns
}

func (f *peopleFiller) fill(at *place, k int, out []vector) (known bool) {
	for _, radius := range f.radii {
		figures, ok := f.counter.Around(&at.release, at.lng, at.lat, radius)
		if ok {
			known = true
			fillFigures(figures, k, out)
		}
		out = out[peopleWidth:]
	}
	return known
}

// medians are the figures that are medians, which have a second column, and peopleWidth the number of all columns.
var medians, peopleWidth = func() (are [demography.AroundCount]bool, width int) {
	for i, at := range vocabulary.Flat(vocabulary.Around) {
		are[i] = vocabulary.Around[at.Category].Variables[at.Variable].Method == vocabulary.Median
		if width++; are[i] {
			width++
		}
	}
	return are, width
}()

// fillFigures fills the columns of Choice.people.
func fillFigures(figures *demography.Figures, k int, out []vector) {
	for i, value := range figures {
		known := value != demography.Absent
		if known {
			out[0].numbers[k] = int64(value &^ demography.OpenUpper)
		}
		if medians[i] {
			if out = out[1:]; known && value&demography.OpenUpper != 0 {
				out[0].texts[k] = string(vocabulary.OpenUpper)
			}
		}
		out = out[1:]
	}
}

package enrich

import (
	"fmt"

	"quartier/internal/demography"
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
		p.columns = append(p.columns, peopleColumns(suffix, fmt.Sprintf(" within %g m", radius), e.choice.Language)...)
	}
	p.places, p.filler = true, func() filler { return &peopleFiller{radii: radii} }
	return p, nil
}

// peopleColumns are the variables around a point or in a shape.
func peopleColumns(suffix, where, language string) (columns []Column) {
	for _, at := range vocabulary.Flat(vocabulary.Around) {
		category := &vocabulary.Around[at.Category]
		v := &category.Variables[at.Variable]
		c := Column{
			Name: v.ID + suffix, Doc: category.Label(language) + ": " + v.Label("", language) + where,
			Null: "nobody lives there, or it is not known, or not published in the country",
		}
		switch {
		case v.Method == vocabulary.Share:
			c.Kind, c.Digits, c.Decimals = Decimal, 5, 4
		case v.Decimals() > 0:
			c.Kind, c.Digits, c.Decimals = Decimal, 12, int32(v.Decimals())
		}
		columns = append(columns, c)
		if v.Method == vocabulary.Median {
			columns = append(columns, Column{
				Name: v.ID + "_open" + suffix, Kind: Text, Doc: "upper: " + c.Name + " is a bound, and the median is that or more",
				Null: "it is no bound",
			})
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

// fillFigures fills the columns of peopleColumns.
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

package enrich

import (
	"strconv"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/schemas/column"
	"quartier/serve/product/typologies"
)

type typologyFiller struct{}

// openTypology has the built environment of the cell of a point.
func openTypology(e *Enricher) (part, error) {
	p := part{places: true, filler: func() filler { return typologyFiller{} }}
	p.columns = append(p.columns, e.choice.column("typology", column.Of("typologies.typology")))
	for _, name := range []string{"population_per_square_km", "households_per_square_km"} {
		p.columns = append(p.columns, e.choice.decimal("typology_"+name, "typologies."+name))
	}
	return p, nil
}

func (typologyFiller) fill(at *place, k int, out []vector) bool {
	typology, ok := at.release.Typology(geo.Geohash(orb.Point{at.lng, at.lat}, typologies.CellChars))
	if !ok {
		return false
	}
	out[0].texts[k] = schemas.Typologies[typology.Class]
	out[1].numbers[k], out[2].numbers[k] = tenths(typology.PopulationKM2), tenths(typology.HouseholdsKM2)
	return true
}

// tenths is a number as the API writes it, with one decimal.
func tenths(x float64) int64 {
	var buffer [32]byte
	text := strconv.AppendFloat(buffer[:0], x, 'f', 1, 64)
	point := len(text) - len(".0")
	text[point] = text[point+1]
	n, err := strconv.ParseInt(string(text[:point+1]), 10, 64)
	if err != nil {
		return absent // NaN or infinite, in a damaged file
	}
	return n
}

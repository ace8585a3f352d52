package serve

import (
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/serve/openapi"
	"quartier/serve/param"
)

// cellChars is the length of the geohashes that typologies are kept by: cells of about 150 metres.
const cellChars = 7

// typologiesQuery is the query of GET /v3/typologies.
type typologiesQuery struct {
	Lat, Lng param.Value[float64]
}

var typologies = define(route{
	path:    "/v3/typologies",
	product: "typologies",
	summary: "Built environment at a point (beta)",
	doc:     "Exactly one typology, of the cell of geohash-7 that holds the point. This endpoint is beta: its interface can change without notice.",
	answer:  schemas.TypologiesAnswer{},
	refuses: []error{param.ErrRange, errOutside, errRegion, errNothing},
}, param.NewSet(nil,
	param.Latitude("lat", func(q *typologiesQuery) *param.Value[float64] { return &q.Lat }).Required(),
	param.Longitude("lng", func(q *typologiesQuery) *param.Value[float64] { return &q.Lng }).Required(),
), func(x *exchange, q *typologiesQuery) error {
	if err := x.view.place(q.Lng.V, q.Lat.V); err != nil {
		return err
	}
	return x.writeTypology(geo.Geohash(orb.Point{q.Lng.V, q.Lat.V}, cellChars))
})

var typologyOfCell = define(route{
	path:    "/v3/typologies/{geohash}",
	product: "typologies",
	summary: "Built environment of a cell of geohash-7 (beta)",
	doc:     "Exactly one typology. This endpoint is beta: its interface can change without notice.",
	segment: &openapi.Variable{
		Name: "geohash", Doc: "A geohash of 7 characters, in either case.", MaxChars: cellChars, Pattern: "^[0-9b-hjkmnp-zB-HJKMNP-Z]{7}$",
	},
	answer:  schemas.TypologiesAnswer{},
	refuses: []error{errOutside, errRegion, errNothing},
}, param.NewSet[struct{}](nil), func(x *exchange, _ *struct{}) error {
	cell := lastSegment(pathOf(x.r.URL))
	bound, err := geo.GeohashCell(cell)
	if err != nil || len(cell) != cellChars {
		return param.Bad("%.40q is not a geohash of %d characters", cell, cellChars)
	}
	centre := bound.Center()
	if err := x.view.place(centre[0], centre[1]); err != nil {
		return err
	}
	return x.writeTypology(strings.ToLower(cell))
})

var (
	typologiesMeta = []byte(`{"message":"Successfully called v3/typologies API (beta: the interface can change without notice).","type":"` +
		schemas.SuccessType + `","statusCode":200`)
	typologyKeys = func() (keys []string) {
		for _, name := range schemas.Typologies {
			keys = append(keys, string(appendText(nil, name))+`:{"population_per_square_km":`)
		}
		return keys
	}()
)

// writeTypology fills the body, a schemas.TypologiesAnswer, with the typology of a cell.
func (x *exchange) writeTypology(cell string) error {
	typology, err := x.view.typology(cell)
	if err != nil {
		return err
	}
	b := append(x.body[:0], `{"data":{`...)
	b = append(b, typologyKeys[typology.Class]...)
	b = appendDensity(b, typology.PopulationKM2)
	b = append(b, `,"households_per_square_km":`...)
	b = appendDensity(b, typology.HouseholdsKM2)
	b = append(b, `}},"meta":`...)
	b = append(b, typologiesMeta...)
	x.body = append(b, `}}`...)
	return nil
}

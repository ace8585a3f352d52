// Package typologies answers with the typology of the built environment of a geohash-7 cell, about 150 metres wide.
package typologies

import (
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/serve/endpoint"
	"quartier/serve/openapi"
	"quartier/serve/param"
	"quartier/serve/scope"
)

// CellChars is the length of the geohashes of cells.
const CellChars = 7

// pointQuery is the query of GET /v3/typologies.
type pointQuery struct {
	Lat, Lng param.Value[float64]
}

// AtPoint is GET /v3/typologies.
func AtPoint() endpoint.Endpoint {
	return endpoint.Define(endpoint.Endpoint{
		Name:    "getTypology",
		Path:    "/v3/typologies",
		Product: "typologies",
		Summary: "Built environment at a point (beta)",
		Doc: "Exactly one typology, that of the geohash-7 cell that contains the point. This endpoint is beta: its interface can change " +
			"without notice.",
		Body:    schemas.TypologiesAnswer{},
		Refuses: []error{param.ErrRange, scope.ErrOutside, scope.ErrRegion, endpoint.ErrNothing},
	}, param.NewSet(nil,
		param.Latitude("lat", func(q *pointQuery) *param.Value[float64] { return &q.Lat }).Required(),
		param.Longitude("lng", func(q *pointQuery) *param.Value[float64] { return &q.Lng }).Required(),
	), func(r *endpoint.Request, q *pointQuery, _ *struct{}) error {
		if err := r.Release.CheckPlace(q.Lng.V, q.Lat.V); err != nil {
			return err
		}
		return writeTypology(r, geo.Geohash(orb.Point{q.Lng.V, q.Lat.V}, CellChars))
	})
}

// ByCell is GET /v3/typologies/{geohash}.
func ByCell() endpoint.Endpoint {
	return endpoint.Define(endpoint.Endpoint{
		Name:    "getCellTypology",
		Path:    "/v3/typologies/{geohash}",
		Product: "typologies",
		Summary: "Built environment of a geohash-7 cell (beta)",
		Doc:     "Exactly one typology. This endpoint is beta: its interface can change without notice.",
		Variable: &openapi.Variable{
			Name: "geohash", Doc: "A geohash of 7 characters, in upper or lower case.", MaxChars: CellChars,
			Pattern: "^[0-9b-hjkmnp-zB-HJKMNP-Z]{7}$",
		},
		Body:    schemas.TypologiesAnswer{},
		Refuses: []error{scope.ErrOutside, scope.ErrRegion, endpoint.ErrNothing},
	}, param.NewSet[struct{}](nil), func(r *endpoint.Request, _, _ *struct{}) error {
		bound, err := geo.GeohashCell(r.Segment)
		if err != nil || len(r.Segment) != CellChars {
			return param.Bad("geohash", param.Malformed, "%.40q is not a geohash of %d characters", r.Segment, CellChars)
		}
		centre := bound.Center()
		if err := r.Release.CheckPlace(centre[0], centre[1]); err != nil {
			return err
		}
		return writeTypology(r, strings.ToLower(r.Segment))
	})
}

var (
	typologiesMeta = endpoint.OpenMetaBeta("typologies")
	typologyKeys   = func() (keys []string) {
		for _, name := range schemas.Typologies {
			keys = append(keys, endpoint.Quote(name)+`:{"population_per_square_km":`)
		}
		return keys
	}()
)

// writeTypology appends a schemas.TypologiesAnswer about a cell to the body.
func writeTypology(r *endpoint.Request, cell string) error {
	typology, ok := r.Release.Typology(cell)
	if !ok {
		return endpoint.ErrNothing
	}
	b := append(r.Body, `{"data":{`...)
	b = append(b, typologyKeys[typology.Class]...)
	b = strconv.AppendFloat(b, typology.PopulationKM2, 'f', 1, 64)
	b = append(b, `,"households_per_square_km":`...)
	b = strconv.AppendFloat(b, typology.HouseholdsKM2, 'f', 1, 64)
	r.Body = endpoint.Append(b, `}},"meta":`, typologiesMeta, `}}`)
	return nil
}

package gazetteer

import (
	"cmp"
	"context"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/overturenames"
	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas"
)

// subtypes are the levels of Overture's subtypes of divisions. A localadmin is a township or a town.
var subtypes = map[string]schemas.Level{
	"country": schemas.Country, "region": schemas.State, "county": schemas.County, "localadmin": schemas.CountySubdivision,
	"locality": schemas.Municipality, "borough": schemas.Borough, "macrohood": schemas.Neighbourhood,
	"neighborhood": schemas.Neighbourhood, "microhood": schemas.Neighbourhood,
}

// divisionAttributes are those that a file of divisions must have.
var divisionAttributes = []source.List{{"subtype"}, overturenames.Attributes}

// divisions stages the divisions of a GeoParquet or GeoJSON.
func (s *stage) divisions(ctx context.Context, path string, limits source.Limits) error {
	layer, err := vector.Open(ctx, path, vector.Options{Limits: limits})
	if err != nil {
		return err
	}
	defer layer.Close()
	return layer.Stage(ctx, s.out, divisionAttributes, "the file has points of", func(f vector.Feature) (bool, error) {
		p := source.GazetteerPlace{Level: subtypes[f.Value("subtype")]}
		names := overturenames.Of(f.Attributes)
		p.Name, p.Names = names.Primary, names.Further()
		if id := cmp.Or(f.ID, f.Value("id")); id != "" {
			p.Key = "overture:" + id
		}
		where, ok := f.Where(p.Name), false
		if p.Point, ok = f.Geometry.(orb.Point); ok && p.Name != "" {
			return true, s.put(p, f.Value("country"), where)
		}
		switch {
		case !f.Fault.OK():
			s.out.Issue(f.Fault, where)
		case !ok:
			s.out.Issue(source.WrongGeometryType, where)
		default:
			s.out.Issue(source.MissingName, where)
		}
		return true, nil
	})
}

package gazetteer

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/geojson"
	"quartier/ingest/source"
	"quartier/schemas"
)

// subtypes are the levels of Overture's subtypes of divisions. A localadmin is a township or a town.
var subtypes = map[string]schemas.Level{
	"country": schemas.Country, "region": schemas.State, "county": schemas.County, "localadmin": schemas.CountySubdivision,
	"locality": schemas.Municipality, "borough": schemas.Borough, "macrohood": schemas.Neighbourhood,
	"neighborhood": schemas.Neighbourhood, "microhood": schemas.Neighbourhood,
}

// variants are the kinds of Overture's variants of names.
var variants = map[string]string{"common": "translation", "official": "official", "alternate": "alternate", "short": "short"}

// division has the properties of a division that are read.
type division struct {
	ID      string `json:"id"`
	Subtype string `json:"subtype"`
	Country string `json:"country"` // ISO 3166-1 alpha-2
	Names   struct {
		Primary string            `json:"primary"`
		Common  map[string]string `json:"common"` // by language
		Rules   []struct {
			Variant  string `json:"variant"`
			Language string `json:"language"`
			Value    string `json:"value"`
		} `json:"rules"`
	} `json:"names"`
}

// divisions stages the divisions of a GeoJSON.
func (s *stage) divisions(ctx context.Context, in io.Reader, limits source.Limits) error {
	return geojson.NewReader(in, limits).Each(ctx, s.file, s.out, func(f geojson.Feature, where string) error {
		var d division
		if f.Properties != nil {
			if err := json.Unmarshal(f.Properties, &d); err != nil {
				s.out.Issue(source.MalformedRecord, where)
				return nil
			}
		}
		if f.ID != "" {
			d.ID = f.ID
		}
		point, ok := f.Geometry.(orb.Point)
		switch {
		case !ok:
			s.out.Issue(source.WrongGeometryType, where)
		case d.Names.Primary == "":
			s.out.Issue(source.MissingName, where)
		default:
			return s.put(d.place(point), d.Country, where+" "+d.Names.Primary)
		}
		return nil
	})
}

func (d *division) place(point orb.Point) source.GazetteerPlace {
	p := source.GazetteerPlace{Level: subtypes[d.Subtype], Name: d.Names.Primary, Point: point}
	if d.ID != "" {
		p.Key = "overture:" + d.ID
	}
	for _, language := range slices.Sorted(maps.Keys(d.Names.Common)) {
		kind := "translation"
		if language == "en" || language == "fr" {
			kind = "alternate"
		}
		p.Names = append(p.Names, source.FurtherName{Name: d.Names.Common[language], Kind: kind, Language: language})
	}
	for _, rule := range d.Names.Rules {
		kind := variants[rule.Variant]
		if kind == "" {
			kind = "alternate"
		}
		p.Names = append(p.Names, source.FurtherName{Name: rule.Value, Kind: kind, Language: rule.Language})
	}
	return p
}

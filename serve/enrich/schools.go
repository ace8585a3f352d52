package enrich

import (
	table "quartier/internal/pack/schools"
	"quartier/internal/pack/strips"
	"quartier/schemas"
	"quartier/serve/product/schools"
	"quartier/serve/scope"
)

// schoolFiller fills the nearest school of each list.
type schoolFiller struct {
	radiusM float64
	found   table.Result
	names   map[uint32]string
	text    []byte
}

// openSchools has the nearest primary and high school.
func openSchools(e *Enricher) (part, error) {
	radius, err := e.choice.radii("schools", schools.DefaultRadiusM, schools.MaxRadiusM)
	if err != nil {
		return part{}, err
	}
	if len(radius) != 1 {
		return part{}, badChoice("radius: schools have one, not %d", len(radius))
	}
	where := within(radius[0])
	columns := e.choice.nearestColumns("school_primary", schemas.Text{EN: "school with preschool, elementary or middle grades",
		FR: "école préscolaire, primaire ou intermédiaire"}, where)
	columns = append(columns, e.choice.nearestColumns("school_high", schemas.Text{EN: "school with middle or secondary grades",
		FR: "école intermédiaire ou secondaire"}, where)...)
	return part{columns: columns, filler: func() filler {
		return &schoolFiller{names: map[uint32]string{}, radiusM: radius[0]}
	}}, nil
}

func (f *schoolFiller) fill(at *place, k int, out []vector) bool {
	at.release.Schools(&table.Query{Shape: strips.Shape{Lng: at.lng, Lat: at.lat, RadiusM: f.radiusM}, Limit: 1}, &f.found)
	for i, hits := range [][]strips.Hit{f.found.Primary, f.found.High} {
		if len(hits) > 0 {
			out[2*i].texts[k], out[2*i+1].numbers[k] = f.name(&at.release, hits[0]), int64(hits[0].Decimetres)
		}
	}
	return true
}

// name is the name of a school, from the JSON that the API answers with.
func (f *schoolFiller) name(r *scope.Release, hit strips.Hit) string {
	name, known := f.names[hit.Index]
	if !known {
		f.text = r.SchoolTable().AppendSchool(f.text[:0], hit, &table.Form{})
		name = nameIn(f.text)
		f.names[hit.Index] = name
	}
	return name
}

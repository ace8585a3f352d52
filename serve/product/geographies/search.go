// Package geographies answers look-ups of geographies by point, by name and by id.
package geographies

import (
	"quartier/internal/pack/names"
	"quartier/schemas"
	"quartier/serve/account"
	"quartier/serve/endpoint"
	"quartier/serve/param"
	"quartier/serve/scope"
)

const maxNameChars = 256

// searchQuery is the query of GET /v3/geographies: a point or a name.
type searchQuery struct {
	Lat, Lng      param.Value[float64]
	Name          param.Value[string]
	Language      param.Value[string]
	LocationCodes param.Value[[]string]
	Levels        param.Value[uint64] // bits by index in searchLevels
	Limit         param.Value[int]
	Include       param.Value[string]
}

// found is working memory.
type found struct {
	geographies []int
	matches     names.Result
}

// searchLevels are the levels that can be selected: all but the country.
var searchLevels = schemas.Levels[:len(schemas.Levels)-1]

// Search is GET /v3/geographies.
func Search() endpoint.Endpoint {
	return endpoint.Define(endpoint.Endpoint{
		Name:    "findGeographies",
		Path:    "/v3/geographies",
		Key:     account.Publishable,
		Product: "geographies",
		Summary: "Geographies at a point or by name",
		Doc: "Give lat and lng, or name. At a point the result is ordered by level, smallest to largest; " +
			"by name it is ordered by similarity, most similar first.",
		Body:    schemas.GeographiesAnswer{},
		Refuses: []error{param.ErrRange, scope.ErrOutside, scope.ErrRegion},
	}, param.NewSet((*searchQuery).check,
		param.Latitude("lat", func(q *searchQuery) *param.Value[float64] { return &q.Lat }),
		param.Longitude("lng", func(q *searchQuery) *param.Value[float64] { return &q.Lng }),
		param.Phrase("name", maxNameChars, func(q *searchQuery) *param.Value[string] { return &q.Name }).
			Doc("Name to look up, without regard to case, accents and punctuation; typing errors are tolerated. "+
				"Articles and words such as county or city of may be missing or there, and St is Saint. "+
				"What follows a comma is a state, province, country, county or city to look in: Portland, Oregon. "+
				"At most 256 characters."),
		endpoint.Language("Language in which names are compared first. Only with name.",
			func(q *searchQuery) *param.Value[string] { return &q.Language }),
		param.Words("location_codes", "[A-Z]{2}_[A-Z]{2}", endpoint.MaxItems,
			func(q *searchQuery) *param.Value[[]string] { return &q.LocationCodes }).
			Doc("States or provinces to look in, such as CA_QC. Only with name."),
		param.Subset("levels", schemas.LevelNumbers(searchLevels), func(q *searchQuery) *param.Value[uint64] { return &q.Levels }).
			Doc("Levels to return; empty means all."),
		param.Count("limit", 50, 5, func(q *searchQuery) *param.Value[int] { return &q.Limit }).
			Doc("The maximum number of results. Only with name."),
		include(func(q *searchQuery) *param.Value[string] { return &q.Include }),
	), answerSearch)
}

func (q *searchQuery) check() error {
	switch {
	case q.Lat.Given != q.Lng.Given:
		return param.Alone(q.Lat.Given, "lat", "lng")
	case q.Name.Given && q.Lat.Given:
		return param.Bad("name", param.Conflicting, "give either lat and lng, or name")
	case !q.Name.Given && !q.Lat.Given:
		return param.Bad("lat", param.Required, "give either lat and lng, or name")
	}
	return nil
}

func answerSearch(r *endpoint.Request, q *searchQuery, m *found) error {
	levels := endpoint.SelectLevels(searchLevels, q.Levels.V)
	m.geographies = m.geographies[:0]
	if q.Lat.Given {
		if err := r.Release.CheckPlace(q.Lng.V, q.Lat.V); err != nil {
			return err
		}
		m.geographies = r.Release.GeographiesAt(m.geographies, q.Lng.V, q.Lat.V, levels)
	} else {
		r.Release.GeographiesNamed(&names.Query{
			Name: q.Name.V, Language: q.Language.V, Levels: levels, Locations: q.LocationCodes.V, Limit: q.Limit.V,
		}, &m.matches)
		for _, match := range m.matches.Matches {
			m.geographies = append(m.geographies, match.Index)
		}
	}
	writeGeographies(r, m.geographies, q.Include.Given, nil)
	return nil
}

// Package profiles answers with the texts about a geography, by id or at a point.
package profiles

import (
	"quartier/schemas"
	"quartier/serve/account"
	"quartier/serve/endpoint"
	"quartier/serve/param"
	"quartier/serve/scope"
)

// pointQuery is the query of GET /v3/profiles.
type pointQuery struct {
	Lat, Lng param.Value[float64]
	Level    param.Value[string] // a number, or anyLevel
	Locale   param.Value[string]
}

// anyLevel stands for an absent level.
const anyLevel = "null"

// byGeographyQuery is the query of GET /v3/profiles/{geog_id}.
type byGeographyQuery struct {
	Locale param.Value[string]
}

const doc = "Five sections of HTML, each one paragraph, and an introductory sentence; a section without ground is empty. Texts " +
	"are in French for Canada alone: about a place in the United States texts and titles are English whatever the locale."

// AtPoint is GET /v3/profiles.
func AtPoint() endpoint.Endpoint {
	levels := append(schemas.LevelNumbers(endpoint.BelowMetro), anyLevel)
	return endpoint.Define(endpoint.Endpoint{
		Name:    "getProfileAtPoint",
		Path:    "/v3/profiles",
		Key:     account.Publishable,
		Product: "profiles",
		Summary: "Texts about the geography at a point",
		Doc:     doc,
		Body:    schemas.ProfileAnswer{},
		Refuses: []error{param.ErrRange, scope.ErrNoLevel, scope.ErrOutside, scope.ErrRegion, endpoint.ErrNothing},
	}, param.NewSet(nil,
		param.Latitude("lat", func(q *pointQuery) *param.Value[float64] { return &q.Lat }).Required(),
		param.Longitude("lng", func(q *pointQuery) *param.Value[float64] { return &q.Lng }).Required(),
		param.Choice("level", anyLevel, levels, func(q *pointQuery) *param.Value[string] { return &q.Level }).
			Doc("Level of the geography; by default, and for null, the smallest that has a profile."),
		locale(func(q *pointQuery) *param.Value[string] { return &q.Locale }),
	), answerAtPoint)
}

// ByGeography is GET /v3/profiles/{geog_id}.
func ByGeography() endpoint.Endpoint {
	return endpoint.Define(endpoint.Endpoint{
		Name:    "getProfile",
		Path:    "/v3/profiles/{geog_id}",
		Product: "profiles",
		Summary: "Texts about a geography",
		Doc:     doc,
		Levels:  endpoint.BelowMetro,
		Body:    schemas.ProfileAnswer{},
		Refuses: []error{scope.ErrRegion, endpoint.ErrNothing},
	}, param.NewSet(nil,
		locale(func(q *byGeographyQuery) *param.Value[string] { return &q.Locale }),
	), func(r *endpoint.Request, q *byGeographyQuery, _ *struct{}) error {
		i, err := r.Release.Geography(r.Segment)
		if err != nil {
			return err
		}
		return write(r, i, q.Locale.V)
	})
}

// locale declares the parameter of the language.
func locale[Q any](at func(*Q) *param.Value[string]) *param.Param[Q] {
	return param.Choice("locale", endpoint.Languages[0], endpoint.Languages,
		at).Doc("Language of the name, and in Canada of texts and titles.")
}

// answerAtPoint answers with the smallest geography at the point that has a profile, of the level asked for.
func answerAtPoint(r *endpoint.Request, q *pointQuery, found *[]int) error {
	if err := r.Release.CheckPlace(q.Lng.V, q.Lat.V); err != nil {
		return err
	}
	levels := schemas.NewLevelSet(endpoint.BelowMetro...)
	given := q.Level.V != anyLevel
	for i, number := range belowMetro {
		if given && number == q.Level.V {
			levels = schemas.NewLevelSet(endpoint.BelowMetro[i])
		}
	}
	*found = r.Release.GeographiesAt((*found)[:0], q.Lng.V, q.Lat.V, levels)
	if given && len(*found) == 0 {
		return scope.ErrNoLevel
	}
	for _, i := range *found {
		if _, ok := r.Release.Profile(i, endpoint.Languages[0]); ok {
			return write(r, i, q.Locale.V)
		}
	}
	return endpoint.ErrNothing
}

var belowMetro = schemas.LevelNumbers(endpoint.BelowMetro)

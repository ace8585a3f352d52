// Package scores answers with location scores, at a point and of geographies.
package scores

import (
	"errors"
	"slices"

	"quartier/schemas"
	"quartier/serve/account"
	"quartier/serve/endpoint"
	"quartier/serve/param"
	"quartier/serve/scope"
)

const maxGeographyIDs = 100

// locationQuery is the query of GET /v3/scores.
type locationQuery struct {
	Lat, Lng         param.Value[float64]
	GeographyIDs     param.Value[[]string]
	GeographyLevels  param.Value[uint64] // bits by index in endpoint.UpToMetro
	Include          param.Value[uint64] // bits by index in schemas.Scores
	Language         param.Value[string]
	LocationRounding param.Value[string]
}

// memory is working memory.
type memory struct {
	values      [schemas.ChannelCount]uint16 // at the point
	geographies []int
}

// The values of location_scores_rounding.
const (
	roundHalf = ".5"
	roundNone = "none"
)

// Location is GET /v3/scores.
func Location() endpoint.Endpoint {
	return endpoint.Define(endpoint.Endpoint{
		Name:    "getScores",
		Path:    "/v3/scores",
		Key:     account.Publishable,
		Product: "scores",
		Summary: "Location scores at a point and of geographies",
		Doc: "Give lat and lng, geography_ids, or both. The scores of a geography are those of its median household. " +
			"A score that cannot be computed for a place is absent.",
		Body: schemas.ScoresAnswer{},
		Refuses: []error{param.ErrRange, endpoint.ErrForbiddenValue, scope.ErrNoGeography, scope.ErrLevel, scope.ErrOutside, scope.ErrRegion,
			endpoint.ErrNothing},
	}, param.NewSet((*locationQuery).check,
		param.Latitude("lat", func(q *locationQuery) *param.Value[float64] { return &q.Lat }),
		param.Longitude("lng", func(q *locationQuery) *param.Value[float64] { return &q.Lng }),
		param.Words("geography_ids", "[^,]+", maxGeographyIDs, func(q *locationQuery) *param.Value[[]string] { return &q.GeographyIDs }).
			Doc("Geographies to return scores of, in this order."),
		param.Subset("geography_levels", schemas.LevelNumbers(endpoint.UpToMetro),
			func(q *locationQuery) *param.Value[uint64] { return &q.GeographyLevels }).
			Doc("Levels of the geographies around the point to return scores of; none by default."),
		include(func(q *locationQuery) *param.Value[uint64] { return &q.Include }),
		endpoint.Language("Language of texts and names.", func(q *locationQuery) *param.Value[string] { return &q.Language }),
		param.Choice("location_scores_rounding", roundHalf, []string{roundHalf, roundNone},
			func(q *locationQuery) *param.Value[string] { return &q.LocationRounding }).
			Doc("Rounding of the scores at the point: to the nearest 0.5, or none."),
	), answerLocation)
}

// include declares the parameter that selects scores.
func include[Q any](at func(*Q) *param.Value[uint64]) *param.Param[Q] {
	return param.Subset("include", schemas.ScoreIDs(), at).Doc("Scores to return; by default all of the agreement.")
}

func (q *locationQuery) check() error {
	switch {
	case q.Lat.Given != q.Lng.Given:
		return param.Alone(q.Lat.Given, "lat", "lng")
	case !q.Lat.Given && len(q.GeographyIDs.V) == 0:
		return param.Missing("lat", "give lat and lng, or geography_ids")
	}
	return nil
}

var scoresMeta = endpoint.OpenMeta("scores")

// answerLocation appends a schemas.ScoresAnswer to the body.
func answerLocation(r *endpoint.Request, q *locationQuery, m *memory) error {
	set, err := r.Client.Select(q.Include.V)
	if err != nil {
		return err
	}
	if err := m.findPlaces(r, q); err != nil {
		return err
	}
	b, known := append(r.Body, `{"data":{"type":"scores"`...), false
	if q.Lat.Given {
		b, known = m.appendLocation(append(b, `,"location":`...), r, q, set)
	}
	if len(q.GeographyIDs.V) > 0 || q.GeographyLevels.V != 0 && q.Lat.Given {
		var any bool
		b, any = appendGeographies(append(b, `,"geographies":[`...), &r.Release, m.geographies, set, q.Language.V)
		b = append(b, ']')
		known = known || any
	}
	if !known {
		return endpoint.ErrNothing
	}
	r.Body = endpoint.Append(b, `},"meta":`, scoresMeta, `}}`)
	return nil
}

// findPlaces checks the point of a request and finds its geographies, each once: by id in the order given, then those
// around the point by level. A place outside the regions of the agreement is an error only if all others exist.
func (m *memory) findPlaces(r *endpoint.Request, q *locationQuery) error {
	m.geographies = m.geographies[:0]
	var outside error
	if q.Lat.Given {
		if outside = r.Release.CheckPlace(q.Lng.V, q.Lat.V); errors.Is(outside, scope.ErrOutside) {
			return outside
		}
	}
	for _, id := range q.GeographyIDs.V {
		if err := r.Release.CheckLevel(id, endpoint.UpToMetro); err != nil {
			return err
		}
		i, err := r.Release.Geography(id)
		if errors.Is(err, scope.ErrRegion) {
			outside = err
			continue
		}
		if err != nil {
			return err
		}
		if !slices.Contains(m.geographies, i) {
			m.geographies = append(m.geographies, i)
		}
	}
	if outside != nil || q.GeographyLevels.V == 0 || !q.Lat.Given {
		return outside
	}
	byID := len(m.geographies)
	found := r.Release.GeographiesAt(m.geographies, q.Lng.V, q.Lat.V, endpoint.SelectLevels(endpoint.UpToMetro, q.GeographyLevels.V))
	m.geographies = found[:byID]
	for _, i := range found[byID:] {
		if !slices.Contains(found[:byID], i) {
			m.geographies = append(m.geographies, i) // never ahead of the loop
		}
	}
	return nil
}

// appendLocation appends the scores at the point of a request, and reports whether any is known.
func (m *memory) appendLocation(b []byte, r *endpoint.Request, q *locationQuery, set endpoint.ScoreSet) ([]byte, bool) {
	scores := m.values[schemas.FirstScore:]
	if !r.Release.ValuesAt(q.Lng.V, q.Lat.V, &m.values) || !AnyKnown(scores, set) {
		return append(b, `{}`...), false
	}
	rounding := toHalf
	if q.LocationRounding.V == roundNone {
		rounding = unrounded
	}
	return appendScores(b, scores, set, rounding, q.Language.V), true
}

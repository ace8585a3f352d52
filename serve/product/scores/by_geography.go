package scores

import (
	"quartier/schemas"
	"quartier/serve/endpoint"
	"quartier/serve/param"
	"quartier/serve/scope"
)

// byGeographyQuery is the query of GET /v3/scores/{geog_id}.
type byGeographyQuery struct {
	Include  param.Value[uint64] // bits by index in schemas.Scores
	Language param.Value[string]
}

// ByGeography is GET /v3/scores/{geog_id}.
func ByGeography() endpoint.Endpoint {
	return endpoint.Define(endpoint.Endpoint{
		Name:    "getGeographyScores",
		Path:    "/v3/scores/{geog_id}",
		Product: "scores",
		Summary: "Location scores of a geography",
		Doc:     "The scores of its median household, to four decimals. A score that cannot be computed is absent.",
		Levels:  endpoint.UpToMetro,
		Body:    schemas.GeographyScoresAnswer{},
		Refuses: []error{endpoint.ErrForbiddenValue, scope.ErrRegion, endpoint.ErrNothing},
	}, param.NewSet(nil,
		include(func(q *byGeographyQuery) *param.Value[uint64] { return &q.Include }),
		endpoint.Language("Language of texts.", func(q *byGeographyQuery) *param.Value[string] { return &q.Language }),
	), answerByGeography)
}

// answerByGeography appends a schemas.GeographyScoresAnswer to the body.
func answerByGeography(r *endpoint.Request, q *byGeographyQuery, _ *struct{}) error {
	set, err := r.Client.Select(q.Include.V)
	if err != nil {
		return err
	}
	i, err := r.Release.Geography(r.Segment)
	if err != nil {
		return err
	}
	values := r.Release.Scores(i)
	if !AnyKnown(values[:], set) {
		return endpoint.ErrNothing
	}
	b := append(r.Body, `{"data":{"type":"scores","scores":`...)
	b = appendScores(b, values[:], set, unrounded, q.Language.V)
	b = endpoint.Append(b, `},"meta":`, scoresMeta)
	b = endpoint.AppendDeprecation(b, r.Release.Deprecation(i))
	r.Body = append(b, `}}`...)
	return nil
}

// appendGeographies appends the entries of a list of schemas.GeographyScores, and reports whether any score is known.
func appendGeographies(b []byte, release *scope.Release, geographies []int, set endpoint.ScoreSet, language string) ([]byte, bool) {
	any := false
	for _, i := range geographies {
		b = endpoint.AppendComma(b)
		b = append(b, `{"geog_id":`...)
		b = release.AppendID(b, i)
		b = append(b, `,"name":`...)
		b = endpoint.AppendText(b, release.Name(i).In(language))
		b = append(b, `,"geog_level_type":`...)
		b = endpoint.AppendText(b, release.LevelType(i).In(language))
		b = append(b, `,"scores":`...)
		values := release.Scores(i)
		b = appendScores(b, values[:], set, toTenth, language)
		any = any || AnyKnown(values[:], set)
		if d := release.Deprecation(i); d != nil {
			b = endpoint.AppendEncoded(append(b, `,"meta":`...), schemas.DeprecationMeta{Deprecation: *d})
		}
		b = append(b, '}')
	}
	return b, any
}

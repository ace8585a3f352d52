package serve

import (
	"quartier/schemas"
	"quartier/serve/param"
)

// geographyScoresQuery is the query of GET /v3/scores/{geog_id}.
type geographyScoresQuery struct {
	Include  param.Value[uint64] // bits by place in schemas.Scores
	Language param.Value[string]
}

var scoresOfGeography = define(route{
	path:    "/v3/scores/{geog_id}",
	product: "scores",
	summary: "Location scores of a geography",
	doc:     "The scores of its median household, to four decimals. What cannot be computed is left out.",
	levels:  scoredLevels,
	answer:  schemas.GeographyScoresAnswer{},
	refuses: []error{errForbiddenValue, errRegion, errNothing},
}, param.NewSet(nil,
	param.Subset("include", scoreIDs(), func(q *geographyScoresQuery) *param.Value[uint64] { return &q.Include }).
		Doc("Scores to return; by default all of the agreement."),
	param.Choice("language", "en", languages, func(q *geographyScoresQuery) *param.Value[string] { return &q.Language }).
		Doc("Language of texts."),
), answerScoresOfGeography)

func answerScoresOfGeography(x *exchange, q *geographyScoresQuery) error {
	set, err := x.scores(q.Include.V)
	if err != nil {
		return err
	}
	i, err := x.view.geography(lastSegment(pathOf(x.r.URL)))
	if err != nil {
		return err
	}
	values := x.view.geographyValues(i)
	if !anyScore(values[:], set) {
		return errNothing
	}
	b := append(x.body[:0], `{"data":{"type":"scores","scores":`...)
	b = appendScores(b, values[:], set, toFour, q.Language.V)
	b = append(b, `},"meta":`...)
	b = append(b, scoresMeta...)
	b = appendDeprecation(b, x.view.deprecation(i))
	x.body = append(b, `}}`...)
	return nil
}

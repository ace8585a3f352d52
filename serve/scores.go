package serve

import (
	"slices"

	"quartier/schemas"
	"quartier/serve/param"
)

// maxGeographyIDs is the most geographies whose scores can be asked for by id in one request.
const maxGeographyIDs = 100

// scoresQuery is the query of GET /v3/scores.
type scoresQuery struct {
	Lat, Lng         param.Value[float64]
	GeographyIDs     param.Value[[]string]
	GeographyLevels  param.Value[uint64]
	Include          param.Value[uint64] // bits by place in schemas.Scores
	Language         param.Value[string]
	LocationRounding param.Value[string]
}

// scoredLevels are the levels whose geographies have scores.
var scoredLevels = append(slices.Clone(belowMetro), schemas.Metro)

// The values of location_scores_rounding.
const (
	roundHalf = ".5"
	roundNone = "none"
)

var scores = define(route{
	path:    "/v3/scores",
	product: "scores",
	summary: "Location scores at a point and of geographies",
	doc: "Give lat and lng, geography_ids, or both. The scores of a geography are those of its median household. " +
		"What cannot be computed for a place is left out.",
	answer:  schemas.ScoresAnswer{},
	refuses: []error{param.ErrRange, errForbiddenValue, errNoGeography, errOutside, errRegion, errNothing},
}, param.NewSet((*scoresQuery).check,
	param.Latitude("lat", func(q *scoresQuery) *param.Value[float64] { return &q.Lat }),
	param.Longitude("lng", func(q *scoresQuery) *param.Value[float64] { return &q.Lng }),
	param.Words("geography_ids", "[^,]+", maxGeographyIDs, func(q *scoresQuery) *param.Value[[]string] { return &q.GeographyIDs }).
		Doc("Geographies to return scores of, in this order."),
	param.Subset("geography_levels", levelNumbers(scoredLevels), func(q *scoresQuery) *param.Value[uint64] { return &q.GeographyLevels }).
		Doc("Levels of the geographies around the point to return scores of; none by default."),
	param.Subset("include", scoreIDs(), func(q *scoresQuery) *param.Value[uint64] { return &q.Include }).
		Doc("Scores to return; by default all of the agreement."),
	param.Choice("language", "en", languages, func(q *scoresQuery) *param.Value[string] { return &q.Language }).
		Doc("Language of texts and names."),
	param.Choice("location_scores_rounding", roundHalf, []string{roundHalf, roundNone}, func(q *scoresQuery) *param.Value[string] { return &q.LocationRounding }).
		Doc("Rounding of the scores at the point: to the nearest 0.5, or none."),
), answerScores)

func (q *scoresQuery) check() error {
	switch {
	case q.Lat.Given != q.Lng.Given:
		return param.Bad("lat and lng go together")
	case !q.Lat.Given && len(q.GeographyIDs.V) == 0:
		return param.Missing("give lat and lng, or geography_ids")
	}
	return nil
}

func scoreIDs() (ids []string) {
	for _, s := range schemas.Scores {
		ids = append(ids, s.ID)
	}
	return ids
}

func answerScores(x *exchange, q *scoresQuery) error {
	set, err := x.scores(q.Include.V)
	if err != nil {
		return err
	}
	if q.Lat.Given {
		if err := x.view.place(q.Lng.V, q.Lat.V); err != nil {
			return err
		}
	}
	if err := x.findScored(q); err != nil {
		return err
	}
	known := q.Lat.Given && x.view.valuesAt(q.Lng.V, q.Lat.V, &x.values) && anyScore(x.values[schemas.FirstScore:], set)
	b := append(x.body[:0], `{"data":{"type":"scores"`...)
	if known {
		r := toHalf
		if q.LocationRounding.V == roundNone {
			r = toFour
		}
		b = append(b, `,"location":`...)
		b = appendScores(b, x.values[schemas.FirstScore:], set, r, q.Language.V)
	} else if q.Lat.Given {
		b = append(b, `,"location":{}`...)
	}
	if len(q.GeographyIDs.V) > 0 || q.GeographyLevels.V != 0 && q.Lat.Given {
		var any bool
		b, any = x.appendGeographyScores(append(b, `,"geographies":[`...), set, q.Language.V)
		b = append(b, ']')
		known = known || any
	}
	if !known {
		return errNothing
	}
	b = append(b, `},"meta":`...)
	b = append(b, scoresMeta...)
	x.body = append(b, `}}`...)
	return nil
}

var scoresMeta = openMeta("scores")

// findScored finds the geographies that a request is about: by id in the order asked, then those around the point by
// level, each once.
func (x *exchange) findScored(q *scoresQuery) error {
	x.found = x.found[:0]
	for _, id := range q.GeographyIDs.V {
		if !validGeogID(id, scoredLevels) {
			return errNoGeography
		}
		i, err := x.view.geography(id)
		if err != nil {
			return err
		}
		if !slices.Contains(x.found, i) {
			x.found = append(x.found, i)
		}
	}
	if q.GeographyLevels.V == 0 || !q.Lat.Given {
		return nil
	}
	asked := len(x.found)
	around := x.view.geographiesAt(x.found[asked:], q.Lng.V, q.Lat.V, levelsOf(scoredLevels, q.GeographyLevels.V))
	for _, i := range around {
		if !slices.Contains(x.found[:asked], i) {
			x.found = append(x.found, i)
		}
	}
	return nil
}

// appendGeographyScores appends the entries of the geographies found, and reports whether any has a score.
func (x *exchange) appendGeographyScores(b []byte, set scoreSet, language string) ([]byte, bool) {
	table, any := x.view.release.Geographies, false
	for n, i := range x.found {
		if n > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"geog_id":`...)
		b = table.AppendID(b, i)
		b = append(b, `,"name":`...)
		b = appendText(b, table.Name(i).In(language))
		b = append(b, `,"geog_level_type":`...)
		b = appendText(b, x.view.levelType(i).In(language))
		b = append(b, `,"scores":`...)
		values := x.view.geographyValues(i)
		b = appendScores(b, values[:], set, toTenth, language)
		any = any || anyScore(values[:], set)
		if d := x.view.deprecation(i); d != nil {
			b = append(b, `,"meta":{"deprecation":`...)
			b = appendEncoded(b, d)
			b = append(b, '}')
		}
		b = append(b, '}')
	}
	return b, any
}

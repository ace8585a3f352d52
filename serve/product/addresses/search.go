// Package addresses finds written addresses, suggests addresses while they are typed, and names the address nearest to a point.
package addresses

import (
	"math"
	"slices"

	"quartier/internal/address"
	"quartier/internal/coord"
	"quartier/internal/pack/addresses"
	"quartier/schemas"
	"quartier/schemas/addressing"
	"quartier/serve/endpoint"
	"quartier/serve/param"
	"quartier/serve/scope"
)

// The limits of a search.
const (
	maxChars         = 256
	maxSuggested     = 20
	defaultSuggested = 5
)

// query is the query of GET /v3/addresses.
type query struct {
	Text     param.Value[string]
	Lat, Lng param.Value[float64]
	Level    param.Value[string]
	Limit    param.Value[int]
	Language param.Value[string]
}

// found is working memory.
type found struct {
	query     addresses.Query
	matches   addresses.Found
	suggested addresses.Suggestions
}

// Search is GET /v3/addresses.
func Search() endpoint.Endpoint {
	return endpoint.Define(endpoint.Endpoint{
		Name:    "findAddresses",
		Path:    "/v3/addresses",
		Product: "addresses",
		Summary: "Where a written address is",
		Doc: "matches has what the text as a whole means, in English or French, as people write it: none, one, or two that are equally " +
			"good, of which none is chosen. Each says how near to the address it is (match_level), how well it agrees (match_score), within " +
			"how many metres the address is (uncertainty_m), and which parts were changed. suggestions has what the text can become " +
			"while it is typed.",
		Body:    addressing.AddressesAnswer{},
		Refuses: []error{param.ErrRange, scope.ErrNoAddresses},
	}, param.NewSet((*query).check,
		param.Phrase("q", maxChars, func(q *query) *param.Value[string] { return &q.Text }).Required().
			Doc("An address in one line, or its beginning. At most 256 characters."),
		param.Latitude("lat", func(q *query) *param.Value[float64] { return &q.Lat }).
			Doc("Latitude of a point near which suggestions are preferred."),
		param.Longitude("lng", func(q *query) *param.Value[float64] { return &q.Lng }).
			Doc("Longitude of that point."),
		param.Choice("level", addresses.LevelNames[addresses.Place], addresses.LevelNames[:addresses.None],
			func(q *query) *param.Value[string] { return &q.Level }).
			Doc("The least that is a match: exact, the address; range, or its place by the numbers beside it; street; postal; place, a town."),
		param.Count("limit", maxSuggested, defaultSuggested, func(q *query) *param.Value[int] { return &q.Limit }).
			Doc("The maximum number of suggestions."),
		endpoint.Language("Language of labels and attributions.", func(q *query) *param.Value[string] { return &q.Language }),
	), answerSearch)
}

func (q *query) check() error {
	if q.Lat.Given != q.Lng.Given {
		return param.Alone(q.Lat.Given, "lat", "lng")
	}
	return nil
}

// answerSearch appends a addressing.AddressesAnswer to the body.
func answerSearch(r *endpoint.Request, q *query, m *found) error {
	level := slices.Index(addresses.LevelNames[:], q.Level.V)
	m.query = addresses.Query{Address: address.Read(q.Text.V), Level: addresses.Level(level)}
	if err := r.Release.FindAddress(&m.query, &m.matches); err != nil {
		return err
	}
	var near *coord.Point
	if q.Lat.Given {
		at, _ := coord.NewPoint(q.Lng.V, q.Lat.V) // which param has checked
		near = &at
	}
	if err := r.Release.SuggestAddresses(q.Text.V, near, q.Limit.V, &m.suggested); err != nil {
		return err
	}
	w := writer{r, q.Language.V, []addressing.AddressSource{}}
	data := addressing.AddressesData{MatchLevel: levelOf(&m.matches), Matches: []addressing.AddressMatch{},
		Suggestions: []addressing.AddressRecord{}}
	for i := range m.matches.Matches {
		data.Matches = append(data.Matches, w.match(&m.matches.Matches[i]))
	}
	for i := range m.suggested.Matches {
		data.Suggestions = append(data.Suggestions, w.match(&m.suggested.Matches[i]).AddressRecord)
	}
	data.Sources = w.sources
	r.Body = endpoint.AppendEncoded(r.Body, addressing.AddressesAnswer{Data: data, Meta: schemas.NewMeta("addresses", 200)})
	return nil
}

// levelOf is the level of what was found: that of its match, ambiguous or none.
func levelOf(f *addresses.Found) string {
	switch {
	case len(f.Matches) == 0:
		return addressing.None
	case f.Ambiguous():
		return addressing.Ambiguous
	}
	return addresses.LevelNames[f.Matches[0].Level]
}

// writer makes the parts of an answer.
type writer struct {
	r        *endpoint.Request
	language string
	sources  []addressing.AddressSource // of the matches so far
}

// match is a match, whose source is added to the sources.
func (w *writer) match(m *addresses.Match) addressing.AddressMatch {
	w.addSource(m.Source)
	return MatchOf(m, w.language)
}

// MatchOf is a match as answers have it, with its label in a language.
func MatchOf(m *addresses.Match, language string) addressing.AddressMatch {
	return addressing.AddressMatch{
		AddressRecord: addressing.AddressRecord{Address: m.Text, MatchLevel: addresses.LevelNames[m.Level],
			Label: addressing.Levels[m.Level].Label.In(language), Lat: m.Lat, Lng: m.Lng, Source: m.Source},
		MatchScore: rounded(m.Score, 1000), UncertaintyM: rounded(m.UncertaintyM, 10), Changed: append([]string{}, m.Changed.Names()...),
	}
}

// rounded is a value in parts of one: a thousand for three decimals.
func rounded(value, parts float64) float64 { return math.Round(value*parts) / parts }

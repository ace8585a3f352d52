// Package snapshot answers with demographics, measures, scores and counts of POIs at a point in one call.
package snapshot

import (
	"math/bits"
	"slices"

	packpois "quartier/internal/pack/pois"
	"quartier/schemas"
	"quartier/serve/endpoint"
	"quartier/serve/param"
	"quartier/serve/product/demographics"
	"quartier/serve/product/pois"
	"quartier/serve/product/scores"
	"quartier/serve/scope"
)

// The parts of a snapshot, a bit each by index in parts.
const (
	partDemographics uint64 = 1 << iota
	partMeasures
	partPOIs
	partScores
)

// parts has the parts with the product that also has an endpoint for each; "": none.
var parts = []struct{ name, product string }{
	{"demographics", "demographics"}, {"measures_all", ""}, {"pois_count", "pois"}, {"scores_all", "scores"},
}

// Parts are the names of the parts.
func Parts() (names []string) {
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names
}

// query is the query of GET /v3/data.
type query struct {
	Include  param.Value[uint64] // bits by index in parts
	Lat, Lng param.Value[float64]
	Radius   endpoint.Distance
}

// memory is working memory.
type memory struct {
	values [schemas.ChannelCount]uint16
	people demographics.Counter
	found  packpois.Result
}

// AtPoint is GET /v3/data.
func AtPoint() endpoint.Endpoint {
	return endpoint.Define(endpoint.Endpoint{
		Name:    "getSnapshot",
		Path:    "/v3/data",
		Product: "snapshot",
		Summary: "Demographics, measures, scores and counts of points of interest at a point in one call",
		Doc: "The answer has the selected parts for which there are data. Scores and measures are those of the exact point. " +
			"Demographics, scores and counts also need the product of their own endpoint in the agreement, and a measure that is " +
			"a score under another name, such as coffee_shop_access, needs that score.",
		Body:    schemas.SnapshotAnswer{},
		Refuses: []error{param.ErrRange, endpoint.ErrForbiddenValue, scope.ErrOutside, scope.ErrRegion, endpoint.ErrNothing},
	}, param.NewSet((*query).check,
		param.Subset("include", Parts(), func(q *query) *param.Value[uint64] { return &q.Include }).
			Required().Doc("Parts to return, at least one."),
		param.Latitude("lat", func(q *query) *param.Value[float64] { return &q.Lat }).Required(),
		param.Longitude("lng", func(q *query) *param.Value[float64] { return &q.Lng }).Required(),
		param.AboveZero("radius", pois.DefaultRadiusM, func(q *query) *param.Value[float64] { return &q.Radius.Value }).
			Doc("Radius in which points of interest are counted, at most 25000 metres, and people, where 500 metres are the default and the "+
				"circle may extend over 0.5 degrees."),
		endpoint.UnitOf("radius", func(q *query) *endpoint.Distance { return &q.Radius }),
	), answer)
}

// peopleRadiusM is the radius in which people are counted, in metres.
func (q *query) peopleRadiusM() float64 {
	if q.Radius.Value.Given {
		return q.Radius.Metres()
	}
	return demographics.DefaultRadiusM
}

func (q *query) check() error {
	if q.Include.V&partPOIs != 0 && q.Radius.Metres() > pois.MaxRadiusM {
		return param.Bad("radius", param.OutOfRange, "radius is %v %s, it must be at most %v meters where points of interest are counted",
			q.Radius.Value.V, q.Radius.Unit.V, pois.MaxRadiusM)
	}
	if q.Include.V&partDemographics != 0 {
		return demographics.CheckCircle(q.Lng.V, q.Lat.V, q.peopleRadiusM())
	}
	return nil
}

// neededBy has the score that each measure needs in the agreement, if any.
var neededBy = func() (scores [schemas.FirstScore]endpoint.ScoreSet) {
	for i, m := range schemas.Measures {
		if m.Score != "" {
			scores[i] = 1 << slices.Index(schemas.ScoreIDs(), m.Score)
		}
	}
	return scores
}()

var snapshotMeta = endpoint.OpenMeta("data")

// answer appends a schemas.SnapshotAnswer to the body.
func answer(r *endpoint.Request, q *query, m *memory) error {
	for i, part := range parts {
		if q.Include.V&(1<<i) != 0 && part.product != "" && !r.Client.Agreement.AllowsProduct(part.product) {
			return endpoint.ErrForbiddenValue
		}
	}
	if err := r.Release.CheckPlace(q.Lng.V, q.Lat.V); err != nil {
		return err
	}
	b := append(r.Body, `{"data":{`...)
	begin := len(b)
	b = m.appendParts(b, r, q)
	if len(b) == begin {
		return endpoint.ErrNothing
	}
	b[len(b)-1] = '}' // instead of the last comma
	r.Body = endpoint.Append(b, `,"meta":`, snapshotMeta, `}}`)
	return nil
}

// appendParts appends the selected members of a schemas.SnapshotData for which there are data, each followed by a comma.
func (m *memory) appendParts(b []byte, r *endpoint.Request, q *query) []byte {
	lng, lat := q.Lng.V, q.Lat.V
	if q.Include.V&partDemographics != 0 {
		before := len(b)
		var known bool
		if b, known = m.people.AppendAttributes(append(b, `"demographics":`...), r, lng, lat, q.peopleRadiusM()); known {
			b = append(b, ',')
		} else {
			b = b[:before]
		}
	}
	nearStreet := q.Include.V&(partMeasures|partScores) != 0 && r.Release.ValuesAt(lng, lat, &m.values)
	if nearStreet && q.Include.V&partScores != 0 {
		b = appendScores(b, m.values[schemas.FirstScore:], r.Client.Scores)
	}
	if q.Include.V&partPOIs != 0 {
		r.Release.POIs(&packpois.Query{Shape: packpois.Shape{Lng: lng, Lat: lat, RadiusM: q.Radius.Metres()}}, &m.found)
		b = append(pois.AppendCounts(append(b, `"pois":`...), &m.found), ',')
	}
	if nearStreet && q.Include.V&partMeasures != 0 {
		b = appendMeasures(b, m.values[:schemas.FirstScore], r.Client.Scores)
	}
	return b
}

// appendScores appends the member "scores" and a comma; nothing where no score of the set is known.
func appendScores(b []byte, values []uint16, set endpoint.ScoreSet) []byte {
	if !scores.AnyKnown(values, set) {
		return b
	}
	b = append(b, `"scores":{`...)
	for rest := set; rest != 0; rest &= rest - 1 {
		s := bits.TrailingZeros32(uint32(rest))
		if values[s] == schemas.AbsentValue {
			continue
		}
		b = append(b, '"')
		b = endpoint.Append(b, schemas.Scores[s].ID, `":"`)
		b = scores.AppendValue(b, values[s])
		b = append(b, `",`...)
	}
	b[len(b)-1] = '}'
	return append(b, ',')
}

// appendMeasures appends the member "measures" and a comma; nothing where no measure is known. A measure that is a score
// under another name needs that score in the agreement.
func appendMeasures(b []byte, values []uint16, agreed endpoint.ScoreSet) []byte {
	before := len(b)
	b = append(b, `"measures":{`...)
	first := len(b)
	for m, value := range values {
		if value == schemas.AbsentValue || neededBy[m]&^agreed != 0 {
			continue
		}
		b = append(b, '"')
		b = endpoint.Append(b, schemas.Measures[m].ID, `":`)
		b = scores.AppendValue(b, value)
		b = append(b, ',')
	}
	if len(b) == first {
		return b[:before]
	}
	b[len(b)-1] = '}'
	return append(b, ',')
}

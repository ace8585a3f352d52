package serve

import (
	"math/bits"
	"strconv"

	"quartier/internal/pack/pois"
	"quartier/schemas"
	"quartier/serve/param"
)

// The parts of a snapshot, by place in snapshotParts.
const (
	partPeople uint64 = 1 << iota
	partMeasures
	partPOIs
	partScores
)

var snapshotParts = []string{"demographics", "measures_all", "pois_count", "scores_all"}

// snapshotQuery is the query of GET /v3/data.
type snapshotQuery struct {
	Include    param.Value[uint64] // bits by place in snapshotParts
	Lat, Lng   param.Value[float64]
	Radius     param.Value[float64] // in RadiusUnit
	RadiusUnit param.Value[string]
}

var snapshot = define(route{
	path:    "/v3/data",
	product: "snapshot",
	summary: "Demographics, measures, scores and counts of points of interest at a point in one call",
	doc: "The answer holds the parts that were asked for and that there is anything to say of. Scores and measures are of " +
		"the exact point. Demographics, scores and counts are answered to who may also call the endpoints that are their own.",
	answer:  schemas.SnapshotAnswer{},
	refuses: []error{param.ErrRange, errForbiddenValue, errOutside, errRegion, errNothing},
}, param.NewSet((*snapshotQuery).check,
	param.Subset("include", snapshotParts, func(q *snapshotQuery) *param.Value[uint64] { return &q.Include }).
		Required().Doc("Parts to return, at least one."),
	param.Latitude("lat", func(q *snapshotQuery) *param.Value[float64] { return &q.Lat }).Required(),
	param.Longitude("lng", func(q *snapshotQuery) *param.Value[float64] { return &q.Lng }).Required(),
	param.Positive("radius", maxRadius, defaultRadius, func(q *snapshotQuery) *param.Value[float64] { return &q.Radius }).
		Doc("Radius in which points of interest are counted, at most 25000 metres, and people, where 500 metres are the default and the circle may extend over 0.5 degrees."),
	param.Choice("radius_unit", metre, []string{metre, mile}, func(q *snapshotQuery) *param.Value[string] { return &q.RadiusUnit }).
		Doc("Unit of radius; a mile is 1609.344 metres."),
), answerSnapshot)

// radiusMetres is the radius in metres in which points of interest are counted.
func (q *snapshotQuery) radiusMetres() float64 { return metresOf(q.Radius, q.RadiusUnit) }

// peopleMetres is the radius in metres in which people are counted.
func (q *snapshotQuery) peopleMetres() float64 {
	if q.Radius.Given {
		return q.radiusMetres()
	}
	return peopleRadius
}

func (q *snapshotQuery) check() error {
	switch {
	case q.Include.V == 0:
		return param.Bad("include names no part")
	case q.radiusMetres() > maxRadius:
		return param.Bad("radius is %v %s, at most %v meters are searched", q.Radius.V, q.RadiusUnit.V, maxRadius)
	case q.Include.V&partPeople != 0:
		return checkCircle(q.Lng.V, q.Lat.V, q.peopleMetres())
	}
	return nil
}

func answerSnapshot(x *exchange, q *snapshotQuery) error {
	for part, product := range partProducts {
		if q.Include.V&(1<<part) != 0 && product != "" && !x.allows(product) {
			return errForbiddenValue
		}
	}
	if err := x.view.place(q.Lng.V, q.Lat.V); err != nil {
		return err
	}
	known := q.Include.V&(partMeasures|partScores) != 0 && x.view.valuesAt(q.Lng.V, q.Lat.V, &x.values)
	b := append(x.body[:0], `{"data":{`...)
	begin := len(b)
	if q.Include.V&partPeople != 0 {
		b = x.appendPeople(b, q)
	}
	if known && q.Include.V&partScores != 0 && anyScore(x.values[schemas.FirstScore:], x.who.scores) {
		b = appendScoreValues(b, x.values[schemas.FirstScore:], x.who.scores)
	}
	if q.Include.V&partPOIs != 0 {
		b = x.appendPOICounts(b, pois.Shape{Lng: q.Lng.V, Lat: q.Lat.V, RadiusM: q.radiusMetres()})
	}
	if known && q.Include.V&partMeasures != 0 {
		b = appendMeasures(b, x.values[:schemas.FirstScore])
	}
	if len(b) == begin {
		return errNothing
	}
	b[len(b)-1] = '}' // in the place of the last comma
	b = append(b, `,"meta":`...)
	b = append(b, snapshotMeta...)
	x.body = append(b, `}}`...)
	return nil
}

// partProducts are the products that a part belongs to, by its place in snapshotParts; "": the snapshot's own.
var partProducts = []string{"demographics", "", "pois", "scores"}

// appendPeople appends the member of the demographics, with labels in English, and a comma; nothing where nobody lives.
func (x *exchange) appendPeople(b []byte, q *snapshotQuery) []byte {
	x.around.SetDisc(q.Lng.V, q.Lat.V, q.peopleMetres())
	country, ok := x.countPeople()
	if !ok {
		return b
	}
	b = append(b, `"demographics":{`...)
	b = appendAround(b, aroundPieces[labelled{country, "en"}], &x.people)
	return append(b, `},`...)
}

func (x *exchange) allows(product string) bool { return x.who.client.Agreement.AllowsProduct(product) }

var (
	snapshotMeta = openMeta("data")
	measureKeys  = func() (keys []string) {
		for _, name := range schemas.Measures {
			keys = append(keys, `"`+name+`":`)
		}
		return keys
	}()
)

// appendScoreValues appends the member of the scores, at least one of which is known, and a comma.
func appendScoreValues(b []byte, values []uint16, set scoreSet) []byte {
	b = append(b, `"scores":{`...)
	for rest := set; rest != 0; rest &= rest - 1 {
		s := bits.TrailingZeros32(uint32(rest))
		if values[s] == schemas.AbsentValue {
			continue
		}
		b = append(b, '"')
		b = append(b, schemas.Scores[s].ID...)
		b = append(b, `":"`...)
		b = appendValue(b, values[s])
		b = append(b, `",`...)
	}
	b[len(b)-1] = '}'
	return append(b, ',')
}

// appendMeasures appends the member of the measures and a comma; nothing where none is known.
func appendMeasures(b []byte, values []uint16) []byte {
	before := len(b)
	b = append(b, `"measures":{`...)
	first := len(b)
	for m, value := range values {
		if value == schemas.AbsentValue {
			continue
		}
		b = append(b, measureKeys[m]...)
		b = appendValue(b, value)
		b = append(b, ',')
	}
	if len(b) == first {
		return b[:before]
	}
	b[len(b)-1] = '}'
	return append(b, ',')
}

// appendPOICounts appends the member of the counts and a comma.
func (x *exchange) appendPOICounts(b []byte, shape pois.Shape) []byte {
	x.view.pois(&pois.Query{Shape: shape}, &x.hits)
	b = append(b, `"pois":{"counts":{"total_count":`...)
	b = strconv.AppendInt(b, int64(x.hits.TotalCount), 10)
	b = append(b, `,"total_by_category":`...)
	b = appendCounts(b, categoryKeys, x.hits.TotalByCategory[:], 0)
	return append(b, `}},`...)
}

package serve

import (
	"math"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"quartier/internal/demography"
	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/demographics"
	"quartier/serve/param"
)

// The limits of an area that people are counted in.
const (
	peopleRadius    = 500.0       // metres, a walk of five minutes
	maxPeopleRadius = 28000.0     // in either unit; a quarter of a degree of latitude is less everywhere
	maxExtent       = 0.5         // degrees from south to north and from west to east
	maxCells        = 1000        // of geohash-6 that the box of a polygon touches
	cellWidth       = 45.0 / 4096 // degrees of longitude of a cell of geohash-6
	cellHeight      = 45.0 / 8192 // degrees of latitude
)

// peopleQuery is the query of GET /v3/demographics.
type peopleQuery struct {
	Lat, Lng   param.Value[float64]
	Radius     param.Value[float64] // in RadiusUnit
	RadiusUnit param.Value[string]
	Polygon    param.Value[orb.Ring]
	Language   param.Value[string]
}

var peopleAround = define(route{
	path:    "/v3/demographics",
	product: "demographics",
	summary: "People around a point or in a polygon",
	doc: "Figures of small census areas are shared out by the people, households and dwellings of their blocks inside. " +
		"Shares of a category add up to one. People on the other side of the national border are not counted. What is not known for a place is left out; where nobody lives there is nothing.",
	answer:  schemas.DemographicsAnswer{},
	refuses: []error{param.ErrRange, errOutside, errRegion, errNothing},
}, param.NewSet((*peopleQuery).check,
	param.Latitude("lat", func(q *peopleQuery) *param.Value[float64] { return &q.Lat }),
	param.Longitude("lng", func(q *peopleQuery) *param.Value[float64] { return &q.Lng }),
	param.Positive("radius", maxPeopleRadius, peopleRadius, func(q *peopleQuery) *param.Value[float64] { return &q.Radius }).
		Doc("Radius around the point; the circle may extend over 0.5 degrees of longitude and latitude."),
	param.Choice("radius_unit", metre, []string{metre, mile}, func(q *peopleQuery) *param.Value[string] { return &q.RadiusUnit }).
		Doc("Unit of radius; a mile is 1609.344 metres."),
	param.Area("polygon", maxPolygonChars, func(q *peopleQuery) *param.Value[orb.Ring] { return &q.Polygon }).
		Doc("WKT POLYGON of one closed ring, longitude before latitude, instead of lat and lng. Its bounding box may extend "+
			"over 0.5 degrees and touch 1000 cells of geohash-6."),
	param.Choice("language", "en", languages, func(q *peopleQuery) *param.Value[string] { return &q.Language }).
		Doc("Language of labels."),
), answerPeopleAround)

func (q *peopleQuery) check() error {
	switch {
	case q.Polygon.Given && (q.Lat.Given || q.Lng.Given || q.Radius.Given):
		return param.Bad("polygon cannot be combined with lat, lng or radius")
	case q.Polygon.Given:
		return checkCells(q.Polygon.V)
	case q.Lat.Given != q.Lng.Given:
		return param.Bad("lat and lng go together")
	case !q.Lat.Given:
		return param.Bad("give either lat and lng, or polygon")
	}
	return checkCircle(q.Lng.V, q.Lat.V, metresOf(q.Radius, q.RadiusUnit))
}

// metresOf is a radius in metres.
func metresOf(radius param.Value[float64], unit param.Value[string]) float64 {
	if radius.Given && unit.V == mile {
		return radius.V * metresPerMile
	}
	return radius.V
}

// checkCircle judges the extent of a circle; one around no place on Earth is refused elsewhere.
func checkCircle(lng, lat, metres float64) error {
	if math.Abs(lat) > 90 || math.Abs(lng) > 180 {
		return nil
	}
	east, north := geo.NewPlane(orb.Point{0, lat}).XY(orb.Point{maxExtent / 2, lat + maxExtent/2})
	if metres > min(math.Abs(east), math.Abs(north)) {
		return param.Bad("radius is %.7g meters: a circle may extend over at most %v degrees of longitude and latitude, here a radius of %.0f meters",
			metres, maxExtent, math.Floor(min(math.Abs(east), math.Abs(north))))
	}
	return nil
}

// checkCells judges the box of a polygon. A ring that is refused for its vertices already is nil.
func checkCells(ring orb.Ring) error {
	if ring == nil {
		return nil
	}
	box := ring.Bound()
	width, height := box.Max[0]-box.Min[0], box.Max[1]-box.Min[1]
	if width > maxExtent || height > maxExtent {
		return param.Bad("polygon: its bounding box is %.7g by %.7g degrees, at most %v either way are allowed", width, height, maxExtent)
	}
	touched := func(from, to, step float64) int { return int(math.Floor(to/step)-math.Floor(from/step)) + 1 }
	if cells := touched(box.Min[0], box.Max[0], cellWidth) * touched(box.Min[1], box.Max[1], cellHeight); cells > maxCells {
		return param.Bad("polygon: its bounding box touches %d cells of geohash-6, at most %d are allowed", cells, maxCells)
	}
	return nil
}

func answerPeopleAround(x *exchange, q *peopleQuery) error {
	if err := x.enclose(q); err != nil {
		return err
	}
	country, ok := x.countPeople()
	if !ok {
		return errNothing
	}
	of := labelled{country, q.Language.V}
	b := append(x.body[:0], `{"data":{"type":"demographics","attributes":{`...)
	b = appendAround(b, aroundPieces[of], &x.people)
	b = append(b, `},"meta":`...)
	b = append(b, demographicsMeta[of]...)
	b = append(b, `}},"meta":`...)
	b = append(b, peopleMeta...)
	x.body = append(b, `}}`...)
	return nil
}

var peopleMeta = openMeta("demographics")

// enclose judges the place of a request, the centroid of a polygon, and sets the shape that people are counted in.
func (x *exchange) enclose(q *peopleQuery) error {
	if !q.Polygon.Given {
		x.around.SetDisc(q.Lng.V, q.Lat.V, metresOf(q.Radius, q.RadiusUnit))
		return x.view.place(q.Lng.V, q.Lat.V)
	}
	centre, _ := planar.CentroidArea(q.Polygon.V)
	if err := x.view.place(centre[0], centre[1]); err != nil {
		return err
	}
	x.around.SetPolygon(orb.Polygon{q.Polygon.V})
	return nil
}

// countPeople makes the figures of the shape in x.around, whose place was judged, and tells its country; false where
// nobody lives or nothing is known.
func (x *exchange) countPeople() (country string, known bool) {
	c := &calibration.Standard().Demographics
	country = x.view.people(&x.around, &x.estimates)
	estimates := demography.Estimates{Cells: &x.estimates.Cells}
	for topic, known := range x.estimates.Known {
		if known > 0 && known >= c.MinKnown*x.estimates.Persons {
			estimates.Topics |= 1 << topic
		}
	}
	demography.Around(country, estimates, c, &x.people)
	if x.people[populationTotal] == 0 {
		return country, false
	}
	for _, figure := range x.people {
		if figure != demography.Absent {
			return country, true
		}
	}
	return country, false
}

// populationTotal is the place of popn_total among the figures around a point.
var populationTotal = func() int {
	for i, at := range demographics.Flat(demographics.Around) {
		if demographics.Around[at.Category].Variables[at.Variable].ID == "popn_total" {
			return i
		}
	}
	panic("no popn_total")
}()

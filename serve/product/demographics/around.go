// Package demographics answers with the demographics of the people around a point, in a polygon and in a geography.
package demographics

import (
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/areal"
	"quartier/internal/demography"
	"quartier/internal/geo"
	"quartier/internal/pack/smallareas"
	"quartier/schemas"
	"quartier/schemas/calibration"
	vocabulary "quartier/schemas/demographics"
	"quartier/serve/endpoint"
	"quartier/serve/param"
	"quartier/serve/scope"
)

// DefaultRadiusM is a walk of about six minutes.
const DefaultRadiusM = 500.0

// The limits of a circle that people are counted in.
const (
	maxRadius = 28000.0 // in either unit: a quarter of a degree of latitude is less than 28 km everywhere
	maxExtent = endpoint.SmallExtent
)

// aroundQuery is the query of GET /v3/demographics.
type aroundQuery struct {
	endpoint.Area
	Language param.Value[string]
}

// Around is GET /v3/demographics.
func Around() endpoint.Endpoint {
	return endpoint.Define(endpoint.Endpoint{
		Name:    "getDemographics",
		Path:    "/v3/demographics",
		Product: "demographics",
		Summary: "Demographics around a point or in a polygon",
		Doc: "Estimates of small census areas are apportioned by the persons, households and dwellings of their blocks inside. " +
			"Shares of a category add up to one. People in the other country are not counted. A variable without data is absent; " +
			"where nobody lives there is nothing to return. What lies outside of the areas with statistics is not counted; " +
			"data.meta.coverage is the share of the ground that lies in them.",
		Body:    schemas.DemographicsAnswer{},
		Refuses: []error{param.ErrRange, scope.ErrOutside, scope.ErrRegion, endpoint.ErrNothing},
	}, param.NewSet((*aroundQuery).check,
		param.Latitude("lat", func(q *aroundQuery) *param.Value[float64] { return &q.Lat }),
		param.Longitude("lng", func(q *aroundQuery) *param.Value[float64] { return &q.Lng }),
		param.Positive("radius", maxRadius, DefaultRadiusM, func(q *aroundQuery) *param.Value[float64] { return &q.Radius.Value }).
			Doc("Radius around the point; the circle may extend over 0.5 degrees of longitude and latitude."),
		endpoint.UnitOf("radius", func(q *aroundQuery) *endpoint.Distance { return &q.Radius }),
		endpoint.SmallPolygon(func(q *aroundQuery) *param.Value[orb.Ring] { return &q.Polygon }),
		endpoint.Language("Language of labels.", func(q *aroundQuery) *param.Value[string] { return &q.Language }),
	), answerAround)
}

func (q *aroundQuery) check() error {
	if err := q.Area.Check(endpoint.CheckSmallBox); err != nil || q.Polygon.Given {
		return err
	}
	return CheckCircle(q.Lng.V, q.Lat.V, q.Radius.Metres())
}

// CheckCircle checks the extent of a circle that people are counted in. A centre out of range is rejected elsewhere.
func CheckCircle(lng, lat, metres float64) error {
	if math.Abs(lat) > 90 || math.Abs(lng) > 180 {
		return nil
	}
	east, north := geo.NewPlane(orb.Point{0, lat}).XY(orb.Point{maxExtent / 2, lat + maxExtent/2})
	if most := min(math.Abs(east), math.Abs(north)); metres > most {
		return param.Bad("radius", param.TooLarge,
			"radius is %.7g meters: a circle may extend over at most %v degrees of longitude and latitude, here a radius of %.0f meters",
			metres, maxExtent, math.Floor(most))
	}
	return nil
}

// answerAround appends a schemas.DemographicsAnswer to the body.
func answerAround(r *endpoint.Request, q *aroundQuery, c *Counter) error {
	lng, lat, err := q.Area.CheckPlace(r)
	if err != nil {
		return err
	}
	if q.Polygon.Given {
		c.shape.SetPolygon(orb.Polygon{q.Polygon.V})
	} else {
		c.shape.SetDisc(lng, lat, q.Radius.Metres())
	}
	country, ok := c.count(&r.Release)
	if !ok {
		return endpoint.ErrNothing
	}
	of := edition{country, q.Language.V}
	b := append(r.Body, `{"data":{"type":"demographics","attributes":{`...)
	b = appendAround(b, aroundFragments[of], &c.figures)
	b = endpoint.Append(b, `},"meta":`, dataMeta[of])
	if coverage := r.Release.Coverage(&c.shape); coverage < vocabulary.CompleteCoverage {
		b = appendCoverage(b, uint32(math.Round(coverage*coverageUnit)))
	}
	r.Body = endpoint.Append(b, `}},"meta":`, demographicsMeta, `}}`)
	return nil
}

// Counter counts the people in a shape. It is reused.
type Counter struct {
	shape     areal.Shape
	estimates smallareas.Estimates
	figures   demography.Figures
}

// count computes the figures of the shape, whose place was checked, and returns its country; false where nobody lives
// or there are no data.
func (c *Counter) count(release *scope.Release) (country string, known bool) {
	constants := &calibration.Standard().Demographics
	country = release.People(&c.shape, &c.estimates)
	estimates := demography.Estimates{Cells: &c.estimates.Cells}
	for topic, persons := range c.estimates.Known {
		if persons > 0 && persons >= constants.MinKnown*c.estimates.Persons {
			estimates.Topics |= 1 << topic
		}
	}
	demography.Around(country, estimates, constants, &c.figures)
	if c.figures[populationTotal] == 0 {
		return country, false
	}
	for _, figure := range c.figures {
		if figure != demography.Absent {
			return country, true
		}
	}
	return country, false
}

// AppendAttributes appends the categories of the people within a radius of a point whose place was checked, with
// labels in English: the value of schemas.SnapshotData.Demographics. It reports whether there are any.
func (c *Counter) AppendAttributes(b []byte, r *endpoint.Request, lng, lat, radiusM float64) ([]byte, bool) {
	c.shape.SetDisc(lng, lat, radiusM)
	country, ok := c.count(&r.Release)
	if !ok {
		return b, false
	}
	b = append(b, '{')
	b = appendAround(b, aroundFragments[edition{country, "en"}], &c.figures)
	return append(b, '}'), true
}

// Around computes the figures of the people within a radius of a point whose place was checked, false where nobody lives or
// there are no data. They are valid until the next call.
func (c *Counter) Around(release *scope.Release, lng, lat, radiusM float64) (*demography.Figures, bool) {
	c.shape.SetDisc(lng, lat, radiusM)
	_, known := c.count(release)
	return &c.figures, known
}

// Within is Around for polygons whose place was checked: the first ring of each is its outline.
func (c *Counter) Within(release *scope.Release, polygons orb.MultiPolygon) (*demography.Figures, bool) {
	c.shape.SetPolygons(polygons)
	_, known := c.count(release)
	return &c.figures, known
}

// Coverage is the share of the ground of the last shape that areas with statistics cover.
func (c *Counter) Coverage(release *scope.Release) float64 { return release.Coverage(&c.shape) }

// populationTotal is the index of popn_total among the figures around a point.
var populationTotal = func() int {
	for i, at := range vocabulary.Flat(vocabulary.Around) {
		if vocabulary.Around[at.Category].Variables[at.Variable].ID == "popn_total" {
			return i
		}
	}
	panic("no popn_total")
}()

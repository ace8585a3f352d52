package travel

import (
	"context"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/areal"
	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/pack/pois"
	"quartier/internal/pack/schools"
	"quartier/internal/pack/smallareas"
	"quartier/internal/travel"
	"quartier/internal/travel/streets"
	"quartier/schemas"
	"quartier/schemas/trips"
	"quartier/serve/account"
	"quartier/serve/endpoint"
	"quartier/serve/param"
	"quartier/serve/scope"
)

// Parts are what is counted or drawn of what is reached.
var Parts = []string{"people", "households", "jobs", "pois", "schools", "geometry"}

// Parts by bit.
const (
	people = 1 << iota
	households
	jobs
	places
	schoolsPart
	geometry
)

// reachQuery is the query of GET /v3/reach.
type reachQuery struct {
	way
	Lat, Lng param.Value[float64]
	Minutes  param.Value[[]int]
	Include  param.Value[uint64] // bits by index in Parts
}

// Coverages that others ask for.
const (
	Partial = partial
	None    = none
)

// Counter counts what is reached. It is working memory, for one question after the other.
type Counter struct {
	shape   areal.Shape
	totals  smallareas.Totals
	pois    pois.Result
	schools schools.Result
}

// Reach is GET /v3/reach.
func Reach() endpoint.Endpoint {
	return endpoint.Define(endpoint.Endpoint{
		Name:    "getReach",
		Path:    "/v3/reach",
		Product: account.Travel,
		Summary: "What is reached from a point within minutes",
		Doc: "People, households, jobs, points of interest and schools in the outline of the streets that are reached, for each limit. " +
			"Figures are of the ground that is known and of the regions of the agreement; `coverage` says whether that is all. What is not " +
			"known is absent.",
		Body:    trips.ReachAnswer{},
		Refuses: []error{param.ErrRange, scope.ErrOutside, scope.ErrRegion, scope.ErrNoTravel, endpoint.ErrNothing},
	}, param.NewSet[reachQuery](nil, append([]*param.Param[reachQuery]{
		param.Latitude("lat", func(q *reachQuery) *param.Value[float64] { return &q.Lat }).Required(),
		param.Longitude("lng", func(q *reachQuery) *param.Value[float64] { return &q.Lng }).Required(),
		param.Ascending("minutes", MaxReach, MaxLimits, "15,30,45", func(q *reachQuery) *param.Value[[]int] { return &q.Minutes }).
			Doc("Limits of minutes from door to door, 1 to 90, at most 6 in ascending order; 15,30,45 by default."),
		param.Subset("include", Parts, func(q *reachQuery) *param.Value[uint64] { return &q.Include }).
			Doc("What is counted or drawn; by default all but geometry."),
	}, wayParams(func(q *reachQuery) *way { return &q.way })...)...), answerReach)
}

// answerReach appends a trips.ReachAnswer to the body.
func answerReach(r *endpoint.Request, q *reachQuery, m *Counter) error {
	at := orb.Point{q.Lng.V, q.Lat.V}
	if err := checkOrigin(r, "lat", at); err != nil {
		return err
	}
	o, err := q.options(q.Minutes.V[len(q.Minutes.V)-1])
	if err != nil {
		return err
	}
	world, err := begin(r, o.Mode)
	if err != nil {
		return err
	}
	from := pointOf(at)
	include := q.Include.V
	if include == 0 {
		include = geometry - 1
	}
	results, err := m.reach(r.HTTP.Context(), &r.Release, from, o, q.Minutes.V, include)
	if err != nil || r.Release.Stop() {
		return err // the server says that it stopped
	}
	if results == nil {
		return endpoint.ErrNothing
	}
	r.Body = endpoint.AppendEncoded(r.Body, trips.ReachAnswer{Meta: schemas.NewMeta("reach", 200),
		Data: trips.ReachData{Type: "reach", Travel: terms(world, &o), Results: results}})
	return nil
}

// Reach counts what is reached from a place within each of some minutes, ascending, the last of which are those of the options, as
// GET /v3/reach counts it for the client of a release; nil where no street is near.
func (m *Counter) Reach(ctx context.Context, release *scope.Release, from coord.Point, o travel.Options, minutes []int) (
	[]trips.Reach, error) {
	return m.reach(ctx, release, from, o, minutes, people|households|jobs|places)
}

// reach is Reach with the parts that are included; it ends early where release.Stop says so.
func (m *Counter) reach(ctx context.Context, release *scope.Release, from coord.Point, o travel.Options, minutes []int,
	include uint64) (results []trips.Reach, err error) {
	world := release.Travel()
	found, err := world.Reach(ctx, from, o)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	if !found.Linked() {
		return nil, nil
	}
	outlines := found.Outlines(0, minutes)
	for i, limit := range minutes {
		if release.Stop != nil && release.Stop() {
			return nil, nil
		}
		one := trips.Reach{Minutes: limit, Coverage: trips.ReachCoverage{Streets: complete}}
		edge := m.count(release, &one, from, outlines[i], include)
		if cut(release, world, &o, edge) {
			one.Coverage.Streets = partial
		}
		one.Coverage.Transit = transitAt(world, &o, append(edge, from)...)
		results = append(results, one)
	}
	return results, nil
}

// cut reports whether one of the places at the edge of what is reached is beyond the streets that the caller may see.
func cut(release *scope.Release, w *travel.World, o *travel.Options, edge []coord.Point) bool {
	return slices.ContainsFunc(edge, func(p coord.Point) bool {
		at := p.Orb()
		return !w.Cover(p, o.Day).Streets || !release.Allows(at[0], at[1])
	})
}

// count fills in what is in outlines, and returns some places at their edge: those that are farthest in each of the directions.
func (m *Counter) count(release *scope.Release, one *trips.Reach, from coord.Point, outlines []streets.Polygon,
	include uint64) []coord.Point {
	area, degrees := areaOf(outlines)
	edge := farthest(from, area.Points)
	if include&geometry != 0 {
		one.Geometry = drawn(outlines)
	}
	m.shape.SetPolygons(degrees)
	if include&(people|households) != 0 {
		m.countPeople(release, one, include)
	}
	if include&jobs != 0 {
		m.countJobs(release, one, from, edge)
	}
	if include&places != 0 {
		one.POIs = m.countPOIs(release, from, &area)
	}
	if include&schoolsPart != 0 {
		one.Schools = m.countSchools(release, from, &area)
	}
	return edge
}

// directions is in how many directions the edge of what is reached is looked at.
const directions = 16

// farthest are the farthest of points in each direction from one.
func farthest(from coord.Point, points []coord.Point) (edge []coord.Point) {
	var most [directions]float64
	var at [directions]coord.Point
	plane := geo.NewPlane(from.Orb())
	for _, p := range points {
		x, y := plane.XY(p.Orb())
		to := int(math.Floor((math.Atan2(y, x)/(2*math.Pi)+0.5)*directions)) % directions
		if d := math.Hypot(x, y); d > most[to] {
			most[to], at[to] = d, p
		}
	}
	for i, d := range most {
		if d > 0 {
			edge = append(edge, at[i])
		}
	}
	return edge
}

// areaOf is the area of outlines, as packs and as shapes take it.
func areaOf(outlines []streets.Polygon) (area coord.Area, degrees orb.MultiPolygon) {
	for _, polygon := range outlines {
		var rings orb.Polygon
		for _, ring := range polygon {
			area.Points = append(area.Points, ring...)
			area.Ends = append(area.Ends, uint32(len(area.Points)))
			line := make(orb.Ring, len(ring))
			for i, p := range ring {
				line[i] = p.Orb()
			}
			rings = append(rings, line)
		}
		degrees = append(degrees, rings)
	}
	return area, degrees
}

// drawn are outlines as answers have them, to a metre.
func drawn(outlines []streets.Polygon) *schemas.MultiPolygon {
	const metre = 1e5 // of a degree
	out := make(schemas.MultiPolygon, 0, len(outlines))
	for _, polygon := range outlines {
		var rings [][][2]float64
		for _, ring := range polygon {
			line := make([][2]float64, len(ring))
			for i, p := range ring {
				lng, lat := p.Degrees()
				line[i] = [2]float64{math.Round(lat*metre) / metre, math.Round(lng*metre) / metre}
			}
			rings = append(rings, line)
		}
		out = append(out, rings)
	}
	return &out
}

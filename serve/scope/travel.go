package scope

import (
	"github.com/paulmach/orb"

	"quartier/internal/areal"
	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/pack/smallareas"
	"quartier/internal/travel"
	"quartier/schemas"
	"quartier/schemas/calibration"
)

// Travel is what answers about travel times; nil where the release has nothing of them. Who asks checks the places first: it has all
// streets and timetables of the release.
func (r *Release) Travel() *travel.World { return r.all.Travel }

// Allows reports whether a place is in the regions of the agreement, whether or not the release covers it.
func (r *Release) Allows(lng, lat float64) bool {
	return r.regions == nil || r.allows(r.all.Geographies.RegionsAt(nil, lng, lat))
}

// Total adds up the small areas in a shape as People does, with margins of error.
func (r *Release) Total(shape *areal.Shape, out *smallareas.Totals) {
	scope := smallareas.Scope{Country: r.codes[0][:len("CA")], Regions: r.regions, Stop: r.Stop}
	r.all.SmallAreas.Total(shape, scope, &calibration.Standard().Demographics.Parts, out)
}

// KnowsJobs reports whether a source of jobs covers a place that the client may see.
func (r *Release) KnowsJobs(p coord.Point) bool {
	at := p.Orb()
	return r.all.Reach.KnowsJobs(p) && r.Allows(at[0], at[1])
}

// JobsIn are the jobs that are done in a shape.
func (r *Release) JobsIn(shape *areal.Shape) int {
	var sum uint64 // thousandths
	numbers := r.all.Reach.Jobs()
	for i, p := range r.all.JobPlaces() {
		if at := p.Orb(); shape.Relate(coord.Box{Min: p, Max: p}) == areal.Inside && r.Allows(at[0], at[1]) {
			sum += numbers[i]
		}
	}
	return int((sum + 500) / 1000)
}

// TravelMeasures are those of geography i by schemas.TravelMeasures, as reach.Table has them; false where there are none.
func (r *Release) TravelMeasures(i int, into []uint32) bool {
	_, ok := r.all.Reach.Geography(r.ID(i), into)
	return ok
}

// Home is where people live. Weight is thousandths of a household or, where no household of the geography is known, of a metre of street.
type Home struct {
	Point  orb.Point
	Weight uint64
}

// Homes are the homes in geography i that the client may see, in the order of the release.
func (r *Release) Homes(i int) (list []Home) {
	area := r.Area(i)
	rings := make(orb.MultiPolygon, len(area.Ends))
	for k := range rings {
		var ring orb.Ring
		for _, p := range area.Ring(k) {
			ring = append(ring, p.Orb())
		}
		rings[k] = orb.Polygon{ring}
	}
	table := r.all.Access
	for _, h := range table.HomesOf(geo.Prepare(rings), r.BBox(i), func(at orb.Point) bool { return r.Allows(at[0], at[1]) }) {
		list = append(list, Home{table.HomePoint(h), table.HomeWeight(h)})
	}
	return list
}

// Municipalities visits the current municipalities that the client may see, with a point inside and the number of people, −1 where that
// is not known.
func (r *Release) Municipalities(visit func(i int, inside orb.Point, people int64)) {
	for i := range r.public {
		if _, superseded := r.all.Geographies.Superseded(i); !superseded && r.all.Geographies.Level(i) == schemas.Municipality && r.shows(i) {
			visit(i, r.all.Geographies.Centroid(i), r.all.Population(i))
		}
	}
}

// ID is the geog_id of geography i.
func (r *Release) ID(i int) string {
	t, i := r.tables(i)
	return t.Geographies.ID(i)
}

package travel

import (
	"cmp"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	packed "quartier/internal/pack/reach"
	"quartier/internal/travel"
	"quartier/schemas"
	"quartier/schemas/trips"
	"quartier/serve/account"
	"quartier/serve/endpoint"
	"quartier/serve/param"
	"quartier/serve/scope"
)

// What the times of a geography are made of.
const (
	sampled    = 15     // homes of which the median is taken
	others     = 3      // centres besides its own
	manyPeople = 10_000 // of a municipality that is a centre for larger ones, too
	mostM      = 100e3  // to a centre, in a straight line
)

// geographyQuery is the query of GET /v3/travel-times/{geog_id}.
type geographyQuery struct {
	way
	MaxMinutes param.Value[int]
	Language   param.Value[string]
}

// ByGeography is GET /v3/travel-times/{geog_id}.
func ByGeography() endpoint.Endpoint {
	return endpoint.Define(endpoint.Endpoint{
		Name:    "getGeographyTravelTimes",
		Path:    "/v3/travel-times/{geog_id}",
		Product: account.Travel,
		Levels:  endpoint.UpToMetro,
		Summary: "Minutes from the homes of a geography to centres",
		Doc: "Medians over 15 homes of the geography, drawn evenly by households, to the centre of its own municipality and of the three " +
			"nearest with at least as many people or 10,000. The centre of a municipality is the home nearest to the middle of its " +
			"households; of a geography above municipalities, its own is the one in it with the most people.",
		Body:    trips.GeographyTravelTimesAnswer{},
		Refuses: []error{scope.ErrRegion, scope.ErrNoTravel, endpoint.ErrNothing},
	}, param.NewSet[geographyQuery](nil, append([]*param.Param[geographyQuery]{
		param.Count("max_minutes", MaxMinutes, MaxMinutes, func(q *geographyQuery) *param.Value[int] { return &q.MaxMinutes }).
			Doc("Limit of minutes; farther centres have none."),
		endpoint.Language("Language of names.", func(q *geographyQuery) *param.Value[string] { return &q.Language }),
	}, wayParams(func(q *geographyQuery) *way { return &q.way })...)...), answerGeography)
}

// answerGeography appends a trips.GeographyTravelTimesAnswer to the body.
func answerGeography(r *endpoint.Request, q *geographyQuery, _ *struct{}) error {
	i, err := r.Release.Geography(r.Segment)
	if err != nil {
		return err
	}
	o, err := q.options(q.MaxMinutes.V)
	if err != nil {
		return err
	}
	world, err := begin(r, o.Mode)
	if err != nil {
		return err
	}
	homes := r.Release.Homes(i)
	if len(homes) == 0 {
		return endpoint.ErrNothing
	}
	from := drawHomes(homes, sampled)
	answer := trips.GeographyTravelTimesAnswer{
		Data: trips.GeographyTravelTimesData{Type: "travel_times", Travel: terms(world, &o), Homes: len(from),
			Centres: []trips.TravelCentre{}},
		Meta: schemas.GeographyMeta{Meta: schemas.NewMeta("travel-times", 200), Deprecation: r.Release.Deprecation(i)},
	}
	values := make([]uint32, len(schemas.TravelMeasures))
	if r.Release.TravelMeasures(i, values) {
		answer.Data.Measures = map[string]int{}
		for k, value := range values {
			if value != packed.Absent {
				answer.Data.Measures[schemas.TravelMeasures[k].ID] = int(value)
			}
		}
	}
	var to []coord.Point
	for _, c := range centresOf(r, i, middleOf(homes)) {
		name := r.Release.Name(c.geography)
		answer.Data.Centres = append(answer.Data.Centres, trips.TravelCentre{GeogID: c.id, Name: name.In(q.Language.V), Own: c.own,
			Lat: degrees(c.at[1]), Lng: degrees(c.at[0])})
		to = append(to, pointOf(c.at))
	}
	minutes, err := minutesOf(r, world, from, to, o)
	if err != nil || minutes == nil {
		return err
	}
	for k := range to {
		describe(&answer.Data.Centres[k], world, &o, from, to[k], minutes[k])
	}
	r.Body = endpoint.AppendEncoded(r.Body, answer)
	return nil
}

// minutesOf are the minutes to each target from each home; nil where the server has stopped the request.
func minutesOf(r *endpoint.Request, w *travel.World, from []scope.Home, to []coord.Point, o travel.Options) ([][]travel.Minutes, error) {
	targets, err := w.Targets(r.HTTP.Context(), to, o)
	if err != nil {
		return nil, failed(r, err)
	}
	all, row := make([][]travel.Minutes, len(to)), make([]travel.Minutes, len(to))
	for _, home := range from {
		if r.Release.Stop() {
			return nil, nil
		}
		if err := targets.From(r.HTTP.Context(), pointOf(home.Point), row); err != nil {
			return nil, failed(r, err)
		}
		for k, m := range row {
			all[k] = append(all[k], m)
		}
	}
	return all, nil
}

// describe fills in the median of the minutes from homes to a centre. Where more than a fifth of the homes are unknown, so is the median;
// homes beyond the limit are longer than all others.
func describe(c *trips.TravelCentre, w *travel.World, o *travel.Options, from []scope.Home, to coord.Point, minutes []travel.Minutes) {
	var known, all int
	order, lacking := []int{}, map[travel.Minutes]int{} // numbers of homes; one of each kind of those without minutes
	points := []coord.Point{to}
	for i, m := range minutes {
		points, all = append(points, pointOf(from[i].Point)), all+int(from[i].Weight)
		lacking[min(m, 0)] = i
		if m != travel.Unknown {
			order, known = append(order, i), known+int(from[i].Weight)
		}
	}
	c.Coverage = transitAt(w, o, points...)
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(uint16(minutes[a]), uint16(minutes[b])) }) // Unreached is the largest
	below := 0
	for _, i := range order {
		if below += int(from[i].Weight); 2*below < known {
			continue
		}
		if median := int(minutes[i]); median >= 0 && 5*known >= 4*all {
			c.Minutes = &median
			return
		}
		break
	}
	m := travel.Unreached
	if 5*known < 4*all {
		m = travel.Unknown
	}
	c.Reason = reasonOf(w, o, pointOf(from[lacking[m]].Point), to, m)
}

// drawHomes draws n homes evenly by their weight, in their order, and returns each once with how often it was drawn.
func drawHomes(homes []scope.Home, n uint64) (drawn []scope.Home) {
	var total, below, done uint64
	for _, h := range homes {
		total += h.Weight
	}
	for _, h := range homes {
		below += h.Weight
		first := done
		for (2*done+1)*total < 2*n*below { // the middle of each of n equal parts
			done++
		}
		if h.Weight = done - first; h.Weight > 0 {
			drawn = append(drawn, h)
		}
	}
	return drawn
}

// middleOf is the home that is nearest to the middle of all, the medians of longitude and latitude by weight.
func middleOf(homes []scope.Home) orb.Point {
	var middle orb.Point
	order := slices.Clone(homes)
	for axis := range middle {
		slices.SortFunc(order, func(a, b scope.Home) int { return cmp.Compare(a.Point[axis], b.Point[axis]) })
		var total, below uint64
		for _, h := range order {
			total += h.Weight
		}
		for _, h := range order {
			if below += h.Weight; 2*below >= total {
				middle[axis] = h.Point[axis]
				break
			}
		}
	}
	return slices.MinFunc(homes, func(a, b scope.Home) int {
		return cmp.Compare(geo.Distance(a.Point, middle), geo.Distance(b.Point, middle))
	}).Point
}

// centre is that of a municipality.
type centre struct {
	geography int
	id        string
	own       bool
	people    int64
	at        orb.Point
	metres    float64 // from the middle of the homes
}

// centresOf are the centres to which times from a geography are given.
func centresOf(r *endpoint.Request, i int, middle orb.Point) (list []centre) {
	own := ownOf(r, i, middle)
	least := int64(manyPeople)
	if own != nil {
		least = min(least, own.people)
	}
	var near []centre
	r.Release.Municipalities(func(n int, at orb.Point, people int64) {
		if d := geo.Distance(middle, at); d < mostM && people >= max(least, 1) && (own == nil || n != own.geography) {
			near = append(near, centre{geography: n, people: people, at: at, metres: d})
		}
	})
	slices.SortStableFunc(near, func(a, b centre) int { return cmp.Compare(a.metres, b.metres) })
	if own != nil {
		near = slices.Insert(near, 0, *own)
	}
	for _, c := range near {
		homes := r.Release.Homes(c.geography)
		if len(homes) == 0 {
			continue
		}
		c.id, c.at = r.Release.ID(c.geography), middleOf(homes)
		if list = append(list, c); len(list) == others+1 || own == nil && len(list) == others {
			break
		}
	}
	return list
}

// ownOf is the municipality that a geography is, that it is in or, of a larger one, the one in it with the most people; nil if there is
// none.
func ownOf(r *endpoint.Request, i int, middle orb.Point) (own *centre) {
	inside := func(n int, _ orb.Point) bool { return n == i }
	switch level := r.Release.Level(i); {
	case level > schemas.Municipality:
		area := r.Release.Area(i)
		inside = func(_ int, at orb.Point) bool { return area.Contains(pointOf(at)) }
	case level < schemas.Municipality:
		around := r.Release.GeographiesAt(nil, middle[0], middle[1], schemas.NewLevelSet(schemas.Municipality))
		inside = func(n int, _ orb.Point) bool { return slices.Contains(around, n) }
	}
	r.Release.Municipalities(func(n int, at orb.Point, people int64) {
		if (own == nil || people > own.people) && inside(n, at) {
			own = &centre{geography: n, own: true, people: people}
		}
	})
	return own
}

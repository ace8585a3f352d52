package explain

import (
	"cmp"
	"slices"

	"quartier/internal/geo"
	"quartier/internal/network"
	"quartier/internal/rating"
	"quartier/internal/wording"
	"quartier/schemas"
)

// measure is a measure of one quantity that a release does not keep. The quantity is inferred from the served value.
type measure struct {
	value        func(quantity float64, t *rating.Trace) float64
	from, to     float64       // the quantities at the ends of the scale
	below, above bool          // quantities beyond the ends are possible
	absent       *wording.Line // why there may be no value
	lacks        *wording.Line // that the release has not what the quantity is computed from
	finish       func(x *Explanation)
}

// inferred is the formula of a measure of one quantity; nil for other channels.
func (l *location) inferred(c schemas.Channel) *formula {
	m, ok := l.measures()[schemas.ChannelName(c)]
	if !ok {
		return nil
	}
	f := &formula{absent: m.absent, notRecomputed: m.lacks, finish: m.finish}
	served := l.value(c)
	scale := func(q float64) float64 { return min(5, m.value(q, nil)) }
	quantity := rating.Invert(scale, served, m.from, m.to)
	f.value = func(_ network.Distance, t *rating.Trace) float64 { return m.value(quantity, t) }
	remark := wording.Say("inferred")
	switch {
	case m.below && served == scale(m.from):
		remark = wording.Say("inferred_less")
	case m.above && served == scale(m.to):
		remark = wording.Say("inferred_more")
	}
	f.remarks = []*wording.Line{remark}
	return f
}

// measures are the measures of one quantity, by channel.
func (l *location) measures() map[string]measure {
	c := l.r.c
	highway, frontage, form, terrain := c.Proximity[rating.HighwayProximity], &c.Access.Frontage, &c.Form, &c.Terrain
	noHeights, noNoise, lacksHeights := wording.Say("no_elevations"), wording.Say("no_noise_data"), wording.Say("lacks_elevations")
	return map[string]measure{
		"traffic_noise":     l.noise(rating.Roads, noNoise, l.streetsHeard),
		"interchange_noise": l.noise(rating.Interchanges, noNoise, func(x *Explanation) { l.barrierHeard(x, "motorway") }),
		"railway_noise":     l.noise(rating.Railways, l.notHeard(schemas.Railway), func(x *Explanation) { l.barrierHeard(x, "railway") }),
		"airport_noise":     l.noise(rating.Aircraft, l.notHeard(schemas.Aerodrome), nil),
		"terrain_steepness": {value: func(q float64, t *rating.Trace) float64 { return rating.TerrainSteepness(terrain, q, t) },
			to: terrain.Slope.FullPct, above: true, absent: noHeights, lacks: lacksHeights},
		"street_steepness": {value: func(q float64, t *rating.Trace) float64 { return rating.StreetSteepness(terrain, q, t) },
			to: terrain.Street.FullPct, above: true, absent: noHeights, lacks: lacksHeights},
		"intersection_density": {value: func(q float64, t *rating.Trace) float64 { return rating.IntersectionDensity(form, q, t) },
			from: 1, to: 1 + float64(len(form.Intersections.RanksSqMi)),
			absent: wording.Say("no_form_data"), lacks: wording.Say("lacks_junctions")},
		"local_street_proportion": {value: func(q float64, t *rating.Trace) float64 { return rating.LocalStreets(form, q, t) },
			to: 1, absent: wording.Say("few_streets", form.MinStreetM), lacks: wording.Say("lacks_streets")},
		"infrastructure_unpleasant_for_pedestrians": {value: func(q float64, t *rating.Trace) float64 {
			return rating.UnpleasantStreets(form, q, t)
		},
			to: 1 / form.Unpleasant.Factor, above: true,
			absent: wording.Say("few_ways", form.Unpleasant.MinM), lacks: wording.Say("lacks_lanes_and_land_use")},
		rating.HighwayProximity: {value: func(q float64, t *rating.Trace) float64 {
			return rating.Proximity(rating.HighwayProximity, highway, q, t)
		},
			from: highway.NearM, to: highway.FarM, below: true, above: true, finish: l.nearestRamps,
			lacks: wording.Say("lacks_driving_network"), absent: wording.Say("no_ramp", c.Scores.Drive.SnapM)},
		"pedestrian_oriented_street_access": {value: func(q float64, t *rating.Trace) float64 { return rating.Frontage(frontage, q, t) },
			to: 12 * frontage.L0, above: true, lacks: wording.Say("lacks_speeds_and_sidewalks"), finish: l.shopsNearby,
			absent: l.tooFewKnown(frontage.Classes)},
	}
}

// noise is the measure of a source of noise.
func (l *location) noise(source rating.NoiseSource, absent *wording.Line, finish func(x *Explanation)) measure {
	n := &l.r.c.Noise
	return measure{value: func(db float64, t *rating.Trace) float64 { return rating.Noise(n, source, db, t) }, from: n.Scale.Zero,
		to: n.Scale.Five, below: true, above: true,
		absent: absent, lacks: wording.Say("lacks_sound_sources"), finish: finish}
}

// shopsNearby lists the nearest places that may line a street.
func (l *location) shopsNearby(x *Explanation) {
	places := l.nearest(l.r.c.Access.Frontage.Classes, 10, l.r.walk.Reach(), nil)
	x.Places = l.rows([]list{{places: places}}, nil)
	for i := range x.Places {
		x.Places[i].For = l.text(wording.Say("may_line_a_street"))
	}
}

// nearestRamps lists the ramps that are nearest in a straight line, of those near a street for pedestrians.
func (l *location) nearestRamps(x *Explanation) {
	const shown = 3
	ramps := l.inLine("highway_ramp")
	for k, ramp := range ramps[:min(shown, len(ramps))] {
		x.Places = append(x.Places, l.straight(wording.Say("ramp_nearby"), ramp, k))
	}
}

// inLine are the places of a class within reach on foot, the nearest in a straight line first.
func (l *location) inLine(class string) []*place {
	l.load(l.r.walk.Reach())
	places := slices.Clone(l.area.places[class])
	slices.SortStableFunc(places, func(a, b *place) int { return cmp.Compare(geo.Distance(l.at, a.at), geo.Distance(l.at, b.at)) })
	return places
}

// straight is a place in a straight line, the k-th from 0 of those with the same use.
func (l *location) straight(use *wording.Line, p *place, k int) Place {
	l.use(p.source)
	return Place{For: l.text(use), Rank: k + 1, Name: p.name, Class: p.class, At: placeOf(p.at), M: round(geo.Distance(l.at, p.at), 0),
		Straight: true,
		SourceID: p.source, Key: p.key}
}

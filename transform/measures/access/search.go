package access

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"quartier/internal/network"
	"quartier/internal/rating"
	"quartier/schemas/calibration"
)

// search is one look for the nearest places of some classes, for all that is made of them.
type search struct {
	classes []string
	k       int
	reachM  float64
	uses    []use
}

// use makes something of the metres to the nearest places of a node, nearest first. Of places beyond its own reach and
// number it makes nothing.
type use func(node int, metres []float64)

// plan collects searches, one for each set of classes.
type plan map[string]*search

func (p plan) add(classes []string, k int, reachM float64, u use) {
	key := strings.Join(classes, " ")
	if p[key] == nil {
		p[key] = &search{classes: classes}
	}
	s := p[key]
	s.k, s.reachM, s.uses = max(s.k, k), max(s.reachM, reachM), append(s.uses, u)
}

// searches are all looks for nearest places, the longest first.
func (d *deriver) searches(slots *slots) []*search {
	p := plan{}
	d.planGravities(p)
	d.planProximities(p)
	d.planSchools(p)
	slots.plan(p)
	list := slices.Collect(maps.Values(p))
	slices.SortFunc(list, func(a, b *search) int {
		return cmp.Or(cmp.Compare(b.k, a.k), cmp.Compare(strings.Join(a.classes, " "), strings.Join(b.classes, " ")))
	})
	return list
}

// run searches, and hands every node that has ground to the uses.
func (d *deriver) run(s *search) {
	places, group := d.places(s.classes)
	d.nearest(places, group, s.k, s.reachM, d.ground.of(s.classes[0]), s.uses)
}

func (d *deriver) nearest(places []network.Place, group []uint32, k int, reachM float64, ground []bool, uses []use) {
	labels := d.graph.Nearest(places, group, k, network.Metres(reachM))
	var buffer [16]float64
	for node := range d.graph.Nodes {
		if !ground[node] {
			continue
		}
		metres := buffer[:0]
		for _, l := range labels.At(node) {
			metres = append(metres, l.Distance.Metres())
		}
		for _, use := range uses {
			use(node, metres)
		}
	}
}

// planGravities plans the measures and scores that are sums over nearest places (methods, 1.2).
func (d *deriver) planGravities(p plan) {
	for _, name := range slices.Sorted(maps.Keys(d.c.Access.Gravities)) {
		g := d.c.Access.Gravities[name]
		if !d.ground.known[g.Class] {
			continue
		}
		at := channelOf(name)
		p.add([]string{g.Class}, g.Places, d.walk.Reach(), func(node int, metres []float64) {
			d.m.Set(node, at, rating.Saturate(d.gravity(g, metres), g.G0))
		})
	}
}

func (d *deriver) gravity(g calibration.Gravity, metres []float64) float64 {
	var buffer [16]float64
	return rating.Gravity(g.Lambda, d.worths(buffer[:0], metres, g.Places, 1))
}

// worths are W of the first k distances, each so many times as short as it is.
func (d *deriver) worths(into, metres []float64, k int, stretch float64) []float64 {
	for _, m := range metres[:min(k, len(metres))] {
		into = append(into, d.walk.Worth(m/stretch))
	}
	return into
}

// planProximities plans the measures of the nearest place, the highway aside (methods, 1.3).
func (d *deriver) planProximities(p plan) {
	for _, name := range slices.Sorted(maps.Keys(d.c.Proximity)) {
		proximity := d.c.Proximity[name]
		if !d.ground.known[proximity.Class] {
			continue
		}
		at := channelOf(name)
		p.add([]string{proximity.Class}, 1, proximity.FarM, func(node int, metres []float64) {
			d.m.Set(node, at, rating.LogRamp(first(metres), proximity.NearM, proximity.FarM))
		})
	}
}

// first is the nearest distance, +Inf where there is none.
func first(metres []float64) float64 {
	if len(metres) == 0 {
		return math.Inf(1)
	}
	return metres[0]
}

// planSchools plans the scores of schools and daycares (methods, 1.9).
func (d *deriver) planSchools(p plan) {
	curve := d.c.Education.Curve
	for score, class := range map[string]string{"primary_schools": "primary_school", "high_schools": "high_school", "daycares": "daycare"} {
		if !d.ground.known[class] {
			continue
		}
		at, stretch := channelOf(score), d.c.Education.DistanceFactor[score]
		p.add([]string{class}, 1, stretch*curve[len(curve)-1][0], func(node int, metres []float64) {
			d.m.Set(node, at, rating.Piecewise(curve, first(metres)/stretch))
		})
	}
}

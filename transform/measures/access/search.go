package access

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"quartier/internal/extent"
	"quartier/internal/network"
	"quartier/internal/rating"
	"quartier/schemas"
)

// search is one search for the nearest places of some classes, for all measures made of them.
type search struct {
	classes  []string
	k        int
	reachM   float64
	visitors []visitor
}

// visitor takes the metres to the nearest places of a node, nearest first, and ignores places beyond its own reach and
// number.
type visitor func(node int, metres []float64)

// searchPlan collects searches, one for each set of classes.
type searchPlan map[string]*search

func (p searchPlan) add(classes []string, k int, reachM float64, v visitor) {
	key := strings.Join(classes, " ")
	if p[key] == nil {
		p[key] = &search{classes: classes}
	}
	s := p[key]
	s.k, s.reachM, s.visitors = max(s.k, k), max(s.reachM, reachM), append(s.visitors, v)
}

// searches are all searches for nearest places, the longest first.
func (d *deriver) searches(slots *slots) []*search {
	p := searchPlan{}
	for _, rule := range rating.NearestRules(d.c, d.walk) {
		if some := d.known.some[rule.Class]; some || d.known.Has(rule.Class) {
			at := schemas.MustChannel(rule.Channel)
			seen := d.edges.NewSearch([]string{rule.Class}, rule.Places, extent.NewWeight(rule.ReachM, rule.Weight))
			p.add([]string{rule.Class}, rule.Places, rule.ReachM, func(node int, metres []float64) {
				near := len(metres) > 0 && metres[0] <= d.c.Transit.PartialM
				metres = metres[:min(len(metres), rule.Places)]
				value := func(metres []float64) float64 { return rule.Value(metres, nil) }
				if (near || !some) && seen.Bounded(node, metres, value) {
					d.m.Set(node, at, value(metres))
				}
			})
		}
	}
	slots.plan(p)
	list := slices.Collect(maps.Values(p))
	slices.SortFunc(list, func(a, b *search) int {
		return cmp.Or(cmp.Compare(b.k, a.k), cmp.Compare(strings.Join(a.classes, " "), strings.Join(b.classes, " ")))
	})
	return list
}

// run searches, and passes every node with data to the visitors.
func (d *deriver) run(s *search) {
	places, group := d.places(s.classes)
	d.nearest(places, group, s.k, s.reachM, d.coverage.of(s.classes[0]), s.visitors)
}

func (d *deriver) nearest(places []network.Place, group []uint32, k int, reachM float64, covered []bool, visitors []visitor) {
	labels := d.graph.Nearest(places, group, k, network.Metres(reachM))
	var buffer [16]float64
	for node := range d.graph.Nodes {
		if !covered[node] {
			continue
		}
		metres := buffer[:0]
		for _, l := range labels.At(node) {
			metres = append(metres, l.Distance.Metres())
		}
		for _, visit := range visitors {
			visit(node, metres)
		}
	}
}

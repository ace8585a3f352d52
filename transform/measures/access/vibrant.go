package access

import (
	"slices"

	"quartier/internal/network"
	"quartier/internal/rating"
)

// vibrant fills the score vibrant (methods, 5): each place counts once, in the first class of activity that it is of.
func (d *deriver) vibrant() {
	v := &d.c.Vibrant
	activity := map[string]uint8{}
	known := 0
	for i, a := range v.Activities {
		some := false
		for _, class := range a.Classes {
			activity[class] = uint8(i)
			some = some || d.ground.known[class]
		}
		if some {
			known++
		}
	}
	if known < v.MinActivities {
		return
	}
	first := map[string]int{} // by key, the place in the list
	var places []network.Place
	var classes []uint8
	for i := range d.set.List {
		p := &d.set.List[i]
		class, counts := activity[p.Class]
		if !counts {
			continue
		}
		if at, seen := first[p.Key]; seen {
			classes[at] = min(classes[at], class)
			continue
		}
		first[p.Key] = len(places)
		places, classes = append(places, p.Place), append(classes, class)
	}
	weight := slices.Repeat([]uint32{1}, int(v.RadiusM)+1)
	n := len(v.Activities)
	sums := d.graph.Sums(places, classes, n, weight)
	at := channelOf("vibrant")
	for node := range d.graph.Nodes {
		if d.ground.places[node] {
			d.m.Set(node, at, rating.Vibrant(v, rating.NewActivity(v, sums[node*n:node*n+n])))
		}
	}
}

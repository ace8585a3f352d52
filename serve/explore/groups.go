package explore

import (
	"math"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/pack/names"
	"quartier/schemas"
	"quartier/serve/release"
)

// group is the geographies of a region below counties.
type group struct {
	name    string // of the region; "": not known
	anchor  int    // geography that has the region's name; −1: none has
	members []int
}

// reachDegrees is how far outside of the place that a region is called after its geographies are, at most.
const reachDegrees = 0.5

// groupsOf divides the geographies of a release below counties into regions. A geography is of the nearest region that is called like a
// place near it, rather like one of its state, or like the state itself. What is left of a country is the region of it that is called
// like no geography, if there is one such, and else a group without a name for each state.
func groupsOf(r *release.Release) (groups []group) {
	nameless := map[string][]int{} // groups by country
	for n, name := range r.Manifest.Regions {
		groups = append(groups, group{name: name, anchor: anchorOf(r, name)})
		if country, _ := splitName(name); groups[n].anchor < 0 {
			nameless[country] = append(nameless[country], n)
		}
	}
	named := groups
	for _, i := range smallOnes(r) {
		n := ownerOf(r, named, i)
		if only := nameless[r.Geographies.Country(i)]; n < 0 && len(only) == 1 {
			n = only[0]
		}
		if state := stateOf(r, []int{i}); n < 0 {
			n = slices.IndexFunc(groups, func(g group) bool { return g.name == "" && stateOf(r, g.members[:1]) == state })
		}
		if n < 0 {
			n, groups = len(groups), append(groups, group{anchor: -1})
		}
		groups[n].members = append(groups[n].members, i)
	}
	return groups
}

// smallOnes are the current geographies below counties.
func smallOnes(r *release.Release) (small []int) {
	for i := range r.Geographies.Len() {
		if _, superseded := r.Geographies.Superseded(i); !superseded && r.Geographies.Level(i) < schemas.County {
			small = append(small, i)
		}
	}
	return small
}

// anchors are the levels after whose geographies regions are called, the likeliest first.
var anchors = []schemas.Level{schemas.Municipality, schemas.State, schemas.Metro, schemas.Region, schemas.County, schemas.Borough}

// anchorOf is the geography that has the name of a region without its country, or whose name begins with it; −1 if none has.
func anchorOf(r *release.Release, region string) int {
	country, text := splitName(region)
	wanted, best, least := names.Fold(text), -1, math.MaxInt
	for i := range r.Geographies.Len() {
		rank := slices.Index(anchors, r.Geographies.Level(i))
		if _, superseded := r.Geographies.Superseded(i); superseded || rank < 0 || country != "" && r.Geographies.Country(i) != country {
			continue
		}
		name := r.Geographies.Name(i)
		en, fr := names.Fold(name.EN), names.Fold(name.FR)
		if en != wanted && fr != wanted {
			rank += len(anchors)
		}
		if rank < least && wanted != "" && (strings.HasPrefix(en, wanted) || strings.HasPrefix(fr, wanted)) {
			best, least = i, rank
		}
	}
	return best
}

// splitName divides "us-new-york" into "US" and "new york"; the country is "" where the name has none.
func splitName(region string) (country, text string) {
	first, rest, _ := strings.Cut(region, "-")
	if code := strings.ToUpper(first); slices.Contains(schemas.Countries, code) {
		country, region = code, rest
	}
	return country, strings.ReplaceAll(region, "-", " ")
}

// plainName is the name of a region as people write it.
func plainName(region string) schemas.Text {
	_, text := splitName(region)
	words := strings.Fields(text)
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	text = strings.Join(words, " ")
	return schemas.Text{EN: text, FR: text}
}

// ownerOf is the group of the nearest anchor, one of the same state first; −1 if none is near.
func ownerOf(r *release.Release, groups []group, i int) int {
	best, least := -1, math.Inf(1)
	at, of := r.Geographies.Centroid(i), r.Geographies.Regions(i)
	for n, g := range groups {
		if g.anchor < 0 {
			continue
		}
		same := slices.ContainsFunc(r.Geographies.Regions(g.anchor), func(code string) bool { return slices.Contains(of, code) })
		box := r.Geographies.BBox(g.anchor)
		away := apart(at, orb.Point{min(max(at[0], box.Min[0]), box.Max[0]), min(max(at[1], box.Min[1]), box.Max[1])})
		switch state := r.Geographies.Level(g.anchor) == schemas.State; {
		case same && state:
			away = 2 * reachDegrees // after the cities of the state
		case away > reachDegrees:
			continue
		case !same:
			away += 4 * reachDegrees
		}
		if away < least {
			best, least = n, away
		}
	}
	return best
}

// apart compares distances, in degrees of latitude.
func apart(a, b orb.Point) float64 {
	return math.Hypot((a[0]-b[0])*math.Cos(a[1]*math.Pi/180), a[1]-b[1])
}

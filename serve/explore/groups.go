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
	for n, anchor := range anchorsOf(r, r.Manifest.Regions) {
		groups = append(groups, group{name: r.Manifest.Regions[n], anchor: anchor})
		if country, _ := splitName(groups[n].name); anchor < 0 {
			nameless[country] = append(nameless[country], n)
		}
	}
	named := len(groups)
	for _, i := range smallOnes(r) {
		n, state := ownerOf(r, groups[:named], i), stateOf(r, []int{i})
		if only := nameless[r.Geographies.Country(i)]; n < 0 && len(only) == 1 {
			n = only[0]
		} else if n < 0 {
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

// anchorsOf are the geographies that have the names of regions without their countries, or whose names begin with them; −1: none has.
func anchorsOf(r *release.Release, regions []string) []int {
	found, least := slices.Repeat([]int{-1}, len(regions)), slices.Repeat([]int{math.MaxInt}, len(regions))
	countries, wanted := make([]string, len(regions)), make([]string, len(regions))
	for n, region := range regions {
		countries[n], wanted[n] = splitName(region)
		wanted[n] = names.Fold(wanted[n])
	}
	for i := range r.Geographies.Len() {
		level := slices.Index(anchors, r.Geographies.Level(i))
		if _, superseded := r.Geographies.Superseded(i); superseded || level < 0 {
			continue
		}
		name := r.Geographies.Name(i)
		en, fr := names.Fold(name.EN), names.Fold(name.FR)
		for n, text := range wanted {
			rank := level
			if en != text && fr != text {
				rank += len(anchors)
			}
			if rank < least[n] && (countries[n] == "" || countries[n] == r.Geographies.Country(i)) && text != "" &&
				(strings.HasPrefix(en, text) || strings.HasPrefix(fr, text)) {
				found[n], least[n] = i, rank
			}
		}
	}
	return found
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

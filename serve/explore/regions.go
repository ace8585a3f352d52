package explore

import (
	"cmp"
	"slices"

	"quartier/schemas"
	"quartier/serve/account"
	"quartier/serve/release"
)

// Region is a part of a release that was made of sources of its own, as an account may see it.
type Region struct {
	Name    string       `json:"name"`    // in the release: "us-manhattan"; "" where it is not known which one it is
	Title   schemas.Text `json:"title"`   // "Manhattan, New York"
	BBox    [4]float64   `json:"bbox"`    // of its geographies below counties: west, south, east, north, in degrees
	AsOf    string       `json:"as_of"`   // of the latest source of what is known, YYYY-MM-DD
	Known   []Subject    `json:"known"`   // in the order of subjects
	Unknown []Subject    `json:"unknown"` // the others
	Starts  []Start      `json:"starts"`  // places to begin with, one at most of each role
}

// RegionsOf returns the regions of a release of which an account may see something, in the order of the release, those without a
// name last. Which geographies a region has is not in the packs: groupsOf finds it by names and places.
func RegionsOf(r *release.Release, a *account.Agreement) []Region {
	list := []Region{}
	for _, g := range groupsOf(r) {
		g.members = slices.DeleteFunc(g.members, func(i int) bool { return !allowsAny(a, r.Regions(i)) })
		if len(g.members) == 0 {
			continue
		}
		b := r.Geographies.BBox(g.members[0])
		for _, i := range g.members {
			b = b.Union(r.Geographies.BBox(i))
		}
		region := Region{Name: g.name, BBox: [4]float64{b.Min[0], b.Min[1], b.Max[0], b.Max[1]}, Starts: startsOf(r, g.members, g.anchor)}
		region.Title = titleOf(r, &g, region.Starts[0].Name)
		region.Known, region.Unknown = knownOf(r, a, &g)
		for _, k := range region.Known {
			region.AsOf = max(region.AsOf, k.AsOf)
		}
		region.AsOf = cmp.Or(region.AsOf, r.Manifest.AsOf)
		list = append(list, region)
	}
	return list
}

// stateOf is the code of the state in which most of some geographies are, "US_DE"; "" if none is in one.
func stateOf(r *release.Release, members []int) (state string) {
	count := map[string]int{}
	for _, i := range members {
		for _, code := range r.Geographies.Regions(i) {
			count[code]++
			if count[code] > count[state] {
				state = code
			}
		}
	}
	return state
}

// titleOf is the name of the geography by which a region is called, else the region's own, else that of its largest place; with its
// state, unless it is one.
func titleOf(r *release.Release, g *group, largest schemas.Text) schemas.Text {
	title, state := plainName(g.name), stateOf(r, g.members)
	if g.anchor >= 0 {
		title = r.Geographies.Name(g.anchor)
	} else if g.name == "" {
		title = largest
	}
	if g.anchor >= 0 && r.Geographies.Level(g.anchor) >= schemas.State || len(state) < 4 {
		return title
	}
	in, _ := schemas.StateName(state[:2], state[3:])
	return schemas.Text{EN: title.EN + ", " + in.EN, FR: title.FR + ", " + in.FR}
}

package explore

import (
	"slices"

	"quartier/serve/account"
	"quartier/serve/release"
)

// Subject is something that can be known in a region.
type Subject struct {
	What   string   `json:"what"`             // of subjects
	AsOf   string   `json:"as_of,omitempty"`  // of the latest source of what is known; absent where it has none of its own
	Reason string   `json:"reason,omitempty"` // why it is not known, for the words of the page: no_source, no_streets, american, agreement
	Kinds  []string `json:"kinds,omitempty"`  // of sources that would give it; absent where none would
}

// subjects are what can be known in a region, by the panels of the page: the product that has it, and the kinds of sources that give it.
var subjects = []struct {
	what, product, reason string
	kinds                 []string
}{
	{"scores", "scores", "no_streets", []string{"osm", "roads"}},
	{"people", "demographics", "no_source", []string{"acs", "census-profile"}},
	{"market", "market_stats", "no_source", []string{"reso"}},
	{"pois", "pois", "no_source", []string{"osm", "overture", "overpass", "places", "heritage"}},
	{"schools", "schools", "no_source", []string{"schools", "nces", "odef"}},
	{"profile", "profiles", "no_source", nil},
}

// knownOf is what is known in a region, and what is not and why.
func knownOf(r *release.Release, a *account.Agreement, g *group) (known, unknown []Subject) {
	known, unknown = []Subject{}, []Subject{}
	for _, s := range subjects {
		date := ""
		for _, source := range r.Manifest.Sources {
			if source.Region == g.name && slices.Contains(s.kinds, source.Kind) {
				date = max(date, source.AsOf)
			}
		}
		if s.what == "market" && r.Market != nil {
			date = r.Market.Manifest.AsOf
		}
		switch {
		case !a.AllowsProduct(s.product):
			unknown = append(unknown, Subject{What: s.what, Reason: "agreement"})
		case has(r, g, s.what, date):
			known = append(known, Subject{What: s.what, AsOf: date})
		case s.what == "market" && r.Geographies.Country(g.members[0]) != "US":
			unknown = append(unknown, Subject{What: s.what, Reason: "american"})
		default:
			unknown = append(unknown, Subject{What: s.what, Reason: s.reason, Kinds: s.kinds})
		}
	}
	return known, unknown
}

// has reports whether something is known in a region. Of places and schools the manifest says whether a source has them.
func has(r *release.Release, g *group, what, date string) bool {
	return slices.ContainsFunc(g.members, func(i int) (found bool) {
		switch id := r.Geographies.ID(i); what {
		case "scores":
			_, found = r.Access.Geography(id)
		case "people":
			_, found = r.People.Find(id)
		case "profile":
			_, found = r.Profiles.Find(id, "en")
		case "market":
			found = r.Market != nil && slices.ContainsFunc(r.Regions(i), r.Market.Table.HasState)
		default:
			found = date != "" || len(r.Manifest.Sources) == 0
		}
		return found
	})
}

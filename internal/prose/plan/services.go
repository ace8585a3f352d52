package plan

import (
	"cmp"
	"slices"
	"strings"

	"quartier/internal/prose/lexicon"
	"quartier/internal/prose/phrase"
	"quartier/schemas/profile"
)

// theme is a group of categories that share a sentence.
type theme struct {
	kind       string
	importance float64
	categories []string
}

var themes = []theme{
	{"count.food", 0.9, []string{"restaurants", "cafes", "nightlife"}},
	{"count.groceries", 0.9, []string{"groceries", "supermarkets", "groceries_specialized", "convenience_stores", "food_shops", "alcohol"}},
	{"count.errands", 0.7, []string{"pharmacies", "banks", "health_care", "hospitals", "personal_care", "pet_care"}},
	{"count.shops", 0.6, []string{"shops_and_services", "retail", "non_food_shops", "clothing", "department_stores", "home_improvement"}},
	{"count.leisure", 0.5, []string{"libraries", "art_culture_science", "entertainment", "fitness", "sport_facilities"}},
	{"count.schools", 0.6, []string{"primary_schools", "high_schools", "daycares"}},
	{"count.evenings", 0.7, []string{"nightlife", "entertainment"}},
	{"count.culture", 0.6, []string{"art_culture_science"}},
	{"count.stations", 0.9, []string{"rapid_transit_stations", "train_stations", "tram_stops"}},
}

// counts says how many places there are of the categories of each theme, at most three: so many, or at least so many as are listed.
func counts(s *section) {
	for _, t := range themes {
		if s.which == profile.Summary && t.kind != "count.food" {
			break // it is the first
		}
		if s.which == profile.Character != (t.kind == "count.evenings" || t.kind == "count.culture") {
			continue
		}
		s.counted(t, profile.CountFact, t.kind)
		s.counted(t, profile.ListedFact, "listed"+strings.TrimPrefix(t.kind, "count"))
	}
}

func (s *section) counted(t theme, code profile.Code, kind string) {
	var used []fact
	for _, f := range s.facts[code] {
		if f.Value >= 1 && slices.Contains(t.categories, f.Subject) && !s.said[f.Subject] && len(used) < 3 {
			used = append(used, f)
		}
	}
	slices.SortStableFunc(used, func(a, b fact) int { return cmp.Compare(b.Value, a.Value) }) // there are six … and one …
	for _, together := range s.groups(used) {
		var items []phrase.Slot
		for _, f := range together {
			s.said[f.Subject] = true
			items = append(items, phrase.Slot{Kind: phrase.Count, N: f.Value, Noun: f.Subject})
		}
		s.add(t.importance, 1, kind, slots{"counts": {Kind: phrase.List, Items: items}}, together...)
	}
}

// brands says which chains have the most branches.
func brands(s *section) {
	facts, names := s.named(profile.BrandFact, 3)
	if len(facts) == 0 {
		return
	}
	var items []phrase.Slot
	for _, i := range frequentAny(facts) {
		items = append(items, phrase.Slot{Kind: phrase.Named, Name: names[i]})
	}
	kind := "brands"
	if len(facts) == 1 {
		kind = "brand"
	}
	s.add(0.6, 0, kind, slots{"brands": {Kind: phrase.List, Items: items}, "places": {Kind: phrase.Number, N: facts[0].Value}}, facts...)
}

// groups are the facts that share a message: all, or each alone.
func (s *section) groups(facts []fact) (groups [][]fact) {
	switch {
	case len(facts) == 0:
		return nil
	case !s.apart:
		return [][]fact{facts}
	}
	for i := range facts {
		groups = append(groups, facts[i:i+1])
	}
	return groups
}

// absences says which everyday place is missing, where there is one within 800 m of the place or none either.
func absences(s *section) {
	if s.which == profile.Summary {
		return
	}
	everyday := []string{"groceries", "pharmacies", "restaurants", "cafes", "libraries"}
	for _, f := range s.facts[profile.CountFact] {
		if f.Value != 0 || !(f.Typical >= 1) || !slices.Contains(everyday, f.Subject) {
			continue
		}
		sl := slots{"thing": {Kind: phrase.Thing, Noun: f.Subject}, "near": {Kind: phrase.Count, N: f.Further, Noun: f.Subject},
			"reach": {Kind: phrase.Length, N: 800}}
		kind := "absent"
		if f.Further >= 1 {
			kind = "absent.near"
		}
		s.said[f.Subject] = true
		s.add(0.3, -1, kind, sl, f)
		return
	}
}

// longWalk is the number of minutes up to which a way is called a walk.
const longWalk = 30

// walks says the walks to the nearest of some categories: schools and daycares in one message, the others in another.
func walks(s *section) {
	var schools, others []fact
	learning := []string{"primary_schools", "high_schools", "daycares"}
	for _, f := range s.facts[profile.WalkTimeFact] {
		switch {
		case !lexicon.Has(f.Subject) || f.Value > longWalk:
		case slices.Contains(learning, f.Subject) || f.Subject == "schools":
			schools = append(schools, f)
		default:
			others = append(others, f)
		}
	}
	for _, together := range s.groups(others) {
		s.walk("walk", 0.8, together)
	}
	for _, together := range s.groups(schools) {
		s.walk("walk.schools", 0.5, together)
	}
}

// walk says the nearest of at most three categories, the shortest walk first.
func (s *section) walk(kind string, importance float64, facts []fact) {
	if len(facts) == 0 {
		return
	}
	facts = facts[:min(3, len(facts))]
	slices.SortStableFunc(facts, func(a, b fact) int { return cmp.Compare(a.Value, b.Value) })
	first := facts[0]
	if len(facts) == 1 {
		sl := slots{"thing": {Kind: phrase.Thing, Noun: first.Subject}, "walk": {Kind: phrase.Walk, N: first.Value * phrase.MetresPerMinute}}
		s.add(importance, 0, kind+".one", sl, facts...)
		return
	}
	var items []phrase.Slot
	for _, f := range facts {
		items = append(items, phrase.Slot{Kind: phrase.Trip, N: f.Value * phrase.MetresPerMinute, Noun: f.Subject})
	}
	s.add(importance, 0, kind, slots{"trips": {Kind: phrase.List, Items: items}}, facts...)
}

// streets says the streets with the most shops, restaurants and services.
func streets(s *section) {
	facts, names := s.named(profile.StreetFact, 12)
	order := frequentAny(facts)
	var items []phrase.Slot
	var used []fact
	for _, i := range order {
		if facts[i].Value >= 3 && len(items) < 3 {
			items, used = append(items, phrase.Slot{Kind: phrase.Named, Name: names[i]}), append(used, facts[i])
		}
	}
	if len(items) == 0 {
		return
	}
	kind := "street"
	if len(items) > 1 {
		kind = "streets"
	}
	if used[0].Value < busy {
		kind += ".few"
	}
	sl := slots{"street": items[0], "businesses": {Kind: phrase.Count, N: used[0].Value, Noun: "business"}}
	sl["others"] = phrase.Slot{Kind: phrase.List, Items: items[1:]}
	sl["streets"] = phrase.Slot{Kind: phrase.List, Items: items}
	s.add(1.9, 1, kind, sl, used...)
}

// busy is the number of places on a street from which it is called the main street for shops.
const busy = 8

func frequentAny(facts []fact) []int {
	order := make([]int, len(facts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(facts[b].Value, facts[a].Value) })
	return order
}

// least is the extent in hectares from which that of a park is said.
const least = 1

// parks says how many parks there are with their ground, and the largest by name.
func parks(s *section) {
	facts, names := s.named(profile.ParkFact, 8)
	if s.parkNames(facts, names) {
		facts, names = nil, nil
	}
	all := s.facts[profile.ParksFact]
	for _, f := range s.facts[profile.ListedFact] {
		if f.Subject == "parks" && s.which != profile.Summary {
			s.add(1.4, 1, "listed.parks", slots{"count": {Kind: phrase.Count, N: f.Value, Noun: "parks"}}, f)
		}
	}
	counted := len(all) > 0 && all[0].Value >= 1
	for k, i := range frequentAny(facts) {
		if k == 0 && counted && !s.apart {
			continue // with the number of parks
		}
		if counted && !s.apart || k > 0 && !s.apart || facts[i].Value < least {
			break
		}
		s.add(1.7, 1, "park", parkSlots(facts[i], names[i]), facts[i])
	}
	if !counted {
		return
	}
	sl, kind, used := slots{}, "parks", all[:1:1]
	if len(facts) > 0 && !s.apart {
		i := frequentAny(facts)[0]
		sl, kind, used = parkSlots(facts[i], names[i]), "parks.named", append(used, facts[i])
		if all[0].Value == 1 {
			one := "park"
			if facts[i].Value < least {
				one = "park.small"
			}
			s.add(1.7, 1, one, sl, used...)
			return
		}
		if facts[i].Value < least {
			kind += ".small"
		}
	}
	sl["count"], sl["ground"] = phrase.Slot{Kind: phrase.Count, N: all[0].Value, Noun: "parks"},
		phrase.Slot{Kind: phrase.Hectares, N: all[0].Further}
	if all[0].Further < least && kind != "parks.named.small" {
		kind += ".bare" // of unknown extent
	}
	s.add(1.5, 1, kind, sl, used...)
}

// parkNames says which parks there are, among others, where no extent is known or large enough to be said; false if it says none.
func (s *section) parkNames(facts []fact, names []phrase.Name) bool {
	if len(facts) < 2 || slices.ContainsFunc(facts, func(f fact) bool { return f.Value >= least }) {
		return false
	}
	var items []phrase.Slot
	for _, n := range names[:min(3, len(names))] {
		items = append(items, phrase.Slot{Kind: phrase.Named, Name: n})
	}
	s.add(1.2, 1, "parks.list", slots{"parks": {Kind: phrase.List, Items: items}}, facts[:len(items)]...)
	return true
}

func parkSlots(f fact, name phrase.Name) slots {
	return slots{"park": {Kind: phrase.Named, Name: name}, "size": {Kind: phrase.Hectares, N: f.Value}}
}

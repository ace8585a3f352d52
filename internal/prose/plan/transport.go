package plan

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"quartier/internal/prose/lexicon"
	"quartier/internal/prose/phrase"
	"quartier/schemas/profile"
)

// farStation is the walk in metres beyond which a station is not worth a sentence.
const farStation = 4000

// stations says the nearest station of each mode, at most two modes.
func stations(s *section) {
	facts, names := s.named(profile.StationFact, 8)
	order := make([]int, len(facts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(facts[a].Value, facts[b].Value) })
	said := map[string]bool{}
	for _, i := range order {
		f := facts[i]
		if said[f.Subject] || f.Value > farStation || !lexicon.Has(f.Subject) || len(said) == 2 {
			continue
		}
		said[f.Subject] = true
		weight := 0.9
		if f.Subject == "bus" {
			weight = 0.5
		}
		sl := slots{
			"station": {Kind: phrase.Named, Noun: "station", Name: names[i]}, "mode": {Kind: phrase.Thing, Noun: f.Subject},
			"walk": {Kind: phrase.Walk, N: f.Value}, "length": {Kind: phrase.Length, N: f.Value}, "trips": {Kind: phrase.Rounded, N: f.Further},
		}
		kind := "station"
		switch {
		case f.Subject != "bus" && nameless(names[i].EN, f.Subject) && f.Value > longWalk*phrase.MetresPerMinute:
			continue
		case f.Subject == "bus":
			kind = "stop" // which it is says little
		case f.Value > longWalk*phrase.MetresPerMinute:
			kind = "station.far"
		case nameless(names[i].EN, f.Subject):
			kind, sl = "walk.one", slots{"thing": sl["mode"], "walk": sl["walk"]}
		case f.Further >= 10:
			kind = "station.trips"
		}
		s.add(weight, 1, kind, sl, f)
	}
}

// nameless reports whether the name of a station is only the noun for it.
func nameless(name, mode string) bool {
	noun := lexicon.NounOf(mode)
	return slices.Contains([]string{noun.EN, noun.FR, "station", "stop", "bus stop", "arrêt", "gare", "terminal"}, strings.ToLower(name))
}

// lines says how many lines of a mode stop in the place and which are the most frequent, at most two modes.
func lines(s *section) {
	signs, names := s.named(profile.LineFact, 24)
	s.someLines(signs, names)
	said := 0
	for _, f := range byValue(s.facts[profile.LinesFact]) {
		if f.Value < 1 || !lexicon.Has(f.Subject+"_line") || said == 2 {
			continue
		}
		said++
		sl := slots{"lines": {Kind: phrase.Count, N: f.Value, Noun: f.Subject + "_line"}, "trips": {Kind: phrase.Rounded, N: f.Further}}
		used, items := []fact{f}, []phrase.Slot{}
		for _, i := range frequent(signs, f.Subject, 3) {
			used, items = append(used, signs[i]), append(items, phrase.Slot{Kind: phrase.Sign, Name: names[i]})
		}
		sl["signs"] = phrase.Slot{Kind: phrase.List, Items: items}
		kind := "lines"
		switch {
		case f.Value == 1 && len(items) == 1:
			kind = "lines.one"
		case len(items) > 0 && float64(len(items)) < f.Value:
			kind = "lines.named"
		case len(items) > 1:
			kind = "lines.all"
		default:
			used = used[:1]
		}
		if f.Further < 10 {
			kind += ".still"
		}
		s.add(0.8, 1, kind, sl, used...)
	}
}

// someLines says which lines of a mode stop in the place where their number is not known.
func (s *section) someLines(signs []fact, names []phrase.Name) {
	for _, mode := range []string{"subway", "rapid_transit", "train", "tram", "bus", "ferry"} {
		counted := slices.ContainsFunc(s.facts[profile.LinesFact], func(f fact) bool { return f.Subject == mode })
		indices := frequent(signs, mode, 3)
		if counted || len(indices) == 0 {
			continue
		}
		var used []fact
		var items []phrase.Slot
		for _, i := range indices {
			used, items = append(used, signs[i]), append(items, phrase.Slot{Kind: phrase.Sign, Name: names[i]})
		}
		s.add(0.7, 1, "lines.some", slots{"lines": {Kind: phrase.Thing, Noun: mode + "_line", N: 2}, "signs": {Kind: phrase.List, Items: items}},
			used...)
		return
	}
}

// frequent are the indices of the lines of a mode with the most trips.
func frequent(facts []fact, mode string, n int) (indices []int) {
	for i, f := range facts {
		if f.Subject == mode {
			indices = append(indices, i)
		}
	}
	slices.SortStableFunc(indices, func(a, b int) int {
		return cmp.Or(cmp.Compare(facts[b].Value, facts[a].Value), compareSigns(facts[a].Name, facts[b].Name))
	})
	indices = indices[:min(n, len(indices))]
	slices.SortFunc(indices, func(a, b int) int { return compareSigns(facts[a].Name, facts[b].Name) })
	return indices
}

// compareSigns orders lines by their numbers, and those with letters after them.
func compareSigns(a, b string) int {
	m, errA := strconv.Atoi(a)
	n, errB := strconv.Atoi(b)
	switch {
	case errA == nil && errB == nil:
		return cmp.Compare(m, n)
	case errA == nil:
		return -1
	case errB == nil:
		return 1
	}
	return cmp.Compare(a, b)
}

func byValue(facts []fact) []fact {
	sorted := slices.Clone(facts)
	slices.SortStableFunc(sorted, func(a, b fact) int { return cmp.Compare(b.Value, a.Value) })
	return sorted
}

func bikeways(s *section) {
	if len(s.facts[profile.BikewayFact]) == 0 {
		return
	}
	f := s.facts[profile.BikewayFact][0]
	sl := slots{"paths": {Kind: phrase.Length, N: 1000 * f.Value}, "lanes": {Kind: phrase.Length, N: 1000 * f.Further}}
	switch {
	case f.Value >= 0.2 && f.Further >= 0.2:
		s.add(0.6, 1, "bikeway.both", sl, f)
	case f.Value >= 0.2:
		s.add(0.6, 1, "bikeway.paths", sl, f)
	case f.Further >= 0.2:
		s.add(0.6, 0, "bikeway.lanes", sl, f)
	}
}

func highways(s *section) { s.nearest(profile.HighwayFact, "highway", 0.4, 20000) }

func airports(s *section) { s.nearest(profile.AirportFact, "airport", 0.3, 30000) }

// nearest says the nearest of a kind of named things within a distance in metres.
func (s *section) nearest(code profile.Code, kind string, importance, far float64) {
	facts, names := s.named(code, 8)
	best := -1
	for i, f := range facts {
		if f.Value <= far && (best < 0 || f.Value < facts[best].Value) {
			best = i
		}
	}
	if best >= 0 {
		sl := slots{"name": {Kind: phrase.Named, Name: names[best]}, "length": {Kind: phrase.Length, N: facts[best].Value}}
		s.add(importance, 0, kind, sl, facts[best])
	}
}

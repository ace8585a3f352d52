package plan

import (
	"cmp"
	"fmt"
	"slices"

	"quartier/internal/prose/lexicon"
	"quartier/internal/prose/phrase"
	"quartier/schemas"
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
		sl := slots{
			"station": {Kind: phrase.Named, Noun: "station", Name: names[i]}, "mode": {Kind: phrase.Thing, Noun: f.Subject},
			"walk": {Kind: phrase.Walk, N: f.Value}, "trips": {Kind: phrase.Rounded, N: f.Further},
		}
		kind := "station"
		if f.Further >= 10 {
			kind = "station.trips"
		}
		s.add(0.9, 1, kind, sl, f)
	}
}

// lines says how many lines of a mode stop in the place and which are the most frequent, at most two modes.
func lines(s *section) {
	signs, names := s.named(profile.LineFact, 24)
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

// frequent are the indices of the lines of a mode with the most trips.
func frequent(facts []fact, mode string, n int) (indices []int) {
	for i, f := range facts {
		if f.Subject == mode {
			indices = append(indices, i)
		}
	}
	slices.SortStableFunc(indices, func(a, b int) int { return cmp.Compare(facts[b].Value, facts[a].Value) })
	return indices[:min(n, len(indices))]
}

func byValue(facts []fact) []fact {
	sorted := slices.Clone(facts)
	slices.SortStableFunc(sorted, func(a, b fact) int { return cmp.Compare(b.Value, a.Value) })
	return sorted
}

// scores words the scores, each once.
func scores(s *section) {
	for _, f := range s.facts[profile.ScoreFact] {
		if f.Value > 5 || !slices.ContainsFunc(schemas.Scores, func(score schemas.Score) bool { return score.ID == f.Subject }) || s.redundant(f.Subject) {
			continue
		}
		band, sign := schemas.Band(uint16(f.Value*schemas.UnitValue+0.5)), 0
		switch {
		case band >= 4:
			sign = 1
		case band <= 1:
			sign = -1
		}
		s.add(importance[f.Subject], sign, fmt.Sprintf("score.%s.%d", f.Subject, band), nil, f)
	}
}

// importance is that of scores.
var importance = map[string]float64{
	"pedestrian_friendly": 0.8, "transit_friendly": 0.6, "cycling_friendly": 0.6, "car_friendly": 0.3, "quiet": 0.6, "greenery": 0.6, "historic": 0.5, "vibrant": 0.5,
	"groceries": 0.5, "restaurants": 0.5, "cafes": 0.4, "shopping": 0.4, "nightlife": 0.3, "primary_schools": 0.4, "high_schools": 0.4, "daycares": 0.4, "parks": 0.5, "wellness": 0.3,
}

// redundant reports whether the section says the subject of a score by other facts: a count, the nearest, or parks by name.
func (s *section) redundant(subject string) bool {
	about := func(f fact) bool { return f.Subject == subject }
	return slices.ContainsFunc(s.facts[profile.CountFact], about) || slices.ContainsFunc(s.facts[profile.WalkTimeFact], about) ||
		subject == "parks" && len(s.facts[profile.ParksFact])+len(s.facts[profile.ParkFact]) > 0
}

func bikeways(s *section) {
	for _, f := range s.facts[profile.BikewayFact] {
		sl := slots{"paths": {Kind: phrase.Length, N: 1000 * f.Value}, "lanes": {Kind: phrase.Length, N: 1000 * f.Further}}
		switch {
		case f.Value >= 0.2 && f.Further >= 0.2:
			s.add(0.6, 1, "bikeway.both", sl, f)
		case f.Value >= 0.2:
			s.add(0.6, 1, "bikeway.paths", sl, f)
		case f.Further >= 0.2:
			s.add(0.6, 0, "bikeway.lanes", sl, f)
		}
		return
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

package plan

import (
	"cmp"
	"fmt"
	"slices"

	"quartier/internal/prose/lexicon"
	"quartier/internal/prose/phrase"
	"quartier/schemas"
	"quartier/schemas/profile"
	"quartier/schemas/scoretexts"
)

// importance is that of scores.
var importance = map[string]float64{
	"pedestrian_friendly": 0.8, "transit_friendly": 0.7, "cycling_friendly": 0.6, "car_friendly": 0.3, "quiet": 0.6, "greenery": 0.6,
	"historic": 0.5, "vibrant": 0.5,
	"groceries": 0.5, "restaurants": 0.5, "cafes": 0.4, "shopping": 0.4, "nightlife": 0.3, "primary_schools": 0.4, "high_schools": 0.4,
	"daycares": 0.4, "parks": 0.5, "wellness": 0.4,
}

// ranging are the scores whose spread over homes is worded where it is wide.
var ranging = []string{"pedestrian_friendly", "transit_friendly", "quiet", "greenery"}

// wide is the number of bands that a spread covers from which it is wide.
const wide = 3

// scores words the scores that no other message states, in the order of the API.
func scores(s *section) {
	list := slices.Clone(s.facts[profile.ScoreFact])
	slices.SortStableFunc(list, func(a, b fact) int { return cmp.Compare(scoreIndex(a.Subject), scoreIndex(b.Subject)) })
	for _, f := range list {
		if f.Value > 5 || scoreIndex(f.Subject) < 0 || s.said[f.Subject] || s.redundant(f.Subject) {
			continue
		}
		s.said[f.Subject] = true
		low, high := band(f.Subject, f.Low), band(f.Subject, f.High)
		if slices.Contains(ranging, f.Subject) && low >= 0 && high-low >= wide {
			s.add(importance[f.Subject]+0.1, 0, "range."+f.Subject, slots{"low": term(f.Subject, low), "high": term(f.Subject, high)}, f)
			continue
		}
		b := band(f.Subject, f.Value)
		s.add(importance[f.Subject], signOf(b), fmt.Sprintf("score.%s.%d", f.Subject, b), nil, f)
	}
}

// term is the word for a band of a score.
func term(score string, band int) phrase.Slot {
	return phrase.Slot{Kind: phrase.Term, Word: fmt.Sprintf("%s.%d", score, band)}
}

// signOf is 1 in the two highest bands and −1 in the two lowest.
func signOf(band int) int {
	switch {
	case band >= 4:
		return 1
	case band <= 1:
		return -1
	}
	return 0
}

// band is the band of a value of a score, which must be one; −1 for what is no value.
func band(score string, value float64) int {
	if !(value >= 0 && value <= 5) {
		return -1
	}
	return scoretexts.Band(scoreIndex(score), uint16(value*schemas.UnitValue+0.5))
}

func scoreIndex(id string) int {
	return slices.IndexFunc(schemas.Scores, func(score schemas.Score) bool { return score.ID == id })
}

// redundant reports whether the section says the subject of a score by other facts: a count, the nearest, or parks by name.
func (s *section) redundant(subject string) bool {
	about := func(f fact) bool { return f.Subject == subject && f.Value > 0 }
	return slices.ContainsFunc(s.facts[profile.CountFact], about) || slices.ContainsFunc(s.facts[profile.WalkTimeFact], about) ||
		subject == "parks" && (slices.ContainsFunc(s.facts[profile.ParksFact], func(f fact) bool { return f.Value > 0 }) ||
			len(s.facts[profile.ParkFact]) > 0)
}

// reaches says together which everyday places are within walking distance and which are not, from two scores on.
func reaches(s *section) {
	var near, none []fact
	for _, f := range s.facts[profile.ScoreFact] {
		if !slices.Contains([]string{"groceries", "cafes", "restaurants", "nightlife"}, f.Subject) || s.said[f.Subject] ||
			s.redundant(f.Subject) {
			continue
		}
		switch b := band(f.Subject, f.Value); {
		case b >= 4:
			near = append(near, f)
		case b == 0:
			none = append(none, f)
		}
	}
	s.reach("reach.near", 1, near)
	s.reach("reach.none", -1, none)
}

func (s *section) reach(kind string, sign int, facts []fact) {
	if len(facts) < 2 {
		return
	}
	slices.SortStableFunc(facts, func(a, b fact) int { return cmp.Compare(scoreIndex(a.Subject), scoreIndex(b.Subject)) })
	var items []phrase.Slot
	for _, f := range facts {
		n := 1.0
		if sign > 0 {
			n = 2
		}
		items = append(items, phrase.Slot{Kind: phrase.Thing, Noun: f.Subject, N: n})
		s.said[f.Subject] = true
	}
	sl := slots{"things": {Kind: phrase.List, Items: items}, "any": {Kind: phrase.List, Word: "or", Items: items}}
	if lexicon.Has(facts[0].Subject) {
		s.add(0.6, sign, kind, sl, facts...)
	}
}

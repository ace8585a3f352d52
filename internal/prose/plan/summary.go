package plan

import (
	"math"
	"slices"

	"quartier/internal/prose/lexicon"
	"quartier/internal/prose/phrase"
	"quartier/schemas/profile"
)

// digest are the scores that the summary takes from sections that have enough to say without them, and from the fourth message
// on leaves to them.
var digest = []string{"pedestrian_friendly", "transit_friendly", "vibrant", "greenery", "historic", "quiet", "cycling_friendly", "parks", "groceries", "shopping", "restaurants", "car_friendly"}

// wanted is the number of messages of a summary from which only the first of digest move to it.
const wanted, first = 3, 5

// moveToSummary gives the summary facts that come in the sections of their subjects: the typologies, the count that stands out most,
// brands, and scores. A section keeps the messages that it needs, and no fact is in two sections.
func moveToSummary(place profile.Place, facts []profile.Fact) []profile.Fact {
	moved := slices.Clone(facts)
	have := func(which profile.Section) int { return len(candidatesOf(place, which, moved, false)) }
	enough := func(which profile.Section) bool {
		return have(which) >= MinMessages || messagesOf(place, which, moved) != nil
	}
	try := func(picked func(*profile.Fact) bool) {
		i := slices.IndexFunc(moved, func(f profile.Fact) bool { return f.Section < profile.SectionCount && picked(&f) })
		if i < 0 || moved[i].Section == profile.Summary {
			return
		}
		before, from := slices.Clone(moved), moved[i].Section
		needed := enough(from)
		for i := range moved {
			if f := &moved[i]; f.Section == from && picked(f) {
				f.Section = profile.Summary
			}
		}
		if needed && !enough(from) {
			moved = before
		}
	}
	try(func(f *profile.Fact) bool { return f.Code == profile.TypologyFact })
	if i := standout(moved); i >= 0 {
		subject := moved[i].Subject
		try(func(f *profile.Fact) bool { return f.Code == profile.CountFact && f.Subject == subject })
	}
	if have(profile.Summary) < wanted {
		try(func(f *profile.Fact) bool { return f.Code == profile.BrandFact })
	}
	for i, score := range digest {
		if i < first && have(profile.Summary) < MaxMessages || have(profile.Summary) < wanted {
			try(func(f *profile.Fact) bool { return f.Code == profile.ScoreFact && f.Subject == score })
		}
	}
	if have(profile.Summary) < MinMessages {
		return facts // too little for a section of its own
	}
	return moved
}

// minStandout is the rank from which a count stands out: one place in ten has more.
const minStandout = 0.8

// standout is the index of the count that is farthest above what is typical; −1 where none stands out. Something else must
// be left to count.
func standout(facts []profile.Fact) int {
	best, counts := -1, 0
	for i, f := range facts {
		if f.Code != profile.CountFact || f.Value < 1 || f.Section != profile.Services {
			continue
		}
		counts++
		whole := f.Typical >= 1 && f.Typical == math.Trunc(f.Typical)
		if !whole || f.Value < 2*f.Typical || f.Rank < minStandout || !lexicon.Has(f.Subject) {
			continue
		}
		if best < 0 || f.Rank > facts[best].Rank || f.Rank == facts[best].Rank && f.Value > facts[best].Value {
			best = i
		}
	}
	if counts < 3 {
		return -1
	}
	return best
}

// standouts says what the place has many more of than the typical place of its level.
func standouts(s *section) {
	if s.which != profile.Summary {
		return
	}
	for _, f := range s.facts[profile.CountFact] {
		if !(f.Value > f.Typical && f.Typical >= 1) || !lexicon.Has(f.Subject) {
			continue
		}
		s.add(0.9, 1, "standout", slots{
			"count": {Kind: phrase.Count, N: f.Value, Noun: f.Subject}, "typical": {Kind: phrase.Count, N: f.Typical, Noun: f.Subject},
		}, f)
		return
	}
}

// overall says how many shops and services, and how many schools, there are at least where the counts by kind are those of lists.
func overall(s *section) {
	if s.which != profile.Summary {
		return
	}
	for _, f := range s.facts[profile.ListedFact] {
		if lexicon.Has(f.Subject) && f.Value >= 2 {
			s.add(0.8, 0, "overall."+f.Subject, slots{"count": {Kind: phrase.Count, N: f.Value, Noun: f.Subject}}, f)
		}
	}
}

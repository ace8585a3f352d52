package plan

import (
	"math"
	"slices"

	"quartier/internal/prose/lexicon"
	"quartier/internal/prose/phrase"
	"quartier/schemas/profile"
)

// leave is the least number of facts of a section, other than counts, from which a score moves to the summary.
const leave = 4

// digest are the scores that the summary takes from sections that have enough to say without them.
var digest = []string{"pedestrian_friendly", "wellness", "transit_friendly", "vibrant", "greenery", "historic"}

// moveToSummary gives the summary its facts, where they come in the sections of their subjects: the typologies, the count that
// stands out most, and some scores. No fact is in two sections.
func moveToSummary(facts []profile.Fact) []profile.Fact {
	moved := slices.Clone(facts)
	for i, f := range moved {
		character := f.Code == profile.TypologyFact && weightOf(moved, profile.Character) >= leave
		if character || f.Code == profile.ScoreFact && f.Subject == "wellness" {
			moved[i].Section = profile.Summary
		}
	}
	if i := standout(moved); i >= 0 {
		moved[i].Section = profile.Summary
	}
	for _, score := range digest {
		i := slices.IndexFunc(moved, func(f profile.Fact) bool { return f.Code == profile.ScoreFact && f.Subject == score })
		if i >= 0 && weightOf(moved, moved[i].Section) > leave {
			moved[i].Section = profile.Summary
		}
	}
	if weightOf(moved, profile.Summary) < MinMessages {
		return facts // too little for a section of its own
	}
	return moved
}

// weightOf is the number of facts of a section that become sentences of their own: of typologies one does.
func weightOf(facts []profile.Fact, which profile.Section) (n int) {
	typologies := 0
	for _, f := range facts {
		switch {
		case f.Section != which:
		case f.Code == profile.TypologyFact:
			typologies = 1
		case f.Code == profile.CountFact && which != profile.Summary, f.Code == profile.LineFact, f.Code == profile.StreetFact, f.Code == profile.ParkFact:
		default:
			n++
		}
	}
	return n + typologies
}

// minStandout is the rank from which a count stands out: one place in ten has more.
const minStandout = 0.8

// standout is the index of the count that is farthest above what is typical; −1 where none stands out. Something else must
// be left to count.
func standout(facts []profile.Fact) int {
	best, counts := -1, 0
	for i, f := range facts {
		if f.Code != profile.CountFact || f.Value < 1 {
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

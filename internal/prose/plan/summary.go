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
var digest = []string{"pedestrian_friendly", "transit_friendly", "vibrant", "greenery", "historic", "quiet", "cycling_friendly", "parks",
	"groceries", "shopping", "restaurants", "car_friendly"}

// first is the number of scores of digest that a summary takes although it has enough.
const first = 5

// manyFacts is the number of facts from which a place has a summary although little of it is rated: it takes lastResort.
const manyFacts = 20

// lastResort are facts that the summary takes of places of which much is known and little is rated, one kind after the other.
var lastResort = []func(*profile.Fact) bool{
	func(f *profile.Fact) bool { return f.Code == profile.WalkTimeFact && f.Section == profile.Services },
	func(f *profile.Fact) bool {
		return f.Code == profile.CountFact && f.Value >= 1 && slices.Contains(themes[0].categories, f.Subject)
	},
	func(f *profile.Fact) bool { return f.Code == profile.StreetFact },
	func(f *profile.Fact) bool { return f.Code == profile.StationFact },
	func(f *profile.Fact) bool { return f.Code == profile.HomesFact },
}

// lively are the categories whose counts say how lively a place is.
var lively = []string{"nightlife", "entertainment", "art_culture_science"}

// livelyCharacter gives the character of a place of which much is known the counts that say how lively it is, where it has too
// little of its own.
func livelyCharacter(place profile.Place, facts []profile.Fact) []profile.Fact {
	if len(facts) < manyFacts || messagesOf(place, profile.Character, facts) != nil {
		return facts
	}
	moved := slices.Clone(facts)
	for i := range moved {
		if f := &moved[i]; f.Code == profile.CountFact && f.Value >= 1 && slices.Contains(lively, f.Subject) {
			f.Section = profile.Character
		}
	}
	if messagesOf(place, profile.Character, moved) == nil || messagesOf(place, profile.Services, moved) == nil {
		return facts
	}
	return moved
}

// mover moves facts of a place between sections. It keeps how many candidates sections have, −1 if that is not known.
type mover struct {
	place profile.Place
	facts []profile.Fact
	known [profile.SectionCount]int
}

// have is the number of candidates of a section.
func (m *mover) have(which profile.Section) int {
	if m.known[which] < 0 {
		m.known[which] = len(candidatesOf(m.place, which, m.facts, false))
	}
	return m.known[which]
}

// enough reports whether a section has ground enough.
func (m *mover) enough(which profile.Section) bool {
	return m.have(which) >= MinMessages || messagesOf(m.place, which, m.facts) != nil
}

// move moves the picked facts of the section of the first of them to the summary, unless that section needs them.
func (m *mover) move(picked func(*profile.Fact) bool) {
	var list []int
	from := profile.SectionCount
	for i := range m.facts {
		if f := &m.facts[i]; f.Section < profile.SectionCount && (from == profile.SectionCount || f.Section == from) && picked(f) {
			list, from = append(list, i), f.Section
		}
	}
	if len(list) == 0 || from == profile.Summary {
		return
	}
	needed, before := m.enough(from), m.known
	set := func(section profile.Section) {
		for _, i := range list {
			m.facts[i].Section = section
		}
	}
	set(profile.Summary)
	m.known[from], m.known[profile.Summary] = -1, -1
	if needed && !m.enough(from) {
		set(from)
		m.known = before
	}
}

// moveToSummary gives the summary facts that come in the sections of their subjects: the typologies, the count that stands out most,
// brands, and scores. A section keeps the messages that it needs, and no fact is in two sections.
func moveToSummary(place profile.Place, facts []profile.Fact) []profile.Fact {
	m := &mover{place: place, facts: slices.Clone(facts)}
	for which := range m.known {
		m.known[which] = -1
	}
	m.move(func(f *profile.Fact) bool { return f.Code == profile.TypologyFact })
	if i := standout(facts); i >= 0 {
		m.move(func(f *profile.Fact) bool { return f.Code == profile.CountFact && f.Subject == facts[i].Subject })
	}
	for _, picked := range []func(*profile.Fact) bool{
		func(f *profile.Fact) bool { return f.Code == profile.BrandFact },
		func(f *profile.Fact) bool { return f.Code == profile.ListedFact && f.Subject == "parks" },
	} {
		if m.have(profile.Summary) < MinMessages {
			m.move(picked)
		}
	}
	for i, score := range digest {
		if have := m.have(profile.Summary); i < first && have < MaxMessages || have < MinMessages {
			m.move(func(f *profile.Fact) bool { return f.Code == profile.ScoreFact && f.Subject == score })
		}
	}
	for _, picked := range lastResort {
		if len(facts) >= manyFacts && m.have(profile.Summary) < MinMessages {
			m.move(picked)
		}
	}
	if m.have(profile.Summary) < MinMessages {
		return facts // too little for a section of its own
	}
	return m.facts
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
		if !standsOut(&f) {
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

// standsOut reports whether a count is far above what is typical, which must be a number that can be said.
func standsOut(f *profile.Fact) bool {
	whole := f.Typical >= 1 && f.Typical == math.Trunc(f.Typical)
	return whole && f.Value >= 2*f.Typical && f.Rank >= minStandout && lexicon.Has(f.Subject)
}

// standouts says what the place has many more of than the typical place of its level.
func standouts(s *section) {
	if s.which != profile.Summary {
		return
	}
	for _, f := range s.facts[profile.CountFact] {
		if !standsOut(f.Fact) {
			continue
		}
		s.said[f.Subject] = true
		s.add(0.9, 1, "standout", slots{
			"count": {Kind: phrase.Count, N: f.Value, Noun: f.Subject}, "typical": {Kind: phrase.Count, N: f.Typical, Noun: f.Subject},
		}, f)
		return
	}
}

// overall says how many shops and services, schools and parks there are at least where the counts by kind are those of lists.
func overall(s *section) {
	if s.which != profile.Summary {
		return
	}
	for _, f := range s.facts[profile.ListedFact] {
		if lexicon.Has(f.Subject) && f.Value >= 2 {
			s.add(0.8, 0, "overall", slots{"count": {Kind: phrase.Count, N: f.Value, Noun: f.Subject}}, f)
		}
	}
}

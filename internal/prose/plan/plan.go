// Package plan is the content plan: which facts of a place a profile states, in what order, and which it states together.
// It knows no language.
package plan

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"quartier/internal/prose/phrase"
	"quartier/schemas/profile"
)

// MaxMessages is the number of messages that a section has at most; some share a sentence.
const MaxMessages = 6

// candidate is a message with how much it is worth.
type candidate struct {
	phrase.Message
	weight float64 // importance of its kind, 0–1, and how far the place is from what is typical, 0–1
	order  int     // of the story: the smaller, the earlier
}

// section collects the candidates of a section.
type section struct {
	place      profile.Place
	which      profile.Section
	apart      bool                    // each fact has a message of its own
	facts      map[profile.Code][]fact // of the section, the most telling first
	said       map[string]bool         // scores that a message states together with others
	candidates []candidate
}

// fact is a fact with its index in the list of all.
type fact struct {
	*profile.Fact // of the caller, not to be changed
	index         int
}

// makers make the messages of a section, in the order in which they are stated.
var makers = []func(*section){
	identity, contains, standouts, overall, typologies, water, stations, lines, bikeways, streets, counts, brands, absences, walks,
	parks, heritage,
	reaches, scores, terrain, highways, airports, homes, dwellings, bedrooms, tenure, periods,
}

// MinMessages is the number of messages from which a section other than the introduction has ground enough.
const MinMessages = 3

// Messages are the messages of each section of a profile. A place without facts has none.
func Messages(place profile.Place, facts []profile.Fact) (sections [profile.SectionCount][]phrase.Message) {
	if len(facts) == 0 {
		return sections
	}
	facts = ownSections(facts)
	moved := moveToSummary(place, livelyCharacter(place, facts))
	for which := range profile.SectionCount {
		sections[which] = messagesOf(place, which, moved)
	}
	for which := profile.Transport; which < profile.SectionCount; which++ {
		if sections[which] == nil {
			rest := remaining(place, which, moved)
			sections[profile.Intro] = append(sections[profile.Intro], rest[:max(0, min(len(rest), mostIntro-len(sections[profile.Intro])))]...)
		}
	}
	return sections
}

// mostIntro is the number of messages of an introduction with what remains of sections without ground.
const mostIntro = 5

// plain are the beginnings of the kinds of messages that an introduction may have: what there is, and how much of it.
var plain = []string{"homes", "count.", "listed.", "brand", "park", "heritage", "water", "station", "stop", "lines"}

// remaining are the two weightiest messages of a section that has too few for one, which the introduction takes.
func remaining(place profile.Place, which profile.Section, facts []profile.Fact) (messages []phrase.Message) {
	candidates := slices.DeleteFunc(candidatesOf(place, which, facts, false), func(c candidate) bool {
		return !slices.ContainsFunc(plain, func(start string) bool { return strings.HasPrefix(c.Kind, start) })
	})
	slices.SortStableFunc(candidates, func(a, b candidate) int { return cmp.Compare(b.weight, a.weight) })
	for _, c := range candidates[:min(2, len(candidates))] {
		messages = append(messages, c.Message)
	}
	return messages
}

// ownSections gives every fact the section of its subject; facts of earlier releases may have others. Those that contradict a
// score have none.
func ownSections(facts []profile.Fact) []profile.Fact {
	own := slices.Clone(facts)
	typology := typologySection(facts)
	for i := range own {
		f := &own[i]
		if f.Code == profile.TypologyFact {
			f.Section = typology
		}
		if f.Code == profile.ScoreFact && f.Subject == "wellness" {
			f.Section = profile.Summary
		}
		if Disagrees(f, facts) != "" {
			f.Section = profile.SectionCount
		}
	}
	return own
}

// messagesOf are the messages of a section. Where there are few, facts that would share a message have one each.
func messagesOf(place profile.Place, which profile.Section, facts []profile.Fact) (messages []phrase.Message) {
	candidates := candidatesOf(place, which, facts, false)
	if which != profile.Intro && len(candidates) < MinMessages {
		if candidates = candidatesOf(place, which, facts, true); len(candidates) < MinMessages {
			return nil
		}
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int { return cmp.Compare(b.weight, a.weight) })
	chosen := candidates[:min(len(candidates), MaxMessages)]
	slices.SortStableFunc(chosen, func(a, b candidate) int { return cmp.Compare(a.order, b.order) })
	for _, c := range chosen {
		messages = append(messages, c.Message)
	}
	return messages
}

func candidatesOf(place profile.Place, which profile.Section, facts []profile.Fact, apart bool) []candidate {
	s := &section{place: place, which: which, apart: apart, facts: map[profile.Code][]fact{}, said: map[string]bool{}}
	for i := range facts {
		if f := &facts[i]; f.Section == which && valid(f) {
			s.facts[f.Code] = append(s.facts[f.Code], fact{f, i})
		}
	}
	if len(s.facts) == 0 && which != profile.Intro {
		return nil
	}
	for _, list := range s.facts {
		slices.SortStableFunc(list, moreTelling)
	}
	for _, make := range makers {
		make(s)
	}
	return s.candidates
}

// valid reports whether the figures of a fact can be said.
func valid(f *profile.Fact) bool {
	for _, v := range []float64{f.Value, f.Further, f.Rank} {
		if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
			return false
		}
	}
	switch f.Code {
	case profile.CountFact, profile.ListedFact, profile.BrandFact, profile.LinesFact, profile.ParksFact, profile.HeritageFact,
		profile.ContainsFact, profile.StreetFact:
		return f.Value == math.Trunc(f.Value)
	}
	return true
}

func moreTelling(a, b fact) int {
	return cmp.Or(cmp.Compare(b.Rank, a.Rank), cmp.Compare(b.Value, a.Value), cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Name, b.Name),
		cmp.Compare(a.index, b.index))
}

// add adds a message of some facts. importance is that of its kind, 0–1.
func (s *section) add(importance float64, sign int, kind string, slots map[string]phrase.Slot, facts ...fact) {
	rank, indices := 0.0, make([]int, len(facts))
	for i, f := range facts {
		rank, indices[i] = max(rank, min(f.Rank, 1)), f.index
	}
	m := phrase.Message{Kind: kind, Slots: slots, Facts: indices, Theme: themeOf(kind), Sign: sign}
	s.candidates = append(s.candidates, candidate{m, importance + rank, len(s.candidates)})
}

// slots is a short way to write the slots of a message.
type slots = map[string]phrase.Slot

// named are the facts of a code with a name that a sentence can have, at most n, with their names.
func (s *section) named(code profile.Code, n int) (list []fact, names []phrase.Name) {
	for _, f := range s.facts[code] {
		clean := phrase.Clean
		if code == profile.LineFact {
			clean = phrase.CleanSign
		}
		name := phrase.Name{EN: clean(f.Name), FR: clean(f.NameFR)}
		if name.EN == "" {
			name.EN = name.FR
		}
		if name.EN == "" || slices.Contains(names, name) || len(list) == n {
			continue
		}
		list, names = append(list, f), append(names, name)
	}
	return list, names
}

// themesOf are the themes of kinds of messages, by their beginnings.
var themesOf = []struct{ kind, theme string }{
	{"ground", "ground"}, {"within", "ground"}, {"water", "ground"}, {"station", "stop"}, {"stop", "stop"}, {"lines", "stop"},
	{"score.pedestrian", "way"}, {"score.cycling", "way"}, {"score.transit", "way"}, {"score.car", "way"}, {"highway", "away"},
	{"airport", "away"},
	{"count.", "count"}, {"score.groceries", "errand"}, {"score.cafes", "errand"}, {"score.restaurants", "errand"},
	{"score.nightlife", "errand"}, {"score.shopping", "errand"},
	{"score.primary", "school"}, {"score.high", "school"}, {"score.daycares", "school"},
	{"score.quiet", "street"}, {"score.vibrant", "street"}, {"score.greenery", "street"}, {"score.historic", "street"},
	{"score.parks", "street"}, {"terrain", "street"},
	{"homes", "home"}, {"dwelling", "home"}, {"tenure", "home"}, {"period", "home"}, {"bedrooms", "home"},
}

func themeOf(kind string) string {
	for _, t := range themesOf {
		if strings.HasPrefix(kind, t.kind) {
			return t.theme
		}
	}
	return ""
}

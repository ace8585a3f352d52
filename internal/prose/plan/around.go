package plan

import (
	"math"
	"slices"

	"quartier/internal/prose/phrase"
	"quartier/schemas"
	"quartier/schemas/profile"
)

// identity says what and where the place is, in the introduction.
func identity(s *section) {
	if s.which != profile.Intro {
		return
	}
	about := phrase.SubjectOf(s.place)
	kind := "intro.state"
	if about.City.EN != "" && s.place.Level != 30 && about.City.EN != about.Name.EN {
		kind = "intro.city"
	}
	switch {
	case about.Name.EN == "":
		kind += ".nameless"
	case about.WithType():
		kind += ".typed"
	}
	if stateName(s.place) != "" {
		s.add(3, 0, kind, nil)
	}
	ground := slots{"ground": {Kind: phrase.Ground, N: s.place.AreaM2}}
	within, names := s.named(profile.BoundedByFact, 1)
	typed := ""
	if about.Custom() {
		typed = ".typed" // says what its owner calls it
	}
	switch {
	case s.place.AreaM2 < 1.3e5: // it would round to no tenth of a square mile
	case len(within) > 0 && names[0].EN != stateName(s.place) && names[0].EN != about.Name.EN:
		noun := "region"
		if within[0].Subject == "county" || s.place.Country == "US" {
			noun = "county"
		}
		ground["area"] = phrase.Slot{Kind: phrase.AreaName, Noun: noun, Name: names[0]}
		s.add(2, 0, "within"+typed, ground, within[0])
	default:
		s.add(2, 0, "ground"+typed, ground)
	}
}

func contains(s *section) {
	facts, names := s.named(profile.ContainsFact, 1)
	if len(facts) == 0 || facts[0].Value < 2 {
		return
	}
	s.add(1, 0, "contains", slots{
		"parts":   {Kind: phrase.Count, N: facts[0].Value, Noun: "neighbourhood"},
		"largest": {Kind: phrase.Sign, Name: names[0]},
	}, facts[0])
}

func water(s *section) {
	facts, names := s.named(profile.WaterFact, 2)
	if len(facts) == 0 {
		return
	}
	var items []phrase.Slot
	for i, n := range names {
		slot := phrase.Slot{Kind: phrase.Named, Name: n}
		if slices.Contains([]string{"river", "canal", "sea"}, facts[i].Subject) {
			slot.Word = "the"
		}
		items = append(items, slot)
	}
	s.add(0.8, 0, "water", slots{"water": {Kind: phrase.List, Items: items}}, facts...)
}

// typologyKinds are the kinds of messages of the typologies.
var typologyKinds = map[string]string{
	"urban (high access)": "urban", "main street hub": "main_street",
	"pedestrian oriented dense": "pedestrian", "pedestrian oriented semi or low density": "pedestrian",
	"mall oriented dense": "mall", "mall oriented semi or low density": "mall",
	"transit friendly": "transit", "car dependent": "car", "rural / other": "rural",
}

// typologySection is the section of what the most frequent typology says.
func typologySection(facts []profile.Fact) profile.Section {
	most, kind := 0.0, ""
	for i := range facts {
		if f := &facts[i]; f.Code == profile.TypologyFact && f.Value > most {
			most, kind = f.Value, typologyKinds[f.Subject]
		}
	}
	switch kind {
	case "transit", "car":
		return profile.Transport
	case "rural", "":
		return profile.Character
	}
	return profile.Services
}

// typologies says in what surroundings most homes are: one typology, the most frequent that a share words.
func typologies(s *section) {
	var best *fact
	for i := range s.facts[profile.TypologyFact] {
		f := &s.facts[profile.TypologyFact][i]
		if f.Low == 0 && f.High == 0 || math.IsNaN(f.Low) {
			counted := *f.Fact // over all homes
			counted.Low, counted.High = f.Value, f.Value
			f.Fact = &counted
		}
		if best == nil || f.Value > best.Value {
			best = f
		}
	}
	if best == nil || best.Value < 0.25 || typologyKinds[best.Subject] == "" {
		return
	}
	if share, ok := shareSlot(*best); ok {
		s.add(0.9, 0, "typology."+typologyKinds[best.Subject], slots{"share": share}, *best)
	}
}

func terrain(s *section) {
	if len(s.facts[profile.TerrainFact]) == 0 {
		return
	}
	f, kind := s.facts[profile.TerrainFact][0], "flat"
	switch {
	case f.Value >= 3.5:
		kind = "steep"
	case f.Value >= 2:
		kind = "hilly"
	case f.Value >= 1:
		kind = "rolling"
	}
	s.add(0.3, 0, "terrain."+kind, nil, f)
}

func heritage(s *section) {
	for _, f := range s.facts[profile.HeritageFact] {
		if f.Value < 1 {
			continue
		}
		sl := slots{"places": {Kind: phrase.Count, N: f.Value, Noun: "historic_place"}}
		kind := "heritage"
		if name := (phrase.Name{EN: phrase.Clean(f.Name), FR: phrase.Clean(f.NameFR)}); name.EN != "" {
			sl["largest"], kind = phrase.Slot{Kind: phrase.Named, Name: name}, "heritage.named"
			if f.Value == 1 {
				kind = "heritage.one"
			}
		}
		s.add(0.6, 0, kind, sl, f)
		return
	}
}

func stateName(p profile.Place) string {
	name, _ := schemas.StateName(p.Country, p.State)
	return name.EN
}

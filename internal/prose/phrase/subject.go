package phrase

import (
	"slices"
	"strings"

	"quartier/schemas"
	"quartier/schemas/profile"
)

// Subject is the place of a text, and what has been said of it in the section.
type Subject struct {
	Place  profile.Place
	Name   Name // cleaned; EN "": no name that a sentence can have
	City   Name // the same of the municipality it is in
	Named  bool // the section has named it
	Plural bool // in French, its last mention is plural: Les Coteaux
}

// SubjectOf is the subject of a text before a word is said.
func SubjectOf(place profile.Place) Subject {
	clean := Clean
	if place.Level == 32 {
		clean = CleanSign
	}
	return Subject{
		Place: place,
		Name:  Name{clean(place.NameEN), clean(place.NameFR)},
		City:  Name{Clean(place.CityEN), Clean(place.CityFR)},
	}
}

// ends are last words of names that stand with their type: the Byward Market neighbourhood.
var ends = []string{
	"market", "greenbelt", "district", "cemetery", "university", "development", "industrial", "downtown", "corridor", "waterfront", "base",
	"airport",
	"campus", "center", "centre",
}

// Custom reports whether the place has a type that its owner gave it.
func (s *Subject) Custom() bool { return slices.Contains(schemas.CustomGeographyTypes, s.Place.Type) }

// NamedByType reports whether the English name of a custom geography begins with its type: Town of Hawkesbury.
func (s *Subject) NamedByType() bool {
	kind := strings.ReplaceAll(strings.ToLower(s.Place.Type), "_", " ")
	return s.Custom() && strings.HasPrefix(strings.ToLower(s.Name.EN), kind+" of ")
}

// WithType reports whether an English name stands with the noun of its type: of neighbourhoods names like Byward Market,
// of which a sentence would need the article, and lists; of postal areas and counties all
// (but not of custom geographies: they are introduced by their type).
func (s *Subject) WithType() bool {
	last := strings.ToLower(s.Name.EN[strings.LastIndexByte(s.Name.EN, ' ')+1:])
	return s.NamedByType() || s.Place.Level == 32 || s.Place.Level == 37 && !s.Custom() ||
		s.Place.Level == 38 && strings.HasSuffix(s.Name.EN, " Region") || strings.Contains(s.Name.EN, ",") ||
		s.Place.Level == 10 && slices.Contains(ends, last)
}

// US reports whether the text is for the United States, whose spelling and units differ.
func (s *Subject) US() bool { return s.Place.Country == "US" }

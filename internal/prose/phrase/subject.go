package phrase

import "quartier/schemas/profile"

// Subject is the place of a text, and what has been said of it in the section.
type Subject struct {
	Place profile.Place
	Name  Name // cleaned; EN "": no name that a sentence can have
	City  Name // the same of the municipality it is in
	Named bool // the section has named it
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

// US reports whether the text is for the United States, whose spelling and units differ.
func (s *Subject) US() bool { return s.Place.Country == "US" }

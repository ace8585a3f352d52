package english

import (
	"slices"
	"strings"

	"quartier/internal/prose/lexicon"
	"quartier/internal/prose/phrase"
	"quartier/schemas"
)

// typeNoun is the key of the noun for the place: that of its own type, or of its level.
func typeNoun(about *phrase.Subject) string {
	if about.Custom() && lexicon.Has(about.Place.Type) {
		return about.Place.Type
	}
	return levelNoun(about)
}

// levelNoun is the key of the noun for a place of the level.
func levelNoun(about *phrase.Subject) string {
	p := about.Place
	first, _, _ := strings.Cut(strings.ToLower(about.Name.EN), " ")
	switch p.Level {
	case 10:
		return "neighbourhood"
	case 20:
		switch {
		case first == "ward":
			return "ward"
		case p.State == "QC" || p.State == "NY":
			return "borough"
		}
		return "district"
	case 30:
		if p.Country == "US" {
			return "community"
		}
		return "municipality"
	case 32:
		if p.Country == "US" {
			return "zip_code"
		}
		return "postal_area"
	case 35:
		return "county_subdivision"
	case 37:
		if p.Country == "US" {
			return "county"
		}
		return "census_division"
	}
	return "region"
}

// place is the place as a subject: its name, and the neighbourhood once the section has named it; with the form "in" or
// "of" after that preposition, and "name": its name again.
func (e *English) place(about *phrase.Subject, form string) []phrase.Token {
	if form == "in" || form == "of" {
		return append(phrase.Words(form), e.place(about, "")...)
	}
	name := about.Name.EN
	if name == "" {
		return e.nounForm(typeNoun(about), "this", false)
	}
	if form != "name" && (about.Named || len(name) > 45) {
		return e.nounForm(typeNoun(about), "the", false)
	}
	about.Named = true
	return e.placeName(name, about)
}

// placeName is the name as a subject, with the noun of its type where it needs one.
func (e *English) placeName(name string, about *phrase.Subject) []phrase.Token {
	if rest, ok := strings.CutPrefix(name, "The "); ok {
		return append(phrase.Words("the"), proper(rest)...)
	}
	noun := e.noun(typeNoun(about), false)
	switch {
	case about.NamedByType():
		return append(phrase.Words("the"), proper(name)...)
	case strings.Contains(name, ","):
		return append(append(append(phrase.Words("the"), noun...), phrase.Words("of")...), proper(name)...)
	case about.Place.Level == 32 && e.us:
		return append(phrase.Words("ZIP", "code"), proper(name)...)
	case about.Place.Level == 37 && e.us && !about.Custom():
		return county(name, about.Place.State)
	case about.Place.Level == 37:
		return proper(name)
	case strings.HasSuffix(name, " Region"):
		return append(phrase.Words("the"), proper(name)...)
	case about.WithType():
		return append(append(phrase.Words("the"), proper(name)...), noun...)
	}
	return proper(name)
}

// twins are counties of which a city beside them has the name and the rank of a county.
var twins = []string{"Baltimore", "St. Louis", "Fairfax", "Franklin", "Richmond", "Roanoke"}

// county is the name of a county with its kind, which some sources leave out: Multnomah County.
func county(name, state string) []phrase.Token {
	switch {
	case strings.HasSuffix(name, " Region"):
		return append(phrase.Words("the"), proper(name)...)
	case hasNoun(name, "county|city|parish|borough|district|columbia|municipality|area"), state == "AK", state == "PR":
		return proper(name)
	case slices.Contains(twins, name):
		return append(phrase.Words("the", "county", "of"), proper(name)...)
	case state == "LA":
		return append(proper(name), phrase.Words("Parish")...)
	}
	return append(proper(name), phrase.Words("County")...)
}

// state is the name of the state or province; with the form "in" after that preposition.
func (e *English) state(about *phrase.Subject, form string) []phrase.Token {
	name, ok := schemas.StateName(about.Place.Country, about.Place.State)
	if !ok {
		return nil
	}
	var tokens []phrase.Token
	if form == "in" {
		tokens = phrase.Words("in")
	}
	if form == "in" && (about.Place.State == "DC" || about.Place.State == "NT") {
		tokens = append(tokens, phrase.Words("the")...)
	}
	return append(tokens, proper(name.EN)...)
}

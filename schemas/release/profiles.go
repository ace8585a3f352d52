package release

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"quartier/schemas/profile"
)

// NewProfilePlace is the row of a place.
func NewProfilePlace(p *profile.Place) ProfilePlace {
	return ProfilePlace{p.ID, int64(p.Level), p.Type, p.Country, p.State, p.NameEN, p.NameFR, p.CityEN, p.CityFR, p.AreaM2, int64(p.Variant)}
}

// Place is the place of a row.
func (r *ProfilePlace) Place() profile.Place {
	return profile.Place{ID: r.GeogID, Level: uint8(r.Level), Type: r.Type, Country: r.CountryCode, State: r.StateCode,
		NameEN: r.NameEN, NameFR: r.NameFR, CityEN: r.CityEN, CityFR: r.CityFR, AreaM2: r.AreaM2, Variant: uint8(r.Variant)}
}

// NewProfileFact is the row of the fact with an index among those of a place.
func NewProfileFact(geogID string, index int, f *profile.Fact) ProfileFact {
	return ProfileFact{GeogID: geogID, Ordinal: int64(index), Section: f.Section.String(), Code: string(f.Code), Subject: f.Subject,
		Name: f.Name, NameFR: f.NameFR, Value: f.Value, Low: known(f.Low), High: known(f.High), Further: f.Further, Typical: known(f.Typical),
		Rank: f.Rank, Source: f.Source}
}

// known is the column of a value that is NaN where it is not known.
func known(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

// value is the value of such a column.
func value(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

// Fact is the fact of a row.
func (r *ProfileFact) Fact() (profile.Fact, error) {
	section, ok := profile.ParseSection(r.Section)
	if !ok {
		return profile.Fact{}, fmt.Errorf("fact %d of geography %s: no section %q", r.Ordinal, r.GeogID, r.Section)
	}
	return profile.Fact{Section: section, Code: profile.Code(r.Code), Subject: r.Subject, Name: r.Name, NameFR: r.NameFR,
			Value: r.Value, Low: value(r.Low), High: value(r.High), Further: r.Further, Typical: value(r.Typical), Rank: r.Rank, Source: r.Source},
		nil
}

// ProfileTexts are the rows of a text, in the order of reading.
func ProfileTexts(geogID, locale string, t *profile.Text) (rows []ProfileText) {
	for section, sentences := range t {
		for _, s := range sentences {
			facts := make([]string, len(s.Facts))
			for i, at := range s.Facts {
				facts[i] = strconv.Itoa(at)
			}
			rows = append(rows, ProfileText{GeogID: geogID, Locale: locale, Ordinal: int64(len(rows)), Section: profile.Section(section).String(),
				Text: s.Text, Pattern: s.Pattern, Facts: strings.Join(facts, " ")})
		}
	}
	return rows
}

// Sentence is the sentence of a row with its section.
func (r *ProfileText) Sentence() (profile.Section, profile.Sentence, error) {
	section, ok := profile.ParseSection(r.Section)
	if !ok {
		return 0, profile.Sentence{}, fmt.Errorf("sentence %d of geography %s: no section %q", r.Ordinal, r.GeogID, r.Section)
	}
	s := profile.Sentence{Text: r.Text, Pattern: r.Pattern}
	for _, word := range strings.Fields(r.Facts) {
		at, err := strconv.Atoi(word)
		if err != nil {
			return 0, s, fmt.Errorf("sentence %d of geography %s: facts %q", r.Ordinal, r.GeogID, r.Facts)
		}
		s.Facts = append(s.Facts, at)
	}
	return section, s, nil
}

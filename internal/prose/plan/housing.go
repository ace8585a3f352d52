package plan

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"quartier/internal/prose/lexicon"
	"quartier/internal/prose/phrase"
	"quartier/schemas/profile"
)

// homes says how many homes are occupied, where that is known to a quarter.
func homes(s *section) {
	for _, f := range s.facts[profile.HomesFact] {
		if !(f.High-f.Low > 0.5*f.Value) && f.Value >= 2 {
			s.add(0.6, 0, "homes", slots{"homes": {Kind: phrase.Rounded, N: math.Round(f.Value)}}, f)
		}
	}
}

// dwellings says the most frequent type of housing, and the second.
func dwellings(s *section) { s.shares(profile.DwellingFact, "dwelling", 1, s.typeOfHousing) }

// bedrooms says the most frequent number of bedrooms.
func bedrooms(s *section) {
	s.shares(profile.BedroomsFact, "bedrooms", 0.5, func(f fact) (phrase.Slot, bool) {
		several := phrase.Slot{Kind: phrase.Thing, Noun: f.Subject, N: 2}
		return several, lexicon.Has(f.Subject) && f.Subject != "housing_0_bedroom" // a studio has none
	})
}

// periods says when the homes were built.
func periods(s *section) { s.shares(profile.PeriodFact, "period", 0.9, periodOf) }

// typeOfHousing is the noun of a variable of the type of housing, which the two countries define differently.
func (s *section) typeOfHousing(f fact) (phrase.Slot, bool) {
	key := f.Subject
	if s.place.Country == "US" && lexicon.Has("us_"+key) {
		key = "us_" + key
	}
	return phrase.Slot{Kind: phrase.Thing, Noun: key, N: 2}, lexicon.Has(key)
}

// shares says the largest share of a code that can be worded, and with it the second.
func (s *section) shares(code profile.Code, kind string, importance float64, thing func(fact) (phrase.Slot, bool)) {
	var used []fact
	sl := slots{}
	for _, f := range byValue(s.facts[code]) {
		what, known := thing(f)
		share, worded := shareSlot(f)
		if !known || !worded || share.Word == "few" || len(used) == 2 {
			continue
		}
		n := strconv.Itoa(len(used) + 1)
		sl["what"+n], sl["share"+n] = what, share
		used = append(used, f)
	}
	switch {
	case len(used) == 2 && s.apart:
		s.add(importance, 0, kind, sl, used[0])
		s.add(importance, 0, kind, slots{"what1": sl["what2"], "share1": sl["share2"]}, used[1])
	case len(used) == 0:
	case len(used) == 1 || sl["share1"].Word == "all" || sl["share1"].Word == sl["share2"].Word && sl["share1"].Word != "percent":
		s.add(importance, 0, kind, sl, used[0])
	default:
		s.add(importance, 0, kind+".two", sl, used...)
	}
}

// tenure says whether homes are owned or rented.
func tenure(s *section) {
	for _, f := range byValue(s.facts[profile.TenureFact]) {
		share, ok := shareSlot(f)
		if !ok || f.Subject != "prop_owner" && f.Subject != "prop_renter" {
			continue
		}
		kind := "tenure.owned"
		if f.Subject == "prop_renter" {
			kind = "tenure.rented"
		}
		s.add(0.7, 0, kind, slots{"share": share}, f)
		return
	}
}

var years = regexp.MustCompile(`\d{4}`)

// periodOf is the period of a variable: before_1961, 1961_to_1980, 2010_or_later, 1939_or_earlier, alone or at the end of a longer name.
func periodOf(f fact) (phrase.Slot, bool) {
	found := years.FindAllString(f.Subject, -1)
	number := func(i int) float64 { n, _ := strconv.Atoi(found[i]); return float64(n) }
	switch {
	case len(found) == 2:
		return phrase.Slot{Kind: phrase.Period, N: number(0), M: number(1)}, true
	case len(found) != 1:
		return phrase.Slot{}, false
	case strings.Contains(f.Subject, "before_"):
		return phrase.Slot{Kind: phrase.Period, M: number(0) - 1}, true
	case strings.Contains(f.Subject, "_or_earlier"):
		return phrase.Slot{Kind: phrase.Period, M: number(0)}, true
	case strings.Contains(f.Subject, "_or_later"):
		return phrase.Slot{Kind: phrase.Period, N: number(0)}, true
	}
	return phrase.Slot{}, false
}

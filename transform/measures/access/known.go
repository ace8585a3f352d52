package access

import (
	"math"
	"slices"

	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/staged"
	"quartier/transform/network/destination"
)

// Population is the people of a region.
type Population struct {
	People  int64
	Counted bool // most of them by blocks; otherwise estimated by the length of residential streets
}

// Known is of which classes of places the sources of a region have so many that "none found" means "none exists"
// (docs/methods.md, 0).
type Known struct {
	Classes []schemas.RegionClass // of schemas.RatedClasses, in their order, without the region

	by   map[string]bool // by class
	some map[string]bool // of which a partial list has some: known near its stops alone
}

// transport are the classes of places to board.
var transport = []string{"bus_stop", "rapid_station", "train_station", "stop"}

// NewKnown judges the classes of a region.
func NewKnown(set *destination.Set, population Population, c *calibration.Known) *Known {
	j := &judge{set: set, c: c, thousands: float64(population.People) / 1000}
	for _, s := range set.Contents {
		j.survey = j.survey || !staged.Lent(s.Source) && j.surveys(s)
	}
	k := &Known{by: map[string]bool{}, some: map[string]bool{}}
	for _, class := range schemas.RatedClasses {
		places, some := set.Places(class)
		verdict := j.verdict(class, places-some)
		if some > 0 && !verdict.Known() && verdict != schemas.ClassLacking {
			verdict = schemas.ClassSome
		}
		k.by[class], k.some[class] = verdict.Known(), verdict == schemas.ClassSome
		k.Classes = append(k.Classes, schemas.RegionClass{
			Class: class, Places: int64(places), Rate: schemas.ClassRate(int64(places), population.People), Usual: c.Usual[class],
			People: population.People, Counted: population.Counted, Verdict: verdict,
		})
	}
	return k
}

// Has reports whether a class is known; of nil no class is.
func (k *Known) Has(class string) bool { return k != nil && k.by[class] }

// notes name the classes that are unknown.
func (k *Known) notes() []Note {
	if text := schemas.UnknownClasses(k.Classes); text != "" {
		return []Note{{"places", text}}
	}
	return nil
}

// judge judges the classes of a region.
type judge struct {
	set       *destination.Set
	c         *calibration.Known
	thousands float64 // of people
	survey    bool    // some source lists all kinds of places
}

// verdict judges a class by the number of its places, without those of lists of some of the lines.
//
// A survey of all kinds is believed where chance explains a low number; of any other list a quarter of the usual number is
// asked, because nothing else shows that its publisher looked for all.
//
// For example 57 primary schools for 950,000 people: the usual rate of 0.31 makes 295, a quarter of it 74, and so few as 57
// are unlikely where 74 are expected; the class is unknown. 3 schools for 8,000 people are more than the 0.6 of a quarter.
// A village of 500 without a department store is expected to have 0.004 of them: that proves nothing, and a map of
// everything without one means that there is none.
func (j *judge) verdict(class string, places int) schemas.ClassVerdict {
	switch {
	case slices.Contains(j.set.Complete, class):
		return schemas.ClassComplete
	case slices.Contains(j.set.Lacks, class):
		return schemas.ClassLacking
	case slices.Contains(transport, class) && j.scheduled(class):
		return schemas.ClassTimetable
	case !j.believable(places, j.c.Usual[class]):
		return schemas.ClassFew
	case places == 0 && !j.survey:
		return schemas.ClassUnlisted
	case !j.survey && float64(places) < j.quarter(j.c.Usual[class]):
		return schemas.ClassFew
	case slices.Contains(j.c.Composed, class) && !j.survey:
		return schemas.ClassPartial
	case places == 0:
		return schemas.ClassNone
	}
	return schemas.ClassUsual
}

// scheduled reports whether a line of a timetable of all lines, or of a list of all lines, stops at some place of a class.
func (j *judge) scheduled(class string) bool {
	stops := map[string]bool{}
	for _, d := range j.set.Of("stop") {
		stops[d.Key] = !j.set.Lists[d.Source].Partial && slices.ContainsFunc(d.Services, func(v destination.Service) bool {
			return v.Basis == schemas.TimetableBasis || v.Basis == schemas.LineBasis && len(j.set.AllLines) > 0
		})
	}
	return slices.ContainsFunc(j.set.Of(class), func(d destination.Destination) bool { return stops[d.Key] })
}

// surveys reports whether a source lists all kinds of places: many kinds, and believably many places.
func (j *judge) surveys(s destination.Content) bool {
	c := &j.c.Survey
	return s.Kinds >= min(max(s.Places/2, c.LeastKinds), c.Kinds) && j.believable(s.Places, c.Usual)
}

// believable reports whether a number of places is not improbably low where places occur at the least share of a usual rate
// per 1,000 people.
func (j *judge) believable(places int, usual float64) bool {
	return atMost(places, j.quarter(usual)) >= j.c.Unlikely
}

// quarter is the number of places that the people of the region have at the least share of a usual rate.
func (j *judge) quarter(usual float64) float64 { return j.c.LeastRate * usual * j.thousands }

// atMost is the probability of at most n events where their expected number is mean (Poisson): Σ mean^k e^−mean / k!.
func atMost(n int, mean float64) float64 {
	if mean == 0 {
		return 1
	}
	sum := 0.0
	for k := range n + 1 {
		factorial, _ := math.Lgamma(float64(k + 1))
		term := math.Exp(float64(k)*math.Log(mean) - mean - factorial)
		if sum += term; float64(k) > mean && term < 1e-18 {
			break // the terms fall from the mean on
		}
	}
	return min(sum, 1)
}

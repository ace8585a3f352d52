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
	Counted bool  // most of them by blocks; otherwise estimated by the length of residential streets
	Around  int64 // on the streets that neighbours lend
}

// Known is of which classes of places the sources of a region have so many that "none found" means "none exists"
// (docs/methods.md, 0).
type Known struct {
	Classes []schemas.RegionClass // of schemas.RatedClasses, in their order, without the region

	set     *destination.Set
	surveys map[string]bool // sources of the region that list all kinds of places
	by      map[string]bool // by class
	some    map[string]bool // of which a partial list has some: known near its stops alone
}

// transport are the classes of places to board.
var transport = []string{"bus_stop", "rapid_station", "train_station", "stop"}

// boarding are the categories of places to board that are no class of destinations.
var boarding = []string{"cable_car_stations", "ferry_terminals", "funicular_stations", "subway_or_separated_rail_stations", "tram_stops"}

// NewKnown judges the classes of a region.
func NewKnown(set *destination.Set, population Population, c *calibration.Known) *Known {
	j := &judge{set: set, c: c, verdicts: map[string]schemas.ClassVerdict{}}
	k := &Known{set: set, surveys: map[string]bool{}, by: map[string]bool{}, some: map[string]bool{}}
	for _, s := range set.Contents {
		if !staged.Lent(s.Source) && j.surveys(s, float64(population.People)/1000) {
			j.survey, k.surveys[s.Source] = true, true
		}
	}
	for _, class := range schemas.RatedClasses {
		content := set.Content(class)
		r := schemas.RegionClass{
			Class: class, Places: int64(content.Places), Usual: c.Usual[class], People: population.People, Counted: population.Counted,
		}
		if content.Extracted {
			r.LentPlaces, r.LentPeople = int64(content.Lent), population.Around
		}
		r.Rate = r.ClassRate()
		j.judge(class, content, float64(r.People+r.LentPeople)/1000)
		k.Classes = append(k.Classes, r)
	}
	for i := range k.Classes {
		r := &k.Classes[i]
		r.Verdict = j.of(r.Class)
		k.by[r.Class], k.some[r.Class] = r.Verdict.Known(), r.Verdict == schemas.ClassSome
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
	set      *destination.Set
	c        *calibration.Known
	survey   bool // some source lists all kinds of places
	verdicts map[string]schemas.ClassVerdict
}

// of is the verdict on a class when all were judged: one that consists of others is known when they are, by their usual
// number.
func (j *judge) of(class string) schemas.ClassVerdict {
	verdict, parts := j.verdicts[class], j.c.Composed[class]
	if len(parts) == 0 || verdict == schemas.ClassComplete || verdict == schemas.ClassLacking {
		return verdict
	}
	if j.c.Counted(parts, func(part string) bool { return j.verdicts[part].Known() }) {
		return schemas.ClassUsual
	}
	return schemas.ClassPartial
}

// judge judges a class by the number of its places, without those of lists of some of the lines, and the thousands of people
// of the same ground.
//
// For example 57 primary schools for 950,000 people: the usual rate of 0.31 makes 295, a quarter of it 74, and 57 are fewer;
// the class is unknown. One café for 49,000 people, where a quarter is 3.7, is not all. One for 4,000, where a quarter is
// 0.3, is believed: so many come about by chance in a quarter of such towns. Without a café the same town could have one
// that nobody listed: no number of people makes none believable.
func (j *judge) judge(class string, content destination.ClassContent, thousands float64) {
	places := content.Places - content.Some + content.Lent
	verdict := schemas.ClassUsual
	composed, isComposed := j.c.Composed[class]
	switch {
	case slices.Contains(j.set.Complete, class):
		verdict = schemas.ClassComplete
	case slices.Contains(j.set.Lacks, class):
		verdict = schemas.ClassLacking
	case slices.Contains(transport, class) && j.scheduled(class), slices.Contains(boarding, class) && content.Timed:
		verdict = schemas.ClassTimetable
	case content.Some > 0 && !j.believable(places, class, thousands):
		verdict = schemas.ClassSome
	case places == 0:
		verdict = schemas.ClassUnlisted
	case !j.believable(places, class, thousands):
		verdict = schemas.ClassFew
	case isComposed && len(composed) == 0 && !j.survey:
		verdict = schemas.ClassPartial
	}
	j.verdicts[class] = verdict
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
func (j *judge) surveys(s destination.Content, thousands float64) bool {
	c := &j.c.Survey
	return s.Kinds >= min(max(s.Places/2, c.LeastKinds), c.Kinds) && atLeast(s.Places, j.c.LeastRate*c.Usual*thousands) <= j.c.Chance
}

// believable reports whether a number of places of a class is improbably high where they occur at the least share of their
// usual rate per 1,000 people. Of many places it is the share itself that decides, of few also whether chance, or a cut
// around them, explains them.
func (j *judge) believable(places int, class string, thousands float64) bool {
	quarter := j.c.LeastRate * j.c.Usual[class] * thousands
	if places >= j.c.FewPlaces {
		return float64(places) >= quarter
	}
	return atLeast(places, quarter) <= j.c.Chance
}

// atLeast is the probability of at least n events where their expected number is mean (Poisson): 1 − Σ mean^k e^−mean / k!
// over k < n.
func atLeast(n int, mean float64) float64 {
	if n == 0 {
		return 1
	}
	if mean == 0 {
		return 0
	}
	fewer := 0.0
	for k := range n {
		factorial, _ := math.Lgamma(float64(k + 1))
		term := math.Exp(float64(k)*math.Log(mean) - mean - factorial)
		if fewer += term; float64(k) > mean && term < 1e-18 {
			break // the terms fall from the mean on
		}
	}
	return max(1-fewer, 0)
}

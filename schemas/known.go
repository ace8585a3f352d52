package schemas

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// ClassVerdict is why a class of places is known in a region or not: of ClassVerdicts.
type ClassVerdict string

// The verdicts on a class of places in a region.
const (
	ClassComplete  ClassVerdict = "complete"
	ClassLacking   ClassVerdict = "lacking"
	ClassTimetable ClassVerdict = "timetable"
	ClassUsual     ClassVerdict = "usual"
	ClassNone      ClassVerdict = "none"
	ClassFew       ClassVerdict = "few"
	ClassUnlisted  ClassVerdict = "unlisted"
	ClassPartial   ClassVerdict = "partial"
	ClassSome      ClassVerdict = "some"
	ClassMapped    ClassVerdict = "mapped"
	ClassUnmapped  ClassVerdict = "unmapped"
)

// ClassVerdicts are all verdicts, what each of them means and whether the class is known then.
var ClassVerdicts = []struct {
	Verdict ClassVerdict
	Known   bool
	Meaning string
}{
	{ClassComplete, true, "a source is declared to be complete"},
	{ClassTimetable, true, "a timetable serves them"},
	{ClassUsual, true, "at least a quarter of the usual number, or in a survey of all kinds so near it that chance explains the rest"},
	{ClassNone, true, "none, where so few people need not have one, and a source lists all kinds of places"},
	{ClassLacking, false, "a source is declared to lack them"},
	{ClassFew, false, "too few to be all: less than a quarter of the usual number"},
	{ClassUnlisted, false, "none, and no source lists all kinds of places"},
	{ClassSome, false, "timetables or lists of some of the lines alone have them, and beyond their stops others may be nearer"},
	{ClassPartial, false, "no source lists all kinds of places that the class consists of"},
	{ClassMapped, true, "a map of streets has what is beside them"},
	{ClassUnmapped, false, "no map of streets has any"},
}

// Known reports whether a class with the verdict is known: none found nearby means that there is none.
func (v ClassVerdict) Known() bool {
	i := v.index()
	return i >= 0 && ClassVerdicts[i].Known
}

// Somewhere reports whether a class with the verdict is known, or is near the stops of some lines.
func (v ClassVerdict) Somewhere() bool { return v.Known() || v == ClassSome }

// Meaning is the verdict in words; "" for an invalid one.
func (v ClassVerdict) Meaning() string {
	if i := v.index(); i >= 0 {
		return ClassVerdicts[i].Meaning
	}
	return ""
}

func (v ClassVerdict) index() int {
	for i := range ClassVerdicts {
		if ClassVerdicts[i].Verdict == v {
			return i
		}
	}
	return -1
}

// RatedClasses are the classes of DestinationClasses on which there are verdicts: all but the ramps of highways, which
// are part of the streets, and the stops of timetables.
var RatedClasses = slices.DeleteFunc(slices.Clone(DestinationClasses), func(class string) bool {
	return class == "highway_ramp" || class == "stop"
})

// The classes of what is heard beside streets: rails above ground, aerodromes and runways.
const (
	Railway   = "railway"
	Aerodrome = "aerodrome"
)

// HeardClasses are the classes of what is heard beside streets. A map of streets knows them or not: they have no usual rate.
var HeardClasses = []string{Railway, Aerodrome}

// KnownClasses are all classes on which there are verdicts: RatedClasses and HeardClasses.
var KnownClasses = slices.Concat(RatedClasses, HeardClasses)

// RegionClass is whether a class of places, or of what is heard beside streets, is known in a region.
type RegionClass struct {
	Region  string       `json:"region"`
	Class   string       `json:"class"`   // of KnownClasses
	Places  int64        `json:"places"`  // of the class that are on a street; of HeardClasses: features
	Rate    float64      `json:"rate"`    // places per 1,000 people, to four decimals; 0 without people
	Usual   float64      `json:"usual"`   // the usual rate; 0 of HeardClasses, which have none
	People  int64        `json:"people"`  // of the region, an estimate where Counted is false
	Counted bool         `json:"counted"` // most people are counted by blocks; otherwise estimated by residential street
	Verdict ClassVerdict `json:"verdict"`

	Accepted string `json:"accepted,omitempty"` // of HeardClasses: why the score quiet is given where the class is unknown; absent: it is not
}

// RegionErrands is of how many points (weights of kinds of errand) the errands of a region are made. The
// others are without data and left out of the mean.
type RegionErrands struct {
	Region      string  `json:"region"`
	Known       float64 `json:"known"`       // points of kinds whose own places are known
	Substituted float64 `json:"substituted"` // points of kinds for which places of similar known classes count
	Of          float64 `json:"of"`          // all points
	Enough      bool    `json:"enough"`      // false: pedestrian_friendly is absent
}

// ClassRate is RegionClass.Rate.
func ClassRate(places, people int64) float64 {
	if people == 0 {
		return 0
	}
	return math.Round(1e7*float64(places)/float64(people)) / 1e4
}

// UnknownClasses is a note that names the classes that a region does not know by verdict; "" if it knows all.
func UnknownClasses(classes []RegionClass) string {
	var parts []string
	for _, v := range ClassVerdicts {
		var names []string
		for _, c := range classes {
			if c.Verdict == v.Verdict && !v.Known && !slices.Contains(HeardClasses, c.Class) {
				names = append(names, strings.ReplaceAll(c.Class, "_", " "))
			}
		}
		if names != nil {
			parts = append(parts, strings.Join(names, ", ")+" ("+v.Meaning+")")
		}
	}
	if parts == nil {
		return ""
	}
	return "unknown kinds of places, of which measures and scores are absent: " + strings.Join(parts, "; ")
}

// checkClasses checks the list of classes, of which every region has none or all of KnownClasses in their order, and the
// errands made of them.
func (m *Manifest) checkClasses() (problems []error) {
	counts := map[string]int{}
	for _, c := range m.Classes {
		at := counts[c.Region]
		counts[c.Region]++
		if at >= len(KnownClasses) || KnownClasses[at] != c.Class || !slices.Contains(m.Regions, c.Region) {
			problems = append(problems, fmt.Errorf("class %s of region %s is not in order", c.Class, c.Region))
		}
		if c.Places < 0 || c.People < 0 || c.Rate != ClassRate(c.Places, c.People) || !(c.Usual >= 0) || c.Verdict.index() < 0 {
			problems = append(problems, fmt.Errorf("class %s of region %s: %d places, %d people, rate %v, usual %v, verdict %q",
				c.Class, c.Region, c.Places, c.People, c.Rate, c.Usual, c.Verdict))
		}
	}
	for _, e := range m.Errands {
		if !(e.Known >= 0 && e.Substituted >= 0 && e.Known+e.Substituted <= e.Of+1e-6) || counts[e.Region] == 0 {
			problems = append(problems, fmt.Errorf("errands of region %s: %v points known and %v substituted of %v", e.Region, e.Known, e.Substituted, e.Of))
		}
	}
	for _, region := range m.Regions {
		if n := counts[region]; n != 0 && n != len(KnownClasses) {
			problems = append(problems, fmt.Errorf("region %s has %d of %d classes", region, n, len(KnownClasses)))
		}
	}
	return problems
}

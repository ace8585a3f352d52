package schemas

import (
	"cmp"
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
	{ClassUsual, true, "more than a quarter of the usual number"},
	{ClassLacking, false, "a source is declared to lack them"},
	{ClassFew, false, "too few to be all: not surely more than a quarter of the usual number"},
	{ClassUnlisted, false, "none, and no source is declared to be complete"},
	{ClassSome, false, "timetables or lists of some of the lines alone have them, and beyond their stops others may be nearer"},
	{ClassPartial, false, "the kinds of places that the class consists of are not all known"},
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

// RatedClasses are the classes of places on which there are verdicts: those of DestinationClasses but the ramps of highways,
// which are part of the streets, and the stops of timetables; and the categories that are no such class.
var RatedClasses = append(slices.DeleteFunc(slices.Clone(DestinationClasses), func(class string) bool {
	return class == "highway_ramp" || class == "stop"
}), otherCategories()...)

// classOfCategory is the class of destinations whose places are those of a category, by category. That of libraries has
// bookshops too.
var classOfCategory = map[string]string{
	"banks": "bank", "bus_stops": "bus_stop", "cafes": "cafe", "casinos": "casino", "clothing": "clothing", "common_needs": "common_need",
	"convenience_stores": "convenience", "daycares": "daycare", "department_stores": "department_store", "entertainment": "entertainment",
	"fitness": "fitness", "groceries": "grocery", "groceries_specialized": "specialty_grocery", "healthy_restaurants": "healthy_restaurant",
	"libraries": "library", "nightlife": "nightlife", "non_food_shops": "shop", "parks": "park", "pharmacies": "pharmacy",
	"rapid_transit_stations": "rapid_station", "restaurants": "restaurant", "sport_facilities": "sports", "train_stations": "train_station",
}

// CategoryClass is the class of RatedClasses whose verdict a category of Categories or BaseCategories has.
func CategoryClass(category string) string { return cmp.Or(classOfCategory[category], category) }

// otherCategories are the categories that are no class of destinations.
func otherCategories() (list []string) {
	for _, id := range append(CategoryIDs(Categories), CategoryIDs(BaseCategories)...) {
		if CategoryClass(id) == id && !slices.Contains(list, id) && !slices.Contains(DestinationClasses, id) {
			list = append(list, id)
		}
	}
	return list
}

// KnownCategories are the ids of a list of categories of whose class a set is known, as a comma list.
func KnownCategories(list []Category, known func(class string) bool) string {
	var ids []string
	for _, c := range list {
		if known(CategoryClass(c.ID)) {
			ids = append(ids, c.ID)
		}
	}
	return strings.Join(ids, ",")
}

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
	Places  int64        `json:"places"`  // of the class, those of destinations on a street; of HeardClasses: features
	Rate    float64      `json:"rate"`    // places per 1,000 people, lent ones included, to four decimals; 0 without people
	Usual   float64      `json:"usual"`   // the usual rate; 0 of HeardClasses, which have none
	People  int64        `json:"people"`  // of the region, an estimate where Counted is false
	Counted bool         `json:"counted"` // most people are counted by blocks; otherwise estimated by residential street
	Verdict ClassVerdict `json:"verdict"`

	// Where neighbouring regions have an extract of the same source: what they lend, near the border.
	LentPlaces int64 `json:"lent_places,omitempty"`
	LentPeople int64 `json:"lent_people,omitempty"`

	Accepted string `json:"accepted,omitempty"` // of HeardClasses: why the score quiet is given where the class is unknown; absent: it is not
}

// RegionErrands is of how many points (weights of kinds of errand) the errands of a region are made.
type RegionErrands struct {
	Region    string  `json:"region"`
	Known     float64 `json:"known"`     // points of kinds whose own places are known
	Estimated float64 `json:"estimated"` // points of kinds that are unknown and estimated from the others
	Residual  float64 `json:"residual"`  // root mean square of what is estimated, in points of the score (0–5)
	Of        float64 `json:"of"`        // all points
	Enough    bool    `json:"enough"`    // false: pedestrian_friendly is absent
}

// ClassRate is RegionClass.Rate, from the places and people.
func (c *RegionClass) ClassRate() float64 {
	people := c.People + c.LentPeople
	if people == 0 {
		return 0
	}
	return math.Round(1e7*float64(c.Places+c.LentPlaces)/float64(people)) / 1e4
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
		if c.Places < 0 || c.People < 0 || c.LentPlaces < 0 || c.LentPeople < 0 || c.Rate != c.ClassRate() || !(c.Usual >= 0) ||
			c.Verdict.index() < 0 {
			problems = append(problems, fmt.Errorf("class %s of region %s: %d places, %d people, rate %v, usual %v, verdict %q",
				c.Class, c.Region, c.Places, c.People, c.Rate, c.Usual, c.Verdict))
		}
	}
	for _, e := range m.Errands {
		if !(e.Known >= 0 && e.Estimated >= 0 && e.Residual >= 0 && e.Known+e.Estimated <= e.Of+1e-6) || counts[e.Region] == 0 {
			problems = append(problems, fmt.Errorf("errands of region %s: %v points known and %v estimated of %v", e.Region, e.Known,
				e.Estimated, e.Of))
		}
	}
	for _, region := range m.Regions {
		if n := counts[region]; n != 0 && n != len(KnownClasses) {
			problems = append(problems, fmt.Errorf("region %s has %d of %d classes", region, n, len(KnownClasses)))
		}
	}
	return problems
}

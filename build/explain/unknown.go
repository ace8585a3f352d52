package explain

import (
	"slices"
	"strings"

	"quartier/internal/rating"
	"quartier/internal/wording"
	"quartier/schemas"
)

// Unknown is a part that an absent value lacks.
type Unknown struct {
	Part   string   `json:"part"`          // a class of places in words, or "noise", "streets" …
	Why    string   `json:"why,omitempty"` // the region's figures of the class and what follows from them
	Source string   `json:"source"`        // what would make it known
	Kinds  []string `json:"kinds"`         // of sources that can have it
}

// Kinds of sources that can have what a value is made of, besides classes of places.
var (
	placeKinds  = []string{"overture", "osm", "overpass", "places"}
	schoolKinds = []string{"schools", "nces", "odef", "osm"}
	parkKinds   = []string{"osm", "overpass", "places"}
	stopKinds   = []string{"gtfs", "transit-lines", "osm", "overpass"}
	roadKinds   = []string{"osm", "roads"}
)

// kindsOf are the kinds of sources by class; of others placeKinds.
var kindsOf = map[string][]string{
	"primary_school": schoolKinds, "high_school": schoolKinds, "park": parkKinds,
	"bus_stop": stopKinds, "rapid_station": stopKinds, "train_station": stopKinds, "railway": {"osm"}, "aerodrome": {"osm"},
}

// otherPart is a part that is no class of places, with the kinds of sources that can have it.
type otherPart struct {
	part  *wording.Line
	kinds []string
}

// otherParts are the parts of channels that are made of no places, with the kinds of sources that can have them.
var otherParts = map[string]otherPart{
	"traffic_noise":        {wording.Say("part_traffic"), append(slices.Clone(roadKinds), "traffic-counts")},
	"interchange_noise":    {wording.Say("part_traffic"), append(slices.Clone(roadKinds), "traffic-counts")},
	"railway_noise":        {wording.Say("part_railways"), []string{"osm"}},
	"airport_noise":        {wording.Say("part_aerodromes"), []string{"osm"}},
	"terrain_steepness":    {wording.Say("part_elevations"), []string{"elevation"}},
	"street_steepness":     {wording.Say("part_elevations"), []string{"elevation"}},
	"intersection_density": {wording.Say("part_streets"), roadKinds}, "local_street_proportion": {wording.Say("part_streets"), roadKinds},
	"infrastructure_unpleasant_for_pedestrians": {wording.Say("part_streets"), roadKinds},
	"cycling_friendly":                          {wording.Say("part_bicycle_lanes"), []string{"osm", "overpass", "cycling-network"}},
	"car_friendly":                              {wording.Say("part_car_streets"), roadKinds},
	"quiet":                                     {wording.Say("part_traffic"), append(slices.Clone(roadKinds), "traffic-counts")},
	"historic":                                  {wording.Say("part_years"), []string{"osm", "heritage", "acs", "census-profile"}},
	"greenery":                                  {wording.Say("part_trees_and_land"), []string{"osm", "land-cover"}},
	rating.HighwayProximity:                     {wording.Say("part_ramps"), roadKinds},
}

// unknown are the parts that an absent channel lacks, each once: classes of places that are unknown in the region, and other parts
// of which there are no data. A channel made of others has theirs.
func (l *location) unknown(c schemas.Channel) []Unknown {
	list := []Unknown{}
	add := func(u Unknown) {
		if !slices.ContainsFunc(list, func(v Unknown) bool { return v.Part == u.Part }) {
			list = append(list, u)
		}
	}
	classes := l.classes(c)
	for _, class := range classes {
		if !l.coverage.has(class) {
			add(l.unknownClass(class))
		}
	}
	var t rating.Trace
	if score := slices.IndexFunc(rating.Composites, func(s rating.Composite) bool { return s.Channel == c }); score >= 0 {
		l.formula(c).value(0, &t)
	}
	for _, p := range t.Parts {
		if below, ok := schemas.ChannelOf(p.Name); ok && below != c && l.served[below] == schemas.AbsentValue {
			for _, u := range l.unknown(below) {
				add(u)
			}
		}
	}
	other, ok := otherParts[schemas.ChannelName(c)]
	if _, transit := l.r.c.Transit.Kinds[schemas.ChannelName(c)]; transit {
		other, ok = otherPart{wording.Say("part_lines"), stopKinds}, true
	}
	if ok && len(list) == 0 && l.pastEdge == 0 {
		source := wording.Say("source_here", strings.Join(other.kinds, ", "))
		add(Unknown{Part: l.text(other.part), Kinds: other.kinds, Source: l.text(source)})
	}
	return list
}

// unknownClass is a class of places that is unknown in the region.
func (l *location) unknownClass(class string) Unknown {
	kinds := kindsOf[class]
	if kinds == nil {
		kinds = placeKinds
	}
	u := Unknown{Part: l.r.language.Classes([]string{class}), Kinds: kinds,
		Source: l.text(wording.Say("source_complete", wording.Class(class), strings.Join(kinds, ", ")))}
	if _, rated := l.coverage[class]; rated {
		u.Why = l.text(l.coverage.why(class))
	}
	return u
}

// classes are the classes of places that a channel is made of.
func (l *location) classes(c schemas.Channel) (classes []string) {
	name := schemas.ChannelName(c)
	if measure, ok := rating.SameAs[name]; ok {
		name = measure
	}
	for _, rule := range rating.NearestRules(l.r.c, l.r.walk) {
		if rule.Channel == name {
			return []string{rule.Class}
		}
	}
	switch name {
	case "quiet":
		classes = schemas.HeardClasses
	case "shops_and_services_access", "pedestrian_friendly", "car_friendly":
		estimates := l.r.c.Estimates.Walk
		if name == "car_friendly" {
			estimates = l.r.c.Estimates.Drive
		}
		e := rating.NewErrands(l.r.c, estimates, name == "shops_and_services_access", l.coverage.has)
		for _, slot := range l.r.c.Access.Slots {
			if slices.ContainsFunc(e.Unknown, func(u rating.Unknown) bool { return u.Name == slot.Name }) {
				classes = append(classes, slot.Classes...)
			}
		}
	case "park_access", "park_access_weighted_by_area", "parks":
		classes = []string{"park"}
	case "vibrant":
		classes = rating.ActivityClasses(&l.r.c.Vibrant)
	case "pedestrian_oriented_street_access":
		classes = l.r.c.Access.Frontage.Classes
	}
	if _, ok := l.r.c.Transit.Kinds[name]; ok {
		return l.stopClasses(name)
	}
	return classes
}

// stopClasses are the classes of stops of the lines that count for a measure of departures.
func (l *location) stopClasses(channel string) (classes []string) {
	for _, kind := range l.r.c.Transit.WithoutTimes.Unknown {
		if slices.Contains(rating.TransitChannels(kind.Mode, false), channel) && !slices.Contains(classes, kind.Class) {
			classes = append(classes, kind.Class)
		}
	}
	if channel == "rapid_transit_service_access" {
		classes = []string{"rapid_station"}
	}
	return classes
}

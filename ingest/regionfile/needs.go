package regionfile

import (
	"slices"
	"strings"

	"quartier/schemas"
)

// way is a way to make a score or a part of the API: of all of some things.
type way struct {
	of   []string // what sources must have
	says string   // what comes out
}

// need is what a score or a part of the API is made of.
type need struct {
	what  string // id of a score, or a part of the API
	ways  []way  // the best one first
	lacks string // why it is absent without any
}

const ifEnough = "known where the map has at least a quarter of the usual number for the people"

// needs are those of the 18 scores (docs/methods.md, 0 and 1) and of the parts of the API.
var needs = []need{
	{"pedestrian_friendly", []way{{[]string{streets, placesAll}, "errands on foot; kinds of places that are too few are estimated"}},
		"no source has places"},
	{"cycling_friendly", []way{
		{[]string{streets, lanes, placesAll, heights}, "lanes, hills and errands by bicycle"},
		{[]string{streets, lanes, placesAll}, "lanes and errands by bicycle; hills are estimated, and terrain and steepness of streets lack"},
	}, "no source has cycle lanes, or none has places"},
	{"transit_friendly", []way{
		{[]string{streets, timetable}, "departures of timetables"},
		{[]string{streets, lines}, "lines of the map, whose departures are assumed by mode"},
	}, "no source has a timetable or lines"},
	{"car_friendly", []way{{[]string{streets, placesAll}, "errands, ramps and parking"}}, "no source has places"},
	{"groceries", ofPlaces, "no source has places"},
	{"shopping", ofPlaces, "no source has places"},
	{"cafes", ofPlaces, "no source has places"},
	{"restaurants", ofPlaces, "no source has places"},
	{"nightlife", ofPlaces, "no source has places"},
	{"high_schools", ofSchools, "no source has schools"},
	{"primary_schools", ofSchools, "no source has schools"},
	{"daycares", []way{
		{[]string{streets, daycares}, "the list of child care"},
		{[]string{streets, placesAll}, ifEnough + ", which of daycares it seldom has: add the list of the licensing agency (kind places, " +
			"category daycares)"},
	}, "no source has daycares: add the list of the licensing agency (kind places, category daycares)"},
	{"quiet", []way{
		{[]string{streets, railways, counts}, "counted traffic, railways and aerodromes"},
		{[]string{streets, railways}, "railways, aerodromes, and traffic assumed by the class of a street"},
	}, "no source knows railways and aerodromes; quiet_without accepts that"},
	{"historic", []way{
		{[]string{streets, heritage}, "heritage sites, and years of buildings or dwellings by period of construction"},
		{[]string{streets, tables, blocks}, "dwellings by period of construction"},
		{[]string{streets, tables, zones}, "dwellings by period of construction"},
		{[]string{streets, buildings}, "years of buildings, where the map dates at least half of them"},
	}, "no source has years of construction or heritage sites"},
	{"vibrant", ofPlaces, "no source has places"},
	{"parks", []way{{[]string{streets, parksList}, "parks by distance and area"}}, "no source has parks"},
	{"greenery", []way{
		{[]string{streets, cover}, "land cover by raster"},
		{[]string{streets, land}, "land and trees of the map, where they are mapped well enough"},
	}, "no source has land cover"},
	{"wellness", []way{{[]string{streets, placesAll, parksList}, "parks, quiet, greenery, walking, cycling and errands; what is unknown is " +
		"estimated"}}, "no source has places and parks"},

	{"geographies", []way{{[]string{level(60)}, "of the levels that sources have"}, {[]string{level(30)}, "of the levels that sources have"}},
		"no source has outlines"},
	{"pois", []way{
		{[]string{placesAll, brands}, "places with their brands"},
		{[]string{placesAll}, "places; brands lack without kind brands"},
	}, "no source has places"},
	{"schools", []way{
		{[]string{schoolIDs, outlines}, "schools with their catchments"},
		{[]string{schoolIDs}, "schools; catchments lack, since no source of kind catchments has them"},
	}, "no source has a list of schools; those of the map are in scores alone"},
	{"demographics", []way{
		{[]string{tables, blocks}, "of geographies and around points, by blocks"},
		{[]string{tables, zones}, "of geographies and around points, people spread evenly over small areas"},
		{[]string{tables}, "of the geographies that tables name alone; around points it lacks, since no source has outlines of small areas"},
	}, "no source has census tables (kinds acs, census-profile)"},
	{"home values", []way{{[]string{values}, "of counties and ZIP codes"}}, "no source of kind home-values; no public one covers Canada"},
	{"typologies", []way{{[]string{tables, blocks, streets}, "of places where people live"}},
		"no source has blocks with their people (kind blocks)"},
	{"market_stats", []way{{[]string{listings}, "of listings and sales"}},
		"listings and sales are no public data; take yours in with quartier market --listings"},
	{"profiles", []way{{[]string{streets, placesAll}, "texts of what is known"}}, "no source has streets and places"},
}

var ofPlaces = []way{{[]string{streets, placesAll}, ifEnough}}

var ofSchools = []way{
	{[]string{streets, schoolIDs}, "lists of schools"},
	{[]string{streets, placesAll}, ifEnough},
}

// Verdict is what is to be expected of a score or part of the API.
type Verdict struct {
	What  string
	Known bool
	Says  string // what it is made of; why it lacks
}

// verdicts are those of all needs where sources have some things.
func verdicts(has map[string]bool) (list []Verdict) {
	for _, n := range needs {
		v := Verdict{What: n.what, Says: n.lacks}
		for _, w := range n.ways {
			if missing := slices.DeleteFunc(slices.Clone(w.of), func(what string) bool { return has[what] }); len(missing) == 0 {
				v.Known, v.Says = true, w.says
				break
			}
		}
		if !v.Known && !has[streets] && slices.Contains(schemas.ScoreIDs(), n.what) {
			v.Says = "no source has streets"
		}
		list = append(list, v)
	}
	return list
}

// levelsText names the levels that sources have, and those that they lack.
func levelsText(has map[string]bool) (given, lacking string) {
	var there, not []string
	for _, l := range schemas.Levels {
		switch n := int(l); {
		case has[level(n)]:
			there = append(there, level(n))
		case n != 20 && n != 38:
			not = append(not, level(n))
		}
	}
	return strings.Join(there, ", "), strings.Join(not, ", ")
}

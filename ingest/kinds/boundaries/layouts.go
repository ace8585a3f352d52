package boundaries

import (
	"maps"
	"slices"

	"quartier/schemas"
)

// layouts are the defaults for the files of a publisher of any year: TIGER/Line and cartographic boundary files of the US
// Census Bureau, whose attribute names end with the year of the census or not, and the 2021 boundary files of Statistics
// Canada.
var layouts = map[string]Options{
	"tiger-state":  tiger(schemas.State, "state", vintages("GEOID", "STATEFP"), vintages("NAME")),
	"tiger-county": tiger(schemas.County, "county", vintages("GEOID"), vintages("NAME")),
	"tiger-cousub": tiger(schemas.CountySubdivision, "cousub", vintages("GEOID"), vintages("NAME")),
	"tiger-place":  tiger(schemas.Municipality, "place", vintages("GEOID"), vintages("NAME")),
	"tiger-zcta":   tiger(schemas.PostalArea, "zcta", vintages("ZCTA5CE", "GEOID"), vintages("ZCTA5CE", "GEOID")),
	"tiger-cbsa":   tiger(schemas.Metro, "cbsa", vintages("GEOID", "CBSAFP"), vintages("NAME")),
	"tiger-tract":  tiger(schemas.Neighbourhood, "tract", vintages("GEOID"), vintages("NAMELSAD", "NAME")),
	"tiger-bg":     tiger(schemas.Neighbourhood, "bg", vintages("GEOID"), vintages("NAMELSAD", "GEOID")),

	"statcan-pr":  statcan(schemas.State, "pr", List{"PRUID", dguid}, List{"PRENAME", "PRNAME"}, List{"PRFNAME"}),
	"statcan-cd":  statcan(schemas.County, "cd", List{"CDUID", dguid}, List{"CDNAME"}, nil),
	"statcan-csd": statcan(schemas.Municipality, "csd", List{"CSDUID", dguid}, List{"CSDNAME"}, nil),
	"statcan-cma": metros(statcan(schemas.Metro, "cma", List{"CMAUID", dguid}, List{"CMANAME"}, nil)),
	"statcan-ct":  statcan(schemas.Neighbourhood, "ct", List{"CTUID", dguid}, List{"CTNAME", "CTUID"}, nil),
	"statcan-da":  statcan(schemas.Neighbourhood, "da", List{"DAUID", dguid}, List{"DAUID", dguid}, nil),
	"statcan-fsa": statcan(schemas.PostalArea, "fsa", List{"CFSAUID", dguid}, List{"CFSAUID", dguid}, nil),
}

// dguid is Statistics Canada's identifier without vintage, type and schema (2021A000235 is 35), so that a place keeps its
// key from one census to the next.
const dguid = "@dguid"

func layoutNames() []string { return slices.Sorted(maps.Keys(layouts)) }

func tiger(level schemas.Level, scheme string, key, name List) Options {
	o := Options{Level: level, Scheme: "census:" + scheme, Country: "US", Key: key, Name: name}
	if level != schemas.PostalArea && level != schemas.Metro { // which cross state lines
		o.StateFrom = vintages("STATEFP", "STATE")
	}
	if level == schemas.CountySubdivision { // water outside all subdivisions
		o.Unless = map[string]List{"COUSUBFP": {"00000"}, "COUSUBFP20": {"00000"}, "COUSUBFP10": {"00000"}}
	}
	return o
}

// vintages returns the names of attributes in files of different years, in order of preference.
func vintages(names ...string) List {
	var all List
	for _, name := range names {
		all = append(all, name, name+"20", name+"10", name+"00")
	}
	return all
}

func statcan(level schemas.Level, scheme string, key, name, nameFR List) Options {
	return Options{Level: level, Scheme: "statcan:" + scheme, Country: "CA", Key: key, Name: name, NameFR: nameFR,
		Bilingual: " / ", StateFrom: List{"PRUID"}}
}

// metros merges the parts by province in which metropolitan areas are published.
func metros(o Options) Options {
	o.StateFrom, o.Merge = nil, true
	return o
}

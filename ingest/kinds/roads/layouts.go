package roads

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
)

// layout is what the files of a publisher have in common.
type layout struct {
	scheme    string
	key, name source.List
	needs     []string // further columns that must be there
	classify  func(vector.Feature) verdict
	fullName  func(vector.Feature) string // nil: the name as it stands
	follows   bool                        // some streets go by their neighbours
}

var layouts = map[string]layout{
	"statcan-rnf": {scheme: "statcan:rnf", key: source.List{"NGD_UID", "NGDUID", "RB_UID"}, name: source.List{"NAME"}, needs: []string{"CLASS"},
		classify: statcan, fullName: statcanName, follows: true},
	"tiger-roads": {scheme: "tiger:linear", key: source.List{"LINEARID"}, name: source.List{"FULLNAME"}, needs: []string{"MTFCC"}, classify: tiger},
	"tiger-edges": {scheme: "tiger:edge", key: source.List{"TLID"}, name: source.List{"FULLNAME"}, needs: []string{"MTFCC"}, classify: tiger},
}

func layoutNames() []string { return slices.Sorted(maps.Keys(layouts)) }

// statcan judges by CLASS and RANK (92-500-G). Ranks are 1 Trans-Canada, 2 national highway system, 3 major, 4 secondary
// highway, 5 other; files since 2023 have none.
func statcan(f vector.Feature) verdict {
	rank, err := strconv.Atoi(f.Attributes["RANK"])
	if err != nil || rank < 1 || rank > 5 {
		rank = 5
	}
	switch f.Attributes["CLASS"] {
	case "10", "11", "12": // highway, expressway, primary highway
		return verdict{class: [...]string{"motorway", "motorway", "trunk", "primary", "primary"}[rank-1]}.unranked(f)
	case "13": // secondary highway
		return verdict{class: "primary"}
	case "20": // road
		return verdict{class: [...]string{"primary", "primary", "secondary", "tertiary", "unclassified"}[rank-1]}
	case "21": // arterial
		return verdict{class: [...]string{"primary", "primary", "primary", "secondary", "secondary"}[rank-1]}
	case "22": // collector
		return verdict{class: [...]string{"primary", "primary", "secondary", "tertiary", "tertiary"}[rank-1]}
	case "23": // local
		return verdict{class: [...]string{"primary", "primary", "secondary", "tertiary", "residential"}[rank-1]}
	case "24": // alley, lane, utility
		return verdict{class: "alley"}
	case "25": // connector, ramp
		return verdict{follows: highway}
	case "26": // reserve, trail
		return verdict{class: "track"}
	case "27":
		return verdict{skip: notARoad.With("CLASS 27")}
	case "28":
		return verdict{skip: planned}
	case "29": // strata: streets of a condominium
		return verdict{class: "residential"}
	case "80": // bridge, tunnel
		return verdict{follows: road, bridge: true, class: [...]string{"motorway", "primary", "primary", "secondary", "unclassified"}[rank-1]}
	case "90", "95":
		return verdict{class: "unclassified"}
	}
	return verdict{class: "unclassified", repair: unknownClass.With("CLASS " + f.Attributes["CLASS"])}
}

// unranked makes a highway whose rank is not published a trunk road: one does not walk there, and no more is known.
func (v verdict) unranked(f vector.Feature) verdict {
	if f.Attributes["RANK"] == "" {
		v.class = "trunk"
		if f.Attributes["CLASS"] == "11" {
			v.class = "motorway"
		}
	}
	return v
}

// tiger judges by the MAF/TIGER feature class code and, of a secondary road, by its route type.
func tiger(f vector.Feature) verdict {
	code := f.Attributes["MTFCC"]
	if class, known := mtfcc[code]; known {
		return verdict{class: class}
	}
	switch {
	case code == "S1200" && f.Attributes["RTTYP"] == "U":
		return verdict{class: "primary"}
	case code == "S1200":
		return verdict{class: "secondary"}
	case code == "S1750":
		return verdict{skip: notARoad.With("MTFCC " + code)}
	case strings.HasPrefix(code, "S1"):
		return verdict{class: "unclassified", repair: unknownClass.With("MTFCC " + code)}
	}
	return verdict{skip: notARoad.With("MTFCC " + code)}
}

var mtfcc = map[string]string{
	"S1100": "motorway",      // primary: divided, limited access
	"S1400": "residential",   // local neighbourhood or rural road, city street
	"S1500": "track",         // vehicular trail
	"S1630": "motorway_link", // ramp
	"S1640": "service",       // service drive along a highway
	"S1710": "footway",       // walkway, pedestrian trail
	"S1720": "steps",         // stairway
	"S1730": "alley",
	"S1740": "service", // private road
	"S1780": "parking_aisle",
	"S1820": "cycleway",
	"S1830": "bridleway",
}

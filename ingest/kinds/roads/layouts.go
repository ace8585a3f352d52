package roads

import (
	"strconv"
	"strings"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
)

// layout describes the files of a publisher.
type layout struct {
	scheme    string
	key, name source.List
	needs     []string // other required columns
	classify  func(vector.Feature) classification
	fullName  func(vector.Feature) string // nil: the name attribute
	follows   bool                        // the class of some streets depends on others
}

var layouts = map[string]layout{
	"statcan-rnf": {scheme: "statcan:rnf", key: source.List{"NGD_UID", "NGDUID", "RB_UID"}, name: source.List{"NAME"}, needs: []string{"CLASS"},
		classify: statcan, fullName: statcanName, follows: true},
	"tiger-roads": {scheme: "tiger:linear", key: source.List{"LINEARID"}, name: source.List{"FULLNAME"}, needs: []string{"MTFCC"}, classify: tiger},
	"tiger-edges": {scheme: "tiger:edge", key: source.List{"TLID"}, name: source.List{"FULLNAME"}, needs: []string{"MTFCC"}, classify: tiger},
}

// statcan classifies by CLASS and RANK (92-500-G). Ranks are 1 Trans-Canada, 2 national highway system, 3 major, 4 secondary
// highway, 5 other; files since 2023 have none.
func statcan(f vector.Feature) classification {
	rank, err := strconv.Atoi(f.Attributes["RANK"])
	if err != nil || rank < 1 || rank > 5 {
		rank = 5
	}
	switch f.Attributes["CLASS"] {
	case "10", "11", "12": // highway, expressway, primary highway
		return classification{class: [...]string{"motorway", "motorway", "trunk", "primary", "primary"}[rank-1]}.unranked(f)
	case "13": // secondary highway
		return classification{class: "primary"}
	case "20": // road
		return classification{class: [...]string{"primary", "primary", "secondary", "tertiary", "unclassified"}[rank-1]}
	case "21": // arterial
		return classification{class: [...]string{"primary", "primary", "primary", "secondary", "secondary"}[rank-1]}
	case "22": // collector
		return classification{class: [...]string{"primary", "primary", "secondary", "tertiary", "tertiary"}[rank-1]}
	case "23": // local
		return classification{class: [...]string{"primary", "primary", "secondary", "tertiary", "residential"}[rank-1]}
	case "24": // alley, lane, utility
		return classification{class: "alley"}
	case "25": // connector, ramp
		return classification{follows: highway}
	case "26": // reserve, trail
		return classification{class: "track"}
	case "27":
		return classification{skip: notARoad.With("CLASS 27")}
	case "28":
		return classification{skip: planned}
	case "29": // strata: streets of a condominium
		return classification{class: "residential"}
	case "80": // bridge, tunnel
		return classification{follows: road, bridge: true, class: [...]string{"motorway", "primary", "primary", "secondary", "unclassified"}[rank-1]}
	case "90", "95":
		return classification{class: "unclassified"}
	}
	return classification{class: "unclassified", repair: unknownClass.With("CLASS " + f.Attributes["CLASS"])}
}

// unranked makes a highway without a published rank a trunk road, where pedestrians are not allowed.
func (v classification) unranked(f vector.Feature) classification {
	if f.Attributes["RANK"] == "" {
		v.class = "trunk"
		if f.Attributes["CLASS"] == "11" {
			v.class = "motorway"
		}
	}
	return v
}

// tiger classifies by the MAF/TIGER feature class code and, for secondary roads, by the route type.
func tiger(f vector.Feature) classification {
	code := f.Attributes["MTFCC"]
	if class, known := mtfcc[code]; known {
		return classification{class: class}
	}
	switch {
	case code == "S1200" && f.Attributes["RTTYP"] == "U":
		return classification{class: "primary"}
	case code == "S1200":
		return classification{class: "secondary"}
	case code == "S1750":
		return classification{skip: notARoad.With("MTFCC " + code)}
	case strings.HasPrefix(code, "S1"):
		return classification{class: "unclassified", repair: unknownClass.With("MTFCC " + code)}
	}
	return classification{skip: notARoad.With("MTFCC " + code)}
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

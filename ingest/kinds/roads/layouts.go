package roads

import (
	_ "embed"
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
	"statcan-rnf": {scheme: "statcan:rnf", key: source.List{"NGD_UID", "NGDUID", "RB_UID"}, name: source.List{"NAME"},
		needs:    []string{"CLASS"},
		classify: statcan, fullName: statcanName, follows: true},
	"tiger-roads": {scheme: "tiger:linear", key: source.List{"LINEARID"}, name: source.List{"FULLNAME"}, needs: []string{"MTFCC"},
		classify: tiger},
	"tiger-edges": {scheme: "tiger:edge", key: source.List{"TLID"}, name: source.List{"FULLNAME"}, needs: []string{"MTFCC"}, classify: tiger},
}

// statcan.tsv has the class of street for each CLASS of Statistics Canada by RANK from 1 to 5, and without RANK. 10 to 13
// are highway, expressway, primary and secondary highway, 20 to 24 road, arterial, collector, local and alley, 26 reserve
// and trail, 29 streets of a condominium, 80 bridge and tunnel. A highway without RANK is a trunk road, where pedestrians are
// not allowed. tiger.tsv has that of MAF/TIGER feature class codes.
var (
	//go:embed statcan.tsv
	statcanText string
	//go:embed tiger.tsv
	tigerText string

	statcanClasses, tigerClasses = parseRows(statcanText), parseRows(tigerText)
)

// parseRows returns the fields of tab-separated rows by the first one.
func parseRows(text string) map[string][]string {
	rows := map[string][]string{}
	for line := range strings.Lines(text) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		rows[fields[0]] = fields[1:]
	}
	return rows
}

// statcan classifies by CLASS and RANK (92-500-G). Ranks are 1 Trans-Canada, 2 national highway system, 3 major, 4 secondary
// highway, 5 other; files since 2023 have none.
func statcan(f vector.Feature) classification {
	class := f.Attributes["CLASS"]
	switch class {
	case "25": // connector, ramp
		return classification{follows: highway}
	case "27":
		return classification{skip: notARoad.With("CLASS 27")}
	case "28":
		return classification{skip: planned}
	}
	byRank, known := statcanClasses[class]
	if !known {
		return classification{class: "unclassified", repair: unknownClass.With("CLASS " + class)}
	}
	rank, err := strconv.Atoi(f.Attributes["RANK"])
	if f.Attributes["RANK"] == "" {
		rank = 6
	} else if err != nil || rank < 1 || rank > 5 {
		rank = 5
	}
	v := classification{class: byRank[rank-1]}
	if class == "80" { // bridge, tunnel
		v.follows, v.bridge = road, true
	}
	return v
}

// tiger classifies by the MAF/TIGER feature class code and, for secondary roads, by the route type.
func tiger(f vector.Feature) classification {
	code := f.Attributes["MTFCC"]
	if row, known := tigerClasses[code]; known {
		return classification{class: row[0]}
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

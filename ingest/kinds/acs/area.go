package acs

import (
	"bytes"
	"slices"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// level is a geographic level that is read.
type level struct {
	name    string // of the key: census:<name>:<id>
	summary string // summary level of the Census Bureau
	digits  int    // length of the id, a GEOID
	states  bool   // the id begins with the state's
	nhgis   string // NHGIS's name of the level
	gisjoin string // GISJOIN without its G: # is a digit of the id
}

// country is the id of the only area of its level.
const country = "US"

var levels = []level{
	{"bg", "150", 12, true, "Block Group", "##0###0#######"},
	{"tract", "140", 11, true, "Census Tract", "##0###0######"},
	{"county", "050", 5, true, "County", "##0###0"},
	{"cousub", "060", 10, true, "County Subdivision", "##0###0#####"},
	{"place", "160", 7, true, "Place", "##0#####"},
	{"state", "040", 2, true, "State", "##0"},
	{"cbsa", "310", 5, false, "Metropolitan Statistical Area/Micropolitan Statistical Area", "#####"},
	{"zcta", "860", 5, false, "5-Digit ZIP Code Tabulation Area", "#####"},
	{"country", "010", 0, false, "Nation", "1"},
}

func levelNames() (names []string) {
	for _, l := range levels {
		names = append(names, l.name)
	}
	return names
}

func (l *level) key(id []byte) string {
	if l.digits == 0 {
		return "census:" + l.name + ":" + country
	}
	return "census:" + l.name + ":" + string(id)
}

// geoID parses a GEO_ID of the Census Bureau: summary level (three digits), variant (two), geographic component (two, 00
// for entire areas), the letters US and the id:
//
//	1500000US410510001001 is the block group 410510001001
func geoID(text []byte) (*level, []byte, reason.Reason) {
	const head = 7
	if len(text) < head+2 || string(text[head:head+2]) != country {
		return nil, nil, invalidGeoID
	}
	i := slices.IndexFunc(levels, func(l level) bool { return l.summary == string(text[:3]) })
	switch {
	case i < 0 && !digits(text[:3]):
		return nil, nil, invalidGeoID
	case i < 0:
		return nil, nil, source.UnreadSummaryLevel
	case string(text[5:head]) != "00":
		return nil, nil, geographicComponent
	}
	id := text[head+2:]
	if len(id) != levels[i].digits || !digits(id) {
		return nil, nil, invalidGeoID
	}
	return &levels[i], id, reason.Reason{}
}

// gisJoin parses the GISJOIN of an area of a level: G and the GEOID, with a 0 after state and county:
//
//	G41005100001001 of a block group is 41 051 000100 1
func (l *level) gisJoin(text []byte) (id []byte, _ reason.Reason) {
	if len(text) != len(l.gisjoin)+1 || text[0] != 'G' || !digits(text[1:]) {
		return nil, invalidGISJoin
	}
	for i, c := range text[1:] {
		switch l.gisjoin[i] {
		case '#':
			id = append(id, c)
		case c:
		default:
			return nil, invalidGISJoin
		}
	}
	return id, reason.Reason{}
}

func digits(text []byte) bool {
	return len(bytes.Trim(text, "0123456789")) == 0
}

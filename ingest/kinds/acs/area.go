package acs

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"quartier/ingest/source"
	"quartier/schemas"
	"quartier/schemas/reason"
)

// level is a geographic level that is read.
type level struct {
	name    string   // of the key: census:<name>:<id>
	summary string   // summary level of the Census Bureau
	digits  int      // length of the id, a GEOID
	states  bool     // the id begins with the state's
	nhgis   string   // NHGIS's name of the level
	gisjoin string   // GISJOIN without its G: # is a digit of the id
	codes   []string // columns of the Census API that make up the id
}

// country is the id of the only area of its level.
const country = "US"

var levels = []level{
	{"bg", "150", 12, true, "Block Group", "##0###0#######", []string{"state", "county", "tract", "block group"}},
	{"tract", "140", 11, true, "Census Tract", "##0###0######", []string{"state", "county", "tract"}},
	{"county", "050", 5, true, "County", "##0###0", []string{"state", "county"}},
	{"cousub", "060", 10, true, "County Subdivision", "##0###0#####", []string{"state", "county", "county subdivision"}},
	{"place", "160", 7, true, "Place", "##0#####", []string{"state", "place"}},
	{"state", "040", 2, true, "State", "##0", []string{"state"}},
	{"cbsa", "310", 5, false, "Metropolitan Statistical Area/Micropolitan Statistical Area", "#####",
		[]string{"metropolitan statistical area/micropolitan statistical area"}},
	{"zcta", "860", 5, false, "5-Digit ZIP Code Tabulation Area", "#####", []string{"zip code tabulation area"}},
	{"country", "010", 0, false, "Nation", "1", []string{"us"}},
}

func levelNames() (names []string) {
	for _, l := range levels {
		names = append(names, l.name)
	}
	return names
}

// levelNamed returns a level by its name; nil where there is none.
func levelNamed(name string) *level {
	for i := range levels {
		if levels[i].name == name {
			return &levels[i]
		}
	}
	return nil
}

func (l *level) key(id []byte) string {
	if l.digits == 0 {
		return "census:" + l.name + ":" + country
	}
	return "census:" + l.name + ":" + string(id)
}

// geoID parses a GEO_ID of the Census Bureau: summary level (three digits), variant (two), geographic component (two, 00
// for entire areas), the letters US and the id. Census Reporter leaves out the variant:
//
//	1500000US410510001001 and 15000US410510001001 are the block group 410510001001
func geoID(text []byte) (*level, []byte, reason.Reason) {
	head, id, found := bytes.Cut(text, []byte(country))
	if !found || len(head) != 7 && len(head) != 5 {
		return nil, nil, invalidGeoID
	}
	i := slices.IndexFunc(levels, func(l level) bool { return l.summary == string(head[:3]) })
	switch {
	case i < 0 && !digits(head[:3]):
		return nil, nil, invalidGeoID
	case i < 0:
		return nil, nil, source.UnreadSummaryLevel
	case string(head[len(head)-2:]) != "00":
		return nil, nil, geographicComponent
	}
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

// plainGeoID parses a GEOID without summary level, as tidycensus has, of a given level or, where that is nil, of the one
// that the name and the number of digits say. A leading zero may be missing, and software that took the id for a number
// may have added .0:
//
//	10010201001 of "Block Group 1, Census Tract 201, Autauga County, Alabama" is the block group 010010201001
func plainGeoID(text, name []byte, l *level) (*level, []byte, reason.Reason) {
	id := bytes.TrimSuffix(text, []byte(".0"))
	if len(id) == 0 || !digits(id) {
		return geoID(text) // some name the column of GEO_IDs so
	}
	if l == nil {
		var why reason.Reason
		if l, why = levelOf(id, string(name)); l == nil {
			return nil, nil, why
		}
	}
	switch {
	case l.digits == 0:
		return l, nil, reason.Reason{}
	case len(id) == l.digits-1:
		id = append([]byte("0"), id...)
	case len(id) != l.digits:
		return nil, nil, invalidGeoID
	}
	if l.states && !isState(id[:2]) {
		return nil, nil, invalidGeoID
	}
	return l, id, reason.Reason{}
}

// isState reports whether a FIPS code is of a state or of an island area that has tables of its own.
func isState(fips []byte) bool {
	_, known := schemas.StateByFIPS(string(fips))
	return known || slices.Contains([]string{"60", "66", "69", "72", "78"}, string(fips))
}

// levelOf returns the level of a GEOID; nil and why where it cannot be known.
func levelOf(id []byte, name string) (*level, reason.Reason) {
	begins := func(head string) bool { return strings.HasPrefix(name, head) }
	contains := func(part string) bool { return strings.Contains(name, part) }
	found := ""
	switch n := len(id); {
	case begins("Block Group "):
		found = "bg"
	case begins("Census Tract "):
		found = "tract"
	case begins("ZCTA5 "), begins("ZCTA "):
		found = "zcta"
	case contains(" Metro Area"), contains(" Micro Area"):
		found = "cbsa"
	case n == 12:
		found = "bg"
	case n == 11 && id[0] == '0':
		found = "tract"
	case name == "United States":
		found = "country"
	case n <= 2:
		found = "state"
	case n == 6 || n == 7:
		found = "place"
	case name == "":
	case n == 4 || n == 5:
		found = "county"
	case n == 9 || n == 10:
		found = "cousub"
	}
	if found == "" {
		return nil, unclearLevel
	}
	return levelNamed(found), reason.Reason{}
}

func digits(text []byte) bool {
	return len(bytes.Trim(text, "0123456789")) == 0
}

// areas says which columns of a table name the area of a row.
type areas struct {
	columns []int // of which the area is made
	parse   func(g grid) (*level, []byte, reason.Reason)
}

// text returns the columns of the row as they are in the file.
func (a *areas) text(g grid) string {
	var texts []string
	for _, c := range a.columns {
		texts = append(texts, string(g.at(c)))
	}
	return strings.Join(texts, " ")
}

// Columns of area codes: with the summary level, and without.
var (
	fullCodes  = []string{"GEO_ID", "GEO.id", "GEOID_FULL", "AFFGEOID", "ucgid"}
	plainCodes = []string{"GEOID", "GEO.id2", "GEOID10", "GEOID20", "FIPS"}
)

// areasOf finds the columns with the areas of a table of the Census Bureau; nil where it has none.
func areasOf(columns []string, l *level) *areas {
	if i := column(columns, fullCodes...); i >= 0 {
		return &areas{[]int{i}, func(g grid) (*level, []byte, reason.Reason) { return geoID(g.at(i)) }}
	}
	if i, name := column(columns, plainCodes...), column(columns, "NAME"); i >= 0 {
		return &areas{[]int{i}, func(g grid) (*level, []byte, reason.Reason) { return plainGeoID(g.at(i), g.at(name), l) }}
	}
	var most *level // with the most codes
	for i := range levels {
		l := &levels[i]
		there := !slices.ContainsFunc(l.codes, func(name string) bool { return column(columns, name) < 0 })
		if there && (most == nil || len(l.codes) > len(most.codes)) {
			most = l
		}
	}
	if most == nil {
		return nil
	}
	a := &areas{}
	for _, name := range most.codes {
		a.columns = append(a.columns, column(columns, name))
	}
	a.parse = func(g grid) (*level, []byte, reason.Reason) { return a.codes(g, most) }
	return a
}

// widths are the digits of the codes that the Census API gives.
var widths = map[string]int{"state": 2, "county": 3, "tract": 6, "block group": 1}

// codes joins the codes of the Census API to an id. Leading zeros may be missing.
func (a *areas) codes(g grid, l *level) (*level, []byte, reason.Reason) {
	if l.digits == 0 {
		return l, nil, reason.Reason{}
	}
	var id []byte
	for i, c := range a.columns {
		code := bytes.TrimSuffix(g.at(c), []byte(".0"))
		width := cmp.Or(widths[l.codes[i]], 5)
		if len(code) == 0 || len(code) > width || !digits(code) {
			return nil, nil, invalidGeoID
		}
		id = append(append(id, bytes.Repeat([]byte("0"), width-len(code))...), code...)
	}
	if l.states && !isState(id[:2]) {
		return nil, nil, invalidGeoID
	}
	return l, id, reason.Reason{}
}

// column returns the index of the first of several columns that a table has, in upper or lower case; −1 where it has none.
func column(columns []string, names ...string) int {
	for _, name := range names {
		if i := slices.IndexFunc(columns, func(c string) bool { return strings.EqualFold(c, name) }); i >= 0 {
			return i
		}
	}
	return -1
}

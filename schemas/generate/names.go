package main

import "strings"

// packages are the packages with row types and their DDL, in the order of their imports.
var packages = []struct {
	name   string
	files  []string
	sqlite bool // an INTEGER has 64 bits, or is a flag
}{
	{"staged", []string{"staged.sql", "listings.sql"}, false},
	{"derived", []string{"derived.sql"}, false},
	{"release", []string{"bundle/geographies.sql", "bundle/pois.sql", "bundle/schools.sql", "bundle/access.sql", "bundle/demographics.sql",
		"bundle/profiles.sql", "bundle/travel.sql", "bundle/private.sql", "bundle/provenance.sql"}, true},
}

// typeNames are the types whose names are not those of their tables. Tables of one type have the same columns.
var typeNames = map[string]string{
	"staged.source_issue":       "Issue",
	"staged.layout":             "ListingLayout",
	"derived.poi_merge":         "Merge",
	"derived.poi_correction":    "Correction",
	"derived.transform_issue":   "Issue",
	"derived.lent_destination":  "Destination",
	"derived.lent_service":      "TransitService",
	"release.poi_merge":         "Merge",
	"release.poi_correction":    "Correction",
	"release.poi_base_category": "POICategory",
	"release.base_category":     "Category",
	"release.lent_destination":  "Destination",
	"release.lent_service":      "TransitService",
	"release.geog_bridge":       "Bridge",
	"release.request":           "CustomRequest",
}

// zeroIsNull are the numbers of which 0 is NULL; flags the INTEGERs of SQLite that are 0 or 1.
var (
	zeroIsNull = []string{"lanes", "speed_kmh", "year", "directions", "stops", "trips_week", "aadt"}
	flags      = []string{"rapid", "covered"}
)

// part is a struct of some columns of a table, which the row type of the table embeds.
type part struct {
	table, name, doc string
	columns          string // see table.ranges
	embeds           string // as in embedded
	written          bool   // by hand
}

var parts = []part{
	{table: "staged.poi", name: "Details", columns: "name-name_fr brand-area_m2",
		doc: "are the attributes of a place that a publisher may give. Empty texts and nil are absent."},
	{table: "staged.school", name: "SchoolFigures", columns: "students-library",
		doc: "are numbers and properties of schools of the United States; nil: missing or suppressed."},
	{table: "staged.listing_record", name: "Listing", columns: "source_id-row", written: true},
	{table: "staged.change_record", name: "ListingChange", columns: "source_id-row", written: true},
	{table: "derived.poi", name: "Details", columns: "address-attributes",
		doc: "are the attributes of a POI that the release shows as they are derived. Empty texts are absent."},
	{table: "derived.street_node_part", name: "NodeParts", columns: "noise_db-beyond",
		doc: "are the quantities at a node that composite scores are made of, in ten-thousandths; nil without data."},
	{table: "derived.school", name: "SchoolDetails", columns: "authority_id-name_fr levels-library", embeds: "staged.SchoolFigures",
		doc: "are the attributes of a school. Empty texts and nil are missing."},
}

// embedded are other types that row types embed. A table has all of their columns.
var embedded = map[string]string{
	"release.geography_superseded": "release.Geography",
	"release.poi":                  "derived.Details",
	"release.school":               "derived.SchoolDetails",
	"release.school_source":        "derived.SchoolSource",
	"release.street_node_part":     "derived.NodeParts",
	"release.source":               "staged.Source",
	"release.issue":                "staged.Issue",
}

// initialisms are the words of names that are not written as others are.
var initialisms = map[string]string{"pois": "POIs"}

func init() {
	for word := range strings.FieldsSeq("id fid url fr en m m2 km2 kmh db sha256 moe aadt poi") {
		initialisms[word] = strings.ToUpper(word)
	}
}

// goName is the Go name of a table or column: SpeedKMH for speed_kmh.
func goName(name string) string {
	var out strings.Builder
	for word := range strings.SplitSeq(name, "_") {
		if own, ok := initialisms[word]; ok {
			out.WriteString(own)
		} else {
			out.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return out.String()
}

// fieldName is the Go name of a column: poi_key is the Key of poi.
func fieldName(table, column string) string {
	if column == table+"_key" {
		return "Key"
	}
	return goName(column)
}

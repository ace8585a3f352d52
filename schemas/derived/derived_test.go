package derived

import (
	"testing"

	"quartier/internal/sqlrow"
	"quartier/schemas"
)

// Every table has a row type with its columns.
func TestRowsMatchDDL(t *testing.T) {
	err := sqlrow.CheckAll(schemas.Derived, map[string]func(ddl, table string) error{
		"geography":        sqlrow.Check[Geography],
		"coverage":         sqlrow.Check[Coverage],
		"geography_name":   sqlrow.Check[GeographyName],
		"poi":              sqlrow.Check[POI],
		"brand":            sqlrow.Check[Brand],
		"poi_merge":        sqlrow.Check[Merge],
		"poi_correction":   sqlrow.Check[Correction],
		"transform_issue":  sqlrow.Check[Issue],
		"street_node":      sqlrow.Check[StreetNode],
		"street_node_part": sqlrow.Check[StreetNodePart],
		"street_edge":      sqlrow.Check[StreetEdge],
		"barrier":          sqlrow.Check[Barrier],
		"destination":      sqlrow.Check[Destination],
		"transit_service":  sqlrow.Check[TransitService],
		"lent_edge":        sqlrow.Check[LentEdge],
		"lent_destination": sqlrow.Check[Destination],
		"lent_service":     sqlrow.Check[TransitService],
		"home":             sqlrow.Check[Home],
		"typology":         sqlrow.Check[Typology],
		"landmark":         sqlrow.Check[Landmark],
		"region_class":     sqlrow.Check[RegionClass],
		"known_ground":     sqlrow.Check[KnownGround],
		"note":             sqlrow.Check[Note],
		"small_area":       sqlrow.Check[SmallArea],
		"water":            sqlrow.Check[Water],
		"small_area_part":  sqlrow.Check[SmallAreaPart],
		"small_area_value": sqlrow.Check[SmallAreaValue],
		"geography_value":  sqlrow.Check[GeographyValue],
		"home_value":       sqlrow.Check[HomeValue],
		"school":           sqlrow.Check[School],
		"school_source":    sqlrow.Check[SchoolSource],
		"school_catchment": sqlrow.Check[SchoolCatchment],
		"vintage":          sqlrow.Check[Vintage],
	})
	if err != nil {
		t.Error(err)
	}
}

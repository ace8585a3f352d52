package release

import (
	"testing"

	"quartier/internal/sqlrow"
	"quartier/schemas"
)

// Every table of the SpatiaLite files has a row type with its columns.
func TestRowsMatchDDL(t *testing.T) {
	type checks = map[string]func(ddl, table string) error
	for _, file := range []struct {
		ddl  string
		rows checks
	}{
		{schemas.BundleGeographies, checks{
			"geography":            sqlrow.Check[Geography],
			"geography_superseded": sqlrow.Check[SupersededGeography],
			"geog_bridge":          sqlrow.Check[Bridge],
			"geography_parent":     sqlrow.Check[GeographyParent],
			"geography_name":       sqlrow.Check[GeographyName],
			"coverage":             sqlrow.Check[Coverage],
		}},
		{schemas.BundlePOIs, checks{
			"poi":               sqlrow.Check[POI],
			"poi_category":      sqlrow.Check[POICategory],
			"poi_base_category": sqlrow.Check[POICategory],
			"poi_brand":         sqlrow.Check[POIBrand],
			"poi_tag":           sqlrow.Check[POITag],
			"category":          sqlrow.Check[Category],
			"base_category":     sqlrow.Check[Category],
			"brand":             sqlrow.Check[Brand],
			"tag":               sqlrow.Check[Tag],
			"known_ground":      sqlrow.Check[KnownGround],
			"poi_merge":         sqlrow.Check[Merge],
			"poi_correction":    sqlrow.Check[Correction],
		}},
		{schemas.BundleSchools, checks{
			"school":           sqlrow.Check[School],
			"school_source":    sqlrow.Check[SchoolSource],
			"school_catchment": sqlrow.Check[SchoolCatchment],
		}},
		{schemas.BundleAccess, checks{
			"street_node_part": sqlrow.Check[StreetNodePart],
			"street_edge":      sqlrow.Check[StreetEdge],
			"barrier":          sqlrow.Check[Barrier],
			"destination":      sqlrow.Check[Destination],
			"home":             sqlrow.Check[Home],
			"transit_service":  sqlrow.Check[TransitService],
			"lent_edge":        sqlrow.Check[LentEdge],
			"lent_destination": sqlrow.Check[Destination],
			"lent_service":     sqlrow.Check[TransitService],
			"geography_score":  sqlrow.Check[GeographyScore],
			"calibration":      sqlrow.Check[Calibration],
			"typology":         sqlrow.Check[Typology],
		}},
		{schemas.BundleDemographics, checks{
			"small_area":                 sqlrow.Check[SmallArea],
			"small_area_part":            sqlrow.Check[SmallAreaPart],
			"small_area_value":           sqlrow.Check[SmallAreaValue],
			"ground":                     sqlrow.Check[Ground],
			"geography_coverage":         sqlrow.Check[GeographyCoverage],
			"geography_variable":         sqlrow.Check[GeographyVariable],
			"geography_vintage":          sqlrow.Check[GeographyVintage],
			"geography_category_vintage": sqlrow.Check[GeographyCategoryVintage],
		}},
		{schemas.BundleProfiles, checks{
			"profile_place": sqlrow.Check[ProfilePlace],
			"profile_fact":  sqlrow.Check[ProfileFact],
			"profile_text":  sqlrow.Check[ProfileText],
			"landmark":      sqlrow.Check[Landmark],
		}},
		{schemas.BundlePrivate, checks{
			"request":          sqlrow.Check[CustomRequest],
			"custom_geography": sqlrow.Check[CustomGeography],
			"parent":           sqlrow.Check[Parent],
		}},
		{schemas.BundleProvenance, checks{
			"release": sqlrow.Check[Release],
			"source":  sqlrow.Check[Source],
			"issue":   sqlrow.Check[Issue],
		}},
	} {
		if err := sqlrow.CheckAll(file.ddl, file.rows); err != nil {
			t.Error(err)
		}
	}
}

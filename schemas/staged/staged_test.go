package staged

import (
	"testing"

	"quartier/internal/sqlrow"
	"quartier/schemas"
)

// Every table has a row type with its columns.
func TestRowsMatchDDL(t *testing.T) {
	err := sqlrow.CheckAll(schemas.Staged, map[string]func(ddl, table string) error{
		"source":          sqlrow.Check[Source],
		"source_issue":    sqlrow.Check[Issue],
		"declared_class":  sqlrow.Check[DeclaredClass],
		"quiet_without":   sqlrow.Check[QuietWithout],
		"boundary":        sqlrow.Check[Boundary],
		"coverage":        sqlrow.Check[Coverage],
		"further_name":    sqlrow.Check[FurtherName],
		"gazetteer_place": sqlrow.Check[GazetteerPlace],
		"poi":             sqlrow.Check[POI],
		"extent":          sqlrow.Check[Extent],
		"brand_rule":      sqlrow.Check[BrandRule],
		"correction":      sqlrow.Check[Correction],
		"street":          sqlrow.Check[Street],
		"bikeway":         sqlrow.Check[Bikeway],
		"feature":         sqlrow.Check[Feature],
		"traffic_count":   sqlrow.Check[TrafficCount],
		"timetable":       sqlrow.Check[Timetable],
		"line_list":       sqlrow.Check[LineList],
		"route_shape":     sqlrow.Check[RouteShape],
		"stop":            sqlrow.Check[Stop],
		"route":           sqlrow.Check[Route],
		"stop_service":    sqlrow.Check[StopService],
		"elevation_tile":  sqlrow.Check[ElevationTile],
		"land_cover_tile": sqlrow.Check[LandCoverTile],
		"block":           sqlrow.Check[Block],
		"home":            sqlrow.Check[Home],
		"survey":          sqlrow.Check[Survey],
		"statistic":       sqlrow.Check[Statistic],
		"zone":            sqlrow.Check[Zone],
		"home_value":      sqlrow.Check[HomeValue],
		"school":          sqlrow.Check[School],
		"catchment":       sqlrow.Check[Catchment],
		"school_rating":   sqlrow.Check[SchoolRating],
	})
	if err != nil {
		t.Error(err)
	}
}

// The tables of market.duckdb too.
func TestListingRowsMatchDDL(t *testing.T) {
	err := sqlrow.CheckAll(schemas.Listings, map[string]func(ddl, table string) error{
		"layout":          sqlrow.Check[ListingLayout],
		"listing_source":  sqlrow.Check[ListingSource],
		"listing_file":    sqlrow.Check[ListingFile],
		"listing_issue":   sqlrow.Check[ListingIssue],
		"intake":          sqlrow.Check[Intake],
		"listing_changed": sqlrow.Check[ListingChanged],
		"listing_record":  sqlrow.Check[ListingRecord],
		"change_record":   sqlrow.Check[ChangeRecord],
	})
	if err != nil {
		t.Error(err)
	}
}

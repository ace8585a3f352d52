package released

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"quartier/schemas"
)

// counter is a count of the manifest, with the file and query that it comes from.
type counter struct {
	file, what, query string
	count             *int64
}

// counters returns the counts of c that are numbers of rows.
func counters(c *schemas.ReleaseCounts) []counter {
	rows := func(file, what, table string, count *int64) counter {
		return counter{file, what, "SELECT count(*) FROM " + table, count}
	}
	return []counter{
		rows(schemas.GeographiesFile, "superseded geographies", "geography_superseded", &c.Superseded),
		rows(schemas.POIsFile, "pois", "poi", &c.POIs),
		rows(schemas.POIsFile, "brands", "brand", &c.Brands),
		rows(schemas.POIsFile, "tags", "tag", &c.Tags),
		rows(schemas.POIsFile, "merged pois", "poi_merge", &c.MergedPOIs),
		rows(schemas.AccessFile, "street nodes", "street_node", &c.StreetNodes),
		rows(schemas.AccessFile, "street edges", "street_edge", &c.StreetEdges),
		rows(schemas.AccessFile, "barriers", "barrier", &c.Barriers),
		rows(schemas.AccessFile, "destinations", "destination", &c.Destinations),
		rows(schemas.AccessFile, "transit services", "transit_service", &c.TransitServices),
		{schemas.AccessFile, "scored geographies", "SELECT count(DISTINCT geog_id) FROM geography_score", &c.ScoredGeographies},
		rows(schemas.AccessFile, "typologies", "typology", &c.Typologies),
		rows(schemas.DemographicsFile, "small areas", "small_area", &c.SmallAreas),
		rows(schemas.DemographicsFile, "parts of small areas", "small_area_part", &c.SmallAreaParts),
		rows(schemas.DemographicsFile, "geographies with demographics", "geography_vintage", &c.DescribedGeographies),
		rows(schemas.SchoolsFile, "schools", "school", &c.Schools),
		rows(schemas.SchoolsFile, "catchments", "school_catchment", &c.Catchments),
	}
}

// Count sets the counts of c that come from one SpatiaLite file, given by its name and opened as db.
func Count(ctx context.Context, db *sql.DB, file string, c *schemas.ReleaseCounts) (err error) {
	for _, counter := range counters(c) {
		if counter.file != file {
			continue
		}
		if err := db.QueryRowContext(ctx, counter.query).Scan(counter.count); err != nil {
			return fmt.Errorf("count %s: %w", counter.what, err)
		}
	}
	switch file {
	case schemas.GeographiesFile:
		const query = "SELECT level, count(*) FROM geography GROUP BY level ORDER BY level"
		c.Geographies, err = Collect(ctx, db, query, func(rows *sql.Rows, l *schemas.LevelCount) error {
			return rows.Scan(&l.Level, &l.Rows)
		})
	case schemas.POIsFile:
		c.POIsByCategory, err = countCategories(ctx, db)
	case schemas.ProfilesFile:
		const query = "SELECT level, count(*) FROM profile_place WHERE geog_id IN (SELECT geog_id FROM profile_text) GROUP BY level ORDER BY " +
			"level"
		c.Profiles, err = Collect(ctx, db, query, func(rows *sql.Rows, l *schemas.LevelCount) error {
			return rows.Scan(&l.Level, &l.Rows)
		})
	}
	if err != nil {
		return fmt.Errorf("count rows of %s: %w", file, err)
	}
	return nil
}

// countCategories returns the numbers of POIs in the order of the vocabulary.
func countCategories(ctx context.Context, db *sql.DB) ([]schemas.CategoryCount, error) {
	place := map[string]int{}
	for i, c := range schemas.Categories {
		place[c.ID] = i
	}
	counts, err := Collect(ctx, db, "SELECT category_id, pois FROM category", func(rows *sql.Rows, c *schemas.CategoryCount) error {
		return rows.Scan(&c.Category, &c.Rows)
	})
	slices.SortFunc(counts, func(a, b schemas.CategoryCount) int { return place[a.Category] - place[b.Category] })
	return counts, err
}

// CompareCounts returns an error where a count of one SpatiaLite file is not as the manifest has it.
func CompareCounts(file string, found, manifest schemas.ReleaseCounts) error {
	want := counters(&manifest)
	for i, counter := range counters(&found) {
		if counter.file == file && *counter.count != *want[i].count {
			return fmt.Errorf("%d %s, the manifest has %d", *counter.count, counter.what, *want[i].count)
		}
	}
	if file == schemas.GeographiesFile && !slices.Equal(found.Geographies, manifest.Geographies) {
		return fmt.Errorf("geographies by level %v, the manifest has %v", found.Geographies, manifest.Geographies)
	}
	if file == schemas.ProfilesFile && !slices.Equal(found.Profiles, manifest.Profiles) {
		return fmt.Errorf("profiles by level %v, the manifest has %v", found.Profiles, manifest.Profiles)
	}
	if file == schemas.POIsFile && !slices.Equal(found.POIsByCategory, manifest.POIsByCategory) {
		return fmt.Errorf("pois by category %v, the manifest has %v", found.POIsByCategory, manifest.POIsByCategory)
	}
	return nil
}

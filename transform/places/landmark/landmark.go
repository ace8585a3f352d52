// Package landmark derives what profiles name or measure without its being a destination: the outlines of parks, named
// water, historic places, airports, highways and bikeways. Input: staged features, streets and bikeways, derived POIs.
// Output: the table landmark.
package landmark

import (
	"context"
	"fmt"
	"regexp"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas/derived"
)

// queries select landmarks other than parks from staged tables. Of a key that several sources have, the first counts. Where
// a source lists bikeways, the streets' own attributes are not used.
var queries = []string{
	`SELECT feature.kind, class, source_id, source_key, name, NULL::VARCHAR AS name_fr, NULL::DOUBLE AS length_m, geom FROM feature JOIN source USING (source_id)
		WHERE feature.kind IN ('heritage', 'aerodrome') OR feature.kind = 'water' AND name IS NOT NULL
		QUALIFY row_number() OVER (PARTITION BY feature.kind, source_key ORDER BY priority) = 1
		ORDER BY feature.kind, source_id, source_key`,
	`SELECT 'highway' AS kind, '' AS class, source_id, source_key, name, name_fr, NULL::DOUBLE AS length_m, geom FROM street JOIN source USING (source_id)
		WHERE class = 'motorway' AND name IS NOT NULL
		QUALIFY row_number() OVER (PARTITION BY source_key ORDER BY priority) = 1
		ORDER BY source_id, source_key`,
	`SELECT 'bikeway' AS kind, CASE class WHEN 'painted' THEN 'lane' ELSE 'track' END AS class, source_id, source_key, NULL::VARCHAR AS name, NULL::VARCHAR AS name_fr, length_m, geom
		FROM bikeway JOIN source USING (source_id) WHERE class IN ('path', 'protected', 'painted')
		QUALIFY row_number() OVER (PARTITION BY source_id, source_key ORDER BY priority) = 1
		ORDER BY source_id, source_key`,
	`SELECT 'bikeway' AS kind, CASE cycleway WHEN 'lane' THEN 'lane' ELSE 'track' END AS class, source_id, source_key, name, name_fr, NULL::DOUBLE AS length_m, geom
		FROM street JOIN source USING (source_id)
		WHERE (class = 'cycleway' OR cycleway IN ('track', 'lane')) AND class NOT IN ('crossing', 'steps') AND NOT EXISTS (SELECT 1 FROM bikeway)
		QUALIFY row_number() OVER (PARTITION BY source_key ORDER BY priority) = 1
		ORDER BY source_id, source_key`,
}

// Derive writes the landmarks of a region. POIs and their merges are derived already.
func Derive(ctx context.Context, staged, db *duck.DB) error {
	return duck.Fill(ctx, db, "landmark", func(write func(derived.Landmark) error) error {
		if err := parks(ctx, staged, db, write); err != nil {
			return fmt.Errorf("parks: %w", err)
		}
		for _, query := range queries {
			for row, err := range sqlrow.Select[derived.Landmark](ctx, staged, query) {
				if err != nil {
					return err
				}
				g, err := geo.Geometry(row.Geom)
				if err != nil {
					return fmt.Errorf("%s %s: %w", row.Kind, row.SourceKey, err)
				}
				if _, line := g.(orb.LineString); line {
					row.LengthM = nil // that of the line counts
				}
				if err := write(*row); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// outline is the outline of a park, and the key of the feature that has it.
type outline struct {
	key  string
	geom []byte
}

// works matches the names of ground that lists of parks have and that is none: what holds storm water, and easements.
var works = regexp.MustCompile(`(?i)storm ?-?wa?te?r|\b(SWM|easement|retention|detention|flood ?plain|drainage|dry pond|eaux ` +
	`pluviales|bassin de rétention)\b`)

// parks writes the POIs that are parks, with their outlines where one is staged and their French names.
func parks(ctx context.Context, staged, db *duck.DB, write func(derived.Landmark) error) error {
	kept := map[string]string{}
	var merged, key string
	err := sqlrow.Scan(ctx, db, "SELECT merged_key, kept_key FROM poi_merge", []any{&merged, &key}, func() error {
		kept[merged] = key
		return nil
	})
	if err != nil {
		return err
	}
	keyOf := func(key string) string {
		if other, merged := kept[key]; merged {
			return other
		}
		return key
	}
	outlines := map[string]outline{}
	var geom []byte
	err = sqlrow.Scan(ctx, staged, `SELECT source_key, geom FROM feature JOIN source USING (source_id) WHERE feature.kind = 'park'
		QUALIFY row_number() OVER (PARTITION BY source_key ORDER BY priority) = 1 ORDER BY priority, source_key`, []any{&key, &geom}, func() error {
		at := keyOf(key)
		if _, known := outlines[at]; !known || key == at {
			outlines[at] = outline{key, append([]byte(nil), geom...)}
		}
		return nil
	})
	if err != nil {
		return err
	}
	french := map[string]string{}
	var name string
	err = sqlrow.Scan(ctx, staged, "SELECT source_key, name_fr FROM poi WHERE name_fr IS NOT NULL ORDER BY source_key, source_id",
		[]any{&key, &name}, func() error {
			if at := keyOf(key); french[at] == "" || at == key {
				french[at] = name
			}
			return nil
		})
	if err != nil {
		return err
	}
	var source string
	var at orb.Point
	return sqlrow.Scan(ctx, db, `SELECT poi_key, source_id, name, lng, lat FROM poi
		WHERE list_contains(string_split(categories, ','), 'parks') ORDER BY poi_key`, []any{&key, &source, &name, &at[0], &at[1]}, func() error {
		if works.MatchString(name) {
			return nil
		}
		row := derived.Landmark{Kind: "park", SourceID: source, SourceKey: key, Name: name, NameFR: french[key], Geom: outlines[key].geom}
		if row.Geom == nil {
			var err error
			if row.Geom, err = geo.WKB(at); err != nil {
				return err
			}
		}
		return write(row)
	})
}

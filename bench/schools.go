package main

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"

	"quartier/bench/city"
	"quartier/ingest"
	"quartier/schemas"
)

// schoolsSQL finds the nearest schools of both lists, with the filter of each on the index of all schools.
const schoolsSQL = `SELECT * FROM (SELECT ` + schoolColumns + ` AND is_primary ORDER BY plane <-> q.c LIMIT 30) a
	UNION ALL SELECT * FROM (SELECT ` + schoolColumns + ` AND is_high ORDER BY plane <-> q.c LIMIT 30) b`

const schoolColumns = `name, address, city, state_code, postal_code, country_code, phone, url, levels, grades, types, programs, board_name, board_url,
	rating, students, female, male, free_lunch, reduced_lunch, student_teacher_ratio, charter, magnet, title_i, advanced_placement, library,
	ST_X(geometry), ST_Y(geometry), ST_Distance(plane, q.c) * q.k AS metres
	FROM place, (SELECT ST_Transform(ST_SetSRID(ST_MakePoint($1, $2), 4326), 3857) AS c, cos(radians($2)) AS k) q
	WHERE ST_DWithin(plane, q.c, 25000 / q.k)`

const schoolFields = 29

// ellipsoidSQL is schoolsSQL with distances on the ellipsoid, as the answers have them, instead of those of a projection.
var ellipsoidSQL = strings.NewReplacer(
	"ST_Distance(plane, q.c) * q.k", "ST_Distance(geog, q.c)",
	"SELECT ST_Transform(ST_SetSRID(ST_MakePoint($1, $2), 4326), 3857) AS c, cos(radians($2)) AS k",
	"SELECT ST_SetSRID(ST_MakePoint($1, $2), 4326)::geography AS c",
	"ST_DWithin(plane, q.c, 25000 / q.k)", "ST_DWithin(geog, q.c, 25000)",
	"ORDER BY plane <-> q.c", "ORDER BY geog <-> q.c",
).Replace(schoolsSQL)

// measureSchools compares the 30 nearest primary and the 30 nearest high schools within 25 km with PostGIS and with the
// ceiling, and with their catchments with the ceiling; and the staging of schools with that of fewer.
func (b *bench) measureSchools(ctx context.Context) {
	b.measureStaging(ctx)
	d := city.District{Side: districtSide}
	size := fmt.Sprintf("%d schools", d.Schools())
	w := b.startWorld(ctx, b.buildOnce(ctx, filepath.Join(b.dir, "district"), size, d.Write))
	pg := b.startLoaded(ctx, filepath.Join(b.dir, "district", "postgres"), func(pg *postgres) { pg.loadSchools(ctx, w.release) })
	defer pg.close()
	points := w.sample(schemas.SchoolsFile, "school")
	targets, wide := make([]string, len(points)), make([]string, len(points))
	for i, p := range points {
		targets[i] = fmt.Sprintf("/v3/schools?lat=%.6f&lng=%.6f&radius=25000", p.lat, p.lng)
		wide[i] = targets[i] + "&include_catchments=true"
	}
	c := b.comparisonOf(ctx, w, targets)
	c.points = points
	c.sameSchools(ctx, pg)
	plane := pg.side("PostGIS KNN", schoolsSQL, schoolFields, c.position)
	ellipsoid := pg.side("PostGIS KNN on the ellipsoid", ellipsoidSQL, schoolFields, c.position)
	b.timeAgainst(ctx, c, "30 + 30 nearest schools within 25 km", peer{plane, 20}, peer{ellipsoid, 20}, peer{c.bare, 0.4})
	c.stop()
	c = b.comparisonOf(ctx, w, wide)
	b.timeAgainst(ctx, c, "the same with catchments", peer{c.bare, 0.25})
	c.stop()
}

// loadSchools imports the schools and adds the indexes that a PostGIS user would create.
func (pg *postgres) loadSchools(ctx context.Context, release string) {
	pg.execute(ctx, "CREATE EXTENSION IF NOT EXISTS postgis")
	pg.importTable(ctx, filepath.Join(release, schemas.SchoolsFile), "school")
	pg.execute(ctx,
		`CREATE TABLE place AS SELECT *, ST_Transform(geometry, 3857) AS plane, geometry::geography AS geog,
			string_to_array(levels, ',') && '{preschool,elementary,middle}' AS is_primary,
			string_to_array(levels, ',') && '{middle,secondary}' AS is_high FROM school ORDER BY fid`,
		"CREATE INDEX ON place USING gist (plane)",
		"CREATE INDEX ON place USING gist (geog)",
		"ANALYZE")
}

// sameSchools compares our answers with those of PostGIS: as many schools of each list at the same distances.
func (c *comparison) sameSchools(ctx context.Context, pg *postgres) {
	checked(c.bodies, func(i int, answer *schemas.SchoolsAnswer) {
		theirs := pg.rows(ctx, schoolsSQL, c.position(i)...)
		ours := append(answer.Data.PrimarySchools, answer.Data.HighSchools...)
		if len(theirs) != len(ours) || len(ours) != 60 {
			failf("%w: near %v PostGIS has %d schools, we %d", errDifferent, c.points[i], len(theirs), len(ours))
		}
		for k, school := range ours {
			if m, other := school.Proximity.LinearDistance, theirs[k][schoolFields-1].(float64); math.Abs(m-other) > 0.01*m+1 {
				failf("%w: near %v school %d is at %.1f m for PostGIS, at %.1f m for us", errDifferent, c.points[i], k, other, m)
			}
		}
	})
}

const districtSide = 387 // of 149,769 schools

// stageRegion is the subprogram that stages the sources of a region file.
func stageRegion(args []string) {
	region := must(ingest.ReadRegion(args[0], nil, ""))
	planned := must(ingest.Snapshots(context.Background(), region))
	check(ingest.Stage(context.Background(), region, planned, args[1], slog.New(slog.DiscardHandler)))
}

// measureStaging measures how staging schools and catchments scales with their number, by one run of each size.
func (b *bench) measureStaging(ctx context.Context) {
	var first float64
	for _, side := range []int{districtSide / 2, districtSide} {
		d := city.District{Side: side}
		dir := filepath.Join(b.dir, fmt.Sprintf("district%d", side))
		check(os.RemoveAll(dir))
		d.Write(dir)
		run := runSelf(ctx, "stageregion", filepath.Join(dir, "district.yaml"), filepath.Join(dir, "staged.duckdb"))
		check(os.RemoveAll(dir))
		rate := float64(d.Schools()+d.Catchments()) / run.Seconds
		if first == 0 {
			first = rate
			continue
		}
		b.Record(fmt.Sprintf("staging %d schools and %d catchments", d.Schools(), d.Catchments()), "a quarter of them", 1, "rows/s",
			spreadOf([]float64{rate / first}), 0.75,
			fmt.Sprintf("%.0f rows/s, a quarter %.0f rows/s, peak memory %.0f MB", rate, first, run.PeakMB))
	}
}

package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"

	"quartier/schemas"
	"quartier/schemas/demographics"
)

// peopleCase is a shape in which people are counted.
type peopleCase struct {
	name   string
	target func(point) string
	where  func(point) string // WKT of the shape; nil: a disc of radius
	radius float64            // metres
	bare   float64            // target ratio to the ceiling; 0: none
}

var peopleCases = []peopleCase{
	{"people within 500 m", func(p point) string { return fmt.Sprintf("/v3/demographics?lat=%.6f&lng=%.6f", p.lat, p.lng) }, nil, 500, 0.5},
	{"people within 5 km", func(p point) string {
		return fmt.Sprintf("/v3/demographics?lat=%.6f&lng=%.6f&radius=5000", p.lat, p.lng)
	}, nil, 5000, 0},
	{"people in a polygon of 200 vertices", func(p point) string {
		return "/v3/demographics?polygon=" + url.QueryEscape(starAround(p))
	}, starAround, 0, 0},
}

// starAround returns a polygon of 200 vertices about 5 km around a point.
func starAround(p point) string {
	const vertices = 200
	r := rand.New(rand.NewPCG(math.Float64bits(p.lng), math.Float64bits(p.lat)))
	var text strings.Builder
	text.WriteString("POLYGON((")
	var first string
	for i := range vertices {
		angle, metres := 2*math.Pi*float64(i)/vertices, 4000+2000*r.Float64()
		vertex := fmt.Sprintf("%.5f %.5f", p.lng+metres*math.Cos(angle)/(111320*math.Cos(p.lat*math.Pi/180)), p.lat+metres*math.Sin(angle)/111132)
		if i == 0 {
			first = vertex
		}
		text.WriteString(vertex + ",")
	}
	return text.String() + first + "))"
}

// measurePeople compares demographics around points of a city of 50,000 blocks with PostGIS, which uses the same weights,
// and with the ceiling.
func (b *bench) measurePeople(ctx context.Context) error {
	w, err := b.serveCity(ctx)
	if err != nil {
		return err
	}
	pg, err := startLoaded(ctx, filepath.Join(b.dir, "city", "postgres"), func(pg *postgres) error { return loadPeople(ctx, pg, w.release) })
	if err != nil {
		return err
	}
	defer pg.close()
	points, err := w.sample(schemas.DemographicsFile, "small_area_part", sampleSize)
	if err != nil {
		return err
	}
	for _, c := range peopleCases {
		if err := b.comparePeople(ctx, w, pg, points, c); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}

func (b *bench) comparePeople(ctx context.Context, w *world, pg *postgres, points []point, c peopleCase) error {
	d, err := b.comparisonAt(ctx, w, points, c.target)
	if err != nil {
		return err
	}
	defer d.stop()
	query, args := peopleSQL(c)
	if err := pg.samePeople(ctx, query, points, args, d.bodies); err != nil {
		return err
	}
	theirs := pg.side("PostGIS", query, len(peopleCells), func(i int) []any { return args(points[i]) })
	if err := b.runAgainstPeer(ctx, d, c.name, theirs, 20); err != nil {
		return err
	}
	return b.runAgainstBare(ctx, d, c.name, c.bare)
}

// peopleCells are the cells of an answer around a point in the United States.
var peopleCells = func() (cells []int) {
	seen := map[int]bool{}
	add := func(c int) {
		if !seen[c] && demographics.Cells[c].Has("US") {
			seen[c] = true
			cells = append(cells, c)
		}
	}
	for _, category := range demographics.Around {
		for _, v := range category.Variables {
			for _, t := range v.Terms {
				add(t.Cell)
			}
			for _, table := range []int{v.Sum, v.Dist} {
				if table >= 0 {
					for _, c := range demographics.Tables[table].Cells {
						add(c)
					}
				}
			}
		}
	}
	return cells
}()

// peopleSQL computes in PostGIS the share of each block in the shape, the weight of each block group by universe, and the
// sums. Blocks entirely inside are found with ST_CoveredBy and not cut.
func peopleSQL(c peopleCase) (string, func(point) []any) {
	shape, args := "ST_GeomFromText($1, 4326)", func(p point) []any { return []any{c.where(p)} }
	if c.where == nil {
		shape = fmt.Sprintf("ST_Buffer(ST_SetSRID(ST_MakePoint($1, $2), 4326)::geography, %g, 32)::geometry", c.radius)
		args = func(p point) []any { return []any{p.lng, p.lat} }
	}
	weight := map[demographics.Universe]string{demographics.Persons: "persons", demographics.Households: "households", demographics.Dwellings: "dwellings"}
	var sums strings.Builder
	for i, cell := range peopleCells {
		if i > 0 {
			sums.WriteString(", ")
		}
		fmt.Fprintf(&sums, "sum(w.%s * v.c%d)", weight[demographics.Tables[demographics.Cells[cell].Table].US], cell)
	}
	return `WITH shape AS MATERIALIZED (SELECT ` + shape + ` AS g),
		inside AS (SELECT p.area, p.persons, p.households, p.dwellings,
				CASE WHEN ST_CoveredBy(p.geometry, s.g) THEN 1 ELSE ST_Area(ST_Intersection(p.geometry, s.g)) / ST_Area(p.geometry) END AS f
			FROM small_area_part p, shape s WHERE p.geometry && s.g AND ST_Intersects(p.geometry, s.g)),
		w AS (SELECT i.area, sum(i.persons * f) / t.persons AS persons, sum(i.households * f) / t.households AS households, sum(i.dwellings * f) / t.dwellings AS dwellings
			FROM inside i JOIN area_total t USING (area) GROUP BY i.area, t.persons, t.households, t.dwellings)
		SELECT ` + sums.String() + ` FROM w JOIN area_value v USING (area)`, args
}

// loadPeople loads the small areas into PostGIS as a user would: blocks with a spatial index, and a row of figures per area.
func loadPeople(ctx context.Context, pg *postgres, release string) error {
	conn, err := pgx.Connect(ctx, pg.dsn)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, "CREATE EXTENSION IF NOT EXISTS postgis"); err != nil {
		return err
	}
	for _, table := range []string{"small_area_part", "small_area_value"} {
		out, err := exec.CommandContext(ctx, "ogr2ogr", "-q", "-f", "PostgreSQL", "PG:"+pg.dsn, filepath.Join(release, schemas.DemographicsFile), table, "--config", "PG_USE_COPY", "YES",
			"-lco", "GEOMETRY_NAME=geometry", "-lco", "SPATIAL_INDEX=NONE", "-lco", "LAUNDER=NO", "-gt", "200000").CombinedOutput()
		if err != nil {
			return fmt.Errorf("ogr2ogr %s: %w\n%s", table, err, out)
		}
	}
	var columns strings.Builder
	for _, cell := range peopleCells {
		fmt.Fprintf(&columns, ", coalesce(max(estimate) FILTER (WHERE cell = '%s'), 0) AS c%d", demographics.Cells[cell].ID, cell)
	}
	for _, statement := range []string{
		"CREATE INDEX ON small_area_part USING gist (geometry)",
		"CLUSTER small_area_part USING small_area_part_geometry_idx",
		"CREATE TABLE area_total AS SELECT area, sum(persons) AS persons, sum(households) AS households, sum(dwellings) AS dwellings FROM small_area_part GROUP BY area",
		"CREATE TABLE area_value AS SELECT area" + columns.String() + " FROM small_area_value GROUP BY area",
		"ALTER TABLE area_total ADD PRIMARY KEY (area)", "ALTER TABLE area_value ADD PRIMARY KEY (area)", "ANALYZE",
	} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("%.60s: %w", statement, err)
		}
	}
	return nil
}

// samePeople compares our totals with those of PostGIS, whose circle of 128 vertices is slightly smaller.
func (pg *postgres) samePeople(ctx context.Context, query string, points []point, args func(point) []any, bodies [][]byte) error {
	conn, err := pgx.Connect(ctx, pg.dsn)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	total, _ := demographics.CellOf("population.total")
	for i := 0; i < len(points); i += 20 {
		rows, err := conn.Query(ctx, query, args(points[i])...)
		if err != nil {
			return err
		}
		sums, err := pgx.CollectOneRow(rows, func(row pgx.CollectableRow) ([]any, error) { return row.Values() })
		if err != nil {
			return err
		}
		theirs := math.NaN()
		for k, cell := range peopleCells {
			if cell == total {
				theirs = sums[k].(float64)
			}
		}
		var ours schemas.DemographicsAnswer
		if err := json.Unmarshal(bodies[i], &ours); err != nil {
			return err
		}
		variables := ours.Data.Attributes["population_total"].Variables
		if len(variables) != 1 || !(math.Abs(variables[0].Value-theirs) <= 0.004*theirs+1) {
			return fmt.Errorf("%w: at %v PostGIS counts %.1f people, we %v", errDifferent, points[i], theirs, variables)
		}
	}
	return nil
}

// measurePeopleOf compares demographics of geographies with the ceiling.
func (b *bench) measurePeopleOf(ctx context.Context) error {
	w, err := b.serveCity(ctx)
	if err != nil {
		return err
	}
	var ids []string
	if err := w.query(schemas.DemographicsFile, "SELECT geog_id FROM geography_vintage ORDER BY geog_id LIMIT ?", []any{sampleSize}, func(rows *sql.Rows) error {
		var id string
		err := rows.Scan(&id)
		ids = append(ids, id)
		return err
	}); err != nil {
		return err
	}
	if len(ids) == 0 {
		return errors.New("no geography has demographics")
	}
	next := 0
	d, err := b.comparisonAt(ctx, w, make([]point, len(ids)), func(point) string {
		next++
		return "/v3/demographics/" + ids[next-1]
	})
	if err != nil {
		return err
	}
	defer d.stop()
	return b.runAgainstBare(ctx, d, "people of a geography", 0.8)
}

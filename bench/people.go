package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"quartier/bench/city"
	"quartier/schemas"
	"quartier/schemas/demographics"
)

// peopleCases are the shapes in which people are counted.
var peopleCases = []struct {
	name   string
	radius float64 // metres; 0: a polygon instead of a disc
	bare   float64 // target ratio to the ceiling; 0: none
}{{"people within 500 m", 500, 0.5}, {"people within 5 km", 5000, 0}, {"people in a polygon of 200 vertices", 0, 0}}

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
func (b *bench) measurePeople(ctx context.Context) {
	w := b.serveCity(ctx)
	pg := b.startLoaded(ctx, filepath.Join(b.dir, "city", "postgres"), func(pg *postgres) { pg.loadPeople(ctx, w.release) })
	defer pg.close()
	points := w.sample(schemas.DemographicsFile, "small_area_part")
	for _, c := range peopleCases {
		query, args := peopleSQL(c.radius)
		targets := make([]string, len(points))
		for i, p := range points {
			if targets[i] = fmt.Sprintf("/v3/demographics?lat=%.6f&lng=%.6f&radius=%g", p.lat, p.lng, c.radius); c.radius == 0 {
				targets[i] = "/v3/demographics?polygon=" + url.QueryEscape(starAround(p))
			}
		}
		d := b.comparisonOf(ctx, w, targets)
		d.points = points
		d.samePeople(ctx, pg, query, args)
		postgis := pg.side("PostGIS", query, len(peopleCells), func(i int) []any { return args(points[i]) })
		b.timeAgainst(ctx, d, c.name, peer{postgis, 20}, peer{d.bare, c.bare})
		d.stop()
	}
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
func peopleSQL(radius float64) (string, func(point) []any) {
	shape, args := "ST_GeomFromText($1, 4326)", func(p point) []any { return []any{starAround(p)} }
	if radius > 0 {
		shape = fmt.Sprintf("ST_Buffer(ST_SetSRID(ST_MakePoint($1, $2), 4326)::geography, %g, 32)::geometry", radius)
		args = func(p point) []any { return []any{p.lng, p.lat} }
	}
	weight := map[demographics.Universe]string{demographics.Persons: "persons", demographics.Households: "households",
		demographics.Dwellings: "dwellings"}
	var sums []string
	for _, cell := range peopleCells {
		sums = append(sums, fmt.Sprintf("sum(w.%s * v.c%d)", weight[demographics.Tables[demographics.Cells[cell].Table].US], cell))
	}
	return `WITH shape AS MATERIALIZED (SELECT ` + shape + ` AS g),
		inside AS (SELECT p.area, p.persons, p.households, p.dwellings,
				CASE WHEN ST_CoveredBy(p.geometry, s.g) THEN 1 ELSE ST_Area(ST_Intersection(p.geometry, s.g)) / ST_Area(p.geometry) END AS f
			FROM small_area_part p, shape s WHERE p.geometry && s.g AND ST_Intersects(p.geometry, s.g)),
		w AS (SELECT i.area, sum(i.persons * f) / t.persons AS persons, sum(i.households * f) / t.households AS households, sum(i.dwellings * f) / t.dwellings AS dwellings
			FROM inside i JOIN area_total t USING (area) GROUP BY i.area, t.persons, t.households, t.dwellings)
		SELECT ` + strings.Join(sums, ", ") + ` FROM w JOIN area_value v USING (area)`, args
}

// loadPeople loads the small areas into PostGIS as a user would: blocks with a spatial index, and a row of figures per area.
func (pg *postgres) loadPeople(ctx context.Context, release string) {
	pg.execute(ctx, "CREATE EXTENSION IF NOT EXISTS postgis")
	for _, table := range []string{"small_area_part", "small_area_value"} {
		pg.importTable(ctx, filepath.Join(release, schemas.DemographicsFile), table)
	}
	var columns strings.Builder
	for _, cell := range peopleCells {
		fmt.Fprintf(&columns, ", coalesce(max(estimate) FILTER (WHERE cell = '%s'), 0) AS c%d", demographics.Cells[cell].ID, cell)
	}
	pg.execute(ctx,
		"CREATE INDEX ON small_area_part USING gist (geometry)",
		"CLUSTER small_area_part USING small_area_part_geometry_idx",
		"CREATE TABLE area_total AS SELECT area, sum(persons) AS persons, sum(households) AS households, sum(dwellings) AS dwellings FROM "+
			"small_area_part GROUP BY area",
		"CREATE TABLE area_value AS SELECT area"+columns.String()+" FROM small_area_value GROUP BY area",
		"ALTER TABLE area_total ADD PRIMARY KEY (area)", "ALTER TABLE area_value ADD PRIMARY KEY (area)", "ANALYZE")
}

// samePeople compares our totals with those of PostGIS, whose circle of 128 vertices is slightly smaller.
func (d *comparison) samePeople(ctx context.Context, pg *postgres, query string, args func(point) []any) {
	total, _ := demographics.CellOf("population.total")
	column := slices.Index(peopleCells, total)
	checked(d.bodies, func(i int, ours *schemas.DemographicsAnswer) {
		theirs := pg.rows(ctx, query, args(d.points[i])...)[0][column].(float64)
		variables := ours.Data.Attributes["population_total"].Variables
		if len(variables) != 1 || !(math.Abs(variables[0].Value-theirs) <= 0.004*theirs+1) {
			failf("%w: at %v PostGIS counts %.1f people, we %v", errDifferent, d.points[i], theirs, variables)
		}
	})
}

// measurePeopleOf compares demographics of geographies with the ceiling.
func (b *bench) measurePeopleOf(ctx context.Context) {
	w := b.serveCity(ctx)
	text := fmt.Sprintf("SELECT '/v3/demographics/' || geog_id FROM geography_vintage ORDER BY geog_id LIMIT %d", sampleSize)
	targets := query(w, schemas.DemographicsFile, text, func(target *string) []any { return []any{target} })
	if len(targets) == 0 {
		failf("no geography has demographics")
	}
	d := b.comparisonOf(ctx, w, targets)
	defer d.stop()
	b.timeAgainst(ctx, d, "people of a geography", peer{d.bare, 0.8})
}

// citySide is the side of a city of 50,176 blocks.
const citySide = 224

// serveCity serves a release of the city, once.
func (b *bench) serveCity(ctx context.Context) *world {
	if b.city == nil {
		size := fmt.Sprintf("%d blocks", citySide*citySide)
		b.city = b.startWorld(ctx, b.buildOnce(ctx, filepath.Join(b.dir, "city"), size,
			func(dir string) { check(city.City{Side: citySide}.Write(dir)) }))
	}
	return b.city
}

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"quartier/schemas"
)

// concurrencies are the numbers of concurrent clients.
var concurrencies = []int{2, 8}

// sampleSize is the number of different queries of a measurement.
const sampleSize = 400

// measureStart measures the time from the start of a server to its first answer, and its memory.
func (b *bench) measureStart(ctx context.Context) error {
	release, err := b.prepare(ctx)
	if err != nil {
		return err
	}
	var starts, anonymous []float64
	var last memory
	for range b.rounds {
		w := &world{release: release}
		begun := time.Now()
		if err := w.startOnly(ctx, b); err != nil {
			return err
		}
		starts = append(starts, time.Since(begun).Seconds())
		last, err = w.server.memory()
		w.server.stop()
		if err != nil {
			return err
		}
		anonymous = append(anonymous, float64(last.anonymous)/(1<<20))
	}
	b.record(result{Name: "server start", Against: "limit of 2 s", Concurrency: 1, Unit: "limit/seconds", Ratio: inverse(2, starts), Target: 1},
		fmt.Sprintf("%.2f s", spreadOf(starts).Median))
	b.record(result{Name: "anonymous memory after loading", Against: "limit of 250 MB", Concurrency: 1, Unit: "limit/MB", Ratio: inverse(250, anonymous), Target: 1},
		fmt.Sprintf("%.0f MB, with mapped pages %.0f MB", spreadOf(anonymous).Median, float64(last.anonymous+last.files)/(1<<20)))
	return nil
}

func inverse(limit float64, values []float64) spread {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = limit / v
	}
	return spreadOf(out)
}

// poiAnswer has the compared members of an answer.
type poiAnswer struct {
	Data struct {
		Results []struct {
			Name      string  `json:"name"`
			Lat       float64 `json:"lat"`
			Lng       float64 `json:"lng"`
			Proximity struct {
				Distance float64 `json:"linear_distance_m"`
			} `json:"proximity"`
		} `json:"results"`
	} `json:"data"`
	Meta struct {
		Counts struct {
			Total int `json:"total_count"`
		} `json:"counts"`
	} `json:"meta"`
}

const nearestSQL = `SELECT name, address, suite, city, state_code, postal_code, country_code, phone, url, categories, brands, tags,
	ST_X(geometry), ST_Y(geometry), ST_Distance(plane, q.c) * q.k AS metres
	FROM place, (SELECT ST_Transform(ST_SetSRID(ST_MakePoint($1, $2), 4326), 3857) AS c, cos(radians($2)) AS k) q
	WHERE ST_DWithin(plane, q.c, 5000 / q.k) ORDER BY plane <-> q.c LIMIT 500`

const countSQL = `SELECT count(*) FROM place, (SELECT ST_Transform(ST_SetSRID(ST_MakePoint($1, $2), 4326), 3857) AS c, cos(radians($2)) AS k) q
	WHERE ST_DWithin(plane, q.c, 5000 / q.k)`

// comparison is a list of queries to the server, to be timed against other sides.
type comparison struct {
	world  *world
	pg     *postgres
	points []point
	bodies [][]byte // the server's answers
	ours   side
	bare   side // the ceiling: the same bytes from memory
	stop   func()
}

// prepareComparison starts the servers, queries a sample of places and gives the answers to the ceiling. target returns the
// path of a query.
func (b *bench) prepareComparison(ctx context.Context, target func(point) string) (*comparison, error) {
	w, err := b.serve(ctx)
	if err != nil {
		return nil, err
	}
	points, err := w.sample(schemas.POIsFile, "poi", sampleSize)
	if err != nil {
		return nil, err
	}
	pg, err := b.startPostgres(ctx)
	if err != nil {
		return nil, err
	}
	d, err := b.comparisonAt(ctx, w, points, target)
	if err == nil {
		d.pg = pg
	}
	return d, err
}

// comparisonAt queries the server at points and gives the answers to the ceiling.
func (b *bench) comparisonAt(ctx context.Context, w *world, points []point, target func(point) string) (*comparison, error) {
	d := &comparison{world: w, points: points}
	var err error
	targets := make([]string, len(d.points))
	for i, p := range d.points {
		targets[i] = target(p)
	}
	requests := w.requests(targets)
	if d.bodies, err = fetchAll(ctx, w.addr, requests); err != nil {
		return nil, err
	}
	bare, process, err := b.startBare(ctx, d.bodies, w.token)
	if err != nil {
		return nil, err
	}
	d.ours, d.bare, d.stop = httpSide("quartierd", w.addr, requests), bare, process.stop
	return d, nil
}

// postgis is the side that runs a PostGIS query by longitude and latitude.
func (d *comparison) postgis(query string, columns int) side {
	return d.pg.side("PostGIS", query, columns, func(i int) []any { return []any{d.points[i].lng, d.points[i].lat} })
}

// runComparison times the server against PostGIS and the ceiling and records both ratios.
func (b *bench) runComparison(ctx context.Context, d *comparison, name, peer string, theirs side, targetPeer, targetBare float64) error {
	for _, c := range concurrencies {
		rates, err := b.compare(ctx, len(d.points), c, d.ours, theirs, d.bare)
		if err != nil {
			return err
		}
		size := fmt.Sprintf("%.1f kB an answer", meanSize(d.bodies)/1024)
		b.record(result{name, peer, c, "answers/s", ratios(rates[0], rates[1]), targetPeer, false}, against(rates[0], rates[1])+", "+size)
		b.record(result{name, "bare handler", c, "answers/s", ratios(rates[0], rates[2]), targetBare, false}, against(rates[0], rates[2])+", "+size)
	}
	return nil
}

// runAgainstBare times the server against the ceiling.
func (b *bench) runAgainstBare(ctx context.Context, d *comparison, name string, target float64) error {
	return b.runAgainstPeer(ctx, d, name, d.bare, target)
}

// runAgainstPeer times the server against another side.
func (b *bench) runAgainstPeer(ctx context.Context, d *comparison, name string, theirs side, target float64) error {
	for _, c := range concurrencies {
		rates, err := b.compare(ctx, len(d.points), c, d.ours, theirs)
		if err != nil {
			return err
		}
		figure := fmt.Sprintf("%s, %.1f kB an answer", against(rates[0], rates[1]), meanSize(d.bodies)/1024)
		b.record(result{name, theirs.name, c, "answers/s", ratios(rates[0], rates[1]), target, false}, figure)
	}
	return nil
}

// against formats the absolute rates of a comparison.
func against(ours, theirs []float64) string {
	return fmt.Sprintf("%.0f/s, theirs %.0f/s", spreadOf(ours).Median, spreadOf(theirs).Median)
}

// measurePOIs compares the 500 nearest POIs within 5 km with PostGIS and with the ceiling. PostGIS returns
// the places only; the server also counts all POIs within the radius by category.
func (b *bench) measurePOIs(ctx context.Context) error {
	d, err := b.prepareComparison(ctx, func(p point) string {
		return fmt.Sprintf("/v3/enhanced-pois?lat=%.6f&lng=%.6f&radius=5000", p.lat, p.lng)
	})
	if err != nil {
		return err
	}
	defer d.stop()
	if err := d.pg.compareNearest(ctx, d.points, d.bodies); err != nil {
		return err
	}
	return b.runComparison(ctx, d, "500 nearest POIs within 5 km", "PostGIS KNN", d.postgis(nearestSQL, 15), 10, 0.25)
}

func meanSize(bodies [][]byte) float64 {
	total := 0
	for _, body := range bodies {
		total += len(body)
	}
	return float64(total) / float64(len(bodies))
}

// compareNearest compares our answers with those of PostGIS: the same number within the radius and the same places in the
// same order, except where distances differ by less than the error of the projection.
func (pg *postgres) compareNearest(ctx context.Context, points []point, bodies [][]byte) error {
	conn, err := pgx.Connect(ctx, pg.dsn)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	for i := 0; i < len(points); i += 20 {
		var ours poiAnswer
		if err := json.Unmarshal(bodies[i], &ours); err != nil {
			return err
		}
		var count int
		if err := conn.QueryRow(ctx, countSQL, points[i].lng, points[i].lat).Scan(&count); err != nil {
			return err
		}
		if math.Abs(float64(count-ours.Meta.Counts.Total)) > 0.02*float64(count)+3 {
			return fmt.Errorf("%w: within 5 km of %v PostGIS counts %d, we %d", errDifferent, points[i], count, ours.Meta.Counts.Total)
		}
		rows, err := conn.Query(ctx, nearestSQL, points[i].lng, points[i].lat)
		if err != nil {
			return err
		}
		var theirs []float64
		for rows.Next() {
			values, err := rows.Values()
			if err != nil {
				return err
			}
			theirs = append(theirs, values[14].(float64))
		}
		if len(theirs) != len(ours.Data.Results) {
			return fmt.Errorf("%w: near %v PostGIS has %d places, we %d", errDifferent, points[i], len(theirs), len(ours.Data.Results))
		}
		for k, place := range ours.Data.Results {
			if d := place.Proximity.Distance; math.Abs(d-theirs[k]) > 0.01*d+1 {
				return fmt.Errorf("%w: near %v place %d is at %.1f m for PostGIS, at %.1f m for us", errDifferent, points[i], k, theirs[k], d)
			}
		}
	}
	return nil
}

// side runs a prepared query with one connection per worker, and reads every row.
func (pg *postgres) side(name, query string, columns int, args func(i int) []any) side {
	return side{name: name, worker: func(ctx context.Context) (func(context.Context, int) error, func(), error) {
		conn, err := pgx.Connect(ctx, pg.dsn)
		if err != nil {
			return nil, nil, err
		}
		if _, err := conn.Prepare(ctx, "q", query); err != nil {
			return nil, nil, err
		}
		ask := func(ctx context.Context, i int) error {
			rows, err := conn.Query(ctx, "q", args(i)...)
			if err != nil {
				return err
			}
			for rows.Next() {
				if len(rows.RawValues()) != columns {
					return fmt.Errorf("%d columns", len(rows.RawValues()))
				}
			}
			return rows.Err()
		}
		return ask, func() { conn.Close(context.Background()) }, nil
	}}
}

const atSQL = `SELECT geog_id, level, name_en, name_fr, country_code, state_codes, area_m2, west, south, east, north, centroid_lng, centroid_lat
	FROM outline WHERE ST_Covers(geometry, ST_SetSRID(ST_MakePoint($1, $2), 4326)) ORDER BY level`

// measurePoint compares the geographies at a point, all levels, with the ceiling and, without a target, PostGIS.
func (b *bench) measurePoint(ctx context.Context) error {
	d, err := b.prepareComparison(ctx, func(p point) string {
		return fmt.Sprintf("/v3/geographies?lat=%.6f&lng=%.6f", p.lat, p.lng)
	})
	if err != nil {
		return err
	}
	defer d.stop()
	if err := d.pg.compareAt(ctx, d.points, d.bodies); err != nil {
		return err
	}
	return b.runComparison(ctx, d, "geographies at a point", "PostGIS", d.postgis(atSQL, 13), 0, 0.85)
}

// compareAt compares the geographies at a point with ST_Covers.
func (pg *postgres) compareAt(ctx context.Context, points []point, bodies [][]byte) error {
	conn, err := pgx.Connect(ctx, pg.dsn)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	for i, p := range points {
		var ours struct {
			Meta struct {
				Order []string `json:"order"`
			} `json:"meta"`
		}
		if err := json.Unmarshal(bodies[i], &ours); err != nil {
			return err
		}
		rows, err := conn.Query(ctx, atSQL, p.lng, p.lat)
		if err != nil {
			return err
		}
		theirs, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (string, error) {
			values, err := row.Values()
			if err != nil {
				return "", err
			}
			return values[0].(string), nil
		})
		if err != nil {
			return err
		}
		got := slices.Sorted(slices.Values(ours.Meta.Order))
		slices.Sort(theirs)
		if !slices.Equal(got, theirs) {
			return fmt.Errorf("%w: at %v PostGIS has %v, we %v", errDifferent, p, theirs, got)
		}
	}
	return nil
}

package packs

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"quartier/build/released"
	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/household"
	"quartier/internal/pack"
	"quartier/internal/pack/access"
	"quartier/internal/sqlrow"
	"quartier/schemas"
)

func writeAccess(ctx context.Context, db *sql.DB, _, to string) error {
	var snapM float64
	if err := db.QueryRow("SELECT snap_m FROM calibration").Scan(&snapM); err != nil {
		return fmt.Errorf("read calibration: %w", err)
	}
	return finishPack(to, func(out *pack.Writer) error {
		w := access.NewWriter(out, snapM)
		for _, add := range []func(context.Context, *sql.DB, *access.Writer) error{
			addNodes, addHulls, addEdges, addBarriers, addHomes, addScores, addTypologies,
		} {
			if err := add(ctx, db, w); err != nil {
				return err
			}
		}
		return w.Finish()
	})
}

// nodeValues selects the 63 channels of the nodes as one JSON array, which is faster than 63 columns.
var nodeValues = func() string {
	var names []string
	for c := range schemas.Channel(schemas.ChannelCount) {
		names = append(names, schemas.ChannelName(c))
	}
	return "SELECT json_array(" + strings.Join(names, ", ") + ") FROM street_node ORDER BY fid"
}()

func addNodes(ctx context.Context, db *sql.DB, w *access.Writer) error {
	var values [schemas.ChannelCount]uint16
	return released.Each(ctx, db, nodeValues, nil, func(rows *sql.Rows) error {
		var text sql.RawBytes
		if err := rows.Scan(&text); err != nil {
			return err
		}
		if err := readValues(&values, text); err != nil {
			return fmt.Errorf("street node: %w", err)
		}
		return w.AddNode(&values)
	})
}

// readValues parses a JSON array of integers and nulls, such as [12000,null,49999 …].
func readValues(values *[schemas.ChannelCount]uint16, text []byte) error {
	at := 1
	for c := range values {
		value, digits := uint32(0), 0
		for ; at < len(text) && text[at] >= '0' && text[at] <= '9' && digits < 6; at++ {
			value, digits = 10*value+uint32(text[at]-'0'), digits+1
		}
		switch {
		case digits > 0 && value < uint32(schemas.AbsentValue):
			values[c] = uint16(value)
		case digits == 0 && at+4 < len(text) && string(text[at:at+4]) == "null":
			values[c], at = schemas.AbsentValue, at+4
		default:
			return fmt.Errorf("%s is not a value in %s", schemas.ChannelName(schemas.Channel(c)), text)
		}
		if at >= len(text) || text[at] != ',' && text[at] != ']' {
			return fmt.Errorf("%s is not an integer in %s", schemas.ChannelName(schemas.Channel(c)), text)
		}
		at++
	}
	return nil
}

func addEdges(ctx context.Context, db *sql.DB, w *access.Writer) error {
	var points []coord.Point
	return released.Each(ctx, db, "SELECT fid, a, b, length_m, geometry FROM street_edge ORDER BY fid", nil,
		sqlrow.Visit5(func(fid, a, b int64, lengthM float64, blob sql.RawBytes) error {
			var err error
			points, err = appendPoints(points[:0], blob)
			if err == nil && (a < 1 || b < 1 || a > 1<<32 || b > 1<<32) {
				err = fmt.Errorf("leads from %d to %d", a, b)
			}
			if err != nil {
				return fmt.Errorf("street edge %d: %w", fid, err)
			}
			return w.AddEdge(access.Edge{A: uint32(a - 1), B: uint32(b - 1), LengthM: lengthM}, points)
		}))
}

// addHulls adds the convex hulls of the nodes of each region that has any.
func addHulls(ctx context.Context, db *sql.DB, w *access.Writer) error {
	region, hull := "", new(geo.Hull)
	flush := func() error {
		if ring := hull.Ring(); ring != nil {
			return w.AddHull(ring)
		}
		return nil
	}
	err := released.Each(ctx, db, "SELECT region, geometry FROM street_node ORDER BY fid", nil,
		sqlrow.Visit2(func(of string, blob sql.RawBytes) error {
			if of != region {
				if err := flush(); err != nil {
					return err
				}
				region, hull = of, new(geo.Hull)
			}
			p, err := released.ReadPoint(blob)
			if err != nil {
				return fmt.Errorf("street node: %w", err)
			}
			hull.Add(p)
			return nil
		}))
	if err != nil {
		return err
	}
	return flush()
}

// addHomes adds the homes, with the weights that scores are computed with.
func addHomes(ctx context.Context, db *sql.DB, w *access.Writer) error {
	return released.Each(ctx, db, "SELECT fid, basis, weight, edge, along_m, geometry FROM home ORDER BY fid", nil,
		func(rows *sql.Rows) error {
			var fid, edge int64
			var h access.Home
			var basis string
			var weight float64
			var blob sql.RawBytes
			if err := rows.Scan(&fid, &basis, &weight, &edge, &h.AlongM, &blob); err != nil {
				return err
			}
			var err error
			h.Point, err = released.ReadPoint(blob)
			if err == nil && (edge < 1 || edge > 1<<32 || !(weight > 0 && weight <= 1e9)) {
				err = fmt.Errorf("is on edge %d with weight %v", edge, weight)
			}
			if err == nil {
				h.Edge, h.Street, h.Weight = uint32(edge-1), basis == household.Streets, household.Weight(weight)
				err = w.AddHome(h)
			}
			if err != nil {
				return fmt.Errorf("home %d: %w", fid, err)
			}
			return nil
		})
}

// appendPoints appends the points of a line.
func appendPoints(points []coord.Point, blob []byte) ([]coord.Point, error) {
	line, err := released.ReadLine(blob)
	if err != nil {
		return nil, err
	}
	for _, v := range line {
		p, ok := coord.NewPoint(v[0], v[1])
		if !ok {
			return nil, fmt.Errorf("invalid coordinates %v", v)
		}
		points = append(points, p)
	}
	return points, nil
}

func addBarriers(ctx context.Context, db *sql.DB, w *access.Writer) error {
	var points []coord.Point
	return released.Each(ctx, db, "SELECT fid, geometry FROM barrier ORDER BY fid", nil,
		sqlrow.Visit2(func(fid int64, blob sql.RawBytes) error {
			var err error
			if points, err = appendPoints(points[:0], blob); err != nil {
				return fmt.Errorf("barrier %d: %w", fid, err)
			}
			return w.AddBarrier(points)
		}))
}

// addScores adds the scores of each geography, which are in several rows.
func addScores(ctx context.Context, db *sql.DB, w *access.Writer) error {
	current, values := "", [access.ScoreCount]uint16{}
	flush := func() error {
		if current == "" {
			return nil
		}
		return w.AddGeography(current, &values)
	}
	err := released.Each(ctx, db, "SELECT geog_id, score, value FROM geography_score ORDER BY geog_id", nil,
		sqlrow.Visit3(func(id, score string, value int64) error {
			if id != current {
				if err := flush(); err != nil {
					return err
				}
				current = id
				for s := range values {
					values[s] = schemas.AbsentValue
				}
			}
			channel, ok := schemas.ChannelOf(score)
			if !ok || channel < schemas.FirstScore || value < 0 || value > 5*schemas.UnitValue {
				return fmt.Errorf("geography %s: score %q is %d", id, score, value)
			}
			values[channel-schemas.FirstScore] = uint16(value)
			return nil
		}))
	if err != nil {
		return err
	}
	return flush()
}

func addTypologies(ctx context.Context, db *sql.DB, w *access.Writer) error {
	const query = "SELECT geohash, typology, population_km2, households_km2 FROM typology ORDER BY geohash"
	return released.Each(ctx, db, query, nil, sqlrow.Visit4(func(cell, name string, people, households float64) error {
		t := access.Typology{PopulationKM2: people, HouseholdsKM2: households}
		if t.Class = slices.Index(schemas.Typologies, name); t.Class < 0 {
			return fmt.Errorf("cell %s: typology %q", cell, name)
		}
		return w.AddTypology(cell, t)
	}))
}

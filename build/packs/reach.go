package packs

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"quartier/build/released"
	"quartier/internal/coord"
	"quartier/internal/household"
	"quartier/internal/pack"
	"quartier/internal/pack/reach"
	"quartier/internal/sqlrow"
	"quartier/schemas"
)

// WriteReach writes the pack of jobs and of travel measures to folder dir, from the file in folder from.
func WriteReach(ctx context.Context, from, dir string) error {
	return Pack{Name: "reach", From: schemas.TravelFile, To: schemas.ReachPack, write: writeReach}.Write(ctx, from, dir)
}

func writeReach(ctx context.Context, db *sql.DB, _, to string) error {
	return finishPack(to, func(out *pack.Writer) error {
		w := reach.NewWriter(out)
		const jobs = "SELECT node - 1, sum(jobs) FROM job_place WHERE node IS NOT NULL GROUP BY node ORDER BY node"
		err := released.Each(ctx, db, jobs, nil, sqlrow.Visit2(func(node uint32, n uint64) error {
			w.JobNodes.Append(node)
			w.Jobs.Append(n)
			return nil
		}))
		if err == nil {
			err = addGround(ctx, db, w)
		}
		const nodes = "SELECT node - 1, cell - 1 FROM travel_node ORDER BY node"
		if err == nil {
			err = released.Each(ctx, db, nodes, nil, sqlrow.Visit2(func(node, cell uint32) error {
				w.Nodes.Append(node)
				w.Cells.Append(cell)
				return nil
			}))
		}
		const cells = "SELECT fid, coalesce(measure, ''), coalesce(value, 0) FROM travel_cell LEFT JOIN travel_measure ON cell = fid ORDER BY fid"
		if err == nil {
			err = eachMeasures(ctx, db, cells, func(_ string, values []uint32) error {
				w.Values.Append(values...)
				return nil
			})
		}
		const medians = "SELECT geog_id || ' ' || basis, measure, value FROM geography_travel ORDER BY geog_id"
		if err == nil {
			err = eachMeasures(ctx, db, medians, func(key string, values []uint32) error {
				id, basis, _ := strings.Cut(key, " ")
				return w.AddGeography(id, basis == household.Streets, values)
			})
		}
		return err
	})
}

// addGround adds where jobs are known.
func addGround(ctx context.Context, db *sql.DB, w *reach.Writer) error {
	const query = "SELECT region, geometry FROM travel_ground WHERE counted = 'jobs' ORDER BY fid"
	return released.Each(ctx, db, query, nil, sqlrow.Visit2(func(region string, blob sql.RawBytes) error {
		outline, err := released.ReadMultiPolygon(blob)
		if err == nil {
			var area coord.Area
			area, err = coord.NewArea(outline)
			for i := range area.Ends {
				w.Ground.Append(area.Ring(i))
			}
		}
		if err != nil {
			return fmt.Errorf("ground of jobs of region %s: %w", region, err)
		}
		return nil
	}))
}

// eachMeasures visits the measures of each key of a query, whose rows are ordered by it: key, measure ("": none) and value.
func eachMeasures(ctx context.Context, db *sql.DB, query string, visit func(key string, values []uint32) error) error {
	last, values := "", []uint32(nil)
	flush := func() error {
		if values == nil {
			return nil
		}
		return visit(last, values)
	}
	err := released.Each(ctx, db, query, nil, sqlrow.Visit3(func(key, measure string, value uint32) error {
		if key != last || values == nil {
			if err := flush(); err != nil {
				return err
			}
			last, values = key, reach.Unknown()
		}
		i := slices.IndexFunc(schemas.TravelMeasures, func(m schemas.TravelMeasure) bool { return m.ID == measure })
		if i >= 0 {
			values[i] = value
		} else if measure != "" {
			return fmt.Errorf("no travel measure %q", measure)
		}
		return nil
	}))
	if err != nil {
		return err
	}
	return flush()
}

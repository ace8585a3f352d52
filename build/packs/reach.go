package packs

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

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
	return run(ctx, from, dir, []job{{"reach", schemas.TravelFile, schemas.ReachPack, writeReach}})
}

func writeReach(ctx context.Context, db *sql.DB, to string) error {
	var c reach.Content
	for _, read := range []func(context.Context, *sql.DB, *reach.Content) error{readJobs, readCells, readMedians} {
		if err := read(ctx, db, &c); err != nil {
			return err
		}
	}
	return finishPack(to, func(out *pack.Writer) error { return reach.Write(out, &c) })
}

// readJobs reads the jobs of each node, and where jobs are known.
func readJobs(ctx context.Context, db *sql.DB, c *reach.Content) error {
	const jobs = "SELECT node - 1, sum(jobs) FROM job_place WHERE node IS NOT NULL GROUP BY node ORDER BY node"
	err := released.Each(ctx, db, jobs, nil, sqlrow.Visit2(func(node uint32, n uint64) error {
		c.Jobs = append(c.Jobs, reach.Jobs{Node: node, Number: n})
		return nil
	}))
	if err != nil {
		return err
	}
	const ground = "SELECT region, geometry FROM travel_ground WHERE counted = 'jobs' ORDER BY fid"
	return released.Each(ctx, db, ground, nil, sqlrow.Visit2(func(region string, blob sql.RawBytes) error {
		outline, err := released.ReadMultiPolygon(blob)
		if err == nil {
			var area coord.Area
			area, err = coord.NewArea(outline)
			for i := range area.Ends {
				c.Ground = append(c.Ground, area.Ring(i))
			}
		}
		if err != nil {
			return fmt.Errorf("ground of jobs of region %s: %w", region, err)
		}
		return nil
	}))
}

// readCells reads the nodes with homes, and the measures of their cells.
func readCells(ctx context.Context, db *sql.DB, c *reach.Content) error {
	var cells int
	if err := db.QueryRowContext(ctx, "SELECT count(*) FROM travel_cell").Scan(&cells); err != nil {
		return err
	}
	for range cells {
		c.Cells = append(c.Cells, absentMeasures())
	}
	const values = "SELECT cell - 1, measure, value FROM travel_measure"
	err := released.Each(ctx, db, values, nil, sqlrow.Visit3(func(cell int, measure string, value uint32) error {
		if cell < 0 || cell >= cells {
			return fmt.Errorf("%s of cell %d of %d", measure, cell+1, cells)
		}
		return setMeasure(c.Cells[cell], measure, value)
	}))
	if err != nil {
		return err
	}
	const nodes = "SELECT node - 1, cell - 1 FROM travel_node ORDER BY node"
	return released.Each(ctx, db, nodes, nil, sqlrow.Visit2(func(node, cell uint32) error {
		c.Homes = append(c.Homes, reach.Home{Node: node, Cell: cell})
		return nil
	}))
}

// readMedians reads the medians of geographies.
func readMedians(ctx context.Context, db *sql.DB, c *reach.Content) error {
	const query = "SELECT geog_id, basis, measure, value FROM geography_travel ORDER BY geog_id"
	return released.Each(ctx, db, query, nil, sqlrow.Visit4(func(id, basis, measure string, value uint32) error {
		if n := len(c.Geographies); n == 0 || c.Geographies[n-1].ID != id {
			c.Geographies = append(c.Geographies, reach.Geography{ID: id, Street: basis == household.Streets, Values: absentMeasures()})
		}
		return setMeasure(c.Geographies[len(c.Geographies)-1].Values, measure, value)
	}))
}

func absentMeasures() []uint32 {
	return slices.Repeat([]uint32{reach.Absent}, len(schemas.TravelMeasures))
}

func setMeasure(values []uint32, id string, value uint32) error {
	i := slices.IndexFunc(schemas.TravelMeasures, func(m schemas.TravelMeasure) bool { return m.ID == id })
	if i < 0 {
		return fmt.Errorf("no travel measure %q", id)
	}
	values[i] = value
	return nil
}

package market

import (
	"cmp"
	"context"
	"hash/crc32"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"quartier/internal/arrowfile"
	marketpack "quartier/internal/pack/market"
	"quartier/internal/sqlitepages"
	"quartier/schemas"
	"quartier/schemas/market"
)

// codeColumn is the column of the code of the interval in market.parquet.
const codeColumn = 2

// section is the rows of an interval as both files have them: pages of market.sqlite and row groups of market.parquet. It
// depends on these rows alone. Its memory is used again for the next one.
type section struct {
	pages   []byte
	groups  arrowfile.RowGroups
	columns columns
}

// sums are the checksums of a section.
type sums struct{ Pages, Groups uint32 }

func (s *section) sums() sums {
	return sums{crc32.Checksum(s.pages, castagnoli), crc32.Checksum(s.groups.Data, castagnoli)}
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// geographiesInMemory is after how many geographies the cells before are forgotten, of up to 70 kB each.
const geographiesInMemory = 1 << 13

// rowMaker makes the rows of intervals from the cells of a pack.
type rowMaker struct {
	cells     *marketpack.Table
	intervals []market.Interval
	ids       []string // of the geographies
}

// section makes the rows of interval n.
func (r *rowMaker) section(ctx context.Context, n int, s *section) (err error) {
	interval := &r.intervals[n]
	code, first := []byte(interval.Code), firstRow(n, *interval)
	if err := s.columns.begin(); err != nil {
		return err
	}
	leaves, record, values, row := sqlitepages.NewLeaves(pageSize, s.pages), new(sqlitepages.Record), new(market.Values), new(marketpack.Row)
	for g := range r.cells.Len() {
		if err := r.step(ctx, g); err != nil {
			return err
		}
		id := []byte(r.ids[g])
		for t := range market.TypeCount {
			if r.cells.Find(g, t, row); !row.Values(n, values) {
				continue
			}
			setRecord(record, values)
			leaves.Add(first+typeRows*int64(g)+int64(t), record)
			if err := s.columns.add(id, code, t, interval, values); err != nil {
				return err
			}
		}
	}
	s.pages = leaves.Take()
	s.groups, err = s.columns.finish()
	return err
}

// step is called before the cells of each geography are read: those that were are forgotten now and then.
func (r *rowMaker) step(ctx context.Context, geography int) error {
	if geography%geographiesInMemory != 0 {
		return nil
	}
	return cmp.Or(ctx.Err(), r.cells.Forget())
}

// eachSection makes the sections of some intervals and visits them in their order.
func eachSection(order []int, of, visit func(n int, s *section) error) error {
	sections := make([]section, runtime.GOMAXPROCS(0))
	for some := range slices.Chunk(order, len(sections)) {
		var group errgroup.Group
		for k, n := range some {
			group.Go(func() error { return of(n, &sections[k]) })
		}
		if err := group.Wait(); err != nil {
			return err
		}
		for k, n := range some {
			if err := visit(n, &sections[k]); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeRows writes the files of rows from the cells of the packs, but for those of years that are those of the earlier day.
func (c *component) writeRows(ctx context.Context, cells *marketpack.Table) error {
	rows := rowMaker{cells: cells, intervals: c.intervals}
	for g := range c.table.Len() {
		rows.ids = append(rows.ids, c.table.ID(g))
	}
	for n := range c.volumes {
		v := &c.volumes[n]
		if !slices.Contains(c.same, v.year) {
			if err := c.writeVolume(ctx, v, &rows); err != nil {
				return err
			}
			continue
		}
		for _, i := range v.intervals {
			c.sections[c.intervals[i].Code] = c.earlier.Sections[c.intervals[i].Code]
		}
	}
	return nil
}

// writeVolume writes the rows of a volume, interval after interval. Those of a month or quarter that are those of the earlier
// day are copied from its files.
func (c *component) writeVolume(ctx context.Context, v *volume, rows *rowMaker) error {
	path := filepath.Join(c.dir, v.name(schemas.MarketFile))
	root, err := c.createDatabase(ctx, path, v)
	if err != nil {
		return err
	}
	sqlite, err := sqlitepages.Append(path, root)
	if err != nil {
		return err
	}
	defer sqlite.Close()
	out, err := os.OpenFile(filepath.Join(c.dir, v.name(schemas.MarketParquet)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer out.Close()
	parquet, earlier := arrowfile.NewRowGroupWriter(out), c.earlier.rows(v)
	defer earlier.close()
	err = eachSection(v.intervals, func(n int, s *section) error {
		if i := c.intervals[n]; !c.computed[n] && earlier.section(firstRow(n, i), i.Code, s) {
			return nil
		}
		return rows.section(ctx, n, s)
	}, func(n int, s *section) error {
		c.sections[c.intervals[n].Code] = s.sums()
		return cmp.Or(sqlite.Add(s.pages), parquet.Add(s.groups))
	})
	if err != nil {
		return err
	}
	return cmp.Or(sqlite.Finish(), parquet.Finish(), out.Close())
}

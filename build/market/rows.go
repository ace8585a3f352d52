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
	"quartier/internal/pack"
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
	file      *pack.File
	cells     *marketpack.Table
	intervals []market.Interval
	id        func(geography int) string
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
		id := []byte(r.id(g))
		for t := range market.TypeCount {
			if !r.cells.ValuesOf(g, t, n, row, values) {
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
	return cmp.Or(ctx.Err(), r.file.Forget())
}

// eachSection makes the sections of all intervals and visits them in the order of their rows.
func eachSection(intervals []market.Interval, of, visit func(n int, s *section) error) error {
	order := make([]int, len(intervals))
	for n := range order {
		order[n] = n
	}
	slices.SortFunc(order, func(a, b int) int {
		return int(firstRow(a, intervals[a])/intervalRows - firstRow(b, intervals[b])/intervalRows)
	})
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

// writeRows writes market.sqlite and market.parquet from the cells of the pack, interval after interval. Those of a month or
// quarter that are those of the earlier day are copied from its files.
func (c *component) writeRows(ctx context.Context, file *pack.File, cells *marketpack.Table) error {
	path := filepath.Join(c.dir, schemas.MarketFile)
	root, err := c.createDatabase(ctx, path)
	if err != nil {
		return err
	}
	sqlite, err := sqlitepages.Append(path, root)
	if err != nil {
		return err
	}
	defer sqlite.Close()
	out, err := os.Create(filepath.Join(c.dir, schemas.MarketParquet))
	if err != nil {
		return err
	}
	defer out.Close()
	parquet := arrowfile.NewRowGroupWriter(out)
	rows := rowMaker{file, cells, c.intervals, c.table.ID}
	err = eachSection(c.intervals, func(n int, s *section) error {
		if i := c.intervals[n]; i.Closed && !c.computed[n] && c.earlier.section(firstRow(n, i), i.Code, s) {
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

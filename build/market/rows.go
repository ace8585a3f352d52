package market

import (
	"cmp"
	"context"
	"hash/crc32"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"quartier/internal/pack"
	marketpack "quartier/internal/pack/market"
	"quartier/internal/sqlitepages"
	"quartier/schemas"
	"quartier/schemas/market"
)

// codeColumn is the column of the code of the interval in market.parquet.
const codeColumn = 2

// section is the rows of an interval as both files have them: pages of market.sqlite and row groups of market.parquet. It
// depends on these rows alone.
type section struct {
	pages  []byte
	groups rowGroups
}

// sums are the checksums of a section.
type sums struct{ Pages, Groups uint32 }

func (s *section) sums() sums {
	return sums{crc32.Checksum(s.pages, castagnoli), crc32.Checksum(s.groups.data, castagnoli)}
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// geographiesInMemory is after how many geographies the cells before are forgotten, of up to 70 kB each.
const geographiesInMemory = 1 << 13

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
	parquet, err := createParquet(filepath.Join(c.dir, schemas.MarketParquet))
	if err != nil {
		return err
	}
	defer parquet.close()
	order := make([]int, len(c.intervals))
	for n := range order {
		order[n] = n
	}
	slices.SortFunc(order, func(a, b int) int {
		return int(firstRow(a, c.intervals[a])/intervalRows - firstRow(b, c.intervals[b])/intervalRows)
	})
	for some := range slices.Chunk(order, runtime.GOMAXPROCS(0)) {
		sections := make([]section, len(some))
		var group errgroup.Group
		for k, n := range some {
			group.Go(func() (err error) { sections[k], err = c.section(ctx, file, cells, n); return err })
		}
		if err := group.Wait(); err != nil {
			return err
		}
		for k := range sections {
			c.sections[c.intervals[some[k]].Code] = sections[k].sums()
			if err := sqlite.Add(sections[k].pages); err != nil {
				return err
			}
			if err := parquet.add(sections[k].groups); err != nil {
				return err
			}
		}
	}
	if err := sqlite.Finish(); err != nil {
		return err
	}
	return parquet.finish()
}

// section is the rows of an interval.
func (c *component) section(ctx context.Context, file *pack.File, cells *marketpack.Table, n int) (s section, err error) {
	interval := &c.intervals[n]
	code, first := []byte(interval.Code), firstRow(n, *interval)
	if interval.Closed && !c.computed[n] {
		if s, ok := c.earlier.section(first, interval.Code); ok {
			return s, nil
		}
	}
	columns, err := newColumns()
	if err != nil {
		return s, err
	}
	leaves, record, values, row := sqlitepages.NewLeaves(pageSize), new(sqlitepages.Record), new(market.Values), new(marketpack.Row)
	for g := range cells.Len() {
		if g%geographiesInMemory == 0 {
			if err := cmp.Or(ctx.Err(), file.Forget()); err != nil {
				return s, err
			}
		}
		id := []byte(c.table.ID(g))
		for t := range market.TypeCount {
			if cells.Find(g, t, row); !row.Values(n, values) {
				continue
			}
			setRecord(record, values)
			leaves.Add(first+typeRows*int64(g)+int64(t), record)
			if err := columns.add(id, code, t, interval, values); err != nil {
				return s, err
			}
		}
	}
	s.pages = leaves.Take()
	s.groups, err = columns.finish()
	return s, err
}

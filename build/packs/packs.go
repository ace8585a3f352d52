// Package packs writes the server's packs, and the bridge between boundary versions as Parquet, from the SpatiaLite files of
// a release. Equal rows give equal bytes, so that
// a verifier can recompute the packs and compare them.
package packs

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"quartier/build/released"
	"quartier/internal/pack"
	"quartier/schemas"
)

// job writes one file from a SpatiaLite file.
type job struct {
	what, from, to string
	write          func(ctx context.Context, db *sql.DB, to string) error
}

// WriteSmallAreas writes the pack of small areas to folder dir, from the tables of small areas in folder from. The pack
// is needed to write the rest of demographics.sqlite.
func WriteSmallAreas(ctx context.Context, from, dir string) error {
	return run(ctx, from, dir, []job{{"small areas", schemas.DemographicsFile, schemas.SmallAreasPack, writeSmallAreas}})
}

// WriteProfiles writes the pack of profiles to folder dir, as Write does.
func WriteProfiles(ctx context.Context, from, dir string) error {
	return run(ctx, from, dir, []job{profilesJob})
}

var profilesJob = job{"profiles", schemas.ProfilesFile, schemas.ProfilesPack, writeProfiles}

// Files are the names of the files that Write writes.
var Files = []string{schemas.GeographiesPack, schemas.BridgeFile, schemas.POIsPack, schemas.SchoolsPack, schemas.ProfilesPack,
	schemas.AccessPack, schemas.DemographicsPack}

// Write writes all other packs and the bridge to folder dir, from the SpatiaLite files in folder from.
func Write(ctx context.Context, from, dir string) error {
	return run(ctx, from, dir, []job{
		{"geographies", schemas.GeographiesFile, schemas.GeographiesPack, func(ctx context.Context, db *sql.DB, to string) error {
			return writeGeographies(ctx, db, nil, from, to)
		}},
		{"bridge", schemas.GeographiesFile, schemas.BridgeFile, writeBridge},
		{"pois", schemas.POIsFile, schemas.POIsPack, writePOIs},
		{"schools", schemas.SchoolsFile, schemas.SchoolsPack, writeSchools},
		profilesJob,
		accessJob,
		demographicsJob(from),
	})
}

var accessJob = job{"streets", schemas.AccessFile, schemas.AccessPack, writeAccess}

func demographicsJob(from string) job {
	return job{"demographics", schemas.DemographicsFile, schemas.DemographicsPack, func(ctx context.Context, db *sql.DB, to string) error {
		return writeDemographics(ctx, db, from, to)
	}}
}

// run runs jobs in parallel.
func run(ctx context.Context, from, dir string, jobs []job) error {
	errs := make([]error, len(jobs))
	var all sync.WaitGroup
	for i, j := range jobs {
		all.Go(func() {
			db, err := released.Open(filepath.Join(from, j.from))
			if err == nil {
				err = j.write(ctx, db, filepath.Join(dir, j.to))
				db.Close()
			}
			if err != nil {
				errs[i] = fmt.Errorf("pack %s: %w", j.what, err)
			}
		})
	}
	all.Wait()
	return cmp.Or(errs...) // the first one by job, independent of timing
}

// finishPack creates a pack of the sections that finish adds.
func finishPack(path string, finish func(*pack.Writer) error) error {
	out, err := pack.Create(path)
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := finish(out); err != nil {
		return err
	}
	return out.Close()
}

// splitList splits a comma list; nil for "".
func splitList(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

// childRows reads a table of child rows in the order of their parents. Example: for the rows (1, a), (1, b), (3, c),
// of(1) is [a b], of(2) is empty, and of(3) is [c].
type childRows[T any] struct {
	rows   *sql.Rows
	scan   func(rows *sql.Rows, parent *int64, item *T) error
	parent int64 // of the next row
	item   T     // of the next row
	more   bool
	list   []T // of the parent that was asked for last
}

// newChildRows runs a query whose rows are ordered by parent.
func newChildRows[T any](db *sql.DB, query string, scan func(*sql.Rows, *int64, *T) error) (*childRows[T], error) {
	rows, err := db.Query(query)
	if err != nil {
		return nil, err
	}
	c := &childRows[T]{rows: rows, scan: scan}
	if err := c.next(); err != nil {
		rows.Close()
		return nil, err
	}
	return c, nil
}

func (c *childRows[T]) next() error {
	if c.more = c.rows.Next(); !c.more {
		return c.rows.Err()
	}
	return c.scan(c.rows, &c.parent, &c.item)
}

// of returns the children of a parent until the next call. Parents must be given in ascending order; children of a
// parent that was left out are an error.
func (c *childRows[T]) of(parent int64) ([]T, error) {
	c.list = c.list[:0]
	for c.more && c.parent <= parent {
		if c.parent < parent {
			return nil, c.orphan()
		}
		c.list = append(c.list, c.item)
		if err := c.next(); err != nil {
			return nil, err
		}
	}
	return c.list, nil
}

// end returns an error where there are children after the last parent.
func (c *childRows[T]) end() error {
	if c.more {
		return c.orphan()
	}
	return nil
}

func (c *childRows[T]) orphan() error { return fmt.Errorf("row of %d, which does not exist", c.parent) }

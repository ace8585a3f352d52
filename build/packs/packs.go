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

// Pack is a file that is written from the SpatiaLite files alone.
type Pack struct {
	Name, From, To string   // From and To: files of the release, a database and what is made of it
	Beside         []string // further databases that are read
	Share          float64  // of the time and bytes of Packs, roughly
	// write writes To at a path; dir has From, which is opened, and Beside
	write func(ctx context.Context, db *sql.DB, dir, to string) error
}

var (
	profilesPack     = Pack{Name: "profiles", From: schemas.ProfilesFile, To: schemas.ProfilesPack, Share: 0.07, write: writeProfiles}
	streetsPack      = Pack{Name: "streets", From: schemas.AccessFile, To: schemas.AccessPack, Share: 0.25, write: writeAccess}
	demographicsPack = Pack{"demographics", schemas.DemographicsFile, schemas.DemographicsPack, []string{schemas.GeographiesFile},
		0.1, writeDemographics}
)

// Packs are all but those from which later tables are computed, of small areas and of what is reached, and the bridge.
var Packs = []Pack{
	{"geographies", schemas.GeographiesFile, schemas.GeographiesPack, []string{schemas.DemographicsFile}, 0.05,
		func(ctx context.Context, db *sql.DB, dir, to string) error {
			return writeGeographies(ctx, db, nil, dir, to)
		}},
	{Name: "bridge", From: schemas.GeographiesFile, To: schemas.BridgeFile, Share: 0.01, write: writeBridge},
	{Name: "pois", From: schemas.POIsFile, To: schemas.POIsPack, Share: 0.5, write: writePOIs},
	{Name: "schools", From: schemas.SchoolsFile, To: schemas.SchoolsPack, Share: 0.02, write: writeSchools},
	profilesPack, streetsPack, demographicsPack,
}

// Write writes all Packs to folder dir, from the files in folder from.
func Write(ctx context.Context, from, dir string) error { return run(ctx, from, dir, Packs) }

// Write writes the file to folder dir, from the files in folder from.
func (p Pack) Write(ctx context.Context, from, dir string) error {
	return run(ctx, from, dir, []Pack{p})
}

// WriteSmallAreas writes the pack of small areas to folder dir, from the tables of small areas in folder from. The pack
// is needed to write the rest of demographics.sqlite.
func WriteSmallAreas(ctx context.Context, from, dir string) error {
	return Pack{Name: "small areas", From: schemas.DemographicsFile, To: schemas.SmallAreasPack, write: writeSmallAreas}.Write(ctx, from, dir)
}

// WriteProfiles writes the pack of profiles to folder dir, as Write does.
func WriteProfiles(ctx context.Context, from, dir string) error {
	return profilesPack.Write(ctx, from, dir)
}

// run writes packs in parallel.
func run(ctx context.Context, from, dir string, list []Pack) error {
	errs := make([]error, len(list))
	var all sync.WaitGroup
	for i, p := range list {
		all.Go(func() {
			db, err := released.Open(filepath.Join(from, p.From))
			if err == nil {
				err = p.write(ctx, db, from, filepath.Join(dir, p.To))
				db.Close()
			}
			if err != nil {
				errs[i] = fmt.Errorf("pack %s: %w", p.Name, err)
			}
		})
	}
	all.Wait()
	return cmp.Or(errs...) // the first one by pack, independent of timing
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

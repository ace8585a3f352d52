// Package compare reports what changed between two releases.
package compare

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"path/filepath"

	"quartier/build/released"
	"quartier/schemas"
)

var (
	//go:embed sql/geographies.sql
	geographies string
	//go:embed sql/pois.sql
	pois string
	//go:embed sql/categories.sql
	categories string
)

// Comparison is the differences between an older and a newer release.
type Comparison struct {
	Older, Newer string         // names and as-of dates of the releases
	Continues    bool           // the newer one was built with the older one as its previous release
	Geographies  []LevelChange  // by level and kind
	POIs         POIChange      // in total
	Categories   []POIChange    // by category id, without those that are empty in both. A POI counts in each of its categories
	Figures      []FigureChange // by group, level and the order of the API specification, without those that are missing in both
	Issues       []IssueChange  // by severity and code
}

// LevelChange is the number of geographies of a level with the same change.
type LevelChange struct {
	Level schemas.Level
	Kind  string // of older ids 'kept', 'lost' where the newer release does not continue the older one, or a kind of succession; of newer ids 'new'
	Rows  int64
}

// POIChange is the number of POIs whose key is in one or both releases.
type POIChange struct {
	Category             string // "" for all
	Added, Removed, Kept int64
}

// Releases compares the releases in two folders. It does not verify them.
func Releases(ctx context.Context, older, newer string) (*Comparison, error) {
	before, err := schemas.ReadManifest(older)
	if err != nil {
		return nil, fmt.Errorf("compare releases: %w", err)
	}
	after, err := schemas.ReadManifest(newer)
	if err != nil {
		return nil, fmt.Errorf("compare releases: %w", err)
	}
	c := &Comparison{
		Older:     before.Release + " of " + before.AsOf,
		Newer:     after.Release + " of " + after.AsOf,
		Continues: after.Previous == before.Digest,
		Issues:    compareIssues(before, after),
	}
	found := figures{}
	for _, part := range []struct {
		file string
		read func(context.Context, *sql.DB) error
	}{
		{schemas.GeographiesFile, c.readGeographies}, {schemas.POIsFile, c.readPOIs}, {schemas.AccessFile, found.readScores},
		{schemas.DemographicsFile, found.readVariables},
	} {
		db, err := attach(older, newer, part.file)
		if err != nil {
			return nil, fmt.Errorf("compare %s: %w", part.file, err)
		}
		err = part.read(ctx, db)
		db.Close()
		if err != nil {
			return nil, fmt.Errorf("compare %s: %w", part.file, err)
		}
	}
	c.Figures = found.list()
	return c, nil
}

// attach opens the file of both releases as the schemas older and newer of one database, and their geographies as
// older_geographies and newer_geographies.
func attach(older, newer, file string) (*sql.DB, error) {
	db, err := sql.Open("sqlite3", "file::memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // attached files belong to one connection
	for _, side := range []struct{ dir, name string }{{older, "older"}, {newer, "newer"}} {
		if err == nil {
			err = released.Attach(db, filepath.Join(side.dir, file), side.name)
		}
		if err == nil {
			err = released.Attach(db, filepath.Join(side.dir, schemas.GeographiesFile), side.name+"_geographies")
		}
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

func (c *Comparison) readGeographies(ctx context.Context, db *sql.DB) (err error) {
	c.Geographies, err = released.Collect(ctx, db, geographies, func(rows *sql.Rows, l *LevelChange) error {
		return rows.Scan(&l.Level, &l.Kind, &l.Rows)
	})
	return err
}

func (c *Comparison) readPOIs(ctx context.Context, db *sql.DB) (err error) {
	if err := db.QueryRowContext(ctx, pois).Scan(&c.POIs.Added, &c.POIs.Removed, &c.POIs.Kept); err != nil {
		return err
	}
	c.Categories, err = released.Collect(ctx, db, categories, func(rows *sql.Rows, p *POIChange) error {
		return rows.Scan(&p.Category, &p.Added, &p.Removed, &p.Kept)
	})
	return err
}

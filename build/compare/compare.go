// Package compare reports what changed between two releases.
package compare

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

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
	//go:embed sql/scores.sql
	scores string
	//go:embed sql/demographics.sql
	demographics string
)

// Comparison is the differences between an older and a newer release.
type Comparison struct {
	Older, Newer string        // names and as-of dates of the releases
	Continues    bool          // the newer one was built with the older one as its previous release
	Geographies  []LevelChange // by level and kind
	POIs         POIChange     // in total
	Categories   []POIChange   // by category id, without those that are empty in both. A POI counts in each of its categories
	Scores       []ScoreChange // of geographies with scores in both releases, in the order of the API specification, without scores that are missing in both
	People       PeopleChange
}

// PeopleChange is the number of geographies with demographics in one or both releases.
type PeopleChange struct {
	Known        int64   // in both
	Gained, Lost int64   // only in the newer; only in the older release
	MedianGrowth float64 // median relative change of the population of geographies in both; negative where it decreased
}

// ScoreChange is the number of geographies by what became of one of their scores.
type ScoreChange struct {
	Score        string
	Moved        int64 // changed by 0.2 or more
	Known        int64 // in both releases, those that moved included
	Gained, Lost int64 // only in the newer; only in the older release
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
	}
	for _, part := range []struct {
		file string
		read func(context.Context, *sql.DB) error
	}{
		{schemas.GeographiesFile, c.readGeographies}, {schemas.POIsFile, c.readPOIs}, {schemas.AccessFile, c.readScores},
		{schemas.DemographicsFile, c.readPeople},
	} {
		db, err := attach(filepath.Join(older, part.file), filepath.Join(newer, part.file))
		if err != nil {
			return nil, fmt.Errorf("compare %s: %w", part.file, err)
		}
		err = part.read(ctx, db)
		db.Close()
		if err != nil {
			return nil, fmt.Errorf("compare %s: %w", part.file, err)
		}
	}
	return c, nil
}

// attach opens the file of both releases as the schemas older and newer of one database.
func attach(older, newer string) (*sql.DB, error) {
	db, err := sql.Open("sqlite3", "file::memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // attached files belong to one connection
	if err = released.Attach(db, older, "older"); err == nil {
		err = released.Attach(db, newer, "newer")
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

func (c *Comparison) readScores(ctx context.Context, db *sql.DB) (err error) {
	c.Scores, err = released.Collect(ctx, db, scores, func(rows *sql.Rows, s *ScoreChange) error {
		return rows.Scan(&s.Score, &s.Moved, &s.Known, &s.Gained, &s.Lost)
	})
	place := func(s ScoreChange) schemas.Channel { c, _ := schemas.ChannelOf(s.Score); return c }
	slices.SortFunc(c.Scores, func(a, b ScoreChange) int { return cmp.Compare(place(a), place(b)) })
	return err
}

func (c *Comparison) readPeople(ctx context.Context, db *sql.DB) error {
	p := &c.People
	return db.QueryRowContext(ctx, demographics).Scan(&p.Known, &p.Gained, &p.Lost, &p.MedianGrowth)
}

// String formats the comparison for a terminal, without categories that did not change.
func (c *Comparison) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s → %s\n", c.Older, c.Newer)
	if !c.Continues {
		out.WriteString("the newer release does not continue the older one\n")
	}
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	for _, l := range c.Geographies {
		fmt.Fprintf(w, "level %d\t%s\t%d\n", l.Level, l.Kind, l.Rows)
	}
	for _, p := range append([]POIChange{c.POIs}, c.Categories...) {
		if p.Category == "" {
			p.Category = "all"
		} else if p.Added == 0 && p.Removed == 0 {
			continue
		}
		fmt.Fprintf(w, "pois: %s\t+%d −%d\t%d kept\n", p.Category, p.Added, p.Removed, p.Kept)
	}
	for _, s := range c.Scores {
		fmt.Fprintf(w, "scores: %s\t%d of %d moved\t+%d −%d\n", s.Score, s.Moved, s.Known, s.Gained, s.Lost)
	}
	if p := c.People; p.Known+p.Gained+p.Lost > 0 {
		fmt.Fprintf(w, "demographics\t%d geographies in both\t+%d −%d\tmedian %+.1f %%\n", p.Known, p.Gained, p.Lost, 100*p.MedianGrowth)
	}
	w.Flush()
	return out.String()
}

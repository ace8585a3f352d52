package build

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"quartier/schemas"
)

// Comparison says what a newer release has that an older one has not, and the other way round.
type Comparison struct {
	Older, Newer string        // names and days of the releases
	GoesOn       bool          // the newer one was built with the older one as its previous
	Geographies  []LevelFate   // by level and kind
	POIs         POIChange     // all
	Categories   []POIChange   // by category id; categories without POIs in either are absent. A POI counts in each of its own
	Scores       []ScoreChange // of geographies that have scores in both, in the order of the contract; scores that neither has are absent
	People       PeopleChange
}

// PeopleChange counts geographies by whether their people are described in both releases.
type PeopleChange struct {
	Known        int64   // in both
	Gained, Lost int64   // in the newer or the older release alone
	Grown        float64 // share by which the median geography of those in both has gained people, below 0 where it lost
}

// ScoreChange counts geographies by what became of one of their scores.
type ScoreChange struct {
	Score        string
	Moved        int64 // by 0.2 or more
	Known        int64 // in both releases, those that moved included
	Gained, Lost int64 // known in the newer or the older release alone
}

// LevelFate counts the geographies of a level that shared one fate.
type LevelFate struct {
	Level schemas.Level
	Kind  string // of the older ones 'kept', 'reversion', 'redrawn', 'split', 'merge', 'retired' or, without lineage, 'lost'; of the newer ones 'new' id
	Rows  int64
}

// POIChange counts POIs by whether both releases have their key.
type POIChange struct {
	Category             string // '' for all
	Added, Removed, Kept int64
}

// Compare reads two releases. Neither is verified.
func Compare(ctx context.Context, older, newer string) (*Comparison, error) {
	was, err := schemas.ReadManifest(older)
	if err != nil {
		return nil, fmt.Errorf("compare releases: %w", err)
	}
	is, err := schemas.ReadManifest(newer)
	if err != nil {
		return nil, fmt.Errorf("compare releases: %w", err)
	}
	c := &Comparison{
		Older:  was.Release + " of " + was.AsOf,
		Newer:  is.Release + " of " + is.AsOf,
		GoesOn: is.Previous == was.Digest,
	}
	for _, part := range []struct {
		file string
		read func(context.Context, *sql.DB) error
	}{
		{schemas.GeographiesFile, c.readGeographies}, {schemas.POIsFile, c.readPOIs}, {schemas.AccessFile, c.readScores},
		{schemas.DemographicsFile, c.readPeople},
	} {
		db, err := openBoth(filepath.Join(older, part.file), filepath.Join(newer, part.file))
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

// openBoth attaches a file of each release as older and newer.
func openBoth(older, newer string) (*sql.DB, error) {
	db, err := sql.Open("sqlite3", "file::memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // attached files belong to one connection
	for name, path := range map[string]string{"older": older, "newer": newer} {
		absolute, err := filepath.Abs(path)
		if err == nil {
			dsn := url.URL{Scheme: "file", Path: absolute, RawQuery: "mode=ro&immutable=1"}
			_, err = db.Exec("ATTACH ? AS "+name, dsn.String())
		}
		if err != nil {
			db.Close()
			return nil, fmt.Errorf("open %s: %w", path, err)
		}
	}
	return db, nil
}

func (c *Comparison) readGeographies(_ context.Context, db *sql.DB) (err error) {
	c.Geographies, err = collect(db, query("compare_geographies"), func(rows *sql.Rows, f *LevelFate) error {
		return rows.Scan(&f.Level, &f.Kind, &f.Rows)
	})
	return err
}

func (c *Comparison) readPOIs(ctx context.Context, db *sql.DB) (err error) {
	if err := db.QueryRowContext(ctx, query("compare_totals")).Scan(&c.POIs.Added, &c.POIs.Removed, &c.POIs.Kept); err != nil {
		return err
	}
	c.Categories, err = collect(db, query("compare_pois"), func(rows *sql.Rows, p *POIChange) error {
		return rows.Scan(&p.Category, &p.Added, &p.Removed, &p.Kept)
	})
	return err
}

func (c *Comparison) readScores(_ context.Context, db *sql.DB) error {
	changes, err := collect(db, query("compare_scores"), func(rows *sql.Rows, s *ScoreChange) error {
		return rows.Scan(&s.Score, &s.Moved, &s.Known, &s.Gained, &s.Lost)
	})
	inContract := func(id string) schemas.Channel { c, _ := schemas.ChannelOf(id); return c }
	slices.SortFunc(changes, func(a, b ScoreChange) int { return cmp.Compare(inContract(a.Score), inContract(b.Score)) })
	c.Scores = changes
	return err
}

func (c *Comparison) readPeople(ctx context.Context, db *sql.DB) error {
	return db.QueryRowContext(ctx, query("compare_people")).Scan(&c.People.Known, &c.People.Gained, &c.People.Lost, &c.People.Grown)
}

// String is the comparison as text for a terminal; categories that did not change are left out.
func (c *Comparison) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s → %s\n", c.Older, c.Newer)
	if !c.GoesOn {
		out.WriteString("the newer release was not built on the older one\n")
	}
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	for _, f := range c.Geographies {
		fmt.Fprintf(w, "level %d\t%s\t%d\n", f.Level, f.Kind, f.Rows)
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
		fmt.Fprintf(w, "people\t%d described in both\t+%d −%d\tmedian %+.1f %%\n", p.Known, p.Gained, p.Lost, 100*p.Grown)
	}
	w.Flush()
	return out.String()
}

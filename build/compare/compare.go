// Package compare reports what changed between two releases.
package compare

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"quartier/build/released"
	"quartier/schemas"
)

var (
	//go:embed sql/geographies.sql
	geographies string
	//go:embed sql/pois.sql
	pois string
	//go:embed sql/schools.sql
	schools string
	//go:embed sql/profiles.sql
	profiles string
	//go:embed sql/texts.sql
	textRows string
	//go:embed sql/categories.sql
	categories string
)

// Comparison is the differences between an older and a newer release.
type Comparison struct {
	Older, Newer Side
	Continues    bool            // the newer one was built with the older one as its previous release
	Levels       []LevelSum      // by level
	Regions      []RegionLevel   // by region and level
	Geographies  []LevelChange   // by level and kind
	ChangedIDs   []ChangedID     // by level, fate and id
	Coverage     []Coverage      // by product and level
	POIs         POIChange       // in total
	Schools      POIChange       // in total
	Categories   []POIChange     // by category id, without those that are empty in both. A POI counts in each of its categories
	Brands       []CountChange   // by id
	Scores       []ScoreSpread   // in the order of the API specification
	Profiles     []ProfileChange // by level
	Texts        TextChange
	Sources      []SourceChange // by region and id
	LicencesLost []string       // licence and attribution lines that only the older release has

	MarketMetrics []MarketChange // empty unless Market was called
	Figures       []FigureChange // by group, level and the order of the API specification, without those that are missing in both
	Issues        []IssueChange  // by severity and code
	Notes         []string       // what is not compared, because one of two releases of different schemas lacks it
}

// Side is one of the two releases.
type Side struct {
	Release, AsOf string
	Digest        string
	Schema        int    // of the manifest
	Calibration   string // version and the first digits of the digest: '2 (953d93cb)'; '' where the manifest has none
}

// LevelChange is the number of geographies of a level with the same change.
type LevelChange struct {
	Level schemas.Level
	// of older ids 'kept', 'lost' where the newer release does not continue the older one, or a kind of succession; of newer ids
	// 'new'
	Kind string
	Rows int64
}

// POIChange is the number of POIs, or schools, whose key is in one or both releases.
type POIChange struct {
	Category             string // "" for all
	Added, Removed, Kept int64
}

// Older is the number of the older release.
func (p POIChange) Older() int64 { return p.Kept + p.Removed }

// Newer is the number of the newer release.
func (p POIChange) Newer() int64 { return p.Kept + p.Added }

// ProfileChange is the number of geographies of a level with texts in one or both releases.
type ProfileChange struct {
	Level                int
	Added, Removed, Kept int64
	Rewritten            int64 // of those kept: geographies with another sentence
}

// TextChange is how many texts, profiles in one language, both releases have, and how many were left out.
type TextChange struct{ Older, Newer TextRows }

// TextRows counts texts of a release.
type TextRows struct{ Written, LeftOut int64 }

// LeftOutShare is the share of the texts that were left out; 0 where there are none.
func (r TextRows) LeftOutShare() float64 {
	return float64(r.LeftOut) / float64(max(r.Written+r.LeftOut, 1))
}

// Releases compares the releases in two folders. It does not verify them. They may be of different schemas: then it
// compares what both have.
func Releases(ctx context.Context, older, newer string) (*Comparison, error) {
	return releases(ctx, older, newer, false)
}

// Judged is Releases with no more than gates judge.
func Judged(ctx context.Context, older, newer string) (*Comparison, error) {
	return releases(ctx, older, newer, true)
}

func releases(ctx context.Context, older, newer string, judged bool) (*Comparison, error) {
	before, err := schemas.ReadAnyManifest(older)
	if err != nil {
		return nil, fmt.Errorf("compare releases: %w", err)
	}
	after, err := schemas.ReadAnyManifest(newer)
	if err != nil {
		return nil, fmt.Errorf("compare releases: %w", err)
	}
	c := &Comparison{
		Older:        sideOf(before),
		Newer:        sideOf(after),
		Continues:    after.Previous == before.Digest,
		Issues:       compareIssues(before, after),
		Sources:      compareSources(before, after),
		LicencesLost: licencesLost(before, after),
	}
	found := figures{}
	var spread tally
	for _, p := range c.parts(found, &spread) {
		if judged && !p.judged {
			continue
		}
		lacking, err := readPart(ctx, older, newer, p.file, p.query, p.read)
		switch {
		case err != nil:
			return nil, fmt.Errorf("compare %s: %w", p.file, err)
		case lacking != nil && before.Schema == after.Schema:
			return nil, fmt.Errorf("compare %s: %w", p.file, lacking)
		case lacking != nil:
			c.Notes = append(c.Notes, fmt.Sprintf("%s are not compared: %v", p.what, lacking))
		}
	}
	c.Figures, c.Scores = found.list(), spread.spreads()
	return c, nil
}

// part is one part of the comparison.
type part struct {
	what, file, query string // query: the first one that read runs
	judged            bool   // by gates
	read              func(context.Context, *sql.DB) error
}

func (c *Comparison) parts(found figures, spread *tally) []part {
	const scoreTable, vintageTable, textTable = "geography_score", "geography_vintage", "profile_text"
	return []part{
		{"levels", schemas.GeographiesFile, levels, true, c.readLevels},
		{"regions", schemas.GeographiesFile, regions, false, c.readRegions},
		{"geographies", schemas.GeographiesFile, geographies, false, c.readGeographies},
		{"scored geographies", schemas.AccessFile, coverageOf(scoreTable), true, c.readCoverage("scores", scoreTable)},
		{"geographies with demographics", schemas.DemographicsFile, coverageOf(vintageTable), true, c.readCoverage("demographics", vintageTable)},
		{"geographies with profiles", schemas.ProfilesFile, coverageOf(textTable), true, c.readCoverage("profiles", textTable)},
		{"POIs", schemas.POIsFile, pois, false, c.readPOIs},
		{"categories of POIs", schemas.POIsFile, categories, true, c.readCategories},
		{"brands", schemas.POIsFile, brands, true, c.readBrands},
		{"schools", schemas.SchoolsFile, schools, true, c.readSchools},
		{"profiles", schemas.ProfilesFile, profiles, false, c.readProfiles},
		{"texts", schemas.ProfilesFile, textRows, true, c.readTexts},
		{"scores", schemas.AccessFile, scores, true, func(ctx context.Context, db *sql.DB) error { return found.readScores(ctx, db, spread) }},
		{"measures", schemas.AccessFile, nodes, false, func(ctx context.Context, db *sql.DB) error { return found.readMeasures(ctx, db, c) }},
		{"demographics", schemas.DemographicsFile, variables, false, found.readVariables},
	}
}

func (c *Comparison) readSchools(ctx context.Context, db *sql.DB) error {
	return db.QueryRowContext(ctx, schools).Scan(&c.Schools.Added, &c.Schools.Removed, &c.Schools.Kept)
}

func (c *Comparison) readProfiles(ctx context.Context, db *sql.DB) (err error) {
	c.Profiles, err = released.Collect(ctx, db, profiles, func(rows *sql.Rows, p *ProfileChange) error {
		return rows.Scan(&p.Level, &p.Added, &p.Removed, &p.Kept, &p.Rewritten)
	})
	return err
}

func (c *Comparison) readTexts(ctx context.Context, db *sql.DB) error {
	t := &c.Texts
	return db.QueryRowContext(ctx, textRows, released.TextsStep).Scan(&t.Older.Written, &t.Older.LeftOut, &t.Newer.Written, &t.Newer.LeftOut)
}

// sideOf describes a release by its manifest.
func sideOf(m *schemas.Manifest) Side {
	s := Side{Release: m.Release, AsOf: m.AsOf, Digest: m.Digest, Schema: m.Schema}
	values := map[string]string{}
	for _, p := range m.Parameters {
		values[p.Name] = p.Value
	}
	if version, digest := values["calibration_version"], values["calibration_sha256"]; len(digest) >= 8 {
		s.Calibration = fmt.Sprintf("%s (%s)", version, digest[:8])
	}
	return s
}

// readPart reads one part of the comparison. lacking is why it cannot be read: a file, table or column that one of the
// releases does not have.
func readPart(ctx context.Context, older, newer, file, query string, read func(context.Context, *sql.DB) error) (lacking, err error) {
	db, err := attach(older, newer, file)
	if errors.Is(err, fs.ErrNotExist) {
		return err, nil
	} else if err != nil {
		return nil, err
	}
	defer db.Close()
	statement, err := db.PrepareContext(ctx, query) // fails where a table or column is unknown, before any row is read
	if err != nil {
		return err, nil
	}
	statement.Close()
	return nil, read(ctx, db)
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
			_, err = os.Stat(filepath.Join(side.dir, file))
		}
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

func (c *Comparison) readPOIs(ctx context.Context, db *sql.DB) error {
	return db.QueryRowContext(ctx, pois).Scan(&c.POIs.Added, &c.POIs.Removed, &c.POIs.Kept)
}

func (c *Comparison) readCategories(ctx context.Context, db *sql.DB) (err error) {
	c.Categories, err = released.Collect(ctx, db, categories, func(rows *sql.Rows, p *POIChange) error {
		return rows.Scan(&p.Category, &p.Added, &p.Removed, &p.Kept)
	})
	return err
}

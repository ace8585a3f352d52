package explain

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quartier/build/released"
	"quartier/internal/pack"
	"quartier/internal/pack/geographies"
	"quartier/internal/pack/names"
	"quartier/schemas"
)

// ErrNoGeography is returned for an id or key of no geography of the release.
var ErrNoGeography = errors.New("no such geography")

// Geography is a geography of a release with the names that find it.
type Geography struct {
	GeogID     string        `json:"geog_id"`
	SourceKey  string        `json:"source_key"`
	Level      schemas.Level `json:"level"`
	NameEN     string        `json:"name_en"`
	NameFR     string        `json:"name_fr"`
	States     string        `json:"state_codes"`
	Population *int64        `json:"population"` // null: not known
	Region     string        `json:"region"`
	SourceID   string        `json:"source_id"` // of the outline and both names
	Further    []FurtherName `json:"further_names"`
	Match      *NameMatch    `json:"match,omitempty"` // of a look-up
}

// FurtherName is a row of geography_name.
type FurtherName struct {
	Name     string `json:"name"`
	Kind     string `json:"kind"`
	Language string `json:"language,omitempty"`
	Region   string `json:"region"`
	SourceID string `json:"source_id"`
}

// NameMatch says how a look-up found a geography.
type NameMatch struct {
	Name   string `json:"name"`   // that matches best; "" where only all names together do
	Which  string `json:"which"`  // name_en, name_fr or further
	How    string `json:"how"`    // equal …
	Errors int    `json:"errors"` // typing errors
}

// hows are the texts of classes of matches.
var hows = [...]string{
	names.Exact: "equal", names.Alike: "equal but for articles, generic words or equal words", names.Prefix: "begins with the query",
	names.Words: "every word of the query begins one of its words", names.Fuzzy: "typing errors",
}

// LookUp explains what a look-up by name finds, as the server answers it: the geographies, best first, with the name by
// which each is found.
func LookUp(ctx context.Context, dir string, q names.Query) ([]Geography, error) {
	if _, err := schemas.ReadManifest(dir); err != nil {
		return nil, err
	}
	file, err := pack.Open(filepath.Join(dir, schemas.GeographiesPack))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	table, err := geographies.Open(file)
	if err != nil {
		return nil, err
	}
	index, err := names.Open(file)
	if err != nil {
		return nil, err
	}
	db, err := released.Open(filepath.Join(dir, schemas.GeographiesFile))
	if err != nil {
		return nil, err
	}
	defer db.Close()
	var result names.Result
	index.Search(&q, &result)
	list := []Geography{}
	for _, match := range result.Matches {
		g, err := readGeography(ctx, db, table.ID(match.Index))
		if err != nil {
			return nil, err
		}
		if g.Match, err = matchedName(q, g); err != nil {
			return nil, err
		}
		g.Match.How, g.Match.Errors = hows[match.Class], 0
		if match.Class == names.Fuzzy {
			g.Match.Errors = match.Errors
		}
		list = append(list, *g)
	}
	return list, nil
}

// Named returns the geography with a geog_id or source_key, of a release of any layout.
func Named(ctx context.Context, dir, key string) (*Geography, error) {
	if _, err := schemas.ReadHead(dir); err != nil {
		return nil, err
	}
	db, err := released.Open(filepath.Join(dir, schemas.GeographiesFile))
	if err != nil {
		return nil, err
	}
	defer db.Close()
	g, err := readGeography(ctx, db, key)
	if !errors.Is(err, ErrNoGeography) {
		return g, err
	}
	var successor, since string
	row := db.QueryRowContext(ctx, "SELECT coalesce(replaced_by, 'none'), superseded_in FROM geography_superseded WHERE geog_id = ?", key)
	if row.Scan(&successor, &since) == nil {
		return nil, fmt.Errorf("%w: %s was superseded in release %s; its successor: %s", ErrNoGeography, key, since, successor)
	}
	return nil, err
}

func readGeography(ctx context.Context, db *sql.DB, key string) (*Geography, error) {
	g := &Geography{Further: []FurtherName{}}
	var population sql.NullInt64
	err := db.QueryRowContext(ctx, `SELECT geog_id, source_key, level, name_en, name_fr, state_codes, population, region, source_id
		FROM geography WHERE geog_id = ?1 OR source_key = ?1`, key).
		Scan(&g.GeogID, &g.SourceKey, &g.Level, &g.NameEN, &g.NameFR, &g.States, &population, &g.Region, &g.SourceID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("%w: %s", ErrNoGeography, key)
	} else if err != nil {
		return nil, fmt.Errorf("read geography %s: %w", key, err)
	}
	if population.Valid {
		g.Population = &population.Int64
	}
	if present, err := released.Columns(ctx, db, "main", "geography_name"); err != nil || len(present) == 0 {
		return g, err // a release of a layout without further names
	}
	const further = "SELECT name, kind, coalesce(language, ''), region, source_id FROM geography_name WHERE geog_id = ? ORDER BY kind, name"
	err = released.Each(ctx, db, further, []any{g.GeogID}, func(rows *sql.Rows) error {
		var n FurtherName
		err := rows.Scan(&n.Name, &n.Kind, &n.Language, &n.Region, &n.SourceID)
		g.Further = append(g.Further, n)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read names of %s: %w", key, err)
	}
	return g, nil
}

// matchedName finds the name of a geography that matches a query best, by a search among its names alone. What the query has
// after the name, such as a state, is left out word by word.
func matchedName(q names.Query, g *Geography) (*NameMatch, error) {
	which := []NameMatch{{Name: g.NameEN, Which: "name_en"}, {Name: g.NameFR, Which: "name_fr"}}
	if q.Language == "fr" {
		slices.Reverse(which)
	}
	for _, n := range g.Further {
		which = append(which, NameMatch{Name: n.Name, Which: "further"})
	}
	folder, err := os.MkdirTemp("", "quartier-names-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	index, file, err := indexOf(filepath.Join(folder, "names.pack"), which, g.Level)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var result names.Result
	for words := strings.Fields(q.Name); len(words) > 0; words = words[:len(words)-1] {
		index.Search(&names.Query{Name: strings.TrimRight(strings.Join(words, " "), ",;"), Limit: 1}, &result)
		if len(result.Matches) > 0 {
			return &which[result.Matches[0].Index], nil
		}
	}
	return &NameMatch{}, nil
}

// indexOf writes and opens an index in which every name is an entry of its own, the first ones before others of the same rank.
func indexOf(path string, list []NameMatch, level schemas.Level) (*names.Index, *pack.File, error) {
	out, err := pack.Create(path)
	if err != nil {
		return nil, nil, err
	}
	var writer names.Writer
	for i, n := range list {
		err = errors.Join(err, writer.Add(&names.Entry{Index: uint32(i), ID: fmt.Sprintf("%05d", i), Level: level,
			Name: schemas.Text{EN: n.Name, FR: n.Name}}))
	}
	if err = errors.Join(err, writer.Finish(out)); err != nil {
		out.Abort()
		return nil, nil, err
	}
	if err := out.Close(); err != nil {
		return nil, nil, err
	}
	file, err := pack.Open(path)
	if err != nil {
		return nil, nil, err
	}
	index, err := names.Open(file)
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return index, file, nil
}

// Package lend gives a region the streets, places and stops of its neighbours up to a margin beyond the extents of its own
// sources, so that a value near a common border is that of one region of both (docs/methods.md, 0.2). Input: staged files
// of regions. Output: a staged file of the lent rows, whose sources are named by staged.LentID.
package lend

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/clip"
	"github.com/paulmach/orb/encoding/wkb"

	"quartier/internal/duck"
	_ "quartier/internal/duck/driver"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/staged"
	"quartier/transform/network/edges"
)

// Neighbour is another region of the release.
type Neighbour struct {
	Name   string
	Staged string                      // path
	Bounds string                      // path of its staged.Bounds; "": not known
	Fetch  func(context.Context) error // makes the file Staged, of which only what may lend something is opened; nil: it is there
}

// databaseMemory is what the database keeps in memory at most.
const databaseMemory = "512MB"

// Region writes a new file at path with what the neighbours lend to the region staged at own. Of a row that both have, by
// its key, nothing is lent; nor is what another publisher has where the region's own sources have all that there is.
func Region(ctx context.Context, own string, neighbours []Neighbour, path string) error {
	return inParts(ctx, own, neighbours, path, rowsAtOnce)
}

// inParts is Region with a number of rows that are compared and copied at once.
func inParts(ctx context.Context, own string, neighbours []Neighbour, path string, atOnce int64) (err error) {
	db, err := duck.Create(path, schemas.Staged+"CREATE TABLE kept (id BIGINT NOT NULL);")
	if err != nil {
		return fmt.Errorf("lend: %w", err)
	}
	defer func() {
		if _, derr := db.ExecContext(ctx, "DROP TABLE kept"); err == nil && derr != nil {
			err = fmt.Errorf("lend: %w", derr)
		}
		if cerr := db.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			os.Remove(path)
		}
	}()
	if err := db.Limit(ctx, databaseMemory, path+".tmp"); err != nil {
		return fmt.Errorf("lend: %w", err)
	}
	l := &lender{db: db, path: own, atOnce: atOnce, marginM: calibration.Standard().Coverage.MarginM}
	if err := l.readOwn(ctx, own); err != nil {
		return fmt.Errorf("lend: %w", err)
	}
	if err := db.Attach(ctx, own, "own_file"); err != nil {
		return fmt.Errorf("lend: %w", err)
	}
	for i, n := range neighbours {
		may, err := l.mayLend(n)
		if err == nil && may && n.Fetch != nil {
			err = n.Fetch(ctx)
		}
		if err != nil {
			return fmt.Errorf("lend from region %s: %w", n.Name, err)
		}
		if !may {
			continue
		}
		if err := l.borrow(ctx, i, n); err != nil {
			return fmt.Errorf("lend from region %s: %w", n.Name, err)
		}
		if err := l.borrowJobs(ctx, i, n); err != nil {
			return fmt.Errorf("lend jobs from region %s: %w", n.Name, err)
		}
	}
	return nil
}

// lentPriority is what is added to the priorities of the sources of a neighbour, which come after the region's own.
func lentPriority(neighbour int) int { return 1000 * (neighbour + 1) }

// lender copies rows of one neighbour after the other.
type lender struct {
	db      *duck.DB
	marginM float64
	path    string // of the region
	atOnce  int64  // rows
	own     *edges.Extents
	ownJobs map[job]bool // nil: not read yet
	box     orb.Bound    // of all extents, with the margin
}

func (l *lender) readOwn(ctx context.Context, path string) error {
	db, err := duck.Open(path)
	if err != nil {
		return err
	}
	defer db.Close()
	if l.own, err = edges.Read(ctx, db, &calibration.Standard().Coverage.Hull); err != nil {
		return err
	}
	first := true
	for _, e := range l.own.All() {
		b := e.Outline.Bound()
		b = geo.CircleBound(b.Min, l.marginM).Union(geo.CircleBound(b.Max, l.marginM))
		if first {
			l.box, first = b, false
		}
		l.box = l.box.Union(b)
	}
	return nil
}

// borrow copies the rows of a neighbour.
func (l *lender) borrow(ctx context.Context, number int, n Neighbour) error {
	if len(l.own.All()) == 0 {
		return nil
	}
	extents, err := l.extentsOf(ctx, n)
	if err != nil || extents == nil {
		return err
	}
	if err := l.db.Attach(ctx, n.Staged, "neighbour_file"); err != nil {
		return err
	}
	for _, t := range tables {
		if err := l.copy(ctx, t, n.Name); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	if err := l.copySources(ctx, number, n.Name, extents); err != nil {
		return err
	}
	_, err = l.db.ExecContext(ctx, "DETACH neighbour_file")
	return err
}

// extentsOf are the extents of a neighbour's sources; nil if it is too far away.
func (l *lender) extentsOf(ctx context.Context, n Neighbour) (*edges.Extents, error) {
	db, err := duck.Open(n.Staged)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	near := false
	for row, err := range sqlrow.Select[staged.Coverage](ctx, db, "SELECT * FROM coverage") {
		if err != nil {
			return nil, err
		}
		g, err := wkb.Unmarshal(row.Geom)
		if err != nil {
			return nil, err
		}
		near = near || g.Bound().Intersects(l.box)
	}
	if !near {
		return nil, nil
	}
	return edges.Read(ctx, db, &calibration.Standard().Coverage.Hull)
}

// copySources copies the sources of lent rows, which of them list lines, and their extents as far as something of them is lent. They
// come after the region's own, whose rows of the same key count.
func (l *lender) copySources(ctx context.Context, number int, region string, extents *edges.Extents) error {
	var used []string
	for _, table := range names() {
		used = append(used, "SELECT source_id FROM "+table)
	}
	prefix := "'" + region + "/'" // the name of a region has no quotes
	_, err := l.db.ExecContext(ctx, fmt.Sprintf(`INSERT INTO source SELECT * REPLACE (%[1]s || source_id AS source_id, %[2]d + priority AS priority)
		FROM neighbour_file.source WHERE %[1]s || source_id IN (%[3]s)`, prefix, lentPriority(number), strings.Join(used, " UNION ALL ")))
	if err != nil {
		return fmt.Errorf("sources: %w", err)
	}
	_, err = l.db.ExecContext(ctx, fmt.Sprintf(`INSERT INTO line_list SELECT * REPLACE (%[1]s || source_id AS source_id)
		FROM neighbour_file.line_list WHERE %[1]s || source_id IN (SELECT source_id FROM stop)`, prefix))
	if err != nil {
		return fmt.Errorf("lists of lines: %w", err)
	}
	_, err = l.db.ExecContext(ctx, fmt.Sprintf(`INSERT INTO declared_class SELECT * REPLACE (%[1]s || source_id AS source_id)
		FROM neighbour_file.declared_class WHERE class IN ('%[2]s') AND %[1]s || source_id IN (SELECT source_id FROM source)`,
		prefix, strings.Join(schemas.HeardClasses, "', '")))
	if err != nil {
		return fmt.Errorf("declared classes: %w", err)
	}
	var rows []staged.Extent
	for id, e := range extents.All() {
		part := clip.MultiPolygon(l.box, e.Outline.Clone())
		if len(part) == 0 {
			continue
		}
		geom, err := geo.WKB(part)
		if err != nil {
			return err
		}
		rows = append(rows, staged.Extent{SourceID: staged.LentID(region, id), Basis: staged.ExtentDeclared, Geom: geom})
	}
	return sqlrow.Insert(ctx, l.db, "extent", rows...)
}

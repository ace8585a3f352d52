package compare

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/schemas"
)

//go:embed sql/moves.sql
var moves string

// Move is the change of a score of a geography that is current in both releases.
type Move struct {
	Score        string
	Level        schemas.Level
	GeogID, Name string  // English name in the newer release
	Older, Newer float64 // points of the scale 0–5
	Bound        orb.Bound

	// Set by Explain.
	OfPlaces bool          // the score is made of places of certain classes
	Places   []PlaceChange // of these classes, near the geography
}

// Moves are changes of scores, in the order of the API specification, then the largest first.
type Moves []Move

// MostMoved returns, for every score, the geographies whose score differs the most between the two releases, which are in two
// folders, at most the given number.
func (c *Comparison) MostMoved(ctx context.Context, older, newer string, most int) (Moves, error) {
	db, err := attach(older, newer, schemas.AccessFile)
	if err != nil {
		return nil, fmt.Errorf("compare scores: %w", err)
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, "CREATE TEMP TABLE least (score TEXT PRIMARY KEY, difference INTEGER NOT NULL) WITHOUT ROWID")
	for i := range c.Scores {
		if s := &c.Scores[i]; err == nil {
			_, err = db.ExecContext(ctx, "INSERT INTO least VALUES (?, ?)", s.Score, s.least(most))
		}
	}
	if err != nil {
		return nil, fmt.Errorf("compare scores: %w", err)
	}
	var all Moves
	err = released.Each(ctx, db, moves, []any{most}, func(rows *sql.Rows) error {
		var m Move
		err := rows.Scan(&m.Score, &m.Level, &m.GeogID, &m.Name, &m.Older, &m.Newer, &m.Bound.Min[0], &m.Bound.Min[1], &m.Bound.Max[0],
			&m.Bound.Max[1])
		m.Older /= schemas.UnitValue
		m.Newer /= schemas.UnitValue
		all = append(all, m)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("compare scores: %w", err)
	}
	slices.SortStableFunc(all, func(a, b Move) int {
		return cmp.Compare(place(FigureChange{Figure: a.Score}), place(FigureChange{Figure: b.Score}))
	})
	return all, nil
}

// String formats the moves as a table for a terminal.
func (all Moves) String() string {
	if len(all) == 0 {
		return "no score of a geography in both moved\n"
	}
	var out strings.Builder
	out.WriteString("geographies whose scores moved the most, in points of 0–5\n")
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "score\tlevel\tolder\tnewer\tdifference\tgeography")
	for _, m := range all {
		fmt.Fprintf(w, "%s\t%d\t%.2f\t%.2f\t%s\t%s (%s)\n", m.Score, m.Level, m.Older, m.Newer, signed(m.Newer-m.Older, Scores), m.Name, m.GeogID)
	}
	w.Flush()
	return out.String()
}

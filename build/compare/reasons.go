package compare

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/internal/rating"
	"quartier/schemas"
	"quartier/schemas/calibration"
)

//go:embed sql/moved_destinations.sql
var movedDestinations string

// nearMetres is how far around the bounding box of a geography places that came and went are looked for.
const nearMetres = 1000

// mostNamed is the number of places that a reason names.
const mostNamed = 3

// PlaceChange is the places of a class that came and went near a geography.
type PlaceChange struct {
	Class      string
	Came, Went int64
	Names      []string // of some, the ones that came first: "+ Bean", "− Ritz"
}

// destination is a place that only one of the releases has.
type destination struct {
	came     bool
	class    string
	name     string
	position orb.Point
}

// Explain adds to each move the places of the kinds that the score is made of that came and went within a kilometre of the
// geography's bounding box. Scores that are not made of places get none.
func (all Moves) Explain(ctx context.Context, older, newer string) error {
	db, err := attach(older, newer, schemas.AccessFile)
	if err != nil {
		return fmt.Errorf("compare destinations: %w", err)
	}
	defer db.Close()
	// The keys get an index, which destination has not.
	for _, side := range []string{"older", "newer"} {
		if _, err := db.ExecContext(ctx, `CREATE TEMP TABLE `+side+`_key AS SELECT class, place_key, geometry FROM `+side+
			`.destination`); err != nil {
			return fmt.Errorf("compare destinations: %w", err)
		}
		if _, err := db.ExecContext(ctx, `CREATE INDEX temp.`+side+`_key_index ON `+side+`_key (class, place_key)`); err != nil {
			return fmt.Errorf("compare destinations: %w", err)
		}
	}
	moved, err := released.Collect(ctx, db, movedDestinations, func(rows *sql.Rows, d *destination) error {
		var by int
		var key string
		var blob []byte
		err := rows.Scan(&by, &d.class, &key, &d.name, &blob)
		if err == nil {
			d.position, err = released.ReadPoint(blob)
		}
		if d.name == "" {
			d.name = key
		}
		d.came = by > 0
		return err
	})
	if err != nil {
		return fmt.Errorf("compare destinations: %w", err)
	}
	for i := range all {
		all[i].explain(moved)
	}
	return nil
}

func (m *Move) explain(moved []destination) {
	classes := rating.ClassesOf(m.Score, calibration.Standard())
	m.OfPlaces = len(classes) > 0 && !slices.Contains(schemas.HeardClasses, classes[0])
	north := nearMetres / 111_200.0 // degrees
	near := orb.Bound{Min: m.Bound.Min, Max: m.Bound.Max}
	near.Min[1] -= north
	near.Max[1] += north
	east := north / max(math.Cos(near.Max[1]*math.Pi/180), 0.01)
	near.Min[0] -= east
	near.Max[0] += east
	byClass := map[string]*PlaceChange{}
	for _, d := range moved {
		if !near.Contains(d.position) || !slices.Contains(classes, d.class) {
			continue
		}
		c := byClass[d.class]
		if c == nil {
			c = &PlaceChange{Class: d.class}
			byClass[d.class] = c
		}
		sign := "− "
		if d.came {
			c.Came++
			sign = "+ "
		} else {
			c.Went++
		}
		if len(c.Names) < mostNamed {
			c.Names = append(c.Names, sign+d.name)
		}
	}
	for _, class := range classes {
		if c := byClass[class]; c != nil {
			m.Places = append(m.Places, *c)
			delete(byClass, class)
		}
	}
}

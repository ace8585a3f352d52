package build

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"sort"

	"quartier/internal/geo"
	"quartier/internal/pack/smallareas"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/demographics"
)

// census describes the geographies of levels 10 to 40 in turn: by id, which begins with the level.
type census struct {
	*draft
	constants *calibration.Demographics
	turns     []int              // places by turn
	incomes   map[string]dollars // median household income of metros by source key
	hulls     []*geo.Prepared    // of the regions' small areas
	jammed    int                // geographies whose homes are only known to be worth so much or more
	beyond    map[schemas.Level]int

	// Of the turns under way, from the first.
	first     int
	published [][]Published
	homes     [][]homeYear
	strays    []bool // they have small areas in too little of them

	insertVariable, insertVintage *sql.Stmt
}

// describePeople writes the variables of the geographies: of the current ones those of their people, of the superseded
// ones those of the previous release. Metros come first, as the index of others takes their incomes.
func (d *draft) describePeople(ctx context.Context, tx *sql.Tx, areas *smallareas.Table, hulls []*geo.Prepared) (err error) {
	c := &census{
		draft: d, constants: &calibration.Standard().Demographics, incomes: map[string]dollars{}, hulls: hulls, beyond: map[schemas.Level]int{},
	}
	if err := c.takeTurns(ctx); err != nil {
		return fmt.Errorf("order published figures: %w", err)
	}
	if c.insertVariable, err = tx.Prepare("INSERT INTO geography_variable VALUES (?, ?, ?, ?, ?, ?)"); err != nil {
		return err
	}
	defer c.insertVariable.Close()
	if c.insertVintage, err = tx.Prepare("INSERT INTO geography_vintage VALUES (?, ?)"); err != nil {
		return err
	}
	defer c.insertVintage.Close()
	metros := sort.Search(len(c.turns), func(i int) bool { return c.place(i).Level >= schemas.Metro })
	for _, span := range [][2]int{{metros, len(c.turns)}, {0, metros}} {
		for first := span[0]; first < span[1]; first += described {
			end := min(first+described, span[1])
			if err := c.readPublished(ctx, first, end); err != nil {
				return fmt.Errorf("read published figures: %w", err)
			}
			if err := describe(ctx, areas, first, end, c.outlined, c.tell); err != nil {
				return fmt.Errorf("describe geographies: %w", err)
			}
		}
	}
	if c.jammed > 0 {
		d.note("geographies whose homes are told to be worth %.0f dollars, which stands for that or more, in their affordability index: %d",
			c.constants.JamHomeValue, c.jammed)
	}
	if levels := byLevel(c.beyond); levels != "" {
		d.note("geographies that lie in part beyond the small areas of the release, of which only what is published for them is told: %s", levels)
	}
	return d.carryPeople(ctx, tx)
}

// place is the geography whose turn it is.
func (c *census) place(turn int) *place { return &c.places[c.turns[turn]] }

// takeTurns numbers the geographies and puts what is published for them in that order.
func (c *census) takeTurns(ctx context.Context) error {
	for i := range c.places {
		if c.places[i].Level <= schemas.Metro {
			c.turns = append(c.turns, i)
		}
	}
	slices.SortFunc(c.turns, func(a, b int) int {
		return cmp.Or(cmp.Compare(c.places[a].Level, c.places[b].Level), cmp.Compare(c.ids.Editions[a].ID, c.ids.Editions[b].ID))
	})
	rows, err := c.Append(ctx, "turn")
	if err != nil {
		return err
	}
	for turn := range c.turns {
		if err := rows.Row(int32(turn), c.place(turn).Key); err != nil {
			return err
		}
	}
	if err := rows.Close(); err != nil {
		return err
	}
	return c.exec(ctx, query("published"))
}

// readPublished reads what is published for the geographies from first to before end.
func (c *census) readPublished(ctx context.Context, first, end int) error {
	c.first, c.published, c.homes, c.strays = first, make([][]Published, end-first), make([][]homeYear, end-first), make([]bool, end-first)
	const figures = "SELECT turn, cell, estimate, moe, vintage FROM published WHERE turn >= ? AND turn < ? ORDER BY turn, cell"
	err := c.each(ctx, figures, first, end, func(rows *sql.Rows) error {
		var turn int
		var id string
		var f Published
		var estimate float64
		var moe sql.NullFloat64
		err := rows.Scan(&turn, &id, &estimate, &moe, &f.Vintage)
		if err != nil {
			return err
		}
		if f.Cell, err = checkFigure(id, estimate, moe); err == nil && f.Vintage == "" {
			err = fmt.Errorf("%s is of no vintage", id)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", c.place(turn).Key, err)
		}
		f.Figure = figure(estimate, moe)
		c.published[turn-first] = append(c.published[turn-first], f)
		return nil
	})
	if err != nil {
		return err
	}
	const homes = "SELECT turn, year, dollars FROM home_worth WHERE turn >= ? AND turn < ? ORDER BY turn, year"
	return c.each(ctx, homes, first, end, func(rows *sql.Rows) error {
		var turn int
		var h homeYear
		if err := rows.Scan(&turn, &h.year, &h.dollars); err != nil {
			return err
		}
		if !(h.dollars > 0 && h.dollars <= mostFigure) {
			return fmt.Errorf("%s: homes are worth %v dollars", c.place(turn).Key, h.dollars)
		}
		c.homes[turn-first] = append(c.homes[turn-first], h)
		return nil
	})
}

func (c *census) each(ctx context.Context, query string, first, end int, visit func(*sql.Rows) error) error {
	rows, err := c.conn.QueryContext(ctx, query, first, end)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := visit(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// outlined is the geography whose turn it is, with its outline. Several may ask at once.
func (c *census) outlined(turn int) (Outlined, error) {
	place := c.place(turn)
	outline, err := c.outlines.outline(c.turns[turn] + 1)
	if err != nil {
		return Outlined{}, fmt.Errorf("geography %s: %w", place.Key, err)
	}
	g := Outlined{Country: place.Country, Outline: outline, Published: c.published[turn-c.first]}
	stands, stray := c.standsOn(place, outline)
	g.Alone, c.strays[turn-c.first] = !stands, stray
	g.Worth = c.metro(turn) != "" && c.toldWorth(turn, 0).year == 0
	return g, nil
}

// metro is the source key of the metro around a geography, the metro itself included; ” where there is none.
func (c *census) metro(turn int) string {
	if place := c.place(turn); place.Level != schemas.Metro {
		return place.Holder[metroLink]
	}
	return c.place(turn).Key
}

// variables are those of geographies in the order of their values.
var variables = demographics.Flat(demographics.ByGeography)

// tell writes what is known of the people of a geography.
func (c *census) tell(turn int, d *Description) error {
	if c.strays[turn-c.first] {
		c.beyond[c.place(turn).Level]++
	}
	if d.Values == nil {
		return nil
	}
	if place := c.place(turn); place.Level == schemas.Metro {
		c.incomes[place.Key] = c.income(turn, d)
	}
	d.Values[indexPlace] = c.index(turn, d)
	id := c.ids.Editions[c.turns[turn]].ID
	for i, at := range variables {
		v := d.Values[i]
		if !v.Present {
			continue
		}
		var lower, upper any
		if v.Interval {
			lower, upper = v.Lower, v.Upper
		}
		category := &demographics.ByGeography[at.Category]
		if _, err := c.insertVariable.Exec(id, category.ID, category.Variables[at.Variable].ID, v.Value, lower, upper); err != nil {
			return fmt.Errorf("write people of geography %s: %w", id, err)
		}
	}
	if _, err := c.insertVintage.Exec(id, c.vintage(turn, d)); err != nil {
		return fmt.Errorf("write vintage of geography %s: %w", id, err)
	}
	return nil
}

// vintage is when the figures of a geography are of, those published for it and those of small areas.
func (c *census) vintage(turn int, d *Description) string {
	var all []string
	for _, f := range c.published[turn-c.first] {
		if !slices.Contains(all, f.Vintage) {
			all = append(all, f.Vintage)
		}
	}
	if d.Summed {
		all = append(all, c.vintageOfAreas(turn))
	}
	return joinVintages(all)
}

// vintageOfAreas is when the figures of the small areas around a geography are of: those of the regions that tell it,
// else those of all regions in its country.
func (c *census) vintageOfAreas(turn int) string {
	place := c.place(turn)
	var near, all []string
	for _, v := range c.vintages {
		if v.country != place.Country {
			continue
		}
		all = append(all, v.vintage)
		if slices.Contains(place.Regions, v.region) {
			near = append(near, v.vintage)
		}
	}
	if near != nil {
		return joinVintages(near)
	}
	return joinVintages(all)
}

// carryPeople copies the variables of superseded geographies from the previous release.
func (d *draft) carryPeople(ctx context.Context, tx *sql.Tx) error {
	if d.previous == nil {
		return nil
	}
	for _, table := range []string{"geography_variable", "geography_vintage"} {
		carry, err := tx.Prepare(fmt.Sprintf("INSERT INTO %s SELECT * FROM previous.%[1]s WHERE geog_id = ?", table))
		if err != nil {
			return err
		}
		defer carry.Close()
		for _, t := range d.ids.Superseded {
			if err := ctx.Err(); err != nil {
				return err
			}
			if _, err := carry.Exec(t.ID); err != nil {
				return fmt.Errorf("carry people of geography %s: %w", t.ID, err)
			}
		}
	}
	return nil
}

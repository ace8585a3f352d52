package compare

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"

	"quartier/build/released"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/column"
)

var (
	//go:embed sql/scores.sql
	scores string
	//go:embed sql/variables.sql
	variables string
)

// Figures is what a group of figures says and how its differences are measured.
type Figures int

// The groups, in the order of reports.
const (
	Scores    Figures = iota // of geographies: points of the scale 0–5
	Measures                 // at street nodes: points of the scale 0–5
	Shares                   // variables of demographics that are shares: percentage points
	Variables                // the other ones: percent of the older value
)

// moved is the difference from which a figure counts as moved, in the unit of its group.
var moved = [...]float64{Scores: 0.2, Measures: 0.2, Shares: 1, Variables: 1}

// Quantiles are the shares of FigureChange.Quantiles.
var Quantiles = [...]float64{0.05, 0.25, 0.5, 0.75, 0.95}

// FigureChange is the difference of one figure, newer minus older, over the geographies of a level that are current in
// both releases, or over street nodes.
type FigureChange struct {
	Group        Figures
	Level        schemas.Level // 0: street nodes
	Figure       string        // a score or measure, or category/variable
	Known        int64         // in both releases
	Moved        int64         // of these, those that differ by 0.2 points, one percentage point or 1 %
	Gained, Lost int64         // only in the newer; only in the older release

	// Quantiles are the differences that the shares of Known do not exceed, the lower of two: the first of three for the
	// median of four. Infinite where the older value was 0 and the newer one is not; 0 where Known is 0.
	Quantiles [len(Quantiles)]float64
}

// Changed reports whether there is more to say of the figure than that it did not change in nine of ten cases.
func (f *FigureChange) Changed() bool {
	return f.Moved > 0 || f.Gained > 0 || f.Lost > 0 || f.Quantiles != [len(Quantiles)]float64{}
}

// figureKey identifies a figure.
type figureKey struct {
	group Figures
	level schemas.Level
	name  string
}

// figures collects the differences of figures.
type figures map[figureKey]*differences

type differences struct {
	change FigureChange
	values []float64
}

func (all figures) add(key figureKey, older, newer sql.NullFloat64) {
	d := all[key]
	if d == nil {
		d = &differences{change: FigureChange{Group: key.group, Level: key.level, Figure: key.name}}
		all[key] = d
	}
	switch {
	case older.Valid && newer.Valid:
		d.values = append(d.values, difference(key.group, older.Float64, newer.Float64))
	case newer.Valid:
		d.change.Gained++
	case older.Valid:
		d.change.Lost++
	}
}

// difference is that of two values in the unit of their group.
func difference(group Figures, older, newer float64) float64 {
	switch {
	case newer == older:
		return 0
	case group == Shares:
		return 100 * (newer - older)
	case group == Variables:
		return 100 * (newer - older) / older
	}
	return (newer - older) / schemas.UnitValue
}

// list returns the changes by group, level and the order of the API specification.
func (all figures) list() []FigureChange {
	var list []FigureChange
	for _, d := range all {
		c := d.change
		c.Known = int64(len(d.values))
		slices.Sort(d.values)
		for i, share := range Quantiles {
			if c.Known > 0 {
				c.Quantiles[i] = d.values[int(share*float64(c.Known-1))]
			}
		}
		for _, v := range d.values {
			if math.Abs(v) >= moved[c.Group]-1e-9 {
				c.Moved++
			}
		}
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b FigureChange) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Level, b.Level), cmp.Compare(place(a), place(b)),
			cmp.Compare(a.Figure, b.Figure))
	})
	return list
}

// place is the position of a figure within its group.
func place(f FigureChange) int {
	if f.Group <= Measures {
		c, _ := schemas.ChannelOf(f.Figure)
		return int(c)
	}
	return variablePlaces[f.Figure].place
}

// variablePlace is where a variable stands.
type variablePlace struct {
	group Figures
	place int
}

// variablePlaces are the variables by category/variable, as the catalogue of columns has them.
var variablePlaces = func() map[string]variablePlace {
	all := map[string]variablePlace{}
	for i, m := range column.Members("{geography}") {
		group := Variables
		if column.Of("demographics."+m.Name).Unit == column.Share {
			group = Shares
		}
		all[strings.Replace(m.Key, ".", "/", 1)] = variablePlace{group, i}
	}
	return all
}()

// readFigures adds the rows of one of the queries above, to spread too if it is not nil. groupOf returns the group of a figure.
func (all figures) readFigures(ctx context.Context, db *sql.DB, query string, groupOf func(name string) Figures, spread *tally) error {
	return released.Each(ctx, db, query, nil, sqlrow.Visit4(func(level schemas.Level, name string, older, newer sql.NullFloat64) error {
		if spread != nil {
			spread.add(name, older, newer)
		}
		all.add(figureKey{groupOf(name), level, name}, older, newer)
		return nil
	}))
}

func (all figures) readScores(ctx context.Context, db *sql.DB, spread *tally) error {
	return all.readFigures(ctx, db, scores, func(string) Figures { return Scores }, spread)
}

func (all figures) readVariables(ctx context.Context, db *sql.DB) error {
	return all.readFigures(ctx, db, variables, func(name string) Figures {
		if at, known := variablePlaces[name]; known {
			return at.group
		}
		return Variables
	}, nil)
}

// mostNodes is the number of street nodes whose measures are compared. Larger networks are sampled evenly.
const mostNodes = 50_000

// nodes fails where a release has no street nodes that readMeasures can read.
const nodes = `SELECT o.fid, o.region, o.geometry, n.fid, n.region, n.geometry FROM older.street_node AS o JOIN newer.street_node AS n`

// readMeasures adds the measures at nodes that both releases have in the same region at the same coordinates, if there are
// not several, one over the other. It notes measures that only one of the releases has.
func (all figures) readMeasures(ctx context.Context, db *sql.DB, c *Comparison) error {
	var columns [2][]string
	for i, side := range []string{"older", "newer"} {
		names, err := released.Values[string](ctx, db, "SELECT name FROM pragma_table_info('street_node', '"+side+"')")
		if err != nil {
			return err
		}
		columns[i] = slices.DeleteFunc(names, func(name string) bool {
			c, known := schemas.ChannelOf(name)
			return !known || c >= schemas.FirstScore
		})
	}
	c.Notes = append(c.Notes, onlyIn("older", columns[0], columns[1])...)
	c.Notes = append(c.Notes, onlyIn("newer", columns[1], columns[0])...)
	names := slices.DeleteFunc(columns[0], func(name string) bool { return !slices.Contains(columns[1], name) })
	if len(names) == 0 {
		return nil
	}
	values := make([]sql.NullFloat64, 2*len(names))
	into := make([]any, len(values))
	for i := range values {
		into[i] = &values[i]
	}
	// The sample is the inner table of the join, which SQLite indexes for it, rather than all nodes of the older release.
	query := fmt.Sprintf(`WITH sample AS MATERIALIZED (SELECT region, geometry, %[1]s FROM newer.street_node
			WHERE fid %% (SELECT 1 + count(*) / %[4]d FROM newer.street_node) = 0)
		SELECT o.%[2]s, n.%[3]s FROM older.street_node AS o CROSS JOIN sample AS n USING (region, geometry)
		GROUP BY region, geometry HAVING count(*) = 1`,
		strings.Join(names, ", "), strings.Join(names, ", o."), strings.Join(names, ", n."), mostNodes)
	return released.Each(ctx, db, query, nil, func(rows *sql.Rows) error {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for i, name := range names {
			all.add(figureKey{Measures, 0, name}, values[i], values[len(names)+i])
		}
		return nil
	})
}

// onlyIn is a note of the measures that only one side has; empty where there are none.
func onlyIn(side string, measures, others []string) []string {
	var only []string
	for _, name := range measures {
		if !slices.Contains(others, name) {
			only = append(only, name)
		}
	}
	if only == nil {
		return nil
	}
	return []string{fmt.Sprintf("measures that only the %s release has are not compared: %s", side, strings.Join(only, ", "))}
}

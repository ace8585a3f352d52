package estimates

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"quartier/internal/areal"
	"quartier/internal/demography"
	"quartier/internal/pack/smallareas"
	"quartier/schemas/demographics"
)

// CategoryVintage is the vintage of the figures of a category; several are joined by ", ".
type CategoryVintage struct{ Category, Vintage string }

// tableVintages are vintages by index in demographics.Tables.
type tableVintages map[int][]string

// add adds the vintages of a list to those of a table.
func (t tableVintages) add(table int, list string) {
	for _, v := range strings.Split(list, ", ") {
		if v != "" && !slices.Contains(t[table], v) {
			t[table] = append(t[table], v)
		}
	}
}

// areaVintages are the vintages of the tables of small areas. Few combinations of them differ.
type areaVintages struct {
	of           []int // of an area: index in combinations
	combinations []tableVintages
}

// readAreaVintages reads the vintages of the small areas.
func (c *computation) readAreaVintages(ctx context.Context) error {
	known := map[string]int{}
	for text, err := range c.Assembly.AreaVintages(ctx) {
		if err != nil {
			return fmt.Errorf("read vintages of small areas: %w", err)
		}
		number, ok := known[text]
		if !ok {
			number = len(known)
			known[text] = number
			c.vintages.combinations = append(c.vintages.combinations, parseVintages(text))
		}
		c.vintages.of = append(c.vintages.of, number)
	}
	if len(c.vintages.of) != c.Areas.Areas() {
		return fmt.Errorf("%d small areas have vintages, not %d", len(c.vintages.of), c.Areas.Areas())
	}
	return nil
}

// parseVintages parses "age=2014-2018;population=2020".
func parseVintages(text string) tableVintages {
	all := tableVintages{}
	for _, entry := range strings.Split(text, ";") {
		if id, list, ok := strings.Cut(entry, "="); ok {
			if table, known := demographics.TableOf(id); known {
				all.add(table, list)
			}
		}
	}
	return all
}

// within are the vintages of the small areas in a shape.
func (v *areaVintages) within(areas *smallareas.Table, shape *areal.Shape, scope smallareas.Scope) (tableVintages, error) {
	seen := map[int]bool{}
	err := areas.Each(shape, scope, func(area int, _ [demographics.Universes]float64) error {
		seen[v.of[area]] = true
		return nil
	})
	all := tableVintages{}
	for number := range seen {
		for table, list := range v.combinations[number] {
			all.add(table, strings.Join(list, ", "))
		}
	}
	return all, err
}

// tablesUsed are the tables that a variable is computed from where the cells have figures.
func tablesUsed(v *demographics.Variable, cells *demography.Cells) (tables []int) {
	for _, t := range v.Terms {
		if _, ok := cells.Get(t.Cell); ok {
			tables = append(tables, demographics.Cells[t.Cell].Table)
		}
	}
	if v.Scalar >= 0 {
		if _, ok := cells.Get(v.Scalar); ok {
			return append(tables, demographics.Cells[v.Scalar].Table)
		}
	}
	for _, table := range []int{v.Sum, v.Dist} {
		if table >= 0 && cells.HasTable(table) {
			return append(tables, table)
		}
	}
	return tables
}

// setVintages sets the vintages of a geography: of all its figures, and by category where these differ. tables are those of
// its tables, index those that the affordability index is made of.
func (g *Geography) setVintages(tables tableVintages, cells *demography.Cells, index []string) {
	categories := tableVintages{} // by index in demographics.ByGeography
	for i, at := range demographics.Flat(demographics.ByGeography) {
		v := &demographics.ByGeography[at.Category].Variables[at.Variable]
		switch {
		case !g.Values[i].Present:
		case v.Method == demographics.Index:
			categories.add(at.Category, strings.Join(index, ", "))
		default:
			for _, table := range tablesUsed(v, cells) {
				categories.add(at.Category, strings.Join(tables[table], ", "))
			}
		}
	}
	g.Vintage = joinVintages(slices.Concat(slices.Collect(maps.Values(categories))...))
	differ := false
	for _, category := range slices.Sorted(maps.Keys(categories)) {
		v := CategoryVintage{demographics.ByGeography[category].ID, joinVintages(categories[category])}
		differ = differ || v.Vintage != g.Vintage
		g.Vintages = append(g.Vintages, v)
	}
	if !differ {
		g.Vintages = nil
	}
}

// lastYear returns the last year of a vintage, '2019-2023' or several joined by ', '; 0 where it has none.
func lastYear(vintage string) (last int) {
	for _, part := range strings.Split(vintage, ", ") {
		if year, err := strconv.Atoi(part[max(len(part)-4, 0):]); err == nil {
			last = max(last, year)
		}
	}
	return last
}

// joinVintages joins the vintages of several lists without duplicates, the newest first.
func joinVintages(lists []string) string {
	var all []string
	for _, list := range lists {
		for _, v := range strings.Split(list, ", ") {
			if v != "" && !slices.Contains(all, v) {
				all = append(all, v)
			}
		}
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(lastYear(b), lastYear(a)), cmp.Compare(b, a)) })
	return strings.Join(all, ", ")
}

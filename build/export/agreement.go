package export

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mattn/go-sqlite3"

	"quartier/build/released"
	"quartier/internal/geo"
	"quartier/internal/pack"
	"quartier/internal/pack/geographies"
	"quartier/schemas"
)

// Agreement is what a customer may have. Tables and columns of other products, other scores and rows outside of the regions are
// left out, by the rules of the API.
type Agreement struct {
	Products []string // of agreements
	Scores   []string // ids
	Regions  []string // "CA", "US" or "US_OR"; empty: everywhere
}

// lacks is why a table has nothing that the agreement includes, or "".
func (a *Agreement) lacks(t *Table) string {
	switch {
	case a == nil:
		return ""
	case t.Product == "":
		return "it is part of no product that an agreement includes"
	case t.Product == nodeProducts && len(a.columns(t).Columns) == len(t.Columns)-t.channels():
		return "the agreement includes neither scores nor measures (product snapshot)"
	case t.Product != nodeProducts && !slices.Contains(a.Products, t.Product):
		return "the agreement does not include the product " + t.Product
	}
	return ""
}

// nodeProducts stands for the product of each column that has a measure or score.
const nodeProducts = "by column"

// columns is a table with the scores and measures of the agreement.
func (a *Agreement) columns(t *Table) *Table {
	if a == nil {
		return t
	}
	of := *t
	of.Columns = slices.DeleteFunc(slices.Clone(t.Columns), func(c Column) bool { return !a.allows(t, &c) })
	return &of
}

// allows reports whether the agreement includes a column.
func (a *Agreement) allows(t *Table, c *Column) bool {
	channel, ok := schemas.ChannelOf(c.group)
	if !ok {
		return true
	}
	if channel >= schemas.FirstScore {
		return slices.Contains(a.Scores, c.group) && (t.Product != nodeProducts || slices.Contains(a.Products, "scores"))
	}
	score := schemas.Measures[channel].Score
	return slices.Contains(a.Products, "snapshot") && (score == "" || slices.Contains(a.Scores, score))
}

// channels is the number of columns with a measure or score.
func (t *Table) channels() (n int) {
	for _, c := range t.Columns {
		if _, ok := schemas.ChannelOf(c.group); ok {
			n++
		}
	}
	return n
}

// condition is that a row is in the regions and has a score of the agreement, as SQL.
func (a *Agreement) condition(t *Table) (all []string) {
	if a == nil {
		return nil
	}
	if len(a.Regions) > 0 && t.Within != "" {
		all = append(all, "("+t.Within+")")
	}
	var without []string
	for _, id := range schemas.ScoreIDs() {
		if !slices.Contains(a.Scores, id) {
			without = append(without, "'"+id+"'")
		}
	}
	if len(without) > 0 && t.Score != "" {
		all = append(all, t.Score+" NOT IN ("+strings.Join(without, ", ")+")")
	}
	return all
}

// regions finds the regions of places and geographies as the server does.
type regions struct {
	allowed []string
	places  *geographies.Table // of the component places
	own     *geographies.Table // of the component private; nil: none
	files   []*pack.File
}

// openRegions opens what regions are found by; nil where the agreement includes all.
func (e *exporter) openRegions() (*regions, error) {
	if e.Agreement == nil || len(e.Agreement.Regions) == 0 {
		return nil, nil
	}
	r := &regions{allowed: e.Agreement.Regions}
	open := func(folder string) (*geographies.Table, error) {
		file, err := pack.Open(filepath.Join(folder, schemas.GeographiesPack))
		if err != nil {
			return nil, err
		}
		r.files = append(r.files, file)
		return geographies.Open(file)
	}
	var err error
	if r.places, err = open(e.Places); err == nil && e.Private != "" {
		r.own, err = open(e.Private)
	}
	if err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

func (r *regions) close() {
	if r == nil {
		return
	}
	for _, f := range r.files {
		f.Close()
	}
}

// allows reports whether any of the codes is in the agreement.
func (r *regions) allows(codes []string) bool {
	return slices.ContainsFunc(codes, func(code string) bool {
		return slices.ContainsFunc(r.allowed, func(allowed string) bool { return schemas.RegionMatches(code, allowed) })
	})
}

// geography reports whether a geography of an id may be seen: by the region of its centroid, or else its states.
func (r *regions) geography(id string) bool {
	for _, table := range []*geographies.Table{r.places, r.own} {
		if table == nil {
			continue
		}
		i, ok := table.ByID(id)
		switch {
		case !ok:
			continue
		case table.Level(i) == schemas.Country:
			return r.allows([]string{table.Country(i)})
		}
		centroid := table.Centroid(i)
		if codes := r.places.RegionsAt(nil, centroid[0], centroid[1]); len(codes) > 0 {
			return r.allows(codes)
		}
		return r.allows(table.Regions(i))
	}
	return false
}

// place reports whether the middle of a geometry is in the regions.
func (r *regions) place(geometry []byte) (bool, error) {
	of, err := released.Bound(geometry)
	if err != nil {
		return false, err
	}
	at := of.Center()
	return r.allows(r.places.RegionsAt(nil, at[0], at[1])), nil
}

// cell reports whether the centre of a geohash is in the regions.
func (r *regions) cell(name string) (bool, error) {
	of, err := geo.GeohashCell(name)
	if err != nil {
		return false, err
	}
	at := of.Center()
	return r.allows(r.places.RegionsAt(nil, at[0], at[1])), nil
}

// register gives a connection the functions agreed_geography(geog_id), agreed_place(geometry), agreed_cell(geohash) and
// agreed_state(code), by which tables say which rows are in the regions.
func (r *regions) register(conn any) error {
	if r == nil {
		return nil
	}
	c, ok := conn.(*sqlite3.SQLiteConn)
	if !ok {
		return fmt.Errorf("a connection of %T has no functions", conn)
	}
	for name, f := range map[string]any{
		"agreed_geography": r.geography, "agreed_place": r.place, "agreed_cell": r.cell,
		"agreed_state": func(code string) bool { return r.allows([]string{code}) },
	} {
		if err := c.RegisterFunc(name, f, true); err != nil {
			return err
		}
	}
	return nil
}

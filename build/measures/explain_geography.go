package measures

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/paulmach/orb"

	"quartier/build/homes"
	"quartier/build/released"
	"quartier/internal/geo"
	"quartier/internal/pack/reach"
	"quartier/internal/sqlrow"
	"quartier/internal/travel"
	"quartier/schemas"
)

// Median is what is behind a travel measure of a geography: the cells of its homes.
type Median struct {
	GeogID     string     `json:"geog_id"`
	Value      *int64     `json:"value"`      // of the release; null: it has none
	Recomputed *int64     `json:"recomputed"` // null: known for less than half
	Basis      string     `json:"basis"`      // 'households' or 'street': by what homes weigh
	Homes      int        `json:"homes"`
	Cells      int        `json:"cells"` // of these homes
	Known      float64    `json:"known"` // share of homes, by weight
	Quantiles  []Quantile `json:"quantiles"`
}

// Quantile is a value that so many percent of homes have, or less.
type Quantile struct {
	Percent int   `json:"percent"`
	Value   int64 `json:"value"`
}

// quantiles are those of an explanation.
var quantiles = []int{10, 25, 50, 75, 90}

// Of explains the measure of a geography: by the values of its homes, and by a cell that has their median.
func (x *Explainer) Of(ctx context.Context, geogID string) (*Explanation, error) {
	m, list, order, err := x.lived(geogID)
	if err != nil {
		return nil, err
	}
	query := fmt.Sprintf("SELECT geog_id, value FROM geography_travel WHERE measure = '%s'", x.measure.ID)
	err = each(ctx, x.dir, schemas.TravelFile, query, sqlrow.Visit2(func(id string, value int64) error {
		if id == geogID {
			m.Value = &value
		}
		return nil
	}))
	if err != nil {
		return nil, err
	}
	e := &Explanation{Measure: x.measure, Median: m, Places: []Place{}}
	value, _ := median(slices.Clone(list))
	if value == reach.Absent {
		e.Unknown = "it is known of fewer than half of the homes"
		return e, nil
	}
	at, number := 0, int64(value)
	for i, v := range list { // the cell with the most homes of those that have the median
		if v.value == value && (list[at].value != value || v.weight > list[at].weight) {
			at = i
		}
	}
	if e, err = x.explain(ctx, order[at]); err == nil {
		m.Recomputed = &number
		e.Median = m
	}
	return e, err
}

// lived are the homes of a geography by cell, with their values.
func (x *Explainer) lived(geogID string) (m *Median, list []weighted, order []uint32, err error) {
	db, err := released.Open(filepath.Join(x.dir, schemas.GeographiesFile))
	if err != nil {
		return nil, nil, nil, err
	}
	defer db.Close()
	outline, err := released.Outline(db, geogID)
	if err != nil {
		return nil, nil, nil, err
	}
	found := x.homes.HomesOf(geo.Prepare(outline), outline.Bound(), func(orb.Point) bool { return true })
	if len(found) == 0 || len(x.places) == 0 {
		return nil, nil, nil, fmt.Errorf("%w: in %s", ErrNoHomes, geogID)
	}
	m = &Median{GeogID: geogID, Basis: homes.Households, Homes: len(found)}
	if x.homes.HomeOnStreet(found[0]) {
		m.Basis = homes.Streets
	}
	at, all, known := map[uint32]int{}, uint64(0), uint64(0)
	for _, home := range found {
		place := x.homes.HomePlace(home)
		if int(place.Edge) >= x.Network(travel.Walk).Snapper().Edges() {
			return nil, nil, nil, fmt.Errorf("home %d of %s is on street %d", home, geogID, place.Edge+1)
		}
		node := end(x.Network(travel.Walk), place)
		cell, ok := x.of[node]
		if !ok {
			return nil, nil, nil, fmt.Errorf("home %d of %s is at node %d, which is in no cell", home, geogID, node+1)
		}
		i, seen := at[cell]
		if !seen {
			i = len(list)
			at[cell], order, list = i, append(order, cell), append(list, weighted{value: x.cells[cell].Values[x.index]})
		}
		weight := x.homes.HomeWeight(home)
		list[i].weight, list[i].homes = list[i].weight+weight, list[i].homes+1
		if all += weight; list[i].value != reach.Absent {
			known += weight
		}
	}
	m.Cells, m.Known = len(list), float64(known)/float64(all)
	m.Quantiles = quantilesOf(list, known)
	return m, list, order, nil
}

// quantilesOf are those of the values that are known, of which known is the weight.
func quantilesOf(list []weighted, known uint64) (found []Quantile) {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b weighted) int { return cmp.Compare(a.value, b.value) })
	sum := uint64(0)
	for _, v := range list {
		if v.value == reach.Absent {
			break
		}
		sum += v.weight
		for len(found) < len(quantiles) && 100*sum >= uint64(quantiles[len(found)])*known {
			found = append(found, Quantile{quantiles[len(found)], int64(v.value)})
		}
	}
	return found
}

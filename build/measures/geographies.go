package measures

import (
	"cmp"
	"context"
	"slices"

	"quartier/build/homes"
	"quartier/build/scores"
	"quartier/internal/household"
	"quartier/internal/network"
	"quartier/internal/pack/reach"
	"quartier/internal/travel"
	"quartier/schemas"
	"quartier/schemas/release"
)

// nodesOf are the nodes of homes: the nearer end of the street of each. first has the number of the first street of each region.
func (w *World) nodesOf(index *homes.Index, first []uint32) []uint32 {
	nodes := make([]uint32, len(index.Homes))
	for i, h := range index.Homes {
		nodes[i] = end(w.Network(travel.Walk), network.Place{Edge: first[h.Region] + h.Edge, Along: network.Metres(float64(h.AlongM))})
	}
	return nodes
}

// weighted is a value with the homes that have it.
type weighted struct {
	value         uint32
	weight, homes uint64
}

// median is the lower weighted median, by the rules of scores: absent where it is known for less than half of the weight.
func median(list []weighted) (value uint32, homes int64) {
	all, known := uint64(0), uint64(0)
	for _, v := range list {
		if all += v.weight; v.value != reach.Absent {
			known, homes = known+v.weight, homes+int64(v.homes)
		}
	}
	if known == 0 || 2*known < all {
		return reach.Absent, 0
	}
	slices.SortFunc(list, func(a, b weighted) int { return cmp.Compare(a.value, b.value) })
	for sum, i := uint64(0), 0; ; i++ {
		if sum += list[i].weight; 2*sum >= known {
			return list[i].value, homes
		}
	}
}

// medians are those of geographies over the cells of their homes.
func medians(ctx context.Context, in *Input, cellOf []uint32, cells []Cell) (list []release.GeographyTravel, err error) {
	all := make([][]release.GeographyTravel, len(in.Geographies))
	coverage, err := scores.Each(ctx, in.Outlines, in.Homes, in.Hulls, in.Geographies, func(i int, found []int32, _ *homes.Quantiles) bool {
		byCell := map[uint32]*weighted{}
		var order []uint32
		for _, h := range found {
			cell := cellOf[h]
			if byCell[cell] == nil {
				byCell[cell] = new(weighted)
				order = append(order, cell)
			}
			byCell[cell].weight += in.Homes.Homes[h].Weight
			byCell[cell].homes++
		}
		basis := homes.Households
		if in.Homes.Homes[found[0]].Street {
			basis = homes.Streets
		}
		values := make([]weighted, len(order))
		for m, of := range schemas.TravelMeasures {
			for k, cell := range order {
				values[k] = *byCell[cell]
				values[k].value = cells[cell].Values[m]
			}
			if value, n := median(values); value != reach.Absent {
				all[i] = append(all[i], release.GeographyTravel{GeogID: in.IDs[i], Measure: of.ID, Value: int64(value), Basis: basis, Homes: n})
			}
		}
		return len(all[i]) > 0
	})
	for i, rows := range all {
		if coverage[i] == household.Sufficient {
			list = append(list, rows...)
		}
	}
	return list, err
}

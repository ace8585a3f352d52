// Package measures computes how much is reached from homes within some minutes: jobs, people and groceries, by transit and by car
// (schemas.TravelMeasures). Input: packs and files of a release with its streets, timetables, homes and places, and the jobs of its
// regions. Output: the rows of travel.sqlite.
//
// It is computed for cells: nodes with homes within two minutes on foot of one of them, from which it is; by car for those within five
// minutes. docs/travel-jobs.md has how far that is off.
package measures

import (
	"cmp"
	"context"
	"slices"

	"quartier/internal/coord"
	"quartier/internal/household"
	"quartier/internal/network"
	"quartier/internal/pack/access"
	"quartier/internal/pack/reach"
	"quartier/internal/parallel"
	"quartier/internal/travel"
	"quartier/internal/travel/streets"
	"quartier/schemas"
)

// Amount is how much of something is at a node of the walking network, in thousandths.
type Amount struct {
	Node uint32
	N    uint64
}

// Counted is something that is counted.
type Counted struct {
	At    []Amount        // by node, each once
	Known household.Hulls // elsewhere it is not known whether there is any
}

// World is where people live, what they reach, and how.
type World struct {
	*travel.World
	At      []coord.Point       // of the nodes of the walking network
	Homes   []Amount            // by node, each once: the weights of homes
	Counted map[string]*Counted // by schemas.TravelCounted

	homes  *access.Table         // for explanations
	places []network.Place       // a place on a street of each node
	keys   map[uint32][]Part     // what is at nodes on foot, where a measure is explained; nil: nobody asks
	change func(*travel.Options) // in tests; nil: nothing
}

// Home is a node with homes, and its cell.
type Home struct{ Node, Cell uint32 }

// Cell is nodes for which one of them stands.
type Cell struct {
	Node   uint32   // for which it is computed
	Car    uint32   // the cell for which it is computed by car
	Values []uint32 // by schemas.TravelMeasures; reach.Absent: not known
}

// The largest walks from the node of a cell to the others, in seconds.
const (
	cellSeconds    = 120
	carCellSeconds = 300
)

// departEvery is the minutes from one departure to the next: fifteen in an hour, so that the median is that of one of them, and no usual
// headway.
const departEvery = 4

// options are when and how one travels: as in the API, with fewer departures.
func (w *World) options(mode travel.Mode) travel.Options {
	o := travel.Defaults(mode)
	o.Every, o.MaxMinutes = departEvery, 0
	for _, m := range schemas.TravelMeasures {
		if m.Mode == mode.String() {
			o.MaxMinutes = max(o.MaxMinutes, m.Minutes)
		}
	}
	if w.change != nil {
		w.change(&o)
	}
	return o
}

// Cells divides the nodes with homes into cells, whose values are absent. homes are all of these nodes, with their cells.
func (w *World) Cells() (cells []Cell, homes []Home) {
	centres, of := w.divide(w.Homes, cellSeconds)
	weights := make([]Amount, len(centres))
	for cell, home := range centres {
		weights[cell].Node = w.Homes[home].Node
	}
	for i, cell := range of {
		homes = append(homes, Home{w.Homes[i].Node, cell})
		weights[cell].N += w.Homes[i].N
	}
	centres, of = w.divide(weights, carCellSeconds)
	for i := range weights {
		cells = append(cells, Cell{weights[i].Node, centres[of[i]], reach.Unknown()})
	}
	return cells, homes
}

// divide divides nodes into cells. The first cell is of the node with the largest amount and of all within so many seconds on foot of
// it; the next is of the largest of the others, and so on. It returns which of the nodes each cell is of, and the cell of each.
func (w *World) divide(nodes []Amount, seconds uint32) (centres, of []uint32) {
	const none = reach.Absent
	index, order := make(map[uint32]int, len(nodes)), make([]int, len(nodes))
	of = slices.Repeat([]uint32{none}, len(nodes))
	for i, n := range nodes {
		index[n.Node], order[i] = i, i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(nodes[b].N, nodes[a].N), cmp.Compare(nodes[a].Node, nodes[b].Node))
	})
	if len(nodes) == 0 {
		return nil, nil
	}
	q := w.Network(travel.Walk).NewQuery()
	for _, i := range order {
		if of[i] != none {
			continue
		}
		cell := uint32(len(centres))
		centres, of[i] = append(centres, uint32(i)), cell
		q.Start(streets.Walk, seconds)
		q.Add(w.places[nodes[i].Node], 0)
		q.Run()
		for _, node := range q.Reached() {
			if k, ok := index[node]; ok && of[k] == none {
				of[k] = cell
			}
		}
	}
	return centres, of
}

// Fill sets the values of some of the cells. It uses all processors.
func (w *World) Fill(ctx context.Context, cells []Cell, some []uint32) error {
	if err := w.byTransit(ctx, cells, some); err != nil {
		return err
	}
	return w.byCar(ctx, cells, some)
}

// byTransit sets the measures by transit of cells where timetables are known.
func (w *World) byTransit(ctx context.Context, cells []Cell, some []uint32) error {
	if !w.Has(travel.Transit) {
		return nil
	}
	o := w.options(travel.Transit)
	return parallel.EachWith(ctx, len(some), w.counter(travel.Transit), func(c *counter, i int) error {
		cell := &cells[some[i]]
		if !w.Cover(w.At[cell.Node], o.Day).Known(travel.Transit) {
			return nil
		}
		return c.count(ctx, w.places[cell.Node], o, cell)
	})
}

// byCar sets the measures by car of cells: those of the cells for which they are computed.
func (w *World) byCar(ctx context.Context, cells []Cell, some []uint32) error {
	if !w.Has(travel.Car) {
		return nil
	}
	var centres []uint32
	for _, i := range some {
		centres = append(centres, cells[i].Car)
	}
	slices.Sort(centres)
	centres = slices.Compact(centres)
	driven := make([]Cell, len(centres))
	err := parallel.EachWith(ctx, len(centres), w.counter(travel.Car), func(c *counter, i int) error {
		driven[i] = Cell{Node: cells[centres[i]].Node, Values: reach.Unknown()}
		from, ok := w.Snap(w.At[driven[i].Node], travel.Car)
		if !ok {
			return nil
		}
		return c.count(ctx, from, w.options(travel.Car), &driven[i])
	})
	for _, i := range some {
		k, _ := slices.BinarySearch(centres, cells[i].Car)
		for m, of := range schemas.TravelMeasures {
			if of.Mode == travel.Car.String() {
				cells[i].Values[m] = driven[k].Values[m]
			}
		}
	}
	return err
}

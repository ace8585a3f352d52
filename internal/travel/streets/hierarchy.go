package streets

import (
	"fmt"

	"quartier/internal/network"
)

// hierarchy is a contraction hierarchy (Geisberger et al. 2008) for many pairs: nodes are contracted one after the other, and
// shortcuts keep the costs between those that remain. Every best way goes up from its begin and down to its end, so that two small
// searches meet at its highest node. Costs are exact.
type hierarchy struct {
	firstUp, firstDown []uint32
	up                 []network.Arc // from each node to higher ones
	down               []network.Arc // from each node to the higher ones from which an arc leads to it
}

// HierarchyTables are a hierarchy as flat slices.
type HierarchyTables struct {
	FirstUp, FirstDown []uint32
	Up, Down           []network.Arc
}

// BuildHierarchy builds the hierarchy that Matrix searches: for networks that are crossed at length, as by cars. It takes one
// processor and about 300 bytes a node meanwhile; it is not safe for concurrent use.
func (n *Network) BuildHierarchy() {
	c := newContraction(n)
	c.contractAll()
	h := &hierarchy{}
	h.firstUp, h.up = flat(c.out)
	h.firstDown, h.down = flat(c.in)
	n.shortcut = h
}

func flat(lists [][]network.Arc) (first []uint32, arcs []network.Arc) {
	first = make([]uint32, len(lists)+1)
	for i, list := range lists {
		first[i+1] = first[i] + uint32(len(list))
	}
	arcs = make([]network.Arc, 0, first[len(lists)])
	for _, list := range lists {
		arcs = append(arcs, list...)
	}
	return first, arcs
}

func (h *hierarchy) tables() HierarchyTables {
	return HierarchyTables{h.firstUp, h.firstDown, h.up, h.down}
}

// hierarchyFrom is the hierarchy of tables for a number of nodes.
func hierarchyFrom(t HierarchyTables, nodes int) (*hierarchy, error) {
	h := &hierarchy{t.FirstUp, t.FirstDown, t.Up, t.Down}
	if len(h.firstUp) != nodes+1 || len(h.firstDown) != nodes+1 {
		return nil, fmt.Errorf("%w: a hierarchy of %d and %d nodes for %d", ErrDamaged, len(h.firstUp)-1, len(h.firstDown)-1, nodes)
	}
	if err := checkArcs(h.firstUp, h.up); err != nil {
		return nil, err
	}
	return h, checkArcs(h.firstDown, h.down)
}

// bucket is a place to which a way leads down from a node.
type bucket struct{ place, cost uint32 }

// buckets are, of each node, the places that searches down from it would find: those of node n are at first[n] to first[n+1].
type buckets struct {
	first []uint32
	list  []bucket
}

// buckets searches back from all places.
func (n *Network) buckets(to []network.Place, reach uint64) *buckets {
	type found struct {
		node uint32
		bucket
	}
	search := network.NewSearch(n.shortcut.firstDown, n.shortcut.down)
	b := &buckets{first: make([]uint32, n.Nodes()+1)}
	var all []found
	for i, p := range to {
		search.Begin(network.Distance(reach))
		e := n.snapper.Edge(p.Edge)
		fromA, fromB := n.inward(p)
		if fromA != Closed {
			search.Seed(e.A, fromA)
		}
		if fromB != Closed {
			search.Seed(e.B, fromB)
		}
		search.Run()
		for _, node := range search.Reached() {
			all = append(all, found{node, bucket{uint32(i), uint32(search.At(node))}})
			b.first[node+1]++
		}
	}
	for i := 1; i < len(b.first); i++ {
		b.first[i] += b.first[i-1]
	}
	b.list = make([]bucket, len(all))
	next := append([]uint32(nil), b.first[:n.Nodes()]...)
	for _, f := range all {
		b.list[next[f.node]] = f.bucket
		next[f.node]++
	}
	return b
}

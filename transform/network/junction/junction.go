// Package meet finds where streets meet, whatever classes of them: at a node that they share, or at a place where
// nobody numbered the nodes.
package junction

import (
	"cmp"
	"slices"

	"quartier/internal/coord"
	"quartier/transform/network/street"
)

// Vertex is a vertex of a street.
type Vertex struct {
	Street uint32 // of the streets that were asked
	Number uint32 // in the line of the street
}

// Legs is how many ways lead from the vertex along its street: 1 at an end, else 2.
func (v Vertex) Legs(s *street.Street) int {
	if v.Number == 0 || int(v.Number) == len(s.Line)-1 {
		return 1
	}
	return 2
}

type keyed struct {
	key    uint64 // equal where streets meet
	places bool   // the key is a place, not the id of a node
	vertex Vertex
}

// Each visits every node at which several vertices of the streets that take is true of lie together, by street and
// number, in a fixed order of nodes. A street may meet itself. vertices are the callee's until it returns. It takes 24
// bytes a vertex.
func Each(streets []street.Street, take func(street int) bool, visit func(vertices []Vertex)) {
	all := list(streets, take)
	var together []Vertex
	for i := 0; i < len(all); {
		together = together[:0]
		first := all[i]
		for ; i < len(all) && all[i].key == first.key && all[i].places == first.places; i++ {
			together = append(together, all[i].vertex)
		}
		if len(together) > 1 {
			visit(together)
		}
	}
}

func list(streets []street.Street, take func(street int) bool) []keyed {
	var all []keyed
	for i := range streets {
		s := &streets[i]
		if !take(i) {
			continue
		}
		for k, p := range s.Line {
			v := keyed{vertex: Vertex{uint32(i), uint32(k)}}
			if s.Nodes != nil {
				v.key = uint64(s.Nodes[k])
			} else if at, ok := coord.NewPoint(p[0], p[1]); ok {
				v.key, v.places = uint64(uint32(at.Lng))<<32|uint64(uint32(at.Lat)), true
			}
			all = append(all, v)
		}
	}
	slices.SortFunc(all, func(a, b keyed) int {
		if a.key == b.key && a.places != b.places {
			if a.places {
				return 1
			}
			return -1
		}
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.vertex.Street, b.vertex.Street), cmp.Compare(a.vertex.Number, b.vertex.Number))
	})
	return all
}

// UnionFind tells what is joined, directly or by others: a union-find over 0, 1, 2 …
type UnionFind []uint32

// NewUnionFind is n things, each by itself.
func NewUnionFind(n int) UnionFind {
	g := make(UnionFind, n)
	for i := range g {
		g[i] = uint32(i)
	}
	return g
}

// Of is the first thing of the group that i is in.
func (g UnionFind) Find(i uint32) uint32 {
	for g[i] != i {
		g[i] = g[g[i]]
		i = g[i]
	}
	return i
}

// Join makes one group of two.
func (g UnionFind) Union(a, b uint32) {
	a, b = g.Find(a), g.Find(b)
	g[max(a, b)] = min(a, b)
}

// Package junction finds the vertices at which streets meet: at a common OSM node, or at the same position if the
// source has no node ids. It also has the union-find by which connected streets are grouped.
package junction

import (
	"cmp"
	"slices"

	"quartier/internal/coord"
	"quartier/transform/network/street"
)

// Vertex is a vertex of a street.
type Vertex struct {
	Street uint32 // index in the list of streets
	Number uint32 // index in the street's line
}

// Legs is the number of directions in which the street leaves the vertex: 1 at an end, else 2.
func (v Vertex) Legs(s *street.Street) int {
	if v.Number == 0 || int(v.Number) == len(s.Line)-1 {
		return 1
	}
	return 2
}

type keyed struct {
	key    uint64 // equal for vertices that meet
	places bool   // key is a position, not a node id
	vertex Vertex
}

// Each visits the groups of two or more vertices that meet, in a fixed order; the vertices of a group are sorted by
// street and number. Only streets for which take returns true are considered. A street may meet itself. vertices is
// valid during the call only. It takes 24 bytes a vertex.
//
// For example, streets with the nodes 1-2-3 and 2-4 meet once: in {0 1}, with two legs, and {1 0}, with one.
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

// UnionFind groups the numbers 0, 1, 2 …
type UnionFind []uint32

// NewUnionFind returns n groups of one number each.
func NewUnionFind(n int) UnionFind {
	g := make(UnionFind, n)
	for i := range g {
		g[i] = uint32(i)
	}
	return g
}

// Find is the smallest number of the group of i.
func (g UnionFind) Find(i uint32) uint32 {
	for g[i] != i {
		g[i] = g[g[i]]
		i = g[i]
	}
	return i
}

// Union merges the groups of a and b.
func (g UnionFind) Union(a, b uint32) {
	a, b = g.Find(a), g.Find(b)
	g[max(a, b)] = min(a, b)
}

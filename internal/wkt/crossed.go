package wkt

import (
	"slices"
	"sort"
)

// crossed has the edges under the line of a sweep from south to north. They are in blocks, so that a change moves a few of them
// however many there are, and each has its neighbours. Edges are numbers from 0; -1 is none.
type crossed struct {
	order  []int32 // numbers of the blocks from south to north, without those that are empty
	blocks []block // by number
	edges  []edge  // by number
}

// edge is where an edge is, while it is under the line: its block and its neighbours.
type edge struct{ block, south, north int32 }

// block has some edges that follow each other.
type block struct {
	n    int
	edge [maxBlock]int32
}

// maxBlock is the maximum number of edges in a block: to search one takes as long as to search the blocks of some thousands.
const maxBlock = 64

// place is where edges can be inserted: in a block, which is at some place of the order, before an edge, which is none at the
// northern end.
type place struct {
	order, at int
	edge      int32
}

func newCrossed(edges int) crossed { return crossed{edges: make([]edge, edges)} }

func (c *crossed) north(edge int32) int32 { return c.edges[edge].north }
func (c *crossed) south(edge int32) int32 { return c.edges[edge].south }

// find is the place before the first edge that is not south, by side, which is negative for those that are.
func (c *crossed) find(side func(edge int32) int) place {
	last := len(c.order) - 1
	k := sort.Search(last, func(k int) bool { b := &c.blocks[c.order[k]]; return side(b.edge[b.n-1]) >= 0 })
	if last < 0 {
		return place{edge: -1}
	}
	b := &c.blocks[c.order[k]]
	at := sort.Search(b.n, func(at int) bool { return side(b.edge[at]) >= 0 })
	if at == b.n {
		return place{k, at, -1}
	}
	return place{k, at, b.edge[at]}
}

// insert inserts two edges that follow each other.
func (c *crossed) insert(p place, low, high int32) {
	if len(c.order) == 0 {
		c.order, c.blocks = append(c.order, int32(len(c.blocks))), append(c.blocks, block{})
	}
	if c.blocks[c.order[p.order]].n+2 > maxBlock {
		p = c.split(p)
	}
	number := c.order[p.order]
	b := &c.blocks[number]
	below := int32(-1)
	switch {
	case p.edge >= 0:
		below = c.south(p.edge)
	case p.at > 0:
		below = b.edge[p.at-1] // the most northern of all
	}
	copy(b.edge[p.at+2:], b.edge[p.at:b.n])
	b.edge[p.at], b.edge[p.at+1] = low, high
	b.n += 2
	c.edges[low], c.edges[high] = edge{number, below, high}, edge{number, low, p.edge}
	c.join(below, low)
	c.join(high, p.edge)
}

// split moves half of a block to a new one, and returns where a place in it is then.
func (c *crossed) split(p place) place {
	number := int32(len(c.blocks))
	c.blocks = append(c.blocks, block{})
	lower, upper := &c.blocks[c.order[p.order]], &c.blocks[number]
	half := lower.n / 2
	upper.n = copy(upper.edge[:], lower.edge[half:lower.n])
	lower.n = half
	for _, e := range upper.edge[:upper.n] {
		c.edges[e].block = number
	}
	c.order = slices.Insert(c.order, p.order+1, number)
	if p.at > half {
		return place{p.order + 1, p.at - half, p.edge}
	}
	return p
}

// remove removes an edge.
func (c *crossed) remove(edge int32) {
	e := c.edges[edge]
	c.join(e.south, e.north)
	b := &c.blocks[e.block]
	at := slices.Index(b.edge[:b.n], edge)
	copy(b.edge[at:], b.edge[at+1:b.n])
	if b.n--; b.n == 0 {
		k := slices.Index(c.order, e.block)
		c.order = slices.Delete(c.order, k, k+1)
	}
}

// replace puts an edge in the place of another one.
func (c *crossed) replace(old, edge int32) {
	e := c.edges[old]
	c.edges[edge] = e
	b := &c.blocks[e.block]
	b.edge[slices.Index(b.edge[:b.n], old)] = edge
	c.join(e.south, edge)
	c.join(edge, e.north)
}

// join makes two edges neighbours.
func (c *crossed) join(south, north int32) {
	if south >= 0 {
		c.edges[south].north = north
	}
	if north >= 0 {
		c.edges[north].south = south
	}
}

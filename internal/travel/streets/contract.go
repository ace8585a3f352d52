package streets

import (
	"math"
	"slices"

	"quartier/internal/network"
)

// contraction is a network whose nodes are taken out one after the other. The lists of a node that is out are its arcs to
// nodes that stayed longer; those of the others lead to each other alone.
type contraction struct {
	out, in [][]network.Arc
	depth   []uint32 // of each node, the number of nodes that were taken out below it, one under another

	cost    []uint32 // of a search for a way around a node, math.MaxUint32 before
	touched []uint32
	queue   minHeap
	found   []shortcut
}

// shortcut is an arc in place of a way over a node.
type shortcut struct {
	from, to uint32
	cost     network.Distance
}

// mostSettled bounds a search for a way around a node. One that ends too early adds a shortcut that is not needed, and no error.
const mostSettled = 64

func newContraction(n *Network) *contraction {
	nodes := n.Nodes()
	c := &contraction{out: make([][]network.Arc, nodes), in: make([][]network.Arc, nodes), depth: make([]uint32, nodes),
		cost: slices.Repeat([]uint32{math.MaxUint32}, nodes)}
	for node := range c.out {
		for _, a := range n.arcs[n.first[node]:n.first[node+1]] {
			if a.To != uint32(node) {
				c.add(shortcut{uint32(node), a.To, a.Length})
			}
		}
	}
	return c
}

// contractAll takes out all nodes, those first that need few shortcuts and have little below them; of several the first.
func (c *contraction) contractAll() {
	var order minHeap
	for node := range c.out {
		c.shortcuts(uint32(node))
		order.push(c.priority(uint32(node)))
	}
	for len(order) > 0 {
		node := uint32(order.pop())
		c.shortcuts(node)
		if now := c.priority(node); len(order) > 0 && now > order[0] { // its neighbours have changed
			order.push(now)
			continue
		}
		c.contract(node)
	}
}

// priority is the key of a node in the order, by what shortcuts has found.
func (c *contraction) priority(node uint32) uint64 {
	removed := max(1, len(c.in[node])+len(c.out[node]))
	return uint64(1000*int(c.depth[node])+1000*len(c.found)/removed)<<32 | uint64(node)
}

// contract takes a node out and adds what shortcuts has found.
func (c *contraction) contract(node uint32) {
	for _, a := range c.out[node] {
		c.in[a.To] = without(c.in[a.To], node)
		c.depth[a.To] = max(c.depth[a.To], c.depth[node]+1)
	}
	for _, a := range c.in[node] {
		c.out[a.To] = without(c.out[a.To], node)
		c.depth[a.To] = max(c.depth[a.To], c.depth[node]+1)
	}
	for _, s := range c.found {
		c.add(s)
	}
}

func without(arcs []network.Arc, node uint32) []network.Arc {
	i := slices.IndexFunc(arcs, func(a network.Arc) bool { return a.To == node })
	arcs[i] = arcs[len(arcs)-1]
	return arcs[:len(arcs)-1]
}

// add adds an arc, or lowers the one that is there.
func (c *contraction) add(s shortcut) {
	c.out[s.from] = lowered(c.out[s.from], network.Arc{To: s.to, Length: s.cost})
	c.in[s.to] = lowered(c.in[s.to], network.Arc{To: s.from, Length: s.cost})
}

func lowered(arcs []network.Arc, a network.Arc) []network.Arc {
	for i := range arcs {
		if arcs[i].To == a.To {
			arcs[i].Length = min(arcs[i].Length, a.Length)
			return arcs
		}
	}
	return append(arcs, a)
}

// shortcuts finds the pairs of neighbours of a node between which no other way is as short as that over the node.
func (c *contraction) shortcuts(node uint32) {
	c.found = c.found[:0]
	for _, from := range c.in[node] {
		most := uint64(0)
		for _, to := range c.out[node] {
			if to.To != from.To {
				most = max(most, uint64(from.Length)+uint64(to.Length))
			}
		}
		if most == 0 || most >= Closed {
			continue
		}
		c.around(from.To, node, uint32(most))
		for _, to := range c.out[node] {
			if cost := from.Length + to.Length; to.To != from.To && c.cost[to.To] > uint32(cost) {
				c.found = append(c.found, shortcut{from.To, to.To, cost})
			}
		}
		for _, n := range c.touched {
			c.cost[n] = math.MaxUint32
		}
		c.touched = c.touched[:0]
	}
}

// around searches from a node without going over another one, up to a cost.
func (c *contraction) around(from, over, most uint32) {
	c.queue = append(c.queue[:0], uint64(from))
	c.cost[from], c.touched = 0, append(c.touched, from)
	for settled := 0; len(c.queue) > 0 && settled < mostSettled; {
		top := c.queue.pop()
		node, cost := uint32(top), uint32(top>>32)
		if cost > c.cost[node] {
			continue
		}
		settled++
		for _, a := range c.out[node] {
			next := uint64(cost) + uint64(a.Length)
			if a.To == over || next > uint64(most) || uint32(next) >= c.cost[a.To] {
				continue
			}
			if c.cost[a.To] == math.MaxUint32 {
				c.touched = append(c.touched, a.To)
			}
			c.cost[a.To] = uint32(next)
			c.queue.push(next<<32 | uint64(a.To))
		}
	}
}

// minHeap is a 4-ary heap of numbers.
type minHeap []uint64

func (h *minHeap) push(v uint64) {
	*h = append(*h, v)
	list, i := *h, len(*h)-1
	for ; i > 0 && list[(i-1)/4] > v; i = (i - 1) / 4 {
		list[i] = list[(i-1)/4]
	}
	list[i] = v
}

func (h *minHeap) pop() uint64 {
	list := *h
	top, last := list[0], list[len(list)-1]
	list = list[:len(list)-1]
	*h = list
	for i := 0; len(list) > 0; {
		child, least := i, last
		for k := 4*i + 1; k < min(4*i+5, len(list)); k++ {
			if list[k] < least {
				child, least = k, list[k]
			}
		}
		if child == i {
			list[i] = last
			break
		}
		list[i], i = list[child], child
	}
	return top
}

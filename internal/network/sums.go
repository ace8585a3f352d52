package network

// Sums adds up, for every node and class, weight[d] over all places of the class at d metres (rounded down) within
// len(weight) metres. The sums are exact integers. class[i] is that of places[i]; the result has classes numbers a node.
func (g *Graph) Sums(places []Place, class []uint8, classes int, weight []uint32) []uint64 {
	sums := make([]uint64, classes*len(g.Nodes))
	if len(weight) == 0 {
		return sums
	}
	first, arcs := g.toward()
	reach := Distance(10*len(weight) - 1)
	b := newBall(len(g.Nodes), first, arcs, reach)
	for i, p := range places {
		for _, s := range g.seeds([]Place{p}, reach) {
			b.seed(s.node, uint64(s.distance))
		}
		b.run()
		for _, node := range b.touched {
			sums[int(node)*classes+int(class[i])] += uint64(weight[b.dist[node]/10])
		}
		b.clear()
	}
	return sums
}

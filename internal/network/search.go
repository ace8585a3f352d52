package network

// Labels are the nearest places of every node, nearest first; of equal distances the lower place first.
type Labels struct {
	K     int
	Count []uint8 // of each node
	Items []Label // K for each node, Count of them set
}

// At is the labels of a node.
func (l *Labels) At(node int) []Label { return l.Items[node*l.K : node*l.K+int(l.Count[node])] }

// Nearest finds the k nearest places of every node within reach, exactly. Places of the same group (an entry for each
// place; nil: each its own) count once, by the nearest of them: entrances of one park, platforms of one station.
// k is at most 16.
func (g *Graph) Nearest(places []Place, group []uint32, k int, reach Distance) *Labels {
	panic("not written yet")
}

// Best finds, for every node, the places that no nearer place is worth as much as, nearest first: as the distance grows
// so does the worth. visit is called in the order of nodes for those that any place can be reached from.
func (g *Graph) Best(places []Place, worth []uint32, reach Distance, visit func(node int, labels []Label)) {
	panic("not written yet")
}

// Sums adds up, for every node and class, weight[d] over all places of the class at d metres (rounded down) within
// len(weight) metres. The sums are exact integers. class[i] is that of places[i]; the result has classes numbers a node.
func (g *Graph) Sums(places []Place, class []uint8, classes int, weight []uint32) []uint64 {
	panic("not written yet")
}

// From finds every node within reach of a place: the distance to each, in the order of distance.
func (g *Graph) From(p Place, reach Distance) []Reached { panic("not written yet") }

// Reached is a node that a search came to.
type Reached struct {
	Node     uint32
	Distance Distance
}

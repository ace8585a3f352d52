package network

// Search is Dijkstra's search up to a distance over any arcs, which may be weighed by other units than decimetres. Its
// memory, 8 bytes a node, serves one search after another; one goroutine uses it at a time.
type Search struct{ bounded boundedSearch }

// NewSearch makes a search over the arcs from each node, which are arcs[first[n]:first[n+1]]. They are not copied.
func NewSearch(first []uint32, arcs []Arc) *Search {
	return &Search{*newBoundedSearch(max(len(first), 1)-1, first, arcs, 0)}
}

// Begin forgets the last search and sets how far the next one goes, less than Far.
func (s *Search) Begin(reach Distance) {
	s.bounded.clear()
	s.bounded.reach = min(uint64(reach), uint64(Far)-1)
}

// Seed lowers the distance of a node, if it is within reach.
func (s *Search) Seed(node uint32, distance uint64) { s.bounded.seed(node, distance) }

// Set sets the distance of a node, from which Run does not go on.
func (s *Search) Set(node uint32, distance Distance) {
	if s.bounded.dist[node] == Far {
		s.bounded.touched = append(s.bounded.touched, node)
	}
	s.bounded.dist[node] = distance
}

// Run computes the distances of all nodes within reach of the seeds.
func (s *Search) Run() { s.bounded.run() }

// At is the distance of a node; Far if it is out of reach.
func (s *Search) At(node uint32) Distance { return s.bounded.dist[node] }

// Reached are the nodes within reach in no useful order, which is the same for the same seeds. Valid until Begin.
func (s *Search) Reached() []uint32 { return s.bounded.touched }

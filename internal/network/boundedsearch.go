package network

// boundedSearch is Dijkstra's search up to a distance, with arrays that are reused for the next search. Nodes wait in
// coarse buckets of distance; a node whose distance improves later is processed again, so that the result is exact.
type boundedSearch struct {
	first   []uint32
	arcs    []Arc
	reach   uint64
	dist    []Distance // of every node; Far if not reached
	touched []uint32   // the nodes that were reached
	waiting [][]uint64 // by bucket: distance in the high bits, node in the low ones
	last    int        // the buckets after it are empty
}

const bucketBits = 7 // of a distance inside a bucket: 12.8 m

func newBoundedSearch(nodes int, first []uint32, arcs []Arc, reach Distance) *boundedSearch {
	b := &boundedSearch{first: first, arcs: arcs, reach: uint64(reach), dist: make([]Distance, nodes), last: -1}
	for i := range b.dist {
		b.dist[i] = Far
	}
	return b
}

// clear resets the search.
func (b *boundedSearch) clear() {
	for _, node := range b.touched {
		b.dist[node] = Far
	}
	b.touched = b.touched[:0]
}

// seed lowers the distance of a node.
func (b *boundedSearch) seed(node uint32, distance uint64) {
	if distance > b.reach || Distance(distance) >= b.dist[node] {
		return
	}
	if b.dist[node] == Far {
		b.touched = append(b.touched, node)
	}
	b.dist[node] = Distance(distance)
	bucket := int(distance >> bucketBits)
	for len(b.waiting) <= bucket {
		b.waiting = append(b.waiting, nil)
	}
	b.last = max(b.last, bucket)
	b.waiting[bucket] = append(b.waiting[bucket], distance<<32|uint64(node))
}

// run computes all distances from the seeds.
func (b *boundedSearch) run() {
	for i := 0; i <= b.last; i++ {
		for len(b.waiting[i]) > 0 {
			end := len(b.waiting[i]) - 1
			w := b.waiting[i][end]
			b.waiting[i] = b.waiting[i][:end]
			node, distance := uint32(w), w>>32
			if Distance(distance) != b.dist[node] {
				continue
			}
			for _, arc := range b.arcs[b.first[node]:b.first[node+1]] {
				next := distance + uint64(arc.Length)
				if next <= b.reach && Distance(next) < b.dist[arc.To] {
					b.seed(arc.To, next)
				}
			}
		}
	}
	b.last = -1
}

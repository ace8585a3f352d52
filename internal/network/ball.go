package network

// ball is a bounded search whose arrays are reused from one start to the next. Nodes wait in coarse buckets by distance;
// one that is improved later is gone through again, so that the distances are exact in the end, in whatever order.
type ball struct {
	first   []uint32
	arcs    []Arc
	reach   uint64
	dist    []Distance // of every node; Far where the search was not
	touched []uint32   // the nodes where it was
	waiting [][]uint64 // by bucket: distance above node
	last    int        // no bucket after it holds anything
}

const bucketBits = 7 // of a distance in a bucket: 12.8 m

func newBall(nodes int, first []uint32, arcs []Arc, reach Distance) *ball {
	b := &ball{first: first, arcs: arcs, reach: uint64(reach), dist: make([]Distance, nodes), last: -1}
	for i := range b.dist {
		b.dist[i] = Far
	}
	return b
}

// clear forgets the last search.
func (b *ball) clear() {
	for _, node := range b.touched {
		b.dist[node] = Far
	}
	b.touched = b.touched[:0]
}

// seed says that a node is at most so far away.
func (b *ball) seed(node uint32, distance uint64) {
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

// run finds all distances from the seeds.
func (b *ball) run() {
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

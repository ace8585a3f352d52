package network

// entry is a place on its way to a node.
type entry struct{ node, place uint32 }

// seed is where a search begins.
type seed struct {
	distance Distance
	entry
}

const maxRing = 1 << 13 // buckets

// queue hands out entries by distance: one bucket for each decimetre as far as most arcs reach, a heap for what lies
// beyond. The order within a distance means nothing.
type queue struct {
	ring  [][]entry
	now   Distance // of the bucket that is handed out next
	count int      // entries in the ring
	far   farHeap
	seeds []seed // by distance; to be set when the queue is empty
}

// newQueue makes a queue for arcs of these lengths.
func newQueue(arcs []Arc) *queue {
	longest := Distance(0)
	for _, a := range arcs {
		longest = max(longest, a.Length)
	}
	size := 2
	for size <= int(longest) && size < maxRing {
		size *= 2
	}
	return &queue{ring: make([][]entry, size)}
}

// push takes an entry that is farther than the ones handed out last.
func (q *queue) push(d Distance, e entry) {
	if d-q.now >= Distance(len(q.ring)) {
		q.far.push(seed{d, e})
		return
	}
	bucket := &q.ring[d&Distance(len(q.ring)-1)]
	*bucket = append(*bucket, e)
	q.count++
}

// next hands out the entries of the next distance. They are valid until the entries of another distance are asked for.
func (q *queue) next() (d Distance, entries []entry, ok bool) {
	for {
		if q.count == 0 { // jump
			if len(q.far) == 0 && len(q.seeds) == 0 {
				return 0, nil, false
			}
			q.now = Far
			if len(q.far) > 0 {
				q.now = q.far[0].distance
			}
			if len(q.seeds) > 0 {
				q.now = min(q.now, q.seeds[0].distance)
			}
		}
		for len(q.far) > 0 && q.far[0].distance == q.now {
			f := q.far.pop()
			q.push(q.now, f.entry)
		}
		for len(q.seeds) > 0 && q.seeds[0].distance == q.now {
			q.push(q.now, q.seeds[0].entry)
			q.seeds = q.seeds[1:]
		}
		bucket := &q.ring[q.now&Distance(len(q.ring)-1)]
		d, entries = q.now, *bucket
		*bucket = (*bucket)[:0]
		q.count -= len(entries)
		q.now++
		if len(entries) > 0 {
			return d, entries, true
		}
	}
}

// farHeap is a 4-ary heap by distance.
type farHeap []seed

func (h *farHeap) push(s seed) {
	*h = append(*h, s)
	list := *h
	i := len(list) - 1
	for i > 0 && list[(i-1)/4].distance > s.distance {
		list[i] = list[(i-1)/4]
		i = (i - 1) / 4
	}
	list[i] = s
}

func (h *farHeap) pop() seed {
	list := *h
	top, last := list[0], list[len(list)-1]
	list = list[:len(list)-1]
	*h = list
	for i := 0; len(list) > 0; {
		child := i
		least := last.distance
		for c := 4*i + 1; c < min(4*i+5, len(list)); c++ {
			if list[c].distance < least {
				child, least = c, list[c].distance
			}
		}
		if child == i {
			list[i] = last
			break
		}
		list[i] = list[child]
		i = child
	}
	return top
}

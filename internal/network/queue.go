package network

// entry is a label on its way to a node.
type entry struct{ node, place uint32 }

// seed is an entry with its distance, where a search begins.
type seed struct {
	distance Distance
	entry
}

const maxRing = 1 << 13 // buckets

// queue is a priority queue of entries by distance: a ring of buckets of one decimetre that is longer than most arcs, and
// a heap for distances beyond it. The order of entries at one distance is undefined.
type queue struct {
	ring  [][]entry
	now   Distance // of the bucket that next returns
	count int      // entries in the ring
	far   farHeap
	seeds []seed // by distance; set while the queue is empty
}

// newQueue makes a queue for the lengths of arcs.
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

// push adds an entry that is farther than the last ones returned.
func (q *queue) push(d Distance, e entry) {
	if d-q.now >= Distance(len(q.ring)) {
		q.far.push(seed{d, e})
		return
	}
	bucket := &q.ring[d&Distance(len(q.ring)-1)]
	*bucket = append(*bucket, e)
	q.count++
}

// next returns the entries of the next distance, which are valid until the next call.
func (q *queue) next() (d Distance, entries []entry, ok bool) {
	for {
		if q.count == 0 { // skip empty buckets
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

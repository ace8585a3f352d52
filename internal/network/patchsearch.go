package network

import "slices"

// patchSearch is a worker that searches one patch after the other, in order of distance. All entries of a distance are accepted
// before any of them is spread, so that ties are decided first.
type patchSearch struct {
	*nearest
	queue    *queue
	accepted []entry
	replaced bool // an accepted entry was displaced by another of its distance
	outbox   []seed
}

// flood searches one patch from seeds sorted by distance until no node of the patch accepts anything.
func (w *patchSearch) flood(seeds []seed) {
	patch := seeds[0].node >> w.patchBits
	w.queue.seeds = seeds
	for d, entries, ok := w.queue.next(); ok; d, entries, ok = w.queue.next() {
		w.accepted, w.replaced = w.accepted[:0], false
		for _, e := range entries {
			if w.label(d, e) {
				w.accepted = append(w.accepted, e)
			}
		}
		for _, e := range w.accepted {
			if !w.replaced || slices.Contains(w.labels.At(int(e.node)), Label{e.place, d}) {
				w.spread(d, e, patch)
			}
		}
	}
}

// label inserts a label of a node by distance; false if the node has better ones.
func (w *patchSearch) label(d Distance, e entry) bool {
	count := int(w.labels.Count[e.node])
	items := w.labels.Items[int(e.node)*w.labels.K:][:w.labels.K]
	if count == len(items) && !items[count-1].after(d, e.place) {
		return false
	}
	out := w.of(items[:count], e.place)
	if out < 0 && count == len(items) {
		out = count - 1
	}
	if out >= 0 && !items[out].after(d, e.place) {
		return false
	}
	if out >= 0 {
		w.replaced = w.replaced || items[out].Distance == d
		copy(items[out:], items[out+1:count])
		count--
	}
	at := count
	for ; at > 0 && items[at-1].after(d, e.place); at-- {
		items[at] = items[at-1]
	}
	items[at] = Label{e.place, d}
	w.labels.Count[e.node] = uint8(count + 1)
	return true
}

// spread sends a label to the neighbours that may accept it.
func (w *patchSearch) spread(d Distance, e entry, patch uint32) {
	for _, arc := range w.arcs[w.first[e.node]:w.first[e.node+1]] {
		if uint64(d)+uint64(arc.Length) > uint64(w.reach) {
			continue
		}
		next := entry{arc.To, e.place}
		switch {
		case arc.To>>w.patchBits != patch:
			w.outbox = append(w.outbox, seed{d + arc.Length, next})
		case !w.refuses(d+arc.Length, next):
			w.queue.push(d+arc.Length, next)
		}
	}
}

package osm

import "slices"

// lines holds the nodes of the ways that relations are made of.
type lines struct {
	ids  []int64
	refs [][]int64 // nil: not in the file
}

func (l *lines) want(ids []int64) { l.ids = append(l.ids, ids...) }

func (l *lines) seal() {
	slices.Sort(l.ids)
	l.ids = slices.Compact(l.ids)
	l.refs = make([][]int64, len(l.ids))
}

// put keeps a way if it was asked for; of one that comes twice the first stays.
func (l *lines) put(id int64, refs []int64) bool {
	i, ok := slices.BinarySearch(l.ids, id)
	if ok && l.refs[i] == nil {
		l.refs[i] = append([]int64{}, refs...)
	}
	return ok
}

// of returns the lines of ways and how many of them the file lacks.
func (l *lines) of(ids []int64) (refs [][]int64, missing int) {
	for _, id := range ids {
		if i, ok := slices.BinarySearch(l.ids, id); ok && l.refs[i] != nil {
			refs = append(refs, l.refs[i])
		} else {
			missing++
		}
	}
	return refs, missing
}

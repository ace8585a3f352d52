package osm

import "slices"

// lines has the nodes of the member ways of relations. Request ids with want, then call freeze, then store ways with put.
type lines struct {
	ids  []int64
	refs [][]int64 // nil: not in the file
}

func (l *lines) want(ids []int64) { l.ids = append(l.ids, ids...) }

func (l *lines) freeze() {
	slices.Sort(l.ids)
	l.ids = slices.Compact(l.ids)
	l.refs = make([][]int64, len(l.ids))
}

// put stores a way if it was requested, which it reports. Of a duplicate way the first one is kept.
func (l *lines) put(id int64, refs []int64) bool {
	i, ok := slices.BinarySearch(l.ids, id)
	if ok && l.refs[i] == nil {
		l.refs[i] = append([]int64{}, refs...)
	}
	return ok
}

// of returns the nodes of ways and the number of ways that are not in the file.
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

package element

import (
	"iter"
	"maps"
	"slices"
)

// Table stores the tags of a batch as a table of strings and pairs of indexes, so that a batch of thousands of elements
// takes few allocations.
type Table struct {
	Names []string
	Pairs []uint32 // key, value, key, value …, indexes of Names
}

// TagsFrom returns the tags from index from of Pairs to the end.
func (t *Table) TagsFrom(from int) Tags {
	if from == len(t.Pairs) {
		return Tags{}
	}
	return Tags{table: t, from: uint32(from), to: uint32(len(t.Pairs))}
}

// Add appends one tag with new strings.
func (t *Table) Add(key, value string) {
	n := uint32(len(t.Names))
	t.Names = append(t.Names, key, value)
	t.Pairs = append(t.Pairs, n, n+1)
}

// Tags are the tags of one element, in file order. The zero value has none.
type Tags struct {
	table    *Table
	from, to uint32
}

// TagsOf returns the tags of a map, ordered by key.
func TagsOf(m map[string]string) Tags {
	var table Table
	for _, key := range slices.Sorted(maps.Keys(m)) {
		table.Add(key, m[key])
	}
	return table.TagsFrom(0)
}

// Len is the number of tags.
func (t Tags) Len() int { return int(t.to-t.from) / 2 }

// Get returns the value of key, or "" if there is no such tag.
func (t Tags) Get(key string) string {
	for k, v := range t.All() {
		if k == key {
			return v
		}
	}
	return ""
}

// All yields keys and values in file order.
func (t Tags) All() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for i := t.from; i < t.to; i += 2 {
			pair := t.table.Pairs[i : i+2]
			if !yield(t.table.Names[pair[0]], t.table.Names[pair[1]]) {
				return
			}
		}
	}
}

// Map copies the tags into a map. Of a duplicate key, which the format permits, the first value is kept.
func (t Tags) Map() map[string]string {
	m := make(map[string]string, t.Len())
	for k, v := range t.All() {
		if _, twice := m[k]; !twice {
			m[k] = v
		}
	}
	return m
}

// NotInUse reports whether a tag means that an object's other tags describe its past or future, like disused=yes.
func NotInUse(key, value string) bool { return value == "yes" && lifecycle[key] }

var lifecycle = map[string]bool{
	"disused": true, "abandoned": true, "demolished": true, "removed": true, "razed": true, "ruined": true,
	"closed": true, "proposed": true, "construction": true,
}

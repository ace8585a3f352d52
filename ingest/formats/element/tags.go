package element

import (
	"iter"
	"maps"
	"slices"
)

// Table holds the tags of a batch: every string once, and the tags as pairs of places among them. It keeps a batch of
// thousands of elements at a handful of allocations.
type Table struct {
	Names []string
	Pairs []uint32 // key, value, key, value …, each a place in Names
}

// Since returns the tags whose pairs were appended since there were from of them.
func (t *Table) Since(from int) Tags {
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

// TagsOf are the tags of a map, by key.
func TagsOf(m map[string]string) Tags {
	var table Table
	for _, key := range slices.Sorted(maps.Keys(m)) {
		table.Add(key, m[key])
	}
	return table.Since(0)
}

// Len is the number of tags.
func (t Tags) Len() int { return int(t.to-t.from) / 2 }

// Get returns the value of key, or "" where it is not tagged.
func (t Tags) Get(key string) string {
	for k, v := range t.All() {
		if k == key {
			return v
		}
	}
	return ""
}

// All goes through keys and values in file order.
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

// Map copies the tags into a map. Of a key that occurs twice, which the format does not forbid, the first one stays.
func (t Tags) Map() map[string]string {
	m := make(map[string]string, t.Len())
	for k, v := range t.All() {
		if _, twice := m[k]; !twice {
			m[k] = v
		}
	}
	return m
}

// Gone reports whether a tag says that the rest of an object's tags no longer or not yet holds, as disused=yes does.
func Gone(key, value string) bool { return value == "yes" && lifecycle[key] }

var lifecycle = map[string]bool{
	"disused": true, "abandoned": true, "demolished": true, "removed": true, "razed": true, "ruined": true,
	"closed": true, "proposed": true, "construction": true,
}

package addresses

import (
	"cmp"
	"hash/fnv"
	"math/bits"
	"slices"
	"sort"
	"unicode/utf8"
)

// Names that differ by one letter (one more, one less, another, or two that changed places) have a form in common: one of
// them without a letter. The table has the hashes of all forms; what a hash finds is compared.

// forms calls visit with the hash of a name and of what it becomes without each of its letters. Names of three letters and
// numbers have one form: another letter makes another name of them. So have very long ones.
func forms(name string, visit func(hash uint32)) {
	hash := func(parts ...string) {
		h := fnv.New32a()
		for _, p := range parts {
			h.Write([]byte(p))
		}
		visit(h.Sum32())
	}
	hash(name)
	if utf8.RuneCountInString(name) < minNear || len(name) > longestName || name[0] >= '0' && name[0] <= '9' {
		return
	}
	for i, r := range name {
		hash(name[:i], name[i+utf8.RuneLen(r):])
	}
}

// minNear is the number of letters of a name that may be written with an error.
const minNear = 4

// nearNames are the names that differ from one by one letter, ascending.
func (t *Table) nearNames(dst []uint32, name string) []uint32 {
	forms(name, func(hash uint32) {
		first := sort.Search(len(t.nearHash), func(i int) bool { return t.nearHash[i] >= hash })
		for i := first; i < len(t.nearHash) && t.nearHash[i] == hash; i++ {
			if n := t.nearName[i]; int(n) < t.name.Len() && !slices.Contains(dst, n) && distance(name, string(t.name.At(int(n))), 1) == 1 {
				dst = append(dst, n)
			}
		}
	})
	slices.Sort(dst)
	return dst
}

// nearForm is a form of a name in a table that is being written.
type nearForm struct{ hash, name uint32 }

func sortForms(all []nearForm) {
	slices.SortFunc(all, func(a, b nearForm) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.name, b.name)) })
}

// minFar is the number of letters of a name that may be written with two errors.
const minFar = 6

// farNames are the names of the streets of a town that differ from one by two letters, and those that begin with a long one that
// was cut off.
func (t *Table) farNames(dst []uint32, w *locality, name string) []uint32 {
	if len(name) < minFar || name[0] >= '0' && name[0] <= '9' {
		return dst
	}
	letters := lettersOf(name)
	for p := w.first; p < w.last; p++ {
		for _, n := range t.placeNames.At(p) {
			if int(n) >= t.name.Len() {
				continue
			}
			key := t.name.At(int(n))
			cut := len(name) >= minCut && len(key) > len(name) && string(key[:len(name)]) == name
			if cut || len(key) <= len(name)+2 && bits.OnesCount32(letters^lettersOf(key)) <= 4 && distance(name, string(key), 2) == 2 {
				dst = append(dst, n)
			}
		}
	}
	slices.Sort(dst)
	return slices.Compact(dst)
}

// minCut is the number of letters of a name whose end may be missing.
const minCut = 12

// lettersOf is the set of the letters of a name.
func lettersOf[T string | []byte](name T) (set uint32) {
	for i := range len(name) {
		set |= 1 << (name[i] & 31)
	}
	return set
}

// longestName is the number of letters of a name up to which others are near it.
const longestName = 64

// distance is the number of letters that are added, missing, different, or changed places with the next one, from a to b;
// most + 1 if there are more than most.
func distance(a, b string, most int) int {
	if d := utf8.RuneCountInString(a) - utf8.RuneCountInString(b); d > most || -d > most || len(a) > longestName || len(b) > longestName {
		return most + 1
	}
	var space [2][longestName]rune
	x, y := space[0][:0], space[1][:0]
	for _, r := range a {
		x = append(x, r)
	}
	for _, r := range b {
		y = append(y, r)
	}
	var rows [3][longestName + 1]int
	before, last, row := rows[0][:len(y)+1], rows[1][:len(y)+1], rows[2][:len(y)+1]
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(y); j++ {
			change := last[j-1]
			if x[i-1] != y[j-1] {
				change++
			}
			row[j] = min(change, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > most {
			return most + 1
		}
		before, last, row = last, row, before
	}
	return min(last[len(y)], most+1)
}

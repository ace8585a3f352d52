package names

import (
	"bytes"
	"math/bits"
	"sort"

	"quartier/internal/pack"
)

// Index finds geographies by name from a mapped file. It is safe for concurrent use until the file is closed.
type Index struct {
	entries       []uint32           `pack:"name.entry"`
	levels        []uint16           `pack:"name.level entries"`
	regions       pack.Lists[uint32] `pack:"name.region entries"`
	codes         []string           `pack:"name.code"`
	texts         pack.Lists[byte]   `pack:"name.text"`
	entriesByName pack.Lists[uint32] `pack:"name.bearer texts"`
	lengths       []uint32           `pack:"name.length lengths"`
	sets          []uint64           `pack:"name.signature texts"`
	numbers       []uint32           `pack:"name.number texts"`
	blocks        []uint64           `pack:"name.block 2 blocks"`
}

// Open opens the index in f. It copies the region codes; the rest stays in the mapped file.
func Open(f *pack.File) (*Index, error) {
	l := pack.NewLoader(f)
	n := pack.LoadLists[byte](l, "name.text", pack.Any).Len()
	x := &Index{}
	l.Fill(x, "", map[string]int{
		"entries": len(pack.Load[uint32](l, "name.entry", pack.Any)),
		"texts":   n, "blocks": (n + blockSize - 1) / blockSize, "lengths": maxRunes + 2,
	})
	return x, l.Err()
}

// Len is the number of geographies in the index.
func (x *Index) Len() int { return len(x.entries) }

// Search finds the best matches and fills r.
func (x *Index) Search(q *Query, r *Result) {
	if !r.begin(x, q) {
		return
	}
	x.prefixes(r)
	if tolerance := Tolerance(len(r.pattern.runes)); !r.full(rankOf(Fuzzy, 1)) {
		x.similar(r, tolerance)
	}
	r.end()
}

// SearchAll is Search by comparing with every name, for tests and benchmarks.
func (x *Index) SearchAll(q *Query, r *Result) {
	if !r.begin(x, q) {
		return
	}
	tolerance := Tolerance(len(r.pattern.runes))
	for i := range x.texts.Len() {
		text := x.texts.At(i)
		if bytes.HasPrefix(text, r.folded) {
			x.take(r, i, rankOfPrefix(text, r.folded))
		} else if errors := distance(r.pattern.runes, []rune(string(text))); errors <= tolerance {
			x.take(r, i, rankOf(Fuzzy, errors))
		}
	}
	r.end()
}

// prefixes takes the names that begin with the query.
func (x *Index) prefixes(r *Result) {
	first := sort.Search(x.texts.Len(), func(i int) bool { return bytes.Compare(x.texts.At(i), r.folded) >= 0 })
	for i := first; i < x.texts.Len(); i++ {
		text := x.texts.At(i)
		if !bytes.HasPrefix(text, r.folded) {
			return
		}
		x.take(r, i, rankOfPrefix(text, r.folded))
	}
}

// similar takes the names within tolerance errors that do not begin with the query. Of the names of similar length it
// compares those that their signature does not rule out.
func (x *Index) similar(r *Result, tolerance int) {
	length, set := len(r.pattern.runes), signature(r.folded)
	for l := max(length-tolerance, 1); l <= min(length+tolerance, maxRunes); l++ {
		lo, hi := uint64(x.lengths[l]), uint64(x.lengths[l+1])
		if lo > hi || hi > uint64(len(x.sets)) {
			return
		}
		lengthened := max(l-length, length-l) // insertions or deletions, which change one bit instead of two
		for lo < hi {
			block := lo / blockSize
			end := min((block+1)*blockSize, hi)
			bound := 2*tolerance - lengthened
			all, any := x.blocks[2*block], x.blocks[2*block+1]
			if bits.OnesCount64(all&^set|set&^any) <= bound {
				for i, other := range x.sets[lo:end] {
					if bitDistance(set, other) <= bound {
						tolerance = x.verify(r, x.numbers[lo+uint64(i)], tolerance)
					}
				}
			}
			lo = end
		}
		if lengthened > tolerance && l > length {
			return
		}
	}
}

// verify takes a text if it is within the tolerance, and returns the tolerance that can still improve the result.
func (x *Index) verify(r *Result, number uint32, tolerance int) int {
	text := x.texts.At(int(number))
	errors := r.pattern.distance(text)
	if errors == 0 || errors > tolerance || bytes.HasPrefix(text, r.folded) {
		return tolerance
	}
	x.take(r, int(number), rankOf(Fuzzy, errors))
	for tolerance > 0 && r.full(rankOf(Fuzzy, tolerance)) {
		tolerance--
	}
	return tolerance
}

// take inserts the entries with a text.
func (x *Index) take(r *Result, text int, rank uint8) {
	if r.full(rank) {
		return
	}
	for _, b := range x.entriesByName.At(text) {
		entry, other := b>>languageBits, uint64(0)
		if b&r.language == 0 {
			other = 1
		}
		key := uint64(rank)<<56 | other<<55 | uint64(entry)
		if r.beats(key) && uint64(entry) < uint64(len(x.entries)) && r.admits(x, entry) {
			r.insert(key)
		}
	}
}

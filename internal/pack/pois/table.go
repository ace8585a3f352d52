package pois

import (
	"slices"

	"quartier/internal/pack"
	"quartier/internal/pack/names"
	"quartier/internal/pack/strips"
	"quartier/schemas"
)

// sumEvery is the number of POIs between two stored cumulative counts by category.
const sumEvery = 32

// Table answers searches from a mapped file. It is safe for concurrent use until the file is closed.
type Table struct {
	index      strips.Index
	categories []uint64         `pack:"poi.category pois"`
	base       []uint32         `pack:"poi.base pois"`
	regions    []uint16         `pack:"poi.region pois"`
	ranks      []uint32         `pack:"poi.rank pois"`
	sums       []uint32         `pack:"poi.sum sums categories"`
	heads      pack.Lists[byte] `pack:"poi.json pois"`
	tailOf     []uint32         `pack:"poi.tail.of pois"`
	tails      pack.Lists[byte] `pack:"poi.tail"`
	baseHeads  pack.Lists[byte] `pack:"poi.base.json pois"`
	regionCode []string         `pack:"region.code"`
	brands     terms
	tags       terms
	names      *names.Index       // entries are names; nil: of a program before it
	named      pack.Lists[uint32] // POIs of each name
	known      []knownGround
	ungrounded bool // of layout 14, whose programs took all categories as known
}

// terms are the brands or the tags.
type terms struct {
	list     []Term
	of       pack.Lists[uint32] // numbers of the terms of each POI
	postings pack.Lists[uint32] // POIs of each term, ascending
}

// Open opens the table in f. It copies the terms and the regions; the rest stays in the mapped file.
func Open(f *pack.File) (*Table, error) {
	l := pack.NewLoader(f)
	x := strips.Load(l, "poi.")
	n := len(x.Points)
	t := &Table{index: x, brands: loadTerms(l, "poi.brand", "brand", n), tags: loadTerms(l, "poi.tag", "tag", n)}
	l.Fill(t, "", map[string]int{
		"pois": n, "sums": n/sumEvery + 1, "categories": NumCategories,
	})
	if t.ungrounded = !l.Has("known.category"); !t.ungrounded {
		t.known = loadKnown(l)
	}
	return t, t.loadNames(f, l)
}

func loadTerms(l *pack.Loader, section, name string, pois int) terms {
	id := pack.LoadTexts(l, name+".id", pack.Any)
	en, fr := pack.LoadTexts(l, name+".en", len(id)), pack.LoadTexts(l, name+".fr", len(id))
	v := terms{of: pack.LoadLists[uint32](l, section, pois), postings: pack.LoadLists[uint32](l, name+".poi", len(id))}
	for i := range min(len(id), len(en), len(fr)) {
		v.list = append(v.list, Term{id[i], schemas.Text{EN: en[i], FR: fr[i]}})
	}
	return v
}

// Len is the number of POIs.
func (t *Table) Len() int { return len(t.index.Points) }

// Brands are the brands of all POIs, sorted by id. The slice is shared: read only.
func (t *Table) Brands() []Term { return t.brands.list }

// Tags are the tags of all POIs, sorted by id. The slice is shared: read only.
func (t *Table) Tags() []Term { return t.tags.list }

// AppendPOI appends the JSON of a hit, a schemas.EnhancedPOI.
func (t *Table) AppendPOI(dst []byte, h Hit) []byte {
	room, _ := t.readAhead([]uint32{h.Index})
	return t.appendHits(slices.Grow(dst, room), []Hit{h})
}

// AppendPOIs appends the JSON of the hits of a result of this table, with commas between them.
func (t *Table) AppendPOIs(dst []byte, r *Result) []byte {
	room, _ := t.readAhead(r.scratch.added)
	return t.appendHits(slices.Grow(dst, room), r.Hits)
}

// appendHits appends the JSON of hits to dst, which has room for it.
func (t *Table) appendHits(dst []byte, hits []Hit) []byte {
	to := dst[len(dst):cap(dst)]
	n := 0
	for i, h := range hits {
		if i > 0 {
			to[n] = ','
			n++
		}
		*(*[len(opening)]byte)(to[n:]) = openingBytes
		n += len(opening)
		n += copy(to[n:], t.heads.At(int(h.Index)))
		*(*[len(beforeDistance)]byte)(to[n:]) = beforeDistanceBytes
		n += len(beforeDistance)
		n += h.PutMetres(to[n:])
		n += copy(to[n:], t.tails.At(int(t.tailOf[h.Index])))
	}
	return dst[:len(dst)+n]
}

// readAhead reads a byte of each line of the texts of POIs: in a row, with nothing else between them, their cache misses overlap,
// while copying waits for each. In the order of the table processors also fetch the next lines by themselves. It returns the
// room that the texts need, and a sum without a meaning.
func (t *Table) readAhead(pois []uint32) (size int, sum byte) {
	for _, poi := range pois {
		head, tail := t.heads.At(int(poi)), t.tails.At(int(t.tailOf[poi]))
		size += len(head) + len(tail)
		sum += touch(head) + touch(tail)
	}
	return size + len(pois)*(len(opening)+len(beforeDistance)+strips.MaxMetres+len(",")), sum
}

// cacheLine is the size in bytes of a line of the processor's cache.
const cacheLine = 64

// touch reads a byte of each line that a text is in.
func touch(text []byte) (sum byte) {
	for i := 0; i < len(text); i += cacheLine {
		sum += text[i]
	}
	if len(text) > 0 {
		sum += text[len(text)-1]
	}
	return sum
}

// AppendBasePOI appends the JSON of a hit of a SearchBase, a schemas.BasePOI.
func (t *Table) AppendBasePOI(dst []byte, h Hit) []byte {
	dst = append(dst, t.baseHeads.At(int(h.Index))...)
	dst = h.AppendMetres(dst)
	return append(dst, baseTail...)
}

package pois

import (
	"quartier/internal/pack"
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
	return t, l.Err()
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
	dst = append(dst, t.heads.At(int(h.Index))...)
	dst = h.AppendMetres(dst)
	return append(dst, t.tails.At(int(t.tailOf[h.Index]))...)
}

// cacheLine is the size in bytes of a line of the processor's cache.
const cacheLine = 64

// ReadAhead reads a byte of each line of the texts that AppendPOI will copy. The texts are scattered over the file: read in a
// row, with nothing else between them, their cache misses overlap, while copying waits for each. The sum has no meaning.
func (t *Table) ReadAhead(hits []Hit) (sum byte) {
	for _, h := range hits {
		head := t.heads.At(int(h.Index))
		for i := 0; i < len(head); i += cacheLine {
			sum += head[i]
		}
		if len(head) > 0 {
			sum += head[len(head)-1]
		}
	}
	return sum
}

// AppendBasePOI appends the JSON of a hit of a SearchBase, a schemas.BasePOI.
func (t *Table) AppendBasePOI(dst []byte, h Hit) []byte {
	dst = append(dst, t.baseHeads.At(int(h.Index))...)
	dst = h.AppendMetres(dst)
	return append(dst, baseTail...)
}

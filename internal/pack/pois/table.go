package pois

import (
	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/schemas"
)

// stripHeight is the height of a strip of POIs in stored units: about 220 m.
const stripHeight = 20000

// numStrips is how many strips there are from pole to pole.
const numStrips = int(180*coord.Scale)/stripHeight + 1

// sumEvery is how many POIs lie between two stored running counts by category.
const sumEvery = 32

// Sections of the table; all but the terms and regions run over the POIs in their stored order.
const (
	sectionPoints     = "poi.point"
	sectionStrips     = "poi.strip"    // for each strip and one more: the first POI of it
	sectionCategories = "poi.category" // bit sets
	sectionBase       = "poi.base"     // bit sets of base categories
	sectionRegions    = "poi.region"   // numbers of regions
	sectionRanks      = "poi.rank"     // places in the order by name, then key
	sectionSums       = "poi.sum"      // every sumEvery POIs: how many POIs before it have each category
	sectionBrands     = "poi.brand"    // lists of brand numbers
	sectionTags       = "poi.tag"      // lists of tag numbers
	sectionText       = "poi.json"     // bytes
	sectionTextAt     = "poi.json.at"  // where a POI's text begins in it, and one more
	sectionCuts       = "poi.json.cut" // of each POI: the length of the head in its text, the base head is the rest; number of its tail
	sectionTails      = "poi.tail"     // texts of tails, sorted
	sectionRegionCode = "region.code"
)

// Table answers searches from a mapped file. It is safe for concurrent use until the file is closed.
type Table struct {
	points     []coord.Point
	strips     []uint32
	categories []uint64
	base       []uint32
	regions    []uint16
	ranks      []uint32
	sums       []uint32
	text       []byte
	textAt     []uint64
	cuts       []uint32
	tails      pack.Lists[byte]
	regionCode []string
	brands     terms
	tags       terms
}

// terms are the brands or the tags.
type terms struct {
	list     []Term
	of       pack.Lists[uint32] // numbers of the terms of each POI
	postings pack.Lists[uint32] // POIs of each term, ascending
}

// Open finds the table in f. It reads the terms and the regions; the rest stays in the mapped file.
func Open(f *pack.File) (*Table, error) {
	t := &Table{}
	var err error
	if t.points, err = pack.Get[coord.Point](f, sectionPoints); err != nil {
		return nil, err
	}
	n := len(t.points)
	sized := func(load func() error) {
		if err == nil {
			err = load()
		}
	}
	sized(func() (e error) { t.strips, e = pack.GetSized[uint32](f, sectionStrips, numStrips+1); return })
	sized(func() (e error) { t.categories, e = pack.GetSized[uint64](f, sectionCategories, n); return })
	sized(func() (e error) { t.base, e = pack.GetSized[uint32](f, sectionBase, n); return })
	sized(func() (e error) { t.regions, e = pack.GetSized[uint16](f, sectionRegions, n); return })
	sized(func() (e error) { t.ranks, e = pack.GetSized[uint32](f, sectionRanks, n); return })
	sized(func() (e error) {
		t.sums, e = pack.GetSized[uint32](f, sectionSums, (n/sumEvery+1)*NumCategories)
		return
	})
	sized(func() (e error) { t.text, e = pack.Get[byte](f, sectionText); return })
	sized(func() (e error) { t.textAt, e = pack.GetSized[uint64](f, sectionTextAt, n+1); return })
	sized(func() (e error) { t.cuts, e = pack.GetSized[uint32](f, sectionCuts, 2*n); return })
	sized(func() (e error) { t.tails, e = pack.GetLists[byte](f, sectionTails, -1); return })
	sized(func() (e error) { t.regionCode, e = loadTexts(f, sectionRegionCode, -1); return })
	sized(func() (e error) { t.brands, e = loadTerms(f, sectionBrands, "brand", n); return })
	sized(func() (e error) { t.tags, e = loadTerms(f, sectionTags, "tag", n); return })
	if err != nil {
		return nil, err
	}
	return t, nil
}

func loadTexts(f *pack.File, name string, want int) ([]string, error) {
	lists, err := pack.GetLists[byte](f, name, want)
	if err != nil {
		return nil, err
	}
	texts := make([]string, lists.Len())
	for i := range texts {
		texts[i] = string(lists.At(i))
	}
	return texts, nil
}

func loadTerms(f *pack.File, section, name string, pois int) (terms, error) {
	var v terms
	id, err := loadTexts(f, name+".id", -1)
	if err != nil {
		return v, err
	}
	en, err := loadTexts(f, name+".en", len(id))
	if err != nil {
		return v, err
	}
	fr, err := loadTexts(f, name+".fr", len(id))
	if err != nil {
		return v, err
	}
	if v.of, err = pack.GetLists[uint32](f, section, pois); err != nil {
		return v, err
	}
	if v.postings, err = pack.GetLists[uint32](f, name+".poi", len(id)); err != nil {
		return v, err
	}
	v.list = make([]Term, len(id))
	for i := range id {
		v.list[i] = Term{id[i], schemas.Text{EN: en[i], FR: fr[i]}}
	}
	return v, nil
}

// Len is the number of POIs.
func (t *Table) Len() int { return len(t.points) }

// Brands are the brands that POIs carry, sorted by id. The slice is shared: read only.
func (t *Table) Brands() []Term { return t.brands.list }

// Tags are the tags that POIs carry, sorted by id. The slice is shared: read only.
func (t *Table) Tags() []Term { return t.tags.list }

// texts are the pieces of the JSON of POI i; empty where the file is damaged.
func (t *Table) texts(i uint32) (head, tail, base []byte) {
	if uint64(i) >= uint64(len(t.points)) {
		return nil, nil, nil
	}
	lo, hi := t.textAt[i], t.textAt[i+1]
	if lo > hi || hi > uint64(len(t.text)) {
		return nil, nil, nil
	}
	text, cut := t.text[lo:hi], uint64(t.cuts[2*i])
	if number := int(t.cuts[2*i+1]); number < t.tails.Len() && cut <= uint64(len(text)) {
		return text[:cut], t.tails.At(number), text[cut:]
	}
	return nil, nil, nil
}

// AppendPOI appends the JSON of a hit, a schemas.EnhancedPOI.
func (t *Table) AppendPOI(dst []byte, h Hit) []byte {
	head, tail, _ := t.texts(h.Index)
	dst = append(dst, head...)
	dst = appendMetres(dst, h.Decimetres)
	return append(dst, tail...)
}

// cacheLine is the memory that a processor fetches at a time.
const cacheLine = 64

// ReadAhead touches what AppendPOI will copy of the hits. They lie all over the file: asked for in a row, without a
// branch between them, their cache misses overlap, where copying waits for each. The sum means nothing.
func (t *Table) ReadAhead(hits []Hit) (sum byte) {
	for _, h := range hits {
		head, _, _ := t.texts(h.Index)
		if len(head) == 0 {
			continue
		}
		end := len(head) - 1
		sum += head[0] + head[min(cacheLine, end)] + head[min(2*cacheLine, end)] + head[end]
	}
	return sum
}

// AppendBasePOI appends the JSON of a hit of a SearchBase, a schemas.BasePOI.
func (t *Table) AppendBasePOI(dst []byte, h Hit) []byte {
	_, _, base := t.texts(h.Index)
	dst = append(dst, base...)
	dst = appendMetres(dst, h.Decimetres)
	return append(dst, baseTail...)
}

package pois

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"

	"quartier/internal/coord"
	"quartier/schemas"
)

// Writer writes the table. It needs about 250 bytes of memory a POI, names included; the JSON is kept in a temporary file.
type Writer struct {
	spool   *os.File
	out     *bufio.Writer
	encoder encoder
	at      uint64 // bytes in the spool
	items   []item
	names   []byte   // name and key of each item, one after the other
	terms   []uint32 // brands and tags of each item, one after the other, by order of appearance
	brands  vocabulary
	tags    vocabulary
	tails   vocabulary
	regions map[string]uint16
	codes   []string // of the regions
}

// item is the data of a POI in memory.
type item struct {
	point      coord.Point
	categories uint64
	text       uint64 // offset of its JSON in the spool
	name       uint64 // offset of its name in names
	terms      uint64 // index of its brands in terms
	head       uint32 // lengths of the pieces of JSON in the spool
	baseHead   uint32
	tail       uint32 // number of the piece that is shared
	base       uint32
	nameLen    uint32
	keyLen     uint32
	region     uint16
	brands     uint16 // number of them
	tags       uint16
}

// vocabulary numbers texts by order of appearance.
type vocabulary struct {
	number map[string]uint32
	used   []string
	labels map[string]schemas.Text
}

func (v *vocabulary) of(id string) uint32 {
	n, ok := v.number[id]
	if !ok {
		n = uint32(len(v.used))
		v.number[id] = n
		v.used = append(v.used, id)
	}
	return n
}

// sorted returns the texts in order, and the index in it of each number.
func (v *vocabulary) sorted() (texts []string, renumbered []uint32) {
	texts = slices.Sorted(slices.Values(v.used))
	renumbered = make([]uint32, len(texts))
	for i, text := range texts {
		renumbered[v.number[text]] = uint32(i)
	}
	return texts, renumbered
}

func newVocabulary() vocabulary {
	return vocabulary{number: map[string]uint32{}, labels: map[string]schemas.Text{}}
}

// NewWriter makes a Writer whose temporary file is in dir ("" for the system's).
func NewWriter(dir string) (*Writer, error) {
	spool, err := os.CreateTemp(dir, ".pois-*")
	if err != nil {
		return nil, fmt.Errorf("write pois: %w", err)
	}
	if err := os.Remove(spool.Name()); err != nil { // unlinked: it disappears when it is closed
		spool.Close()
		return nil, fmt.Errorf("write pois: %w", err)
	}
	return &Writer{
		spool: spool, out: bufio.NewWriterSize(spool, 1<<18),
		brands: newVocabulary(), tags: newVocabulary(), tails: newVocabulary(), regions: map[string]uint16{},
	}, nil
}

// Describe sets the labels of brands and tags. Terms of no POI are not in the table; a term without a label is labelled
// with its id.
func (w *Writer) Describe(brands, tags []Term) {
	for _, t := range brands {
		w.brands.labels[t.ID] = t.Label
	}
	for _, t := range tags {
		w.tags.labels[t.ID] = t.Label
	}
}

// Close removes the temporary file of a Writer that is not finished.
func (w *Writer) Close() error {
	if w.spool == nil {
		return nil
	}
	err := w.spool.Close()
	w.spool, w.out = nil, nil
	return err
}

// Add adds a POI. It fails, naming the key, if the position is invalid, a required field is empty or a category is
// unknown.
func (w *Writer) Add(r *Record) error {
	if err := w.add(r); err != nil {
		return fmt.Errorf("poi %q: %w", r.Key, err)
	}
	return nil
}

func (w *Writer) add(r *Record) error {
	if w.spool == nil {
		return os.ErrClosed
	}
	it, err := w.item(r)
	if err != nil {
		return err
	}
	f, err := w.encoder.fragment(r, it.point)
	if err != nil {
		return err
	}
	for _, piece := range [][]byte{f.head, f.base} {
		if _, err := w.out.Write(piece); err != nil {
			return err
		}
	}
	it.text, it.head, it.baseHead, it.tail = w.at, uint32(len(f.head)), uint32(len(f.base)), w.tails.of(string(f.tail))
	w.at += uint64(len(f.head) + len(f.base))
	it.name, it.nameLen, it.keyLen = uint64(len(w.names)), uint32(len(r.Name)), uint32(len(r.Key))
	w.names = append(append(w.names, r.Name...), r.Key...)
	it.terms, it.brands, it.tags = uint64(len(w.terms)), uint16(len(r.Brands)), uint16(len(r.Tags))
	for _, id := range r.Brands {
		w.terms = append(w.terms, w.brands.of(id))
	}
	for _, id := range r.Tags {
		w.terms = append(w.terms, w.tags.of(id))
	}
	w.items = append(w.items, it)
	return nil
}

// item checks a record and converts the fields of searches to numbers.
func (w *Writer) item(r *Record) (item, error) {
	var it item
	var ok bool
	const maxTerms = 1 << 16
	switch {
	case r.Name == "":
		return it, errors.New("no name")
	case r.Country == "":
		return it, errors.New("no country")
	case len(r.Categories) == 0:
		return it, errors.New("no category")
	case len(r.Name)+len(r.Key) > 1<<20 || len(r.Brands) >= maxTerms || len(r.Tags) >= maxTerms:
		return it, errors.New("name, key or lists too long")
	case len(w.items) >= 1<<32-1:
		return it, errors.New("too many POIs for the format")
	}
	if it.point, ok = coord.NewPoint(r.Lng, r.Lat); !ok {
		return it, fmt.Errorf("invalid position: lng %v, lat %v", r.Lng, r.Lat)
	}
	for _, id := range r.Categories {
		i, ok := schemas.CategoryIndex(id)
		if !ok {
			return it, fmt.Errorf("unknown category %q", id)
		}
		it.categories |= 1 << i
	}
	for _, id := range r.BaseCategories {
		i, ok := schemas.BaseCategoryIndex(id)
		if !ok {
			return it, fmt.Errorf("unknown base category %q", id)
		}
		it.base |= 1 << i
	}
	region, ok := w.regions[r.RegionCode]
	if !ok {
		if len(w.codes) >= maxTerms {
			return it, errors.New("too many regions")
		}
		region = uint16(len(w.codes))
		w.regions[r.RegionCode] = region
		w.codes = append(w.codes, r.RegionCode)
	}
	it.region = region
	return it, nil
}

func (w *Writer) nameOf(it *item) []byte { return w.names[it.name:][:it.nameLen] }
func (w *Writer) keyOf(it *item) []byte  { return w.names[it.name+uint64(it.nameLen):][:it.keyLen] }

// sorted orders the items by strip, then longitude, latitude and key, which no two may share.
func (w *Writer) sorted() error {
	slices.SortFunc(w.items, func(a, b item) int {
		return cmp.Or(
			cmp.Compare(stripOf(float64(a.point.Lat)), stripOf(float64(b.point.Lat))),
			cmp.Compare(a.point.Lng, b.point.Lng),
			cmp.Compare(a.point.Lat, b.point.Lat),
			bytes.Compare(w.keyOf(&a), w.keyOf(&b)))
	})
	for i := 1; i < len(w.items); i++ {
		a, b := &w.items[i-1], &w.items[i]
		if a.point == b.point && bytes.Equal(w.keyOf(a), w.keyOf(b)) {
			return fmt.Errorf("poi %q: duplicate key", w.keyOf(a))
		}
	}
	return nil
}

// ranks is the position of each item in the order by name, then key, then position.
func (w *Writer) ranks() []uint32 {
	order := make([]uint32, len(w.items))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(i, j uint32) int {
		a, b := &w.items[i], &w.items[j]
		return cmp.Or(
			bytes.Compare(w.nameOf(a), w.nameOf(b)),
			bytes.Compare(w.keyOf(a), w.keyOf(b)),
			cmp.Compare(i, j))
	})
	ranks := make([]uint32, len(order))
	for rank, i := range order {
		ranks[i] = uint32(rank)
	}
	return ranks
}

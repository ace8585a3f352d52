package pois

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/internal/pack/strips"
	"quartier/schemas"
)

// Writer writes the table. It needs about 250 bytes of memory a POI, names included, and Finish about 500 for each different name
// besides; the JSON is kept in a temporary file.
type Writer struct {
	spool   *pack.Spool
	encoder encoder
	items   []item
	names   []byte   // name and key of each item, one after the other
	terms   []uint32 // brands and tags of each item, one after the other, by order of appearance
	brands  vocabulary
	tags    vocabulary
	tails   pack.Dictionary
	regions pack.Dictionary
	known   []knownGround
}

// item is the data of a POI in memory.
type item struct {
	point      coord.Point
	categories uint64
	text       int64  // offset of its JSON in the spool
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

// vocabulary is the brands or the tags.
type vocabulary struct {
	pack.Dictionary
	labels map[string]schemas.Text
}

// NewWriter makes a Writer whose temporary file is in dir ("" for the system's).
func NewWriter(dir string) (*Writer, error) {
	spool, err := pack.NewSpool(dir)
	if err != nil {
		return nil, fmt.Errorf("write pois: %w", err)
	}
	return &Writer{spool: spool}, nil
}

// Describe sets the labels of brands and tags. Terms of no POI are not in the table; a term without a label is labelled
// with its id.
func (w *Writer) Describe(brands, tags []Term) {
	w.brands.describe(brands)
	w.tags.describe(tags)
}

func (v *vocabulary) describe(list []Term) {
	if v.labels == nil {
		v.labels = map[string]schemas.Text{}
	}
	for _, t := range list {
		v.labels[t.ID] = t.Label
	}
}

// Close removes the temporary file of a Writer that is not finished.
func (w *Writer) Close() error { return w.spool.Close() }

// Add adds a POI. It fails, naming the key, if the position is invalid, a required field is empty or a category is
// unknown.
func (w *Writer) Add(r *Record) error {
	if err := w.add(r); err != nil {
		return fmt.Errorf("poi %q: %w", r.Key, err)
	}
	return nil
}

func (w *Writer) add(r *Record) error {
	it, err := w.item(r)
	if err != nil {
		return err
	}
	f, err := w.encoder.fragment(r, it.point)
	if err != nil {
		return err
	}
	if it.text, err = w.spool.Append(f.head, f.base); err != nil {
		return err
	}
	it.head, it.baseHead, it.tail = uint32(len(f.head)), uint32(len(f.base)), uint32(w.tails.Number(string(f.tail)))
	it.name, it.nameLen, it.keyLen = uint64(len(w.names)), uint32(len(r.Name)), uint32(len(r.Key))
	w.names = append(append(w.names, r.Name...), r.Key...)
	it.terms, it.brands, it.tags = uint64(len(w.terms)), uint16(len(r.Brands)), uint16(len(r.Tags))
	for _, id := range r.Brands {
		w.terms = append(w.terms, uint32(w.brands.Number(id)))
	}
	for _, id := range r.Tags {
		w.terms = append(w.terms, uint32(w.tags.Number(id)))
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
	region := w.regions.Number(r.RegionCode)
	if region >= maxTerms {
		return it, errors.New("too many regions")
	}
	it.region = uint16(region)
	return it, nil
}

func (w *Writer) nameOf(it *item) []byte { return w.names[it.name:][:it.nameLen] }
func (w *Writer) keyOf(it *item) []byte  { return w.names[it.name+uint64(it.nameLen):][:it.keyLen] }

// sorted orders the items by strip, then longitude, latitude and key, which no two may share.
func (w *Writer) sorted() error {
	slices.SortFunc(w.items, func(a, b item) int {
		return cmp.Or(strips.Compare(a.point, b.point), bytes.Compare(w.keyOf(&a), w.keyOf(&b)))
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

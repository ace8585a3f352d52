package pois

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/internal/pack/strips"
	"quartier/schemas"
)

// Writer writes the table. It needs about 30 bytes of memory a POI, and Finish about 500 for each different name besides; all
// else is kept in temporary files.
type Writer struct {
	dir     string
	spool   *pack.Spool // records in the order of Add
	encoder encoder
	buffer  []byte
	items   []item
	brands  vocabulary
	tags    vocabulary
	tails   pack.Dictionary
	regions pack.Dictionary
	known   []knownGround
}

// item is where a POI is, and where its record is in the spool.
type item struct {
	point coord.Point
	at    int64
	size  uint32
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
	return &Writer{dir: dir, spool: spool}, nil
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
	point, p, err := w.record(r)
	if err != nil {
		return err
	}
	f, err := w.encoder.fragment(r, point)
	if err != nil {
		return err
	}
	p.head, p.base, p.tail = f.head, f.base, uint32(w.tails.Number(string(f.tail)))
	for _, id := range r.Brands {
		p.brands = append(p.brands, uint32(w.brands.Number(id)))
	}
	for _, id := range r.Tags {
		p.tags = append(p.tags, uint32(w.tags.Number(id)))
	}
	w.buffer = p.append(w.buffer[:0])
	at, err := w.spool.Append(w.buffer)
	w.items = append(w.items, item{point, at, uint32(len(w.buffer))})
	return err
}

// record checks a record and converts the fields of searches to numbers.
func (w *Writer) record(r *Record) (point coord.Point, it spooled, err error) {
	var ok bool
	const maxTerms = 1 << 16
	switch {
	case r.Name == "":
		return point, it, errors.New("no name")
	case r.Country == "":
		return point, it, errors.New("no country")
	case len(r.Categories) == 0:
		return point, it, errors.New("no category")
	case len(r.Name)+len(r.Key) > 1<<20 || len(r.Brands) >= maxTerms || len(r.Tags) >= maxTerms:
		return point, it, errors.New("name, key or lists too long")
	case len(w.items) >= 1<<32-1:
		return point, it, errors.New("too many POIs for the format")
	}
	if point, ok = coord.NewPoint(r.Lng, r.Lat); !ok {
		return point, it, fmt.Errorf("invalid position: lng %v, lat %v", r.Lng, r.Lat)
	}
	for _, id := range r.Categories {
		i, ok := schemas.CategoryIndex(id)
		if !ok {
			return point, it, fmt.Errorf("unknown category %q", id)
		}
		it.categories |= 1 << i
	}
	for _, id := range r.BaseCategories {
		i, ok := schemas.BaseCategoryIndex(id)
		if !ok {
			return point, it, fmt.Errorf("unknown base category %q", id)
		}
		it.baseCategories |= 1 << i
	}
	region := w.regions.Number(r.RegionCode)
	if region >= maxTerms {
		return point, it, errors.New("too many regions")
	}
	it.region = uint16(region)
	it.name, it.key = []byte(r.Name), []byte(r.Key)
	return point, it, nil
}

// sorted orders the items by strip, then longitude, latitude and key, which no two may share.
func (w *Writer) sorted() error {
	slices.SortFunc(w.items, func(a, b item) int { return cmp.Or(strips.Compare(a.point, b.point), cmp.Compare(a.at, b.at)) })
	for first := 0; first < len(w.items); {
		last := first + 1
		for last < len(w.items) && w.items[last].point == w.items[first].point {
			last++
		}
		if err := w.byKey(w.items[first:last]); err != nil {
			return err
		}
		first = last
	}
	return nil
}

// byKey orders items at the same place by key.
func (w *Writer) byKey(same []item) error {
	if len(same) == 1 {
		return nil
	}
	type keyed struct {
		item
		key string
	}
	list := make([]keyed, len(same))
	for i, it := range same {
		p, err := w.read(it)
		if err != nil {
			return err
		}
		list[i] = keyed{it, string(p.key)}
	}
	slices.SortFunc(list, func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
	for i, k := range list {
		if i > 0 && k.key == list[i-1].key {
			return fmt.Errorf("poi %q: duplicate key", k.key)
		}
		same[i] = k.item
	}
	return nil
}

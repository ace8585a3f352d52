package schools

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/internal/pack/strips"
	"quartier/schemas"
)

// Writer writes the table. It keeps the outlines of catchments in memory, 8 bytes a vertex; the JSON is in a temporary file.
type Writer struct {
	spool   *pack.Spool
	items   []item
	areas   []area
	numbers map[[sha256.Size]byte]int // of areas, by their geometry
	words   pack.Dictionary
	regions pack.Dictionary
}

// item is the data of a school in memory.
type item struct {
	point      coord.Point
	name, key  string
	region     uint16
	lists      uint8
	text       int64 // offset of its JSON in the spool
	en, fr     int   // lengths of its parts; fr is 0 where it does not differ
	catchments []catchment
}

// catchment is a catchment of an item.
type catchment struct {
	area   int
	en, fr int // numbers of words
}

// area is an outline, which several catchments may share.
type area struct {
	coord.Area
	text    int64 // offset of its JSON in the spool
	textLen int
}

// NewWriter makes a Writer whose temporary file is in dir ("" for the system's).
func NewWriter(dir string) (*Writer, error) {
	spool, err := pack.NewSpool(dir)
	if err != nil {
		return nil, fmt.Errorf("write schools: %w", err)
	}
	return &Writer{spool: spool, numbers: map[[sha256.Size]byte]int{}}, nil
}

// Close removes the temporary file of a Writer that is not finished.
func (w *Writer) Close() error { return w.spool.Close() }

// Add adds a school. It fails, naming the key, if the record is invalid.
func (w *Writer) Add(r *Record) error {
	if err := w.add(r); err != nil {
		return fmt.Errorf("school %q: %w", r.Key, err)
	}
	return nil
}

func (w *Writer) add(r *Record) error {
	it, err := w.item(r)
	if err != nil {
		return err
	}
	entry, err := Entry(r)
	if err != nil {
		return err
	}
	en, err := schoolText(entry)
	if err != nil {
		return err
	}
	var fr []byte
	if r.CountryCode == "CA" {
		if fr, err = schoolText(inFrench(entry)); err != nil {
			return err
		}
		if bytes.Equal(en, fr) {
			fr = nil
		}
	}
	it.en, it.fr = len(en), len(fr)
	if it.text, err = w.spool.Append(en, fr); err != nil {
		return err
	}
	for _, c := range sorted(r.Catchments) {
		added, err := w.catchment(&c, r.CountryCode == "CA")
		if err != nil {
			return fmt.Errorf("catchment %q %q %q: %w", c.Level, c.Program, c.Grade, err)
		}
		it.catchments = append(it.catchments, added)
	}
	w.items = append(w.items, it)
	return nil
}

// item checks a record and converts the fields of searches to numbers.
func (w *Writer) item(r *Record) (item, error) {
	it := item{name: r.Name, key: r.Key}
	var ok bool
	switch {
	case r.Name == "":
		return it, errors.New("no name")
	case schemas.CountryName(r.CountryCode) == schemas.Text{}:
		return it, fmt.Errorf("no country %q", r.CountryCode)
	case r.StateCode == "":
		return it, errors.New("no state")
	}
	if it.point, ok = coord.NewPoint(r.Lng, r.Lat); !ok {
		return it, fmt.Errorf("invalid position: lng %v, lat %v", r.Lng, r.Lat)
	}
	for _, level := range split(r.Levels) {
		switch slices.Index(schemas.SchoolLevels, level) {
		case 0, 1:
			it.lists |= primaryList
		case 2:
			it.lists |= primaryList | highList
		case 3:
			it.lists |= highList
		default:
			return it, fmt.Errorf("unknown level %q", level)
		}
	}
	if it.lists == 0 { // the levels are not known
		it.lists = primaryList | highList
	}
	region := w.regions.Number(r.CountryCode + "_" + r.StateCode)
	if region >= 1<<16 {
		return it, errors.New("too many regions")
	}
	it.region = uint16(region)
	return it, nil
}

// catchment adds a catchment and its area, unless another one has it.
func (w *Writer) catchment(c *Catchment, canadian bool) (added catchment, err error) {
	if !slices.Contains(schemas.SchoolLevels, c.Level) {
		return added, errors.New("unknown level")
	}
	en, err := catchmentText(c, false)
	if err != nil {
		return added, err
	}
	added.en = w.words.Number(string(en))
	added.fr = added.en
	if canadian {
		fr, err := catchmentText(c, true)
		if err != nil {
			return added, err
		}
		added.fr = w.words.Number(string(fr))
	}
	added.area, err = w.area(c)
	return added, err
}

func (w *Writer) area(c *Catchment) (int, error) {
	polygons, err := coord.NewAreas(c.Geometry)
	if err != nil {
		return 0, err
	}
	outline := coord.Join(polygons)
	if len(outline.Ends) == 0 {
		return 0, errors.New("empty geometry")
	}
	text := coord.AppendLatLng(nil, polygons)
	digest := sha256.Sum256(text)
	if number, ok := w.numbers[digest]; ok {
		return number, nil
	}
	a := area{Area: outline, textLen: len(text)}
	if a.text, err = w.spool.Append(text); err != nil {
		return 0, err
	}
	w.numbers[digest] = len(w.areas)
	w.areas = append(w.areas, a)
	return len(w.areas) - 1, nil
}

// sorted orders catchments by level, program, grade.
func sorted(catchments []Catchment) []Catchment {
	return slices.SortedStableFunc(slices.Values(catchments), func(a, b Catchment) int {
		return cmp.Or(
			cmp.Compare(slices.Index(schemas.SchoolLevels, a.Level), slices.Index(schemas.SchoolLevels, b.Level)),
			cmp.Compare(a.Program, b.Program),
			slices.Compare(grades(a.Grade), grades(b.Grade)),
			cmp.Compare(a.Grade, b.Grade))
	})
}

// grades are the ranks of a grade or of the first and the last of several; −1 for none.
func grades(text string) (ranks []int) {
	for code := range strings.SplitSeq(text, "-") {
		ranks = append(ranks, slices.IndexFunc(schemas.Grades, func(codes []string) bool { return slices.Contains(codes, code) }))
	}
	return ranks
}

// order sorts the items as their index needs them, those at one place by key, which no two may share.
func (w *Writer) order() error {
	slices.SortFunc(w.items, func(a, b item) int {
		return cmp.Or(strips.Compare(a.point, b.point), cmp.Compare(a.key, b.key))
	})
	keys := make(map[string]bool, len(w.items))
	for i := range w.items {
		if keys[w.items[i].key] {
			return fmt.Errorf("school %q: duplicate key", w.items[i].key)
		}
		keys[w.items[i].key] = true
	}
	return nil
}

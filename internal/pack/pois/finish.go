package pois

import (
	"fmt"
	"slices"

	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/internal/pack/strips"
	"quartier/internal/sorter"
)

// Finish writes the sections of the table and removes the temporary file. Errors of out are returned by its Close.
func (w *Writer) Finish(out *pack.Writer) error {
	defer w.Close()
	if err := w.spool.Flush(); err != nil {
		return fmt.Errorf("write pois: %w", err)
	}
	if err := w.sorted(); err != nil {
		return fmt.Errorf("write pois: %w", err)
	}
	names := sorter.New(w.dir, namesRoom, compareNames)
	defer names.Close()
	c := w.open(out)
	for i, it := range w.items {
		p, err := w.read(it)
		if err == nil {
			c.append(i, &p)
			err = names.Add(c.named(i, &p))
		}
		if err != nil {
			return fmt.Errorf("write pois: %w", err)
		}
	}
	c.close()
	w.items = nil
	if err := c.writeNames(names); err != nil {
		return fmt.Errorf("write pois: %w", err)
	}
	return out.Err()
}

// columns are the sections of the table, in the order of the file.
type columns struct {
	out          *pack.Writer
	count        int // of POIs
	categories   *pack.Section[uint64]
	base         *pack.Section[uint32]
	regions      *pack.Section[uint16]
	ranks        *pack.Section[uint32]
	sums         *pack.Section[uint32]
	brands, tags *termSections
	codes        []string
	regionOf     []uint32 // by number in the order of appearance
	heads, bases *pack.ListsWriter[byte]
	tailOf       *pack.Section[uint32]
	tails        *pack.ListsWriter[byte]
	tailTexts    []string
	tailNumbers  []uint32 // by number in the order of appearance, from 1; 0: none yet
	lastTail     uint32
	counts       [NumCategories]int
	since        tally
	buffer       []byte
}

// open opens the sections but those of names, and writes what is not of single POIs.
func (w *Writer) open(out *pack.Writer) *columns {
	c := &columns{out: out, count: len(w.items), tailTexts: w.tails.Texts, tailNumbers: make([]uint32, len(w.tails.Texts))}
	strips.Put(out, "poi.", len(w.items), func(i int) coord.Point { return w.items[i].point })
	c.categories = pack.NewSection[uint64](out, "poi.category")
	c.base = pack.NewSection[uint32](out, "poi.base")
	c.regions = pack.NewSection[uint16](out, "poi.region")
	c.ranks = pack.NewSection[uint32](out, "poi.rank")
	c.sums = pack.NewSection[uint32](out, "poi.sum")
	c.brands = openTerms(out, "poi.brand", "brand", &w.brands)
	c.tags = openTerms(out, "poi.tag", "tag", &w.tags)
	w.writeKnown(out)
	c.codes, c.regionOf = w.regions.Sorted() // the file does not depend on the order of Add
	pack.PutTexts(out, "region.code", c.codes)
	c.heads, c.bases = pack.NewLists[byte](out, "poi.json"), pack.NewLists[byte](out, "poi.base.json")
	c.tailOf, c.tails = pack.NewSection[uint32](out, "poi.tail.of"), pack.NewLists[byte](out, "poi.tail")
	c.sum()
	return c
}

// append adds POI i, the next one. The ends of the JSON are in the order of the POIs that have them first, so that those of
// neighbours are next to each other.
func (c *columns) append(i int, p *spooled) {
	c.categories.Append(p.categories)
	c.base.Append(p.baseCategories)
	c.regions.Append(uint16(c.regionOf[p.region]))
	c.since.add(p.categories)
	if (i+1)%sumEvery == 0 {
		c.sum()
	}
	c.brands.append(i, p.brands)
	c.tags.append(i, p.tags)
	c.heads.Append(p.head)
	c.bases.Append(p.base)
	if c.tailNumbers[p.tail] == 0 {
		c.lastTail++
		c.tailNumbers[p.tail] = c.lastTail
		c.tails.Append([]byte(c.tailTexts[p.tail]))
	}
	c.tailOf.Append(c.tailNumbers[p.tail] - 1)
}

// sum adds the numbers of POIs so far by category.
func (c *columns) sum() {
	var line [NumCategories]uint32
	c.since.into(&c.counts)
	for i, n := range c.counts {
		line[i] = uint32(n)
	}
	c.sums.Append(line[:]...)
}

// close ends the sections but those of names.
func (c *columns) close() {
	c.brands.close()
	c.tags.close()
}

// termSections are a vocabulary, sorted by id, the terms of each POI and the POIs of each term.
type termSections struct {
	renumbered []uint32
	of, pois   *pack.ListsWriter[uint32]
	postings   [][]uint32
	numbers    []uint32 // of a POI
}

func openTerms(out *pack.Writer, section, name string, v *vocabulary) *termSections {
	ids, renumbered := v.Sorted()
	en, fr := make([]string, len(ids)), make([]string, len(ids))
	for i, id := range ids {
		en[i], fr[i] = id, id
		if label, ok := v.labels[id]; ok {
			en[i], fr[i] = label.EN, label.FR
		}
	}
	pack.PutTexts(out, name+".id", ids)
	pack.PutTexts(out, name+".en", en)
	pack.PutTexts(out, name+".fr", fr)
	return &termSections{renumbered: renumbered, of: pack.NewLists[uint32](out, section), pois: pack.NewLists[uint32](out, name+".poi"),
		postings: make([][]uint32, len(ids))}
}

// append adds the terms of POI i.
func (t *termSections) append(i int, terms []uint32) {
	t.numbers = t.numbers[:0]
	for _, n := range terms {
		t.numbers = append(t.numbers, t.renumbered[n])
	}
	slices.Sort(t.numbers)
	t.numbers = slices.Compact(t.numbers)
	t.of.Append(t.numbers)
	for _, n := range t.numbers {
		t.postings[n] = append(t.postings[n], uint32(i))
	}
}

func (t *termSections) close() {
	for _, list := range t.postings {
		t.pois.Append(list)
	}
	t.postings = nil
}

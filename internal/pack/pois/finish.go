package pois

import (
	"fmt"
	"slices"

	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/internal/pack/strips"
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
	w.writeColumns(out)
	pack.Put(out, "poi.rank", w.ranks())
	w.writeSums(out)
	w.writeTerms(out, "poi.brand", "brand", &w.brands, func(it *item) []uint32 {
		return w.terms[it.terms:][:it.brands]
	})
	w.writeTerms(out, "poi.tag", "tag", &w.tags, func(it *item) []uint32 {
		return w.terms[it.terms+uint64(it.brands):][:it.tags]
	})
	w.writeKnown(out)
	codes, _ := w.regions.Sorted()
	pack.PutTexts(out, "region.code", codes)
	if err := w.writeText(out); err != nil {
		return fmt.Errorf("write pois: %w", err)
	}
	if err := w.writeNames(out); err != nil {
		return fmt.Errorf("write pois: %w", err)
	}
	return out.Err()
}

func (w *Writer) writeColumns(out *pack.Writer) {
	strips.Put(out, "poi.", len(w.items), func(i int) coord.Point { return w.items[i].point })
	categories := pack.NewSection[uint64](out, "poi.category")
	base := pack.NewSection[uint32](out, "poi.base")
	regions := pack.NewSection[uint16](out, "poi.region")
	_, sortedRegion := w.regions.Sorted() // the file does not depend on the order of Add
	for i := range w.items {
		it := &w.items[i]
		categories.Append(it.categories)
		base.Append(it.base)
		regions.Append(uint16(sortedRegion[it.region]))
	}
}

func (w *Writer) writeSums(out *pack.Writer) {
	sums := pack.NewSection[uint32](out, "poi.sum")
	var counts [NumCategories]int
	var line [NumCategories]uint32
	var since tally
	for i := 0; i <= len(w.items); i++ {
		if i%sumEvery == 0 {
			since.into(&counts)
			for c := range counts {
				line[c] = uint32(counts[c])
			}
			sums.Append(line[:]...)
		}
		if i < len(w.items) {
			since.add(w.items[i].categories)
		}
	}
}

// writeTerms writes a vocabulary, sorted by id, the terms of each POI and the POIs of each term.
func (w *Writer) writeTerms(out *pack.Writer, section, name string, v *vocabulary, of func(*item) []uint32) {
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
	lists := pack.NewLists[uint32](out, section)
	postings := make([][]uint32, len(ids))
	var numbers []uint32
	for i := range w.items {
		numbers = numbers[:0]
		for _, n := range of(&w.items[i]) {
			numbers = append(numbers, renumbered[n])
		}
		slices.Sort(numbers)
		numbers = slices.Compact(numbers)
		lists.Append(numbers)
		for _, n := range numbers {
			postings[n] = append(postings[n], uint32(i))
		}
	}
	all := pack.NewLists[uint32](out, name+".poi")
	for _, list := range postings {
		all.Append(list)
	}
}

// writeText copies the JSON from the spool in the order of the items. The ends are in the order of the items that have them
// first, so that those of neighbours are next to each other.
func (w *Writer) writeText(out *pack.Writer) error {
	heads, bases := pack.NewLists[byte](out, "poi.json"), pack.NewLists[byte](out, "poi.base.json")
	tailOf := pack.NewSection[uint32](out, "poi.tail.of")
	var tails pack.Dictionary
	for i := range w.items {
		it := &w.items[i]
		pieces, err := w.spool.Read(it.text, int(it.head+it.baseHead))
		if err != nil {
			return err
		}
		heads.Append(pieces[:it.head])
		bases.Append(pieces[it.head:])
		tailOf.Append(uint32(tails.Number(w.tails.Texts[it.tail])))
	}
	pack.PutTexts(out, "poi.tail", tails.Texts)
	return nil
}

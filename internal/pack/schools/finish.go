package schools

import (
	"cmp"
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
		return fmt.Errorf("write schools: %w", err)
	}
	if err := w.order(); err != nil {
		return fmt.Errorf("write schools: %w", err)
	}
	w.writeColumns(out)
	if err := w.writeText(out); err != nil {
		return fmt.Errorf("write schools: %w", err)
	}
	order, schools := w.writeCatchments(out)
	if err := w.writeAreas(out, order, schools); err != nil {
		return fmt.Errorf("write schools: %w", err)
	}
	return out.Err()
}

func (w *Writer) writeColumns(out *pack.Writer) {
	strips.Put(out, "school.", len(w.items), func(i int) coord.Point { return w.items[i].point })
	lists := pack.NewSection[uint8](out, "school.lists")
	regions := pack.NewSection[uint16](out, "school.region")
	codes, renumbered := w.regions.Sorted() // the file does not depend on the order of Add
	for i := range w.items {
		it := &w.items[i]
		lists.Append(it.lists)
		regions.Append(uint16(renumbered[it.region]))
	}
	pack.PutTexts(out, "region.code", codes)
	pack.Put(out, "school.rank", w.ranks())
}

// ranks is the position of each item in the order by name, then key.
func (w *Writer) ranks() []uint32 {
	order := make([]int, len(w.items))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := &w.items[i], &w.items[j]
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.key, b.key))
	})
	ranks := make([]uint32, len(order))
	for rank, i := range order {
		ranks[i] = uint32(rank)
	}
	return ranks
}

// writeText copies the JSON of schools from the spool in the order of the items.
func (w *Writer) writeText(out *pack.Writer) error {
	en, fr := pack.NewLists[byte](out, "school.json"), pack.NewLists[byte](out, "school.json.fr")
	for i := range w.items {
		it := &w.items[i]
		texts, err := w.spool.Read(it.text, it.en+it.fr)
		if err != nil {
			return err
		}
		en.Append(texts[:it.en])
		fr.Append(texts[it.en:])
	}
	return nil
}

// writeCatchments writes the catchments of all items, and returns their areas in the order in which they first appear, each with
// the items that have it.
func (w *Writer) writeCatchments(out *pack.Writer) (order []int, schools [][]uint32) {
	first := pack.NewSection[uint32](out, "school.catchment")
	areas := pack.NewSection[uint32](out, "catchment.area")
	texts := pack.NewSection[uint32](out, "catchment.text")
	words, renumbered := w.words.Sorted()
	pack.PutTexts(out, "catchment.word", words)
	numbers := map[int]uint32{}
	first.Append(0)
	for i := range w.items {
		for _, c := range w.items[i].catchments {
			number, ok := numbers[c.area]
			if !ok {
				number = uint32(len(order))
				numbers[c.area] = number
				order, schools = append(order, c.area), append(schools, nil)
			}
			if with := &schools[number]; !slices.Contains(*with, uint32(i)) {
				*with = append(*with, uint32(i))
			}
			areas.Append(number)
			texts.Append(renumbered[c.en], renumbered[c.fr])
		}
		first.Append(uint32(areas.Len()))
	}
	return order, schools
}

func (w *Writer) writeAreas(out *pack.Writer, order []int, schools [][]uint32) error {
	text := pack.NewLists[byte](out, "area.json")
	with := pack.NewLists[uint32](out, "area.school")
	rings := pack.NewLists[uint32](out, "area.ring")
	points := pack.NewLists[coord.Point](out, "area.point")
	for i, number := range order {
		a := &w.areas[number]
		geometry, err := w.spool.Read(a.text, a.textLen)
		if err != nil {
			return err
		}
		text.Append(geometry)
		with.Append(schools[i])
		rings.Append(a.Ends)
		points.Append(a.Points)
	}
	var tree coord.Tree
	tree.Build(len(order), func(i int) coord.Box { return coord.BoxAround(w.areas[order[i]].Points) })
	pack.Put(out, "area.tree", tree.Corners())
	return nil
}

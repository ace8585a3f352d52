package enrich

import "slices"

// values are the values of the items of a block. Those of an item are next to each other: rows take items in another order
// than they are filled in, and each is then one place of memory instead of one for each column.
type values struct {
	columns []Column
	tile    []vector     // of the items that are being filled, by column
	used    int          // items of the tile that are kept
	cells   []int64      // of the items before the tile, item after item
	texts   []dictionary // by column
	next    [][]int64    // of at, by column
}

// Items that are filled, and rows that are taken, before the next column's turn: all columns of so many fit into the nearest
// memory.
const tileItems = 16

// dictionary is the texts of a column, of which the cells have the number.
type dictionary struct {
	texts      []string
	number     map[string]int64
	last       string // that was asked for, which neighbours often have too
	lastNumber int64
}

func newValues(columns []Column) *values {
	v := &values{columns: columns, tile: make([]vector, len(columns)), texts: make([]dictionary, len(columns)),
		next: make([][]int64, len(columns))}
	for i := range v.tile {
		v.tile[i].grow(columns[i].Kind, tileItems)
		v.texts[i].number = map[string]int64{}
	}
	return v
}

// reset begins a block.
func (v *values) reset() {
	v.cells, v.used = v.cells[:0], 0
	for i := range v.texts {
		v.texts[i].reset()
	}
}

func (d *dictionary) reset() {
	clear(d.number)
	d.texts, d.last = d.texts[:0], ""
}

// keep makes the item that was filled, tile[…][used], part of the block. The next one is without values.
func (v *values) keep() {
	if v.used++; v.used == tileItems {
		v.flush()
	}
}

// end ends a block with an item without values, and returns its number.
func (v *values) end() uint32 {
	v.flush()
	for range v.columns {
		v.cells = append(v.cells, absent)
	}
	return uint32(len(v.cells)/max(len(v.columns), 1)) - 1
}

// flush moves the items of the tile to the others.
func (v *values) flush() {
	if v.used == 0 {
		return
	}
	width, begin := len(v.columns), len(v.cells)
	v.cells = slices.Grow(v.cells, v.used*width)[:begin+v.used*width]
	for c := range v.columns {
		cells := v.cells[begin+c:]
		if v.columns[c].Kind == Text {
			texts := v.tile[c].texts[:v.used]
			for i, text := range texts {
				cells[i*width] = v.texts[c].of(text)
			}
			clear(texts)
			continue
		}
		numbers := v.tile[c].numbers[:v.used]
		for i, n := range numbers {
			cells[i*width], numbers[i] = n, absent
		}
	}
	v.used = 0
}

// of is the number of a text; absent that of "".
func (d *dictionary) of(text string) int64 {
	if text == "" {
		return absent
	}
	if text == d.last {
		return d.lastNumber
	}
	n, known := d.number[text]
	if !known {
		n = int64(len(d.texts))
		d.texts, d.number[text] = append(d.texts, text), n
	}
	d.last, d.lastNumber = text, n
	return n
}

// at is the cells of items by column, until the next call.
func (v *values) at(items []uint32) [][]int64 {
	for c := range v.next {
		v.next[c] = slices.Grow(v.next[c][:0], len(items))[:len(items)]
	}
	for begin := 0; begin < len(items); begin += tileItems {
		end := min(begin+tileItems, len(items))
		for c := range v.next {
			cells, out := v.cells[c:], v.next[c][begin:end]
			for i, item := range items[begin:end] {
				out[i] = cells[int(item)*len(v.columns)]
			}
		}
	}
	return v.next
}

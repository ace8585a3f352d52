package pack

import "slices"

// Dictionary numbers texts by order of appearance. The zero value is empty.
type Dictionary struct {
	Texts   []string // by number
	numbers map[string]int
}

// Number is the number of a text, which it gets at the first call.
func (d *Dictionary) Number(text string) int {
	n, ok := d.numbers[text]
	if !ok {
		if d.numbers == nil {
			d.numbers = map[string]int{}
		}
		n = len(d.Texts)
		d.numbers[text] = n
		d.Texts = append(d.Texts, text)
	}
	return n
}

// Sorted returns the texts in order, and the index in it of each number.
func (d *Dictionary) Sorted() (texts []string, renumbered []uint32) {
	texts = slices.Sorted(slices.Values(d.Texts))
	renumbered = make([]uint32, len(texts))
	for i, text := range texts {
		renumbered[d.numbers[text]] = uint32(i)
	}
	return texts, renumbered
}

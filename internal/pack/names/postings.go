package names

import (
	"cmp"
	"slices"
)

// postings are numbers by text, in the order in which they are added. The zero value is ready. For (b 3), (a 4), (b 5),
// sorted returns [a b] and [[4] [3 5]].
type postings struct {
	ids   map[string]uint32 // by text, in the order of their first numbers
	pairs []posting
}

type posting struct{ id, number uint32 }

// add adds a number to a text; to the empty one it does not.
func (p *postings) add(text string, number uint32) {
	if text == "" {
		return
	}
	if p.ids == nil {
		p.ids = map[string]uint32{}
	}
	id, ok := p.ids[text]
	if !ok {
		id = uint32(len(p.ids))
		p.ids[text] = id
	}
	p.pairs = append(p.pairs, posting{id, number})
}

// sorted returns the sorted texts and the numbers of each, and empties p.
func (p *postings) sorted() (texts []string, lists [][]uint32) {
	type entry struct {
		text string
		id   uint32
	}
	entries := make([]entry, 0, len(p.ids))
	for text, id := range p.ids {
		entries = append(entries, entry{text, id})
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.text, b.text) })
	counts := make([]int, len(entries)) // by id
	for _, pair := range p.pairs {
		counts[pair.id]++
	}
	all := make([]uint32, 0, len(p.pairs))
	texts, byID := make([]string, len(entries)), make([][]uint32, len(entries))
	for i, e := range entries {
		begin := len(all)
		all = all[:begin+counts[e.id]]
		texts[i], byID[e.id] = e.text, all[begin:begin:len(all)]
	}
	for _, pair := range p.pairs {
		byID[pair.id] = append(byID[pair.id], pair.number)
	}
	lists = make([][]uint32, len(entries))
	for i, e := range entries {
		lists[i] = byID[e.id]
	}
	*p = postings{}
	return texts, lists
}

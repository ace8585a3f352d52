package names

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quartier/internal/pack"
	"quartier/schemas"
)

// The low bits of a bearer: which name of the entry it is. None: a further name.
const (
	english    = 1
	french     = 2
	isPlain    = 4 // the text is the plain form of the name
	bearerBits = 3
	blockSize  = 32
)

// Writer writes the index. The zero value is ready; it keeps all names in memory.
type Writer struct {
	entries []Entry
}

// Add adds an entry. Names that fold to an empty text are not indexed.
func (w *Writer) Add(e *Entry) error {
	if e.ID == "" {
		return errors.New("names: entry without id")
	}
	if len(w.entries) >= 1<<(32-bearerBits) {
		return fmt.Errorf("names: %q: too many entries for the format", e.ID)
	}
	w.entries = append(w.entries, *e)
	return nil
}

// Finish writes the sections of the index. Errors of out are returned by its Close.
func (w *Writer) Finish(out *pack.Writer) error {
	slices.SortFunc(w.entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(b.Population, a.Population), cmp.Compare(b.Level, a.Level), cmp.Compare(a.ID, b.ID))
	})
	if err := w.writeEntries(out); err != nil {
		return err
	}
	var forms, phrases postings
	for i := range w.entries {
		w.entries[i].each(func(name string, which uint32) {
			words := appendWords(nil, name)
			r := newReading(words)
			bearer := uint32(i)<<bearerBits | which
			for n, form := range r.forms() {
				if n == 0 {
					forms.add(form, bearer|isPlain)
				} else {
					forms.add(form, bearer)
				}
			}
			phrases.add(phrase(words), bearer)
		})
	}
	writeForms(out, &forms)
	writeWords(out, &phrases)
	return out.Err()
}

func (w *Writer) writeEntries(out *pack.Writer) error {
	entries, levels := pack.NewSection[uint32](out, prefix+"entry"), pack.NewSection[uint16](out, prefix+"level")
	regions, numbers := make([][]string, len(w.entries)), make(map[uint32]uint32, len(w.entries))
	for i := range w.entries {
		e := &w.entries[i]
		entries.Append(e.Index)
		levels.Append(uint16(schemas.NewLevelSet(e.Level)))
		regions[i], numbers[e.Index] = e.Regions, uint32(i)
	}
	pack.PutIndexed(out, prefix+"region", prefix+"code", regions)
	within := pack.NewLists[uint32](out, prefix+"within")
	for i := range w.entries {
		list := make([]uint32, len(w.entries[i].Within))
		for n, index := range w.entries[i].Within {
			number, ok := numbers[index]
			if !ok {
				return fmt.Errorf("names: %q is within %d, which is no entry", w.entries[i].ID, index)
			}
			list[n] = number
		}
		within.Append(list)
	}
	return nil
}

// each calls visit with every name and which it is.
func (e *Entry) each(visit func(name string, which uint32)) {
	visit(e.Name.EN, english)
	visit(e.Name.FR, french)
	for _, name := range e.AltNames {
		visit(name, 0)
	}
}

// writeForms writes the sorted forms and their bearers.
func writeForms(out *pack.Writer, p *postings) {
	texts, lists := p.sorted()
	pack.PutTexts(out, prefix+"text", texts)
	bearers, first := pack.NewLists[uint32](out, prefix+"bearer"), make([]uint32, len(texts))
	for i, list := range lists {
		list = merged(list)
		bearers.Append(list)
		first[i] = list[0] >> bearerBits
	}
	writeBest(out, prefix+"best", first)
	writeSimilar(out, prefix+"text.", texts)
}

// merged makes the English and the French name of an entry one bearer if they are equal. It changes the list.
func merged(list []uint32) []uint32 {
	kept := list[:0]
next:
	for _, bearer := range list {
		for i := len(kept) - 1; i >= 0 && kept[i]>>bearerBits == bearer>>bearerBits; i-- {
			if kept[i]&isPlain == bearer&isPlain {
				kept[i] |= bearer
				continue next
			}
		}
		kept = append(kept, bearer)
	}
	return kept
}

// phrase is the words of a name in both forms, separated by spaces: "Mt. Tabor" is "mount mt tabor".
func phrase(words []word) string {
	var all []string
	for _, w := range words {
		for _, form := range []string{w.equal, w.raw} {
			if form != "" && !slices.Contains(all, form) {
				all = append(all, form)
			}
		}
	}
	return strings.Join(all, " ")
}

// writeWords writes the phrases, by their first entry, and the words of which they are made.
func writeWords(out *pack.Writer, all *postings) {
	phrases, lists := all.sorted()
	order := make([]uint64, len(phrases)) // first entry, index
	for i, list := range lists {
		order[i] = uint64(list[0]>>bearerBits)<<32 | uint64(i)
	}
	slices.Sort(order)
	var byWord postings
	bearers, first := pack.NewLists[uint32](out, prefix+"phrase.bearer"), make([]uint32, len(order))
	for number, key := range order {
		i := uint32(key)
		first[number] = uint32(key >> 32)
		bearers.Append(merged(lists[i]))
		for word := range strings.FieldsSeq(phrases[i]) {
			byWord.add(word, uint32(number))
		}
	}
	words, lists := byWord.sorted()
	pack.PutTexts(out, prefix+"word", words)
	begins, phrasesOf := pack.NewSection[uint32](out, prefix+"word.begin"), pack.NewSection[uint32](out, prefix+"word.phrase")
	wordsOf := make([][]uint32, len(order))
	var best []uint32
	for word, list := range lists {
		begins.Append(uint32(phrasesOf.Len()))
		phrasesOf.Append(list...)
		for _, phrase := range list {
			best = append(best, first[phrase])
			wordsOf[phrase] = append(wordsOf[phrase], uint32(word))
		}
	}
	begins.Append(uint32(phrasesOf.Len()))
	section, sets := pack.NewLists[uint32](out, prefix+"phrase"), pack.NewSection[uint64](out, prefix+"phrase.set")
	for _, list := range wordsOf {
		section.Append(list)
		var set uint64
		for _, word := range list {
			set |= wordBit(word)
		}
		sets.Append(set)
	}
	writeBest(out, prefix+"word.best", best)
	writeSimilar(out, prefix+"word.", words)
}

// writeBest writes the smallest of each block of entries.
func writeBest(out *pack.Writer, name string, entries []uint32) {
	section := pack.NewSection[uint32](out, name)
	for block := range slices.Chunk(entries, blockSize) {
		section.Append(slices.Min(block))
	}
}

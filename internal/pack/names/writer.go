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
	forms, phrases := bearers{}, bearers{}
	for i := range w.entries {
		w.entries[i].each(func(name string, which uint32) {
			words := appendWords(nil, name)
			r := newReading(words)
			for n, form := range r.forms() {
				if n == 0 {
					forms.add(form, uint32(i), which|isPlain)
				} else {
					forms.add(form, uint32(i), which)
				}
			}
			phrases.add(phrase(words), uint32(i), which)
		})
	}
	texts := forms.write(out, prefix+"text", prefix+"bearer")
	best := make([]uint32, len(texts))
	for i, text := range texts {
		best[i] = forms[text][0] >> bearerBits
	}
	writeBest(out, prefix+"best", best)
	writeSimilar(out, prefix+"text.", texts)
	writeWords(out, phrases)
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

// bearers are the entries of texts with the bits of their names, in order of rank.
type bearers map[string][]uint32

// add adds an entry, the last one so far, to a text. Its English and its French name are one bearer if they are equal.
func (b bearers) add(text string, entry, which uint32) {
	if text == "" {
		return
	}
	list, which := b[text], entry<<bearerBits|which
	for i := len(list) - 1; i >= 0 && list[i]>>bearerBits == entry; i-- {
		if list[i]&isPlain == which&isPlain {
			list[i] |= which
			return
		}
	}
	b[text] = append(list, which)
}

// write writes the sorted texts and their bearers.
func (b bearers) write(out *pack.Writer, texts, bearers string) []string {
	sorted := make([]string, 0, len(b))
	for text := range b {
		sorted = append(sorted, text)
	}
	slices.Sort(sorted)
	pack.PutTexts(out, texts, sorted)
	lists := pack.NewLists[uint32](out, bearers)
	for _, text := range sorted {
		lists.Append(b[text])
	}
	return sorted
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

// writeWords writes the phrases and the words of which they are made.
func writeWords(out *pack.Writer, all bearers) {
	phrases := all.write(out, prefix+"phrase", prefix+"phrase.bearer")
	byWord := map[string][]uint32{}
	for i, text := range phrases {
		for _, word := range strings.Fields(text) {
			byWord[word] = append(byWord[word], uint32(i))
		}
	}
	words := make([]string, 0, len(byWord))
	for word := range byWord {
		words = append(words, word)
	}
	slices.Sort(words)
	pack.PutTexts(out, prefix+"word", words)
	begins, postings := pack.NewSection[uint32](out, prefix+"word.begin"), pack.NewSection[uint32](out, prefix+"word.phrase")
	entryOf := func(phrase uint32) uint32 { return all[phrases[phrase]][0] >> bearerBits }
	var best []uint32
	for _, word := range words {
		list := byWord[word]
		slices.SortFunc(list, func(a, b uint32) int { return cmp.Or(cmp.Compare(entryOf(a), entryOf(b)), cmp.Compare(a, b)) })
		begins.Append(uint32(postings.Len()))
		postings.Append(list...)
		for _, phrase := range list {
			best = append(best, entryOf(phrase))
		}
	}
	begins.Append(uint32(postings.Len()))
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

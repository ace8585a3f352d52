package profiles

import (
	"encoding/binary"
	"fmt"

	"quartier/internal/pack"
)

// Writer writes the table. Everything is streamed to the pack: sentences in AddSentence, geographies in Add, in any
// interleaving.
type Writer struct {
	out     *pack.Writer
	ids     *pack.Section[uint64]
	locales [len(Locales)]localeWriter
	lastID  string
	numbers []uint32
}

// localeWriter writes the sentences of a language.
type localeWriter struct {
	sentences *pack.ListsWriter[uint32]
	blocks    *pack.ListsWriter[byte]
	count     int
	last      string // sentence
	block     []byte // that is not complete
}

// NewWriter opens the sections of the table in out.
func NewWriter(out *pack.Writer) *Writer {
	w := &Writer{out: out, ids: pack.NewSection[uint64](out, "profiles.id")}
	for i, name := range Locales {
		w.locales[i].sentences = pack.NewLists[uint32](out, "profiles."+name+".sentence")
		w.locales[i].blocks = pack.NewLists[byte](out, "profiles."+name+".block")
	}
	return w
}

// AddSentence adds a sentence of a language and returns its number, 0, 1, 2 … Sorted sentences take the least space.
func (w *Writer) AddSentence(language, sentence string) (int, error) {
	i := locale(language)
	if i < 0 {
		return 0, fmt.Errorf("profiles: no language %q", language)
	}
	l := &w.locales[i]
	if l.count == maxSentences {
		return 0, fmt.Errorf("profiles: more than %d sentences", maxSentences)
	}
	text, common := Markup(sentence), 0
	if l.count%perBlock == 0 {
		l.flush()
	} else {
		for common < min(len(text), len(l.last)) && text[common] == l.last[common] {
			common++
		}
	}
	l.block = binary.AppendUvarint(l.block, uint64(common))
	l.block = binary.AppendUvarint(l.block, uint64(len(text)-common))
	l.block = append(l.block, text[common:]...)
	l.last = text
	l.count++
	return l.count - 1, w.out.Err()
}

// flush writes the block.
func (l *localeWriter) flush() {
	if len(l.block) > 0 {
		l.blocks.Append(l.block)
		l.block = l.block[:0]
	}
}

// Add adds the next geography with its sentences in the order of Locales, each in the order of reading; ids must ascend.
func (w *Writer) Add(id string, texts [len(Locales)][]Sentence) error {
	number, ok := pack.GeogNumber(id)
	switch {
	case !ok:
		return fmt.Errorf("profile of geography %q: not a geog_id", id)
	case id <= w.lastID:
		return fmt.Errorf("profile of geography %q: not after %q, ids must ascend", id, w.lastID)
	}
	w.lastID = id
	w.ids.Append(number)
	for i := range texts {
		w.numbers = w.numbers[:0]
		for k, s := range texts[i] {
			if s.Number < 0 || s.Number >= maxSentences || k > 0 && s.Section < texts[i][k-1].Section {
				return fmt.Errorf("profile of geography %q: sentence %d is number %d of section %s", id, k, s.Number, s.Section)
			}
			w.numbers = append(w.numbers, uint32(s.Number)<<sectionBits|uint32(s.Section))
		}
		w.locales[i].sentences.Append(w.numbers)
	}
	return w.out.Err()
}

// Finish writes the last blocks.
func (w *Writer) Finish() error {
	for i := range w.locales {
		w.locales[i].flush()
	}
	return w.out.Err()
}

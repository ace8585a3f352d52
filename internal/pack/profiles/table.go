package profiles

import (
	"encoding/binary"
	"slices"

	"quartier/internal/pack"
	"quartier/schemas/profile"
)

// Table answers look-ups from a mapped file. It is safe for concurrent use until the file is closed.
type Table struct {
	ids     []uint64
	locales [len(Locales)]texts
}

// texts are the texts of a language.
type texts struct {
	sentences pack.Lists[uint32]
	blocks    pack.Lists[byte]
}

// Open opens the table in f. All of it stays in the mapped file.
func Open(f *pack.File) (*Table, error) {
	l := pack.NewLoader(f)
	t := &Table{ids: pack.Load[uint64](l, "profiles.id", pack.Any)}
	for i, name := range Locales {
		t.locales[i] = texts{
			sentences: pack.LoadLists[uint32](l, "profiles."+name+".sentence", len(t.ids)),
			blocks:    pack.LoadLists[byte](l, "profiles."+name+".block", pack.Any),
		}
	}
	return t, l.Err()
}

// Len is the number of geographies.
func (t *Table) Len() int { return len(t.ids) }

// Find finds the texts of a geography in a language of Locales; false if it has none.
func (t *Table) Find(id, language string) (Text, bool) {
	number, ok := pack.GeogNumber(id)
	if !ok {
		return Text{}, false
	}
	i, ok := slices.BinarySearch(t.ids, number)
	in := locale(language)
	if !ok || in < 0 {
		return Text{}, false
	}
	of := &t.locales[in]
	text := Text{of, of.sentences.At(i)}
	return text, len(text.sentences) > 0
}

// Text is the texts of a geography in a language.
type Text struct {
	of        *texts
	sentences []uint32 // in the order of reading
}

// AppendSection appends a section as a string of JSON: one paragraph of HTML, or "" where the section has no sentence.
func (t Text) AppendSection(dst []byte, section profile.Section) []byte {
	dst = append(dst, '"')
	first := true
	for _, s := range t.sentences {
		if s&sectionMask != uint32(section) {
			continue
		}
		if first {
			dst = append(dst, "<p>"...)
		} else {
			dst = append(dst, ' ')
		}
		first = false
		dst = t.of.appendSentence(dst, int(s>>sectionBits))
	}
	if !first {
		dst = append(dst, "</p>"...)
	}
	return append(dst, '"')
}

// appendSentence appends the sentence with a number; nothing if the file is damaged.
func (t *texts) appendSentence(dst []byte, number int) []byte {
	block, begin := t.blocks.At(number/perBlock), len(dst)
	for range number%perBlock + 1 {
		common, n := binary.Uvarint(block)
		if n <= 0 || common > uint64(len(dst)-begin) {
			return dst[:begin]
		}
		block = block[n:]
		rest, n := binary.Uvarint(block)
		if n <= 0 || rest > uint64(len(block)-n) {
			return dst[:begin]
		}
		dst = append(dst[:begin+int(common)], block[n:n+int(rest)]...)
		block = block[n+int(rest):]
	}
	return dst
}

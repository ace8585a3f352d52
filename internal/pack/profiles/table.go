package profiles

import (
	"bytes"
	"slices"

	"quartier/internal/pack"
)

// Table answers look-ups from a mapped file. It is safe for concurrent use until the file is closed.
type Table struct {
	ids   []uint64
	texts [len(Locales)]pack.Lists[byte]
}

// Open opens the table in f. All of it stays in the mapped file.
func Open(f *pack.File) (*Table, error) {
	l := pack.NewLoader(f)
	t := &Table{ids: pack.Load[uint64](l, "profiles.id", pack.Any)}
	for i, name := range Locales {
		t.texts[i] = pack.LoadLists[byte](l, "profiles."+name+".text", len(t.ids))
	}
	return t, l.Err()
}

// Len is the number of geographies.
func (t *Table) Len() int { return len(t.ids) }

// Text is the texts of a geography in a language: JSON of the mapped file.
type Text struct {
	Intro    []byte // a string: one paragraph of HTML, or "" where it has no sentence
	Sections []byte // a schemas.ProfileTexts
}

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
	text := t.texts[in].At(i)
	quote := bytes.IndexByte(text[min(1, len(text)):], '"')
	if quote < 0 {
		return Text{}, false // it has no text, or the file is damaged
	}
	return Text{text[:quote+2], text[quote+2:]}, true
}

package profiles

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"strings"

	"quartier/internal/pack"
	"quartier/schemas/profile"
)

// Sentences are those of each section, in the order of reading and not escaped; nil where a section has none.
type Sentences [profile.SectionCount][]string

// Writer writes the table. Everything is streamed to the pack.
type Writer struct {
	out    *pack.Writer
	ids    *pack.Section[uint64]
	texts  [len(Locales)]*pack.ListsWriter[byte]
	lastID string
	text   bytes.Buffer
}

// NewWriter opens the sections of the table in out.
func NewWriter(out *pack.Writer) *Writer {
	w := &Writer{out: out, ids: pack.NewSection[uint64](out, "profiles.id")}
	for i, name := range Locales {
		w.texts[i] = pack.NewLists[byte](out, "profiles."+name+".text")
	}
	return w
}

// Add adds the next geography with its sentences in the order of Locales; ids must ascend.
func (w *Writer) Add(id string, texts *[len(Locales)]Sentences) error {
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
		w.text.Reset()
		if !texts[i].empty() {
			w.write(&texts[i])
		}
		w.texts[i].Append(w.text.Bytes())
	}
	return w.out.Err()
}

func (s *Sentences) empty() bool {
	for _, sentences := range s {
		if len(sentences) > 0 {
			return false
		}
	}
	return true
}

// write writes a text as described at the head of the package.
func (w *Writer) write(sections *Sentences) {
	w.paragraph(sections[profile.Intro])
	separator := byte('{')
	for s := profile.Summary; s < profile.SectionCount; s++ {
		w.text.WriteByte(separator)
		separator = ','
		w.quote(s.String())
		w.text.WriteByte(':')
		w.paragraph(sections[s])
	}
	w.text.WriteByte('}')
}

// paragraph writes a section.
func (w *Writer) paragraph(sentences []string) {
	if len(sentences) == 0 {
		w.quote("")
		return
	}
	w.quote("<p>" + html.EscapeString(strings.Join(sentences, " ")) + "</p>")
}

// quote writes a string of JSON.
func (w *Writer) quote(text string) {
	encoder := json.NewEncoder(&w.text)
	encoder.SetEscapeHTML(false)
	encoder.Encode(text)              // a string always encodes
	w.text.Truncate(w.text.Len() - 1) // Encode ends a line
}

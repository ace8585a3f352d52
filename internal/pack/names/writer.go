package names

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"unicode/utf8"

	"quartier/internal/pack"
	"quartier/schemas"
)

const (
	english      = 1
	french       = 2
	languageBits = 2
	blockSize    = 32
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
	if len(w.entries) >= 1<<(32-languageBits) {
		return fmt.Errorf("names: %q: too many entries for the format", e.ID)
	}
	w.entries = append(w.entries, *e)
	return nil
}

// Finish writes the sections of the index. Errors of out are returned by its Close.
func (w *Writer) Finish(out *pack.Writer) error {
	slices.SortFunc(w.entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(b.Population, a.Population), cmp.Compare(a.ID, b.ID))
	})
	w.writeEntries(out)
	byName := w.entriesByName()
	texts := make([]string, 0, len(byName))
	for text := range byName {
		texts = append(texts, text)
	}
	slices.Sort(texts)
	text, lists := pack.NewLists[byte](out, "name.text"), pack.NewLists[uint32](out, "name.bearer")
	for _, folded := range texts {
		text.Append([]byte(folded))
		lists.Append(byName[folded])
	}
	writeSignatures(out, texts)
	return out.Err()
}

func (w *Writer) writeEntries(out *pack.Writer) {
	entries, levels := pack.NewSection[uint32](out, "name.entry"), pack.NewSection[uint16](out, "name.level")
	regions := make([][]string, len(w.entries))
	for i := range w.entries {
		e := &w.entries[i]
		entries.Append(e.Index)
		levels.Append(uint16(schemas.NewLevelSet(e.Level)))
		regions[i] = e.Regions
	}
	pack.PutIndexed(out, "name.region", "name.code", regions)
}

// entriesByName are the entries with each folded name, in order of rank, with the languages of the name.
func (w *Writer) entriesByName() map[string][]uint32 {
	all := map[string][]uint32{}
	for i := range w.entries {
		e := &w.entries[i]
		add := func(name string, language uint32) {
			folded := Fold(name)
			if folded == "" {
				return
			}
			list := all[folded]
			if n := len(list); n > 0 && list[n-1]>>languageBits == uint32(i) {
				list[n-1] |= language
				return
			}
			all[folded] = append(list, uint32(i)<<languageBits|language)
		}
		add(e.Name.EN, english)
		add(e.Name.FR, french)
		for _, name := range e.AltNames {
			add(name, english|french)
		}
	}
	return all
}

// signatureEntry is a signature and the index of its text.
type signatureEntry struct {
	set    uint64
	number uint32
}

func writeSignatures(out *pack.Writer, texts []string) {
	byLength := make([][]signatureEntry, maxRunes+1)
	for i, text := range texts {
		length := min(utf8.RuneCountInString(text), maxRunes)
		byLength[length] = append(byLength[length], signatureEntry{signature([]byte(text)), uint32(i)})
	}
	begins := pack.NewSection[uint32](out, "name.length")
	sets, numbers := pack.NewSection[uint64](out, "name.signature"), pack.NewSection[uint32](out, "name.number")
	blocks := pack.NewSection[uint64](out, "name.block")
	all, any, in := ^uint64(0), uint64(0), 0
	for _, list := range byLength {
		begins.Append(uint32(sets.Len()))
		cluster(list)
		for _, s := range list {
			sets.Append(s.set)
			numbers.Append(s.number)
			all, any, in = all&s.set, any|s.set, in+1
			if in == blockSize {
				blocks.Append(all, any)
				all, any, in = ^uint64(0), 0, 0
			}
		}
	}
	if in > 0 {
		blocks.Append(all, any)
	}
	begins.Append(uint32(sets.Len()))
}

// cluster sorts similar signatures together: it splits the list by the bit that splits it most evenly, then each half.
func cluster(list []signatureEntry) {
	if len(list) <= blockSize {
		return
	}
	var count [64]int
	for _, s := range list {
		for set := s.set; set != 0; set &= set - 1 {
			count[bits.TrailingZeros64(set)]++
		}
	}
	best, uneven := 0, math.MaxInt
	for bit, n := range count {
		if u := max(2*n-len(list), len(list)-2*n); u < uneven {
			best, uneven = bit, u
		}
	}
	if uneven == len(list) { // all the same
		return
	}
	slices.SortStableFunc(list, func(a, b signatureEntry) int {
		return cmp.Compare(a.set>>best&1, b.set>>best&1)
	})
	split := len(list) - count[best]
	cluster(list[:split])
	cluster(list[split:])
}

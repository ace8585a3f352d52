package pack

import "slices"

// ListsWriter writes lists of different lengths as two sections: NAME.items, one list after the other, and NAME.ends, the
// end of each. Lists of bytes are texts. "ab", "" and "c" are
//
//	NAME.items  a b c
//	NAME.ends   2 2 3
type ListsWriter[T Element] struct {
	ends  Section[uint64]
	items Section[T]
}

// NewLists opens the sections of a sequence of lists.
func NewLists[T Element](w *Writer, name string) *ListsWriter[T] {
	l := new(ListsWriter[T])
	l.open(w, name)
	return l
}

func (l *ListsWriter[T]) open(w *Writer, name string) {
	l.ends.open(w, name+".ends")
	l.items.open(w, name+".items")
}

// Append adds a list.
func (l *ListsWriter[T]) Append(list []T) {
	l.items.Append(list...)
	l.ends.Append(uint64(l.items.Len()))
}

// AppendFrom is Append for a list in f (Section.AppendFrom).
func (l *ListsWriter[T]) AppendFrom(f *File, list []T) {
	l.items.AppendFrom(f, list)
	l.ends.Append(uint64(l.items.Len()))
}

// PutTexts writes a sequence of texts.
func PutTexts(w *Writer, name string, texts []string) {
	lists := NewLists[byte](w, name)
	for _, text := range texts {
		lists.Append([]byte(text))
	}
}

// PutIndexed writes lists of texts of which many are equal: as lists of indexes, and the texts, each once, sorted.
func PutIndexed(w *Writer, name, texts string, lists [][]string) {
	all := slices.Concat(lists...)
	slices.Sort(all)
	all = slices.Compact(all)
	indexes := NewLists[uint32](w, name)
	for _, list := range lists {
		numbers := make([]uint32, len(list))
		for i, text := range list {
			n, _ := slices.BinarySearch(all, text)
			numbers[i] = uint32(n)
		}
		indexes.Append(numbers)
	}
	PutTexts(w, texts, all)
}

// Lists is a sequence of lists in the mapped file.
type Lists[T Element] struct {
	ends  []uint64
	items []T
}

// Len is the number of lists.
func (l Lists[T]) Len() int { return len(l.ends) }

// At is list i; empty if there is no such list or the file is damaged.
func (l Lists[T]) At(i int) []T {
	if uint(i) >= uint(len(l.ends)) {
		return nil
	}
	lo := uint64(0)
	if i > 0 {
		lo = l.ends[i-1]
	}
	hi := l.ends[i]
	if lo > hi || hi > uint64(len(l.items)) {
		return nil
	}
	return l.items[lo:hi:hi]
}

package pack

import (
	"fmt"
	"slices"
)

// Any is the number of elements, lists or texts of a section that may have any number.
const Any = -1

// Loader reads the sections of a table. After the first error it returns nothing; Err returns that error.
type Loader struct {
	file *File
	err  error
}

// NewLoader reads from f.
func NewLoader(f *File) *Loader { return &Loader{file: f} }

// Err is the first error so far.
func (l *Loader) Err() error { return l.err }

// Fail makes l return an error, which it marks as damage of the file.
func (l *Loader) Fail(format string, args ...any) {
	if l.err == nil {
		l.err = fmt.Errorf("pack %s: %w", l.file.path, damaged(format, args...))
	}
}

// Has reports whether the file has a section. Those that a table reads if they are there are sections that an earlier layout, which
// is still served, does not have.
func (l *Loader) Has(name string) bool {
	return slices.ContainsFunc(l.file.sections, func(e entry) bool { return e.name == name })
}

// Load is a section that must have want elements.
func Load[T Element](l *Loader, name string, want int) []T {
	if l.err != nil {
		return nil
	}
	values, err := section[T](l.file, name)
	if err != nil {
		l.err = err
	} else if want != Any && len(values) != want {
		l.Fail("section %q: %d elements, not %d", name, len(values), want)
		return nil
	}
	return values
}

// LoadLists is the sequence of lists of a name, which must be want in number.
func LoadLists[T Element](l *Loader, name string, want int) (lists Lists[T]) {
	lists.load(l, name, want)
	return lists
}

func (lists *Lists[T]) load(l *Loader, name string, want int) {
	lists.ends, lists.items = Load[uint64](l, name+".ends", want), Load[T](l, name+".items", Any)
}

// LoadTexts copies a sequence of texts, which must be want in number.
func LoadTexts(l *Loader, name string, want int) []string {
	lists := LoadLists[byte](l, name, want)
	texts := make([]string, lists.Len())
	for i := range texts {
		texts[i] = string(lists.At(i))
	}
	return texts
}

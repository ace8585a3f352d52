package profile

import (
	"slices"
	"strings"
)

// walk follows the lines of a profile from top to bottom and knows which of them are read. Its zero value stands above
// the first line.
type walk struct {
	heading   string // as it is written
	section   int    // of the mapping, 0 one that is not read
	everybody bool   // the section's counts are of 100 % data
	above     []ancestor
}

// ancestor is a line that the lines below it are indented under.
type ancestor struct {
	indent  int
	name    string // folded
	written string
}

// copy is a walk that goes on by itself.
func (w *walk) copy() walk { return walk{w.heading, w.section, w.everybody, slices.Clone(w.above)} }

// path names the line that the walk has come to: its heading and the lines that it is under.
func (w *walk) path() string {
	names := []string{w.heading}
	for _, a := range w.above {
		names = append(names, a.written)
	}
	return strings.Join(names, under)
}

// to goes to the next line by its name and how far it is indented, and returns its place in lines, −1 for one that is
// not read. A line that is not indented heads a section.
func (w *walk) to(name string, indent int) int {
	folded := fold(name)
	if indent == 0 {
		w.heading, w.section, w.everybody, w.above = name, sections[folded], asksEverybody(name), w.above[:0]
		return w.find("")
	}
	for len(w.above) > 0 && w.above[len(w.above)-1].indent >= indent {
		w.above = w.above[:len(w.above)-1]
	}
	w.above = append(w.above, ancestor{indent, folded, name})
	if w.section == 0 {
		return -1
	}
	var parts []string
	for _, a := range w.above {
		parts = append(parts, a.name)
	}
	for len(parts) > 0 {
		if found := w.find(strings.Join(parts, under)); found >= 0 {
			return found
		}
		parts = parts[1:]
	}
	return -1
}

func (w *walk) find(item string) int {
	if found, ok := items[itemKey{w.section, item}]; ok && w.section > 0 {
		return found
	}
	return -1
}

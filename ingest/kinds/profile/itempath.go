package profile

import (
	"slices"
	"strings"
)

// itemPath is the position in the hierarchy of lines while a profile is read from top to bottom. Its zero value is above the
// first line.
type itemPath struct {
	heading   string // as published
	section   int    // of the mapping; 0: not read
	fullCount bool   // the section is of 100 % data
	above     []ancestor
}

// ancestor is a line under which the lines below it are indented.
type ancestor struct {
	indent    int
	name      string // folded
	published string
}

// copy returns an independent copy.
func (w *itemPath) copy() itemPath {
	return itemPath{w.heading, w.section, w.fullCount, slices.Clone(w.above)}
}

// path returns the heading, the lines above the current one and its name.
func (w *itemPath) path() string {
	names := []string{w.heading}
	for _, a := range w.above {
		names = append(names, a.published)
	}
	return strings.Join(names, under)
}

// to moves to the next line, given its name and indent, and returns its index in lines; −1 where it is not read. A line
// without indent is the heading of a section.
func (w *itemPath) to(name string, indent int) int {
	folded := fold(name)
	if indent == 0 {
		w.heading, w.section, w.fullCount, w.above = name, sections[folded], isFullCount(name), w.above[:0]
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

func (w *itemPath) find(item string) int {
	if found, ok := items[itemKey{w.section, item}]; ok && w.section > 0 {
		return found
	}
	return -1
}

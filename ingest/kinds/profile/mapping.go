package profile

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"quartier/schemas/demographics"
)

// mapping.tsv maps lines of a census profile to cells. A line is identified by the heading of its section and its item, each
// in English and French; the forms that a heading has in different products are separated by |. An item is preceded by as
// many of the lines above it, separated by >, as make it unique; without an item the line is the heading itself. The number
// is the line's CHARACTERISTIC_ID where it is certain, by which the profile of another census is recognised. Several lines
// of one cell are added up.
//
//go:embed mapping.tsv
var mappingText string

// line is one line of the mapping.
type line struct {
	section int
	name    string // of the publisher, in English: heading and item, such as "Total - Private households by tenure > Owner"
	cell    int    // index of demographics.Cells; −1: read only to check its number
}

// mapping is mapping.tsv.
var (
	lines    []line
	linesOf  [demographics.CellCount][]int // indexes of lines, by cell
	headings = []string{""}                // by section; 0 is no section
	sections = map[string]int{}            // by folded heading
	items    = map[itemKey]int{}           // indexes of lines
	lineByID = map[int]int{}               // by CHARACTERISTIC_ID
)

// itemKey is a section and its folded item; "" is the heading itself.
type itemKey struct {
	section int
	item    string
}

func init() {
	var section int
	for n, text := range strings.Split(strings.TrimSuffix(mappingText, "\n"), "\n")[1:] {
		f := strings.Split(text, "\t")
		if len(f) != 6 {
			panic(fmt.Sprintf("mapping.tsv: line %d has %d fields", n+2, len(f)))
		}
		if f[0] != "" {
			section++
			headings = append(headings, firstForm(f[0]))
			for _, heading := range append(strings.Split(f[0], " | "), strings.Split(f[1], " | ")...) {
				claim(sections, fold(heading), section)
			}
		}
		l := line{section: section, name: join(headings[section], firstForm(f[2])), cell: -1}
		if f[5] != "" {
			l.cell = cellOf(f[5])
			linesOf[l.cell] = append(linesOf[l.cell], len(lines))
		}
		claim(items, itemKey{section, foldPath(f[2])}, len(lines))
		claim(items, itemKey{section, foldPath(f[3])}, len(lines))
		if f[4] != "" {
			id, err := strconv.Atoi(f[4])
			if err != nil {
				panic(err)
			}
			claim(lineByID, id, len(lines))
		}
		lines = append(lines, l)
	}
}

// claim sets a key, which must not have another value.
func claim[K comparable](m map[K]int, key K, value int) {
	if other, taken := m[key]; taken && other != value {
		panic(fmt.Sprintf("mapping.tsv: %v occurs twice", key))
	}
	m[key] = value
}

// firstForm returns the first form of a heading.
func firstForm(name string) string {
	first, _, _ := strings.Cut(name, " | ")
	return first
}

// join joins a heading and an item.
func join(heading, item string) string {
	if item == "" {
		return heading
	}
	return heading + under + item
}

// marks matches footnote marks after a name: (1), [2], superscripts, asterisks, daggers.
var marks = regexp.MustCompile(`(\s*(\(\d{1,2}\)|\[\d{1,2}\]|[¹²³⁰⁴-⁹*†‡]+))+\s*$`)

// Suffixes of a name that say which data it is of, as returned by words.
var (
	fullCount = []string{" 100 data", " données intégrales 100", " données intégrales"}
	sample    = []string{" 25 sample data", " données échantillon 25"}
)

// words returns a name in lower case without punctuation and footnote marks, with single spaces.
func words(name string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(marks.ReplaceAllString(name, "")), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ")
}

// fold normalises a name, because publishers vary it: words, without the word total at its beginning and without a suffix
// of fullCount or sample.
//
//	"Total - Private households by tenure - 25% sample data (50)" is "private households by tenure"
func fold(name string) string {
	folded := words(name)
	for _, suffix := range slices.Concat(fullCount, sample) {
		if cut, ok := strings.CutSuffix(folded, suffix); ok {
			folded = cut
			break
		}
	}
	return strings.TrimPrefix(folded, "total ")
}

// isFullCount reports whether a heading is of 100 % data, whose counts are randomly rounded.
func isFullCount(heading string) bool {
	folded := words(heading)
	return slices.ContainsFunc(fullCount, func(suffix string) bool { return strings.HasSuffix(folded, suffix) })
}

const under = " > "

// foldPath folds each part of an item.
func foldPath(item string) string {
	parts := strings.Split(item, under)
	for i := range parts {
		parts[i] = fold(parts[i])
	}
	return strings.Join(parts, under)
}

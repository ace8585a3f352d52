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

// mapping.tsv says which line of a census profile is a figure of which cell. A line is known by the heading of its
// section and its item, each in English and French; of a heading that changed from product to product all forms stand
// there, with | between them. An item is told by as many of the lines above it, with > between them, as tell it from its
// like; without an item the line is the heading itself. The number is the line's CHARACTERISTIC_ID where it is known
// for certain, and is what another census's profile is told by. Several lines of one cell are added up.
//
//go:embed mapping.tsv
var mappingText string

// line is one line of the mapping.
type line struct {
	section int
	name    string // of the publisher, in English: the heading and what is under it, as "Total - Private households by tenure > Owner"
	cell    int    // place in demographics.Cells; −1: read for its number alone
}

// mapping is mapping.tsv.
var (
	lines    []line
	linesOf  [demographics.CellCount][]int // places in lines, by cell
	headings = []string{""}                // by section, of which 0 is none
	sections = map[string]int{}            // by folded heading
	items    = map[itemKey]int{}           // places in lines
	lineByID = map[int]int{}               // by CHARACTERISTIC_ID
)

// itemKey is a section and the folded item of it, "" the heading itself.
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

// claim sets a key that nobody else may have.
func claim[K comparable](m map[K]int, key K, value int) {
	if other, taken := m[key]; taken && other != value {
		panic(fmt.Sprintf("mapping.tsv: %v stands twice", key))
	}
	m[key] = value
}

// firstForm is the first form of a heading.
func firstForm(name string) string {
	first, _, _ := strings.Cut(name, " | ")
	return first
}

// join puts a heading and what stands under it together.
func join(heading, item string) string {
	if item == "" {
		return heading
	}
	return heading + under + item
}

// marks are footnotes behind a name: (1), [2], superscripts, asterisks, daggers.
var marks = regexp.MustCompile(`(\s*(\(\d{1,2}\)|\[\d{1,2}\]|[¹²³⁰⁴-⁹*†‡]+))+\s*$`)

// What stands behind a name on who was asked, as words leaves it.
var (
	everybody = []string{" 100 data", " données intégrales 100", " données intégrales"}
	sample    = []string{" 25 sample data", " données échantillon 25"}
)

// words is a name in lower case without punctuation, footnote marks and more than one space between words.
func words(name string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(marks.ReplaceAllString(name, "")), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ")
}

// fold is what is left of a name when the liberties that publishers take with it are taken from it: those of words, the
// word total in front, and who was asked behind.
func fold(name string) string {
	folded := words(name)
	for _, suffix := range slices.Concat(everybody, sample) {
		if cut, ok := strings.CutSuffix(folded, suffix); ok {
			folded = cut
			break
		}
	}
	return strings.TrimPrefix(folded, "total ")
}

// asksEverybody reports whether a heading is that of 100 % data, whose counts are rounded at random.
func asksEverybody(heading string) bool {
	folded := words(heading)
	return slices.ContainsFunc(everybody, func(suffix string) bool { return strings.HasSuffix(folded, suffix) })
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

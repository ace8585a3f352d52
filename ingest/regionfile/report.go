package regionfile

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"quartier/ingest"
	"quartier/ingest/publishers"
	"quartier/schemas"
)

// Item is a source as a report has it.
type Item struct {
	ID, Kind, Title, Licence string

	URL string   // "": a file of one's own
	MB  float64  // usual size in millions of bytes; 0: not known
	Has []string // what it has
}

// Items are the sources of the recipe that are no comments.
func (r *Recipe) Items() (list []Item) {
	for i := range r.Entries {
		if e := &r.Entries[i]; e.Off == "" {
			list = append(list, Item{ID: e.ID, Kind: e.Kind, Title: e.Title, Licence: e.Licence, URL: e.URL, MB: e.MB, Has: has(e.Kind, e.Options)})
		}
	}
	return list
}

// ItemsOf are the sources of a region file. Those whose address is in the catalogue have its title and usual size, those that
// were fetched their size.
func ItemsOf(region *ingest.Region) (list []Item) {
	for i := range region.Sources {
		s := &region.Sources[i]
		item := Item{ID: s.ID, Kind: s.Kind, Licence: s.Licence, URL: s.URL, Has: has(s.Kind, &s.Options)}
		if set, _ := publishers.Match(s.URL, s.Kind, s.ID); set != nil && s.URL != "" {
			item.Title, item.MB = set.Title, set.MB
		}
		if s.Pin != nil {
			item.MB = float64(s.Pin.Bytes) / 1e6
		}
		list = append(list, item)
	}
	return list
}

// hases is all that sources have.
func hases(items []Item) map[string]bool {
	all := map[string]bool{}
	for _, item := range items {
		for _, what := range item.Has {
			all[what] = true
		}
	}
	return all
}

// Verdicts are what is to be expected of every score and part of the API.
func Verdicts(items []Item) []Verdict { return verdicts(hases(items)) }

// WriteReport says what each source gives, how large it is and under which licence, what scores and parts of the API are made
// of, and what lacks and why.
func WriteReport(w io.Writer, items []Item, gaps []string) error {
	p := &printer{w: w}
	p.sums(items)
	p.line("")
	wide := len("source")
	for _, item := range items {
		wide = max(wide, len(item.ID))
	}
	p.line("%-*s %-16s %-14s %s", wide, "source", "kind", "size", "gives; licence")
	for _, item := range items {
		size := sizeText(item.MB)
		if item.URL == "" {
			size = "a file"
		}
		gives := givesText(item.Has)
		if item.Title != "" {
			gives = item.Title + ": " + gives
		}
		p.line("%-*s %-16s %-14s %s; %s", wide, item.ID, item.Kind, size, gives, item.Licence)
	}
	p.line("")
	p.expected(items)
	p.gaps(gaps)
	return p.err
}

// printer prints lines behind a prefix until one fails.
type printer struct {
	w      io.Writer
	prefix string
	err    error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		text := strings.TrimRight(p.prefix+fmt.Sprintf(format, args...), " ")
		_, p.err = fmt.Fprintln(p.w, text)
	}
}

// wrapped prints a text in lines of at most 120 characters, those after the first one indented.
func (p *printer) wrapped(first, indent, text string) {
	const width = 120
	at := p.prefix + first
	for _, word := range strings.Fields(text) {
		if len([]rune(at))+1+len([]rune(word)) > width && strings.TrimSpace(strings.TrimPrefix(at, p.prefix)) != "" {
			p.raw(at)
			at = p.prefix + indent + word
			continue
		}
		if at != p.prefix && !strings.HasSuffix(at, " ") {
			at += " "
		}
		at += word
	}
	p.raw(at)
}

func (p *printer) raw(text string) {
	if p.err == nil {
		_, p.err = fmt.Fprintln(p.w, strings.TrimRight(text, " "))
	}
}

// sums prints how many sources there are, and how much is to be downloaded.
func (p *printer) sums(items []Item) {
	seen, unknown, mb := map[string]bool{}, 0, 0.0
	for _, item := range items {
		if item.URL != "" && !seen[item.URL] {
			seen[item.URL] = true
			mb += item.MB
			if item.MB == 0 {
				unknown++
			}
		}
	}
	text := fmt.Sprintf("%d sources; %d files to download", len(items), len(seen))
	if mb > 0 {
		text += ", usually " + sizeText(math.Round(mb*10)/10)
	}
	if unknown > 0 {
		text += fmt.Sprintf(", of which the size of %d is not known", unknown)
	}
	p.wrapped(text, "", "")
}

// expected prints what is to be expected of scores, parts of the API and levels.
func (p *printer) expected(items []Item) {
	headed := ""
	for _, v := range Verdicts(items) {
		heading := "Part of the API"
		if isScore(v.What) {
			heading = "Score"
		}
		if heading != headed {
			headed = heading
			p.line("%s, and what it is made of:", heading)
		}
		says := v.Says
		if !v.Known {
			says = "lacks: " + says
		}
		p.wrapped(fmt.Sprintf("  %-20s ", v.What), strings.Repeat(" ", 23), says)
	}
	there, not := levelsText(hases(items))
	text := "Outlines of " + cmp.Or(there, "no level") + "."
	if not != "" {
		text += " Those of " + not + " lack unless the map has them."
	}
	p.wrapped("  ", "    ", text)
}

func isScore(id string) bool {
	return slices.Contains(schemas.ScoreIDs(), id)
}

// gaps prints what lacks or is not known.
func (p *printer) gaps(gaps []string) {
	if len(gaps) == 0 {
		return
	}
	p.line("")
	p.line("What lacks, or is not known:")
	for _, gap := range gaps {
		p.wrapped("  - ", "    ", gap)
	}
}

package acs

import (
	"bufio"
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"quartier/ingest/formats/folder"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// codebook is the description of an NHGIS table.
type codebook struct {
	vintage string
	year    int // last year of the survey
	level   *level
	codes   map[string]string // NHGIS code of a table by that of the Census Bureau: B19001 → ABDO
	margins bool              // the extract has margins of error
}

// findCodebook returns the codebook of an NHGIS table; nil where there is none. It is called <table>_codebook.txt, with or
// without the _E or _M of separate files, unless name gives another file of the folder, which must exist.
func findCodebook(f folder.File, name string) (*folder.File, error) {
	tries := []string{f.Stem() + "_codebook.txt"}
	if name != "" {
		tries = []string{name}
	} else if short, ok := cutLast(f.Stem(), "_E", "_M"); ok {
		tries = append(tries, short+"_codebook.txt")
	}
	for _, try := range tries {
		book := f.Sibling(try)
		if there, err := book.Exists(); there || err != nil {
			return &book, err
		}
	}
	if name != "" {
		return nil, source.BadFile(f.Path, "its codebook, %s, is missing", name)
	}
	return nil, nil
}

// surveyColumn is a column of estimates or margins of error of an NHGIS table: ABDOE001.
var surveyColumn = regexp.MustCompile(`^[A-Z0-9]{3,4}[EM]\d{3}$`)

// cutLast removes the first of several suffixes that a text has.
func cutLast(text string, endings ...string) (string, bool) {
	for _, ending := range endings {
		if rest, ok := strings.CutSuffix(text, ending); ok {
			return rest, true
		}
	}
	return text, false
}

// readCodebook reads the lines of a codebook that have a name, a colon and a value. vintage is that of the options, "" where
// they have none.
func readCodebook(f folder.File, vintage string) (*codebook, error) {
	text, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer text.Close()
	path := f.Path
	b := &codebook{codes: map[string]string{}}
	table, levelName, last := "", "", ""
	lines := bufio.NewScanner(text)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch name {
		case "Year":
			b.vintage = value
		case "Geographic level":
			levelName, _, _ = strings.Cut(value, " (")
		case "Source code":
			table = value
		case "NHGIS code":
			if table != "" {
				b.codes[table] = value
			}
			table = ""
		}
		b.margins = b.margins || strings.HasSuffix(line, "(M) Margins of error") || line == "Data Type (M):"
		if strings.HasSuffix(last, "Geographic Subarea:") && !strings.HasSuffix(line, "(00)") {
			return nil, source.BadFile(path, "the table is not of entire areas: %s", line)
		}
		last = line
	}
	if err := lines.Err(); err != nil {
		return nil, source.BadFile(path, "%v", err)
	}
	if b.vintage, err = agree(vintage, b.vintage, path); err != nil {
		return nil, err
	}
	i := slices.IndexFunc(levels, func(l level) bool { return l.nhgis == levelName })
	year, five := lastYear(b.vintage)
	switch {
	case len(b.codes) == 0:
		return nil, source.BadFile(path, "it has no tables (Source code and NHGIS code): is it a codebook of NHGIS?")
	case i < 0:
		return nil, source.BadFile(path, "the geographic level %q is not read", levelName)
	case !five:
		return nil, source.BadFile(path, "%q is not a survey of five years", b.vintage)
	}
	b.level, b.year = &levels[i], year
	return b, nil
}

const gisjoin = "GISJOIN"

// nhgisTable describes an NHGIS table with a codebook.
func nhgisTable(ctx context.Context, f, text folder.File, o *Options) (*input, error) {
	book, err := readCodebook(text, o.Vintage)
	if err != nil {
		return nil, err
	}
	in := &input{file: f, nhgis: true, vintage: book.vintage, year: book.year, areas: book.areas, figures: book.figures}
	first, ok := cutLast(f.Stem(), "_E")
	if _, margins := cutLast(f.Stem(), "_M"); margins {
		return nil, source.BadFile(f.Path, "it has margins of error only, and its estimates are missing")
	}
	if ok {
		margins := f.Sibling(first + "_M" + path.Ext(f.Base()))
		if there, err := margins.Exists(); err != nil {
			return nil, err
		} else if !there {
			return nil, source.BadFile(f.Path, "its margins of error, %s, are missing", margins.Base())
		}
		in.marginsFile = &margins
	}
	s, err := in.sheet(ctx, f)
	if err != nil {
		return nil, err
	} else if s == nil {
		return nil, source.BadFile(f.Path, "no column %s, although it has the codebook %s", gisjoin, text.Base())
	}
	defer s.Close()
	if err := in.check(s, ""); err != nil {
		return nil, err
	}
	if in.estimatesOnly = !book.margins && !ok; len(s.figures.margins) == 0 && book.margins && !ok && len(in.has) > 0 {
		return nil, source.BadFile(f.Path, "it has no margins of error, although its codebook, %s, does", text.Base())
	}
	return in, nil
}

// areas are those of GISJOIN.
func (b *codebook) areas(columns []string) *areas {
	i := column(columns, gisjoin)
	if i < 0 {
		return nil
	}
	return &areas{[]int{i}, func(g grid) (*level, []byte, reason.Reason) {
		id, why := b.level.gisJoin(g.at(i))
		return b.level, id, why
	}}
}

// figures finds the columns of the lines that are needed, such as ABDOE001 of line 1 of B19001.
func (b *codebook) figures(columns []string) figureColumns {
	f := figureColumns{map[line]int{}, map[line]int{}}
	index := map[string]int{}
	for i, name := range columns {
		index[name] = i
	}
	for l := range neededLines {
		code, known := b.codes[l.table]
		if !known {
			continue
		}
		if i, there := index[fmt.Sprintf("%sE%03d", code, l.number)]; there {
			f.estimates[l] = i
		}
		if i, there := index[fmt.Sprintf("%sM%03d", code, l.number)]; there {
			f.margins[l] = i
		}
	}
	return f
}

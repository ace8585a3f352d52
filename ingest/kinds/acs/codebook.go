package acs

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"quartier/ingest/formats/table"
	"quartier/ingest/source"
)

// codebook is the description of an NHGIS table.
type codebook struct {
	vintage string
	year    int // last year of the survey
	level   *level
	codes   map[string]string // NHGIS code of a table by that of the Census Bureau: B19001 → ABDO
	margins bool              // the extract has margins of error
}

// findCodebook returns the path of the codebook of an NHGIS table; "" where there is none. It is called
// <table>_codebook.txt, with or without the _E or _M of separate files, unless name gives another file of the folder,
// which must exist.
func findCodebook(path, name string) (string, error) {
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	tries := []string{stem + "_codebook.txt"}
	if name != "" {
		tries = []string{filepath.Join(filepath.Dir(path), name)}
	} else if short, ok := cutLast(stem, "_E", "_M"); ok {
		tries = append(tries, short+"_codebook.txt")
	}
	for _, try := range tries {
		_, err := os.Stat(try)
		if err == nil {
			return try, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	if name != "" {
		return "", source.BadFile(path, "its codebook, %s, is missing", name)
	}
	return "", nil
}

// surveyColumn is a column of estimates or margins of error of an NHGIS table: ABDOE001.
var surveyColumn = regexp.MustCompile(`^[A-Z0-9]{3,4}[EM]\d{3}$`)

// missingCodebook returns the error for an NHGIS table of a survey without a codebook; nil where the file is something else.
func missingCodebook(path string) error {
	t, err := table.Open(path, ',')
	if errors.Is(err, source.ErrBadFile) {
		return nil
	} else if err != nil {
		return err
	}
	defer t.Close()
	if t.Column(gisjoin) != 0 || !slices.ContainsFunc(t.Columns, surveyColumn.MatchString) {
		return nil
	}
	first, _ := cutLast(stem(path), "_E", "_M")
	return source.BadFile(path, "it is an NHGIS table whose codebook, %s_codebook.txt, is missing", filepath.Base(first))
}

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
func readCodebook(path, vintage string) (*codebook, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	b := &codebook{codes: map[string]string{}}
	table, levelName, last := "", "", ""
	lines := bufio.NewScanner(file)
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

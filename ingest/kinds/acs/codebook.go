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

// codebook is what the text beside an NHGIS table tells of it.
type codebook struct {
	vintage string
	year    int // the last one
	level   *level
	codes   map[string]string // what NHGIS calls a table by what the Census Bureau does: B19001 → ABDO
	margins bool              // margins of error are among what was asked for
}

// codebookOf is the path of the codebook of an NHGIS table, "" where there is none: <table>_codebook.txt, where estimates
// and margins of error stand in files of their own also without _E or _M; or the file of a name beside it, which must be
// there.
func codebookOf(path, name string) (string, error) {
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

// uncoded is the error of a file that is an NHGIS table of a survey and has no codebook, nil where it is another file.
func uncoded(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	t, err := table.New(file)
	if err != nil || t.Column(gisjoin) != 0 || !slices.ContainsFunc(t.Columns, surveyColumn.MatchString) {
		return nil
	}
	first, _ := cutLast(stem(path), "_E", "_M")
	return source.BadFile(path, "it is an NHGIS table, and its codebook, %s_codebook.txt, is missing", filepath.Base(first))
}

// cutLast takes the first of some endings from a text that has it.
func cutLast(text string, endings ...string) (string, bool) {
	for _, ending := range endings {
		if rest, ok := strings.CutSuffix(text, ending); ok {
			return rest, true
		}
	}
	return text, false
}

// readCodebook reads the lines of a codebook that matter, which are names and values with a colon between them.
// vintage is what the source's options say the survey is of, "" where they do not.
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
			return nil, source.BadFile(path, "the table is not of whole areas: %s", line)
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
		return nil, source.BadFile(path, "it names no tables (Source code and NHGIS code): no codebook of NHGIS?")
	case i < 0:
		return nil, source.BadFile(path, "the geographic level %q is not read", levelName)
	case !five:
		return nil, source.BadFile(path, "%q is not a survey of five years", b.vintage)
	}
	b.level, b.year = &levels[i], year
	return b, nil
}

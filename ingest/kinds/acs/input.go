package acs

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"quartier/ingest/formats/table"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// input is one file of estimates, or two where the margins of error are in a separate one.
type input struct {
	path          string
	marginsPath   string // of a separate file of margins of error; "": they are in the same file
	estimatesOnly bool   // the extract has no margins of error
	comma         byte
	id            string // name of the column of area codes
	vintage       string
	year          int // last year of the survey
	area          func(text []byte) (*level, []byte, reason.Reason)
	names         func(table string, line int, letter byte) []string // possible names of a column of estimates (E) or margins of error (M)
	has           map[string]bool                                    // tables
}

// inputs returns the files of a source that are read. Others in the folder are counted as issues.
func inputs(path string, o *Options, out source.Sink) ([]*input, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	files, err := source.Files(path, ".dat", ".csv")
	if err != nil {
		return nil, err
	}
	var list []*input
	for _, file := range files {
		if info.IsDir() && readWithEstimates(file) {
			continue
		}
		in, err := open(file, o, info.IsDir())
		if err != nil {
			return nil, err
		}
		switch why := in.unusableReason(); {
		case why == "":
			list = append(list, in)
		case info.IsDir():
			out.Issue(unusedFile, filepath.Base(file)+": "+why)
		default:
			return nil, source.BadFile(file, "%s", why)
		}
	}
	if len(list) == 0 {
		return nil, source.BadFile(path, "it has no file with a table that is read: NHGIS tables with their codebooks, or summary files, of %s", strings.Join(tables(), ", "))
	}
	for _, in := range list[1:] {
		if in.vintage != list[0].vintage {
			return nil, source.BadFile(in.path, "it is of %s, but %s is of %s: all files of a source must be of one survey", in.vintage, filepath.Base(list[0].path), list[0].vintage)
		}
	}
	return list, nil
}

// readWithEstimates reports whether a file has the margins of error of another file in the folder.
func readWithEstimates(path string) bool {
	first, margins := cutLast(stem(path), "_M")
	if !margins {
		return false
	}
	_, err := os.Stat(first + "_E" + filepath.Ext(path))
	return err == nil
}

// unusableReason returns why a file has no estimates to read; "" where it has.
func (in *input) unusableReason() string {
	switch {
	case in == nil:
		return "it has no codebook in its folder, which NHGIS tables need"
	case len(in.has) == 0:
		return "none of its tables is read; tables read are " + strings.Join(tables(), ", ")
	}
	return ""
}

func stem(path string) string { return strings.TrimSuffix(path, filepath.Ext(path)) }

// open reads the header of a file, and its codebook. It returns nil for a CSV that has no codebook and is not an NHGIS
// table of a survey.
func open(path string, o *Options, folder bool) (in *input, err error) {
	if strings.EqualFold(filepath.Ext(path), ".dat") {
		in, err = summaryFile(path, o.Vintage)
	} else {
		in, err = nhgisFile(path, o, folder)
	}
	if in == nil || err != nil {
		return nil, err
	}
	s, err := openSheet(path, in)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	in.has = map[string]bool{}
	for _, name := range tables() {
		estimates := in.names(name, 1, 'E')
		switch in.has[name] = s.First(estimates...) >= 0; {
		case in.has[name]:
		case s.First(in.names(name, 1, 'M')...) >= 0:
			return nil, source.BadFile(path, "it has margins of error but no estimates of %s: no column %s", name, strings.Join(estimates, " or "))
		default:
			delete(in.has, name)
		}
	}
	return in, nil
}

var summaryName = regexp.MustCompile(`(?i)^acsdt5y(\d{4})-[a-z0-9]+\.dat$`)

// summaryFile describes a file of the Census Bureau's table-based summary file.
func summaryFile(path, vintage string) (*input, error) {
	if found := summaryName.FindStringSubmatch(filepath.Base(path)); found != nil {
		last, _ := strconv.Atoi(found[1]) // four digits are a number
		var err error
		if vintage, err = agree(vintage, fmt.Sprintf("%d-%d", last-4, last), path); err != nil {
			return nil, err
		}
	}
	year, ok := lastYear(vintage)
	if !ok {
		return nil, source.BadFile(path, "its name does not give the years of the survey, as acsdt5y2023-b19001.dat does; set the option vintage")
	}
	return &input{path: path, comma: '|', id: "GEO_ID", vintage: vintage, year: year, area: geoID, names: func(table string, line int, letter byte) []string {
		return []string{fmt.Sprintf("%s_%c%03d", table, letter, line), fmt.Sprintf("%s_%03d%c", table, line, letter)}
	}}, nil
}

// agree returns the vintage of the options or of the file, either of which may be "". They must not differ.
func agree(option, found, path string) (string, error) {
	if option != "" && found != "" && option != found {
		return "", fmt.Errorf("%w: vintage is %s, but %s is of %s", source.ErrBadOptions, option, filepath.Base(path), found)
	}
	return cmp.Or(option, found), nil
}

const gisjoin = "GISJOIN"

// nhgisFile describes an NHGIS table; nil where the file is not one.
func nhgisFile(path string, o *Options, folder bool) (*input, error) {
	text, err := findCodebook(path, o.Codebook)
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, missingCodebook(path)
	}
	book, err := readCodebook(text, o.Vintage)
	if err != nil {
		return nil, err
	}
	in := &input{path: path, estimatesOnly: !book.margins, comma: ',', id: gisjoin, vintage: book.vintage, year: book.year,
		area: func(text []byte) (*level, []byte, reason.Reason) {
			id, why := book.level.gisJoin(text)
			return book.level, id, why
		},
		names: func(table string, line int, letter byte) []string {
			code, ok := book.codes[table]
			if !ok {
				return nil
			}
			return []string{fmt.Sprintf("%s%c%03d", code, letter, line)}
		}}
	first, ok := cutLast(stem(path), "_E")
	if _, margins := cutLast(stem(path), "_M"); margins {
		return nil, source.BadFile(path, "it has margins of error only, and its estimates are missing")
	}
	if !ok {
		return in, nil
	}
	in.estimatesOnly = false
	in.marginsPath = first + "_M" + filepath.Ext(path)
	if _, err := os.Stat(in.marginsPath); err != nil {
		return nil, source.BadFile(path, "its margins of error, %s, are missing", filepath.Base(in.marginsPath))
	}
	if !folder {
		return nil, source.BadFile(path, "its margins of error are in another file; let the source be the folder that holds both")
	}
	return in, nil
}

// mappedEntry is an entry of the mapping with the columns of its lines in a file.
type mappedEntry struct {
	entry
	estimates, margins []int
	held               bool // its table has cells in other files too
}

// width returns the number of lines of all entries.
func width(list []mappedEntry) (n int) {
	for _, t := range list {
		n += len(t.lines)
	}
	return n
}

// locate finds the columns of estimates (E) or margins of error (M) for all lines of the entries.
func (in *input) locate(s *sheet, list []mappedEntry, letter byte) error {
	for i := range list {
		t := &list[i]
		for _, line := range t.lines {
			names := in.names(t.table, line, letter)
			column := s.First(names...)
			if column < 0 && !(letter == 'M' && in.estimatesOnly) {
				return source.BadFile(s.path, "no column %s", strings.Join(names, " or "))
			}
			if letter == 'E' {
				t.estimates = append(t.estimates, column)
			} else {
				t.margins = append(t.margins, column)
			}
		}
	}
	return nil
}

// openSheet opens a file of the input and reads its header.
func openSheet(path string, in *input) (*sheet, error) {
	t, err := table.Open(path, in.comma)
	if err != nil {
		return nil, err
	}
	s := &sheet{Table: t, path: path, name: filepath.Base(path), area: in.area, seen: map[string]bool{}}
	if s.id = s.Column(in.id); s.id < 0 {
		s.Close()
		return nil, source.BadFile(path, "no column %s; there are: %s; is it separated by %c?", in.id, strings.Join(s.Columns, ", "), in.comma)
	}
	return s, nil
}

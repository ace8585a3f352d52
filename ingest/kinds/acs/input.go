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

// input is one file of figures, or two where the margins of error stand in one of their own.
type input struct {
	path    string
	apart   string // path of the margins of error; "" where they stand beside the estimates
	without bool   // the publisher was asked for estimates alone
	comma   byte
	id      string // name of the column of areas
	vintage string
	year    int // the last one
	area    func(text []byte) (*level, []byte, reason.Reason)
	names   func(table string, line int, letter byte) []string // that a column of estimates (E) or margins of error (M) may have
	has     map[string]bool                                    // tables
}

// inputs are the files of a source that are read. What else a folder holds is told.
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
		switch why := in.useless(); {
		case why == "":
			list = append(list, in)
		case info.IsDir():
			out.Issue(unusedFile, filepath.Base(file)+": "+why)
		default:
			return nil, source.BadFile(file, "%s", why)
		}
	}
	if len(list) == 0 {
		return nil, source.BadFile(path, "no file in it has a table that is read: NHGIS tables beside their codebooks, or summary files, of %s", strings.Join(tables(), ", "))
	}
	for _, in := range list[1:] {
		if in.vintage != list[0].vintage {
			return nil, source.BadFile(in.path, "it is of %s, and %s of %s: a source is of one survey", in.vintage, filepath.Base(list[0].path), list[0].vintage)
		}
	}
	return list, nil
}

// readWithEstimates reports whether a file is of the margins of error of another one beside it.
func readWithEstimates(path string) bool {
	first, margins := cutLast(stem(path), "_M")
	if !margins {
		return false
	}
	_, err := os.Stat(first + "_E" + filepath.Ext(path))
	return err == nil
}

// useless says why a file cannot be read for figures; "" where it can.
func (in *input) useless() string {
	switch {
	case in == nil:
		return "it has no codebook beside it, which NHGIS tables need"
	case len(in.has) == 0:
		return "none of its tables is read; those read are " + strings.Join(tables(), ", ")
	}
	return ""
}

func stem(path string) string { return strings.TrimSuffix(path, filepath.Ext(path)) }

// open finds out what a file is of. It is nil for a CSV that has no codebook and is no NHGIS table of a survey either.
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
	defer s.close()
	in.has = map[string]bool{}
	for _, name := range tables() {
		estimates := in.names(name, 1, 'E')
		switch in.has[name] = s.find(estimates) >= 0; {
		case in.has[name]:
		case s.find(in.names(name, 1, 'M')) >= 0:
			return nil, source.BadFile(path, "it has margins of error of %s without estimates: no column %s", name, strings.Join(estimates, " or "))
		default:
			delete(in.has, name)
		}
	}
	return in, nil
}

var summaryName = regexp.MustCompile(`(?i)^acsdt5y(\d{4})-[a-z0-9]+\.dat$`)

// summaryFile is a table of the Census Bureau's table-based summary file.
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
		return nil, source.BadFile(path, "its name does not tell the five years of the survey, as acsdt5y2023-b19001.dat does; name them with vintage:")
	}
	return &input{path: path, comma: '|', id: "GEO_ID", vintage: vintage, year: year, area: geoID, names: func(table string, line int, letter byte) []string {
		return []string{fmt.Sprintf("%s_%c%03d", table, letter, line), fmt.Sprintf("%s_%03d%c", table, line, letter)}
	}}, nil
}

// agree is the survey that the options and a file tell, of which either may tell none.
func agree(option, told, path string) (string, error) {
	if option != "" && told != "" && option != told {
		return "", fmt.Errorf("%w: vintage: %s, and %s is of %s", source.ErrBadOptions, option, filepath.Base(path), told)
	}
	return cmp.Or(option, told), nil
}

const gisjoin = "GISJOIN"

// nhgisFile is a table of NHGIS, nil where it is none.
func nhgisFile(path string, o *Options, folder bool) (*input, error) {
	text, err := codebookOf(path, o.Codebook)
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, uncoded(path)
	}
	book, err := readCodebook(text, o.Vintage)
	if err != nil {
		return nil, err
	}
	in := &input{path: path, without: !book.margins, comma: ',', id: gisjoin, vintage: book.vintage, year: book.year,
		area: func(text []byte) (*level, []byte, reason.Reason) {
			id, gap := book.level.gisJoin(text)
			return book.level, id, gap
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
		return nil, source.BadFile(path, "it is margins of error alone, and the estimates are not beside it")
	}
	if !ok {
		return in, nil
	}
	in.without = false
	in.apart = first + "_M" + filepath.Ext(path)
	if _, err := os.Stat(in.apart); err != nil {
		return nil, source.BadFile(path, "its margins of error, %s, are missing", filepath.Base(in.apart))
	}
	if !folder {
		return nil, source.BadFile(path, "its margins of error stand in another file; let the source be the folder that holds both")
	}
	return in, nil
}

// taken is an entry of the mapping with the columns of its lines.
type taken struct {
	entry
	estimates, margins []int
	held               bool // its table of ours needs cells of other files too
}

// width is the number of lines of entries.
func width(list []taken) (n int) {
	for _, t := range list {
		n += len(t.lines)
	}
	return n
}

// locate finds the columns of a letter, E or M, of all lines of entries in a file.
func (in *input) locate(s *sheet, list []taken, letter byte) error {
	for i := range list {
		t := &list[i]
		for _, line := range t.lines {
			names := in.names(t.table, line, letter)
			column := s.find(names)
			if column < 0 && !(letter == 'M' && in.without) {
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

// openSheet opens a file of the input at its header.
func openSheet(path string, in *input) (*sheet, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	s := &sheet{file: file, path: path, name: filepath.Base(path), area: in.area, seen: map[string]bool{}}
	if s.Table, err = table.NewSeparated(file, in.comma); err != nil {
		file.Close()
		return nil, source.BadFile(path, "%v", err)
	}
	if s.id = s.Column(in.id); s.id < 0 {
		file.Close()
		return nil, source.BadFile(path, "no column %s; there are: %s; is it separated by %c?", in.id, strings.Join(s.Columns, ", "), in.comma)
	}
	return s, nil
}

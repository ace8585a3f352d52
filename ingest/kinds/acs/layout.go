package acs

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quartier/ingest/formats/folder"
	"quartier/ingest/source"
)

// line is a line of a detailed table: line 1 of B01003 is B01003_001.
type line struct {
	table  string
	number int
}

func (l line) String() string { return fmt.Sprintf("%s_%03d", l.table, l.number) }

// neededLines are the lines of the mapping.
var neededLines = func() map[line]bool {
	needed := map[line]bool{}
	for _, e := range mapping {
		for _, n := range e.lines {
			needed[line{e.table, n}] = true
		}
	}
	return needed
}()

// Names of columns and variables: B01003_001E and B01003_E001 of the Census Bureau, B01003001 and "B01003001, Error" of
// Census Reporter. Variables of tidycensus have no letter.
var (
	variableName = regexp.MustCompile(`^([BC]\d{5}[A-I]?(?:PR)?)_(\d{3})([EM]?)$`)
	summaryName  = regexp.MustCompile(`^([BC]\d{5}[A-I]?(?:PR)?)_([EM])(\d{3})$`)
	reporterName = regexp.MustCompile(`^([BC]\d{5}[A-I]?(?:PR)?)(\d{3})(, Error)?$`)
	finderName   = regexp.MustCompile(`^HD0([12])_VD(\d{2,3})$`)
)

// variable parses a name of a column or variable; letter is E, M, or 0 where it has none.
func variable(name string) (l line, letter byte, ok bool) {
	if m := variableName.FindStringSubmatch(name); m != nil {
		return line{m[1], whole(m[2])}, (m[3] + "\x00")[0], true
	}
	if m := summaryName.FindStringSubmatch(name); m != nil {
		return line{m[1], whole(m[3])}, m[2][0], true
	}
	if m := reporterName.FindStringSubmatch(name); m != nil {
		letter = 'E'
		if m[3] != "" {
			letter = 'M'
		}
		return line{m[1], whole(m[2])}, letter, true
	}
	return l, 0, false
}

// figureColumns are the columns of a table with estimates and margins of error, by line.
type figureColumns struct{ estimates, margins map[line]int }

// figuresOf finds the columns of the lines that are needed. named are names of the user's own for variables. finder is the
// table of a file of American FactFinder, whose columns do not name it.
func figuresOf(columns []string, named map[string]string, finder string) figureColumns {
	f := figureColumns{map[line]int{}, map[line]int{}}
	add := func(l line, letter byte, column int) {
		into := f.estimates
		if letter == 'M' {
			into = f.margins
		}
		if _, twice := into[l]; !twice && neededLines[l] {
			into[l] = column
		}
	}
	for i, name := range columns {
		own, ownLetter := named[name], byte('E')
		if n := len(name) - 1; own == "" && n > 0 && (name[n] == 'E' || name[n] == 'M') {
			own, ownLetter = named[name[:n]], name[n]
		}
		if l, letter, ok := variable(own); ok {
			add(l, cmp.Or(letter, ownLetter), i)
		} else if l, letter, ok := variable(strings.ToUpper(name)); ok && letter != 0 {
			add(l, letter, i)
		} else if l, letter, ok := variable(name); ok && letter != 0 { // ", Error" of Census Reporter
			add(l, letter, i)
		} else if m := finderName.FindStringSubmatch(name); m != nil && finder != "" {
			add(line{finder, whole(m[2])}, "EM"[m[1][0]-'1'], i)
		}
	}
	return f
}

// Names of files with the years of their survey, and the table in those of American FactFinder:
//
//	acsdt5y2023-b19001.dat, ACSDT5Y2019.B01003-Data.csv, ACS_15_5YR_B01003_with_ann.csv
var (
	bureauFile = regexp.MustCompile(`(?i)acs(dt|st|dp|cp)([15])y(\d{4})`)
	finderFile = regexp.MustCompile(`(?i)acs_(\d{2})_([135])yr_([bc]\d{5}[a-i]?(?:pr)?)`)
)

// vintageOf returns the five years of a survey that a file is named after; "" where its name does not give them.
func vintageOf(name string) (string, error) {
	span, last := "", 0
	if m := bureauFile.FindStringSubmatch(name); m != nil {
		span, last = m[2], whole(m[3])
	} else if m := finderFile.FindStringSubmatch(name); m != nil {
		span, last = m[2], 2000+whole(m[1])
	}
	switch span {
	case "":
		return "", nil
	case "5":
		return fmt.Sprintf("%d-%d", last-4, last), nil
	}
	return "", fmt.Errorf("it is of a %s-year survey by its name; only 5-year estimates are read", span)
}

// bureauTable describes a table of the Census Bureau, of its API or of software that asks that; nil where the file is none.
func bureauTable(ctx context.Context, f folder.File, o *Options) (*input, error) {
	finder := strings.ToUpper(o.Table)
	if m := finderFile.FindStringSubmatch(f.Base()); m != nil && finder == "" {
		finder = strings.ToUpper(m[3])
	}
	in := &input{file: f, named: o.Variables,
		areas:   func(columns []string) *areas { return areasOf(columns, levelNamed(o.Level)) },
		figures: func(columns []string) figureColumns { return figuresOf(columns, o.Variables, finder) },
	}
	s, err := in.sheet(ctx, f)
	if err != nil || s == nil {
		return nil, err
	}
	defer s.Close()
	if err := in.check(s, finder); err != nil || len(in.has) == 0 {
		return in, err
	}
	found, err := vintageOf(f.Base())
	if err != nil {
		return nil, source.BadFile(f.Path, "%v", err)
	}
	if in.vintage, err = agree(o.Vintage, found, f.Path); err != nil {
		return nil, err
	}
	known := false
	if in.year, known = lastYear(in.vintage); !known {
		return nil,
			source.BadFile(f.Path,
				"its name does not give the years of the survey, as acsdt5y2023-b19001.dat, ACSDT5Y2023.B19001-Data.csv and "+
					"ACS_15_5YR_B19001_with_ann.csv do; set the option vintage, such as vintage: 2019-2023")
	}
	return in, nil
}

// check finds out which lines a table has, and refuses one that has figures but not as expected.
func (in *input) check(s *sheet, finder string) error {
	in.has = map[line]bool{}
	for l := range s.figures.estimates {
		in.has[l] = true
	}
	in.estimatesOnly = len(s.figures.margins) == 0
	for _, l := range slices.SortedFunc(maps.Keys(s.figures.margins), compareLines) {
		if !in.has[l] {
			return source.BadFile(in.file.Path, "it has margins of error but no estimates of %s", l)
		}
	}
	if finder == "" && slices.ContainsFunc(s.columns(), finderName.MatchString) {
		return source.BadFile(in.file.Path,
			"it is a table of American FactFinder, and its name does not say which, as ACS_15_5YR_B01003_with_ann.csv does; set the option table, "+
				"such as table: B01003")
	}
	return nil
}

func compareLines(a, b line) int {
	return cmp.Or(strings.Compare(a.table, b.table), a.number-b.number)
}

// agree returns the vintage of the options or of the file, either of which may be "". They must not differ.
func agree(option, found, path string) (string, error) {
	if option != "" && found != "" && option != found {
		return "", fmt.Errorf("%w: vintage is %s, but %s is of %s", source.ErrBadOptions, option, filepath.Base(path), found)
	}
	return cmp.Or(option, found), nil
}

func whole(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic("acs: " + err.Error()) // digits of a pattern, or mapping.tsv
	}
	return n
}

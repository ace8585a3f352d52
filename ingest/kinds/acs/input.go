package acs

import (
	"context"
	"path"
	"strings"

	"quartier/ingest/formats/folder"
	"quartier/ingest/source"
)

// input is one file of estimates, or two where the margins of error are in a separate one.
type input struct {
	file          folder.File
	nhgis         bool         // it is an NHGIS table, with a codebook
	form          string       // who writes such tables, for the report
	marginsFile   *folder.File // of a separate file of margins of error; nil: they are in the same file
	estimatesOnly bool         // the file has no margins of error
	vintage       string
	year          int               // last year of the survey
	named         map[string]string // the user's own names of variables, where the table may be long
	areas         func(columns []string) *areas
	figures       func(columns []string) figureColumns
	has           map[line]bool // lines that are needed
}

// inputs returns the files of a source that are read. Others in the folder are counted as issues.
func inputs(ctx context.Context, root string, list []folder.File, o *Options, out source.Sink) (read []*input, err error) {
	var unusable []string
	for _, f := range list {
		if skip, err := readWithEstimates(f); err != nil || skip || describesTable(f) && len(list) > 1 {
			if err != nil {
				return nil, err
			}
			continue
		}
		in, err := open(ctx, f, o)
		if err != nil {
			return nil, err
		}
		switch why := in.unusableReason(); {
		case why != "":
			unusable = append(unusable, f.Base()+": "+why)
		case in.marginsFile != nil && f.Disk == root:
			return nil, source.BadFile(f.Path, "its margins of error are in another file; let the source be the folder that holds both")
		default:
			read = append(read, in)
		}
	}
	if len(read) == 0 {
		return nil, source.BadFile(root, "no table is read: %s", strings.Join(unusable[:min(len(unusable), 3)], "; "))
	}
	for _, why := range unusable {
		out.Issue(source.UnusedFile, why)
	}
	for _, in := range read[1:] {
		if in.vintage != read[0].vintage {
			return nil, source.BadFile(in.file.Path,
				"it is of %s, but %s is of %s: all files of a source must be of one survey; let each survey be a source", in.vintage,
				read[0].file.Base(), read[0].vintage)
		}
	}
	return read, nil
}

// readWithEstimates reports whether a file has the margins of error of another file in the folder.
func readWithEstimates(f folder.File) (bool, error) {
	first, margins := cutLast(f.Stem(), "_M")
	if !margins {
		return false, nil
	}
	return f.Sibling(first + "_E" + path.Ext(f.Base())).Exists()
}

// unusableReason returns why a file has no estimates to read; "" where it has.
func (in *input) unusableReason() string {
	switch {
	case in == nil:
		return "it is not a table of the survey: it has no column with areas (" + strings.Join(fullCodes[:2], ", ") + ", " + plainCodes[0] +
			", or state, county, tract, block group), and no NHGIS codebook"
	case len(in.has) == 0:
		return "none of its tables is read; tables read are " + strings.Join(tables(), ", ")
	}
	return ""
}

// open reads the header of a file, and its codebook. It returns nil for a file that is not a table of the survey.
func open(ctx context.Context, f folder.File, o *Options) (*input, error) {
	book, err := findCodebook(f, o.Codebook)
	if err != nil {
		return nil, err
	}
	if book != nil {
		return nhgisTable(ctx, f, *book, o)
	}
	return bureauTable(ctx, f, o)
}

// mappedEntry is an entry of the mapping with the columns of its lines in a file.
type mappedEntry struct {
	entry
	estimates, margins []int // −1: the file has no margins of error
	held               bool  // its table has cells in other files too
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
		for _, n := range t.lines {
			l := line{t.table, n}
			if letter == 'E' {
				t.estimates = append(t.estimates, s.figures.estimates[l])
				continue
			}
			column, there := s.figures.margins[l]
			if !there && !in.estimatesOnly {
				return source.BadFile(s.file.Path, "it has no margin of error of %s, but those of other lines", l)
			} else if !there {
				column = -1
			}
			t.margins = append(t.margins, column)
		}
	}
	return nil
}

// describesTable reports whether a file is not a table but says what the columns of one are: those that data.census.gov
// and American FactFinder pack with their tables.
func describesTable(f folder.File) bool {
	name := strings.ToLower(f.Base())
	return strings.HasSuffix(name, "-column-metadata.csv") || strings.HasSuffix(name, "_metadata.csv") || strings.Contains(name, "_metadata_")
}

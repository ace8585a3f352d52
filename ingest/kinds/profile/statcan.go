package profile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"quartier/ingest/formats/folder"
	"quartier/ingest/formats/table"
	"quartier/ingest/source"
	"quartier/schemas/demographics"
	"quartier/schemas/reason"
)

// levels are the levels that are read, by type and schema of the DGUID. Census agglomerations are metropolitan areas too,
// with keys in the same series.
var levels = map[string]string{
	"A0000": "country", "A0002": "pr", "A0003": "cd", "A0005": "csd", "A0011": "fsa",
	"S0503": "cma", "S0504": "cma", "S0507": "ct", "S0512": "da",
}

func levelNames() []string { return slices.Compact(slices.Sorted(maps.Values(levels))) }

// profile reads a census profile in which every row is a line of an area: one area after the other, each with the same
// lines in the same order. It keeps one area and the names of the lines in memory.
type profile struct {
	*areas
	path    string
	file    io.Closer
	options Options
	table   *table.Table
	columns columns
	known   []known // by CHARACTERISTIC_ID

	dguid    []byte // of the area that is being read
	skip     bool   // the area is not selected
	last     int    // CHARACTERISTIC_ID of its last row, 0 before the first
	first    int    // that of the first row of every area
	longest  int    // that of the last row of a complete area
	selected int    // areas that were
}

// columns are column indexes; −1 where the table does not have the column.
type columns struct{ year, dguid, code, geography, id, name, total, low, high int }

// known describes a line since the first area that has it.
type known struct {
	name []byte   // as in the file; nil: not seen yet
	line int      // −1: not read
	path itemPath // of the line
}

// maxLines limits CHARACTERISTIC_ID: the census has 2,631.
const maxLines = 20_000

func checkProfile(in source.Input) error {
	_, close, err := profilesOf(in, newAreas(source.Discard{}), Options{})
	close()
	return err
}

// profilesOf opens the files of a source that are profiles and reads their headers. A comprehensive download has one for
// each region of the country, with files that say in which line an area begins and what the columns are.
func profilesOf(in source.Input, a *areas, o Options) (list []*profile, close func(), err error) {
	files, err := folder.Open(in.Path, in.Limits, ".csv")
	if err != nil {
		return nil, func() {}, err
	}
	close = func() {
		for _, p := range list {
			p.file.Close()
		}
		files.Close()
	}
	var others []string
	for _, f := range files.Files {
		p, err := openProfile(f, a, o)
		switch {
		case err == nil:
			list = append(list, p)
		case len(files.Files) == 1 || !errors.Is(err, errNoProfile):
			return list, close, err
		default:
			others = append(others, f.Base())
			if !strings.Contains(strings.ToLower(f.Base()), "geo_starting_row") {
				a.out.Issue(notAProfile, f.Base())
			}
		}
	}
	if len(list) == 0 {
		err = source.BadFile(in.Path, "none of its files has the columns DGUID, CHARACTERISTIC_ID, CHARACTERISTIC_NAME and C1_COUNT_TOTAL: %s",
			strings.Join(others[:min(len(others), 5)], ", "))
	}
	return list, close, err
}

// errNoProfile marks a file without the columns of a profile.
var errNoProfile = errors.New("not a census profile")

// openProfile opens a file and reads its header.
func openProfile(f folder.File, a *areas, o Options) (*profile, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	t, err := table.New(r, table.Dialect{})
	if err != nil {
		r.Close()
		return nil, source.BadFile(f.Path, "%v", err)
	}
	p := &profile{areas: a, path: f.Path, options: o, table: t, file: r}
	if err := p.head(); err != nil {
		r.Close()
		return nil, err
	}
	return p, nil
}

func stageProfile(ctx context.Context, in source.Input, o Options, out source.Sink) error {
	list, close, err := profilesOf(in, newAreas(out), o)
	defer close()
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := out.Row(source.Survey{Vintage: censusYear, Title: "Census of Population, Census Profile",
		MaxUnmatched: o.MaxUnmatched}); err != nil {
		return err
	}
	selected := 0
	for _, p := range list {
		out.Part(filepath.Base(p.path))
		if err := p.stage(ctx); err != nil {
			return err
		}
		selected += p.selected
	}
	if selected == 0 {
		return source.BadFile(in.Path, "none of its areas is of a level that is read and selected by areas")
	}
	return nil
}

// stage reads the rows of the file.
func (p *profile) stage(ctx context.Context) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.table.Next(); err == io.EOF {
			return p.end()
		} else if err != nil {
			return source.BadFile(p.path, "%v", err)
		}
		p.out.Read(1)
		if p.table.TooShort() {
			return source.BadFile(p.path, "line %d ends before its last column: %s", p.table.Line, p.table.Sample())
		}
		if err := p.row(); err != nil {
			return err
		}
	}
}

// head finds the columns of the English or the French edition. Several columns are named SYMBOL: each belongs to the value
// before it.
func (p *profile) head() error {
	find := func(names ...string) int {
		return slices.IndexFunc(p.table.Columns, func(column string) bool {
			return slices.ContainsFunc(names, func(name string) bool {
				begin, ok := strings.CutSuffix(name, "*")
				return column == name || ok && strings.HasPrefix(column, begin)
			})
		})
	}
	p.columns = columns{
		year: find("CENSUS_YEAR", "ANNÉE_RECENSEMENT"), dguid: find("DGUID", "IDUGD"), code: find("ALT_GEO_CODE", "CODE_GÉO_ALT"),
		geography: find("GEO_NAME", "NOM_GÉO"),
		id:        find("CHARACTERISTIC_ID", "ID_CARACTÉRISTIQUE"), name: find("CHARACTERISTIC_NAME", "NOM_CARACTÉRISTIQUE"),
		total: find("C1_*"), low: find("C4_*"), high: find("C7_*"),
	}
	for _, wanted := range []struct {
		column int
		name   string
	}{
		{p.columns.dguid, "DGUID"}, {p.columns.id, "CHARACTERISTIC_ID"}, {p.columns.name, "CHARACTERISTIC_NAME"},
		{p.columns.total, "C1_COUNT_TOTAL"},
	} {
		if wanted.column < 0 {
			return fmt.Errorf("%w (%w)", source.BadFile(p.path, "no column %s; there are: %s", wanted.name, strings.Join(p.table.Columns, ", ")),
				errNoProfile)
		}
	}
	for _, figure := range []int{p.columns.total, p.columns.low, p.columns.high} {
		if figure >= 0 && (figure+1 >= len(p.table.Columns) || !strings.HasPrefix(p.table.Columns[figure+1], "SYMBOL")) {
			return source.BadFile(p.path, "no column SYMBOL after %s", p.table.Columns[figure])
		}
	}
	return nil
}

// end finishes the last area, which must be complete.
func (p *profile) end() error {
	if p.last < p.longest {
		return source.BadFile(p.path, "it ends with line %d of area %s, of %d", p.last, p.dguid, p.longest)
	}
	return p.close()
}

// close finishes the current area.
func (p *profile) close() error {
	p.longest = max(p.longest, p.last)
	if p.dguid == nil || p.skip {
		return nil
	}
	return p.finish()
}

func (p *profile) row() error {
	id, err := strconv.Atoi(p.table.Text(p.columns.id))
	if err != nil || id < 1 || id > maxLines {
		p.out.Issue(missingCharacteristic, p.here())
		return nil
	}
	if p.dguid == nil || !bytes.Equal(p.table.At(p.columns.dguid), p.dguid) || id < p.last {
		if err := p.next(id); err != nil {
			return err
		}
	}
	if id == p.last {
		p.out.Issue(source.DuplicateKey.With("CHARACTERISTIC_ID"), p.here())
		return nil
	}
	k, err := p.line(id)
	p.last = id
	if err == nil && !p.skip && k.line >= 0 && lines[k.line].cell >= 0 {
		p.take(k)
	}
	return err
}

// next starts another area with the id of its first row, which is the same for all areas.
func (p *profile) next(id int) error {
	if err := p.close(); err != nil {
		return err
	}
	p.dguid = append(p.dguid[:0:0], p.table.At(p.columns.dguid)...)
	p.last, p.skip = 0, true
	if p.first == 0 {
		p.first = id
	}
	if year := p.table.Text(p.columns.year); p.columns.year >= 0 && year != censusYear {
		return source.BadFile(p.path, "line %d is of the census of %q, not of %s", p.table.Line, year, censusYear)
	}
	const vintage, prefix = 4, 9 // of a DGUID: 2021 S0512 35060001
	if len(p.dguid) <= prefix {
		p.out.Issue(source.MissingKey, p.here())
		return nil
	}
	level, code := levels[string(p.dguid[vintage:prefix])], string(p.dguid[prefix:])
	if short := p.table.Text(p.columns.code); short != "" && strings.HasSuffix(code, short) {
		code = short // without the province, with which a DGUID may begin
	}
	if level == "country" {
		code = "CA"
	}
	key := "statcan:" + level + ":" + code
	switch {
	case level == "":
		p.out.Issue(source.UnreadSummaryLevel, p.here())
	case string(p.dguid[:vintage]) != censusYear:
		return source.BadFile(p.path, "line %d is of areas of %s, not of %s", p.table.Line, p.dguid[:vintage], censusYear)
	case !p.options.selects(level, code):
		p.out.Issue(source.ExcludedByOption, p.here())
	case p.seen[key] && id != p.first:
		return source.BadFile(p.path, "line %d: the rows of %s are not together", p.table.Line, p.dguid)
	default:
		p.selected++
		p.skip = !p.begin(key, p.here())
	}
	return nil
}

// here describes the area and the row in messages.
func (p *profile) here() string {
	return fmt.Sprintf("%s %s, line %d", p.dguid, p.table.Text(p.columns.geography), p.table.Line)
}

// line returns the line of a row. It is identified in the first area that has it, by the names of the lines above it; in
// other areas it must have the same name.
func (p *profile) line(id int) (*known, error) {
	for len(p.known) <= id {
		p.known = append(p.known, known{})
	}
	k, name := &p.known[id], p.table.At(p.columns.name)
	if k.name == nil {
		k.name, k.path = append([]byte{}, name...), p.known[p.last].path.copy()
		k.line = k.path.to(string(name), p.table.Indent(p.columns.name))
		if checked, ok := lineByID[id]; ok && checked != k.line {
			return nil, source.BadFile(p.path, "line %d: characteristic %d is %q, not %q: the profile of another census?", p.table.Line, id,
				k.path.path(), lines[checked].name)
		}
	}
	if !bytes.Equal(k.name, name) {
		return nil, source.BadFile(p.path, "line %d: characteristic %d is %q here and %q above", p.table.Line, id, name, k.name)
	}
	return k, nil
}

// take reads the figure of a line with its margin of error.
func (p *profile) take(k *known) {
	f := p.figure(p.columns.total)
	if p.table.Text(p.columns.total+1) == caution && f.missing == (reason.Reason{}) {
		p.out.Issue(usedWithCaution, p.here())
	}
	if p.columns.low >= 0 && p.columns.high >= 0 {
		f.limits(p.figure(p.columns.low), p.figure(p.columns.high))
	}
	if k.path.fullCount && demographics.Cells[lines[k.line].cell].Role != demographics.Scalar {
		f.rounded()
	}
	p.areas.take(k.line, f)
}

// figure parses a column and the symbol after it.
func (p *profile) figure(column int) figure {
	return parse(p.table.Text(column), p.table.Text(column+1))
}

package nces

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"quartier/ingest/formats/folder"
	"quartier/ingest/formats/table"
	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
)

// layout is a table of a publication, recognised by its columns.
type layout struct {
	name    string
	has     []string // columns, of each text one
	schools bool     // its rows are schools, with names
}

// layouts are the tables that are read, the first that fits first. Columns are without year and in capitals.
var layouts = []layout{
	{"directory", []string{"NCESSCH", "SCH_NAME", "GSLO|LEVEL|SY_STATUS"}, true},
	{"one file", []string{"NCESSCH", "SCHNAM"}, true},
	{"search", []string{"NCES SCHOOL ID", "SCHOOL NAME"}, true},
	{"private", []string{"PPIN", "PINST", "LOGR|NUMSTUDS"}, true},
	{"private search", []string{"PSS_SCHOOL_ID", "PSS_INST"}, true},
	{"geocodes", []string{"NCESSCH|PPIN", "LAT|LATCODE|LATCOD|LATITUDE", "LON|LONGCODE|LONCOD|LONGITUDE"}, false},
	{"membership", []string{"NCESSCH", "STUDENT_COUNT", "SEX", "TOTAL_INDICATOR"}, false},
	{"lunch", []string{"NCESSCH", "STUDENT_COUNT", "LUNCH_PROGRAM"}, false},
	{"figures", []string{"NCESSCH", "TEACHERS|FTE|TITLEI_STATUS|MAGNET_TEXT|MEMBER|FRELCH"}, false},
}

// tableFile is a table of the source.
type tableFile struct {
	folder.File
	layout
	columns map[string]string // in the file, by name without year and in capitals
	limits  source.Limits
}

func (t *tableFile) schools() bool { return t.layout.schools }

// recognise returns the tables of a source, and the names of files that are none.
func recognise(ctx context.Context, in source.Input, files *folder.Folder) (tables []*tableFile, unused []string, err error) {
	for _, f := range files.Files {
		t := &tableFile{File: f, limits: in.Limits}
		names, err := t.header(ctx)
		if err != nil {
			return nil, nil, err
		}
		t.columns = plainNames(names)
		i := slices.IndexFunc(layouts, func(l layout) bool { return l.fits(t.columns) })
		if i < 0 {
			unused = append(unused, fmt.Sprintf("%s: columns %s", f.Base(), strings.Join(names[:min(len(names), 12)], ", ")))
			continue
		}
		t.layout = layouts[i]
		tables = append(tables, t)
	}
	if tables == nil {
		return nil, nil, source.BadFile(in.Path,
			"none of its tables has the columns of one that is read (NCESSCH with SCH_NAME, LATCODE, STUDENT_COUNT or TEACHERS; PPIN with PINST; "+
				"NCES School ID with School Name): %s",
			strings.Join(unused[:min(len(unused), 3)], "; "))
	}
	return tables, unused, nil
}

func (l layout) fits(columns map[string]string) bool {
	for _, names := range l.has {
		if !slices.ContainsFunc(strings.Split(names, "|"), func(name string) bool { return columns[name] != "" }) {
			return false
		}
	}
	return true
}

// year is that at the end of a column's name: MEMBER09, LATITUDE18, LOGR2018, LAT1516.
var year = regexp.MustCompile(`^(.*[A-Z])(?:\d{2}|\d{4})$`)

// plainNames returns columns by their names in capitals, without the asterisk of the school search and without year.
func plainNames(names []string) map[string]string {
	columns := map[string]string{}
	for _, name := range names {
		plain := strings.ToUpper(strings.TrimSpace(strings.TrimRight(name, "*")))
		if plain != "" && columns[plain] == "" {
			columns[plain] = name
		}
	}
	for _, name := range names {
		if m := year.FindStringSubmatch(strings.ToUpper(strings.TrimSpace(name))); m != nil && columns[m[1]] == "" {
			columns[m[1]] = name
		}
	}
	return columns
}

// row is a row of a table.
type row struct {
	value func(names ...string) string // of the first column that the table has; "" where it is missing
	where string
}

// missing are the values that mean missing or not applicable.
var missing = []string{"", "-1", "-2", "-3", "-9", "-1.0", "-2.0", "-9.0", "M", "N", "†", "‡", "–", "—", "Missing", "Not reported",
	"Not Reported", "Not applicable", "Not Applicable"}

// valued returns the value of a row by the names of columns.
func (t *tableFile) valued(at func(column string) string) func(names ...string) string {
	return func(names ...string) string {
		for _, name := range names {
			if column := t.columns[name]; column != "" {
				if v := at(column); !slices.Contains(missing, v) {
					return v
				}
			}
		}
		return ""
	}
}

// each calls take for each row.
func (t *tableFile) each(ctx context.Context, out source.Sink, take func(row) error) error {
	out.Part(t.Base())
	if t.Ext() == ".shp" {
		return t.eachFeature(ctx, out, take)
	}
	file, err := t.Open()
	if err != nil {
		return err
	}
	defer file.Close()
	rows, err := table.New(file, table.Dialect{})
	if err != nil {
		return source.InFile(t.Path, err)
	}
	rows.Name = t.Base()
	defer rows.Report(out)
	index := map[string]int{}
	for i, name := range rows.Columns {
		if _, taken := index[name]; !taken {
			index[name] = i
		}
	}
	value := t.valued(func(column string) string { return rows.Text(index[column]) })
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := rows.Next(); err == io.EOF {
			return nil
		} else if err != nil {
			return source.InFile(t.Path, err)
		}
		out.Read(1)
		where := fmt.Sprintf("%s line %d", t.Base(), rows.Line)
		if rows.TooShort() || rows.TooLong() {
			out.Issue(source.WrongFieldCount, where)
			continue
		}
		if err := take(row{value, where}); err != nil {
			return err
		}
	}
}

// eachFeature calls take for each row of a shapefile, whose attributes have the coordinates.
func (t *tableFile) eachFeature(ctx context.Context, out source.Sink, take func(row) error) error {
	layer, err := t.shapefile(ctx)
	if err != nil {
		return err
	}
	defer layer.Close()
	return layer.Stage(ctx, out, nil, "", func(f vector.Feature) (bool, error) {
		return true, take(row{t.valued(f.Value), fmt.Sprintf("%s feature %d", t.Base(), f.Row)})
	})
}

// header returns the columns of a table.
func (t *tableFile) header(ctx context.Context) ([]string, error) {
	if t.Ext() == ".shp" {
		layer, err := t.shapefile(ctx)
		if err != nil {
			return nil, err
		}
		defer layer.Close()
		return layer.Fields, nil
	}
	file, err := t.Open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := table.New(file, table.Dialect{})
	if err != nil {
		return nil, source.InFile(t.Path, err)
	}
	return rows.Columns, nil
}

func (t *tableFile) shapefile(ctx context.Context) (*vector.Layer, error) {
	if t.Disk != "" {
		return vector.Open(ctx, t.Disk, vector.Options{Limits: t.limits})
	}
	zip := t.Path[:strings.LastIndex(t.Path[:len(t.Path)-len(t.Base())], ".zip/")+len(".zip")]
	return vector.Open(ctx, zip, vector.Options{Layer: t.Stem(), Limits: t.limits})
}

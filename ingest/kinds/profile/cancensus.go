package profile

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"quartier/ingest/formats/table"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// cancensus is the layout of the package cancensus of R: a row for each area, and a column for each vector, whose name begins
// with the vector's and a colon.
const cancensus = "cancensus"

// vectorLines are the lines of the columns that are read, by CHARACTERISTIC_ID. Vectors have numbers of their own.
var vectorLines = map[string]int{
	"Population": 1, "v_CA21_1": 1, "Dwellings": 4, "v_CA21_4": 4, "Households": 5, "v_CA21_5": 5, "v_CA21_906": 243,
}

// regionTypes are the levels of a row's type.
var regionTypes = map[string]string{"C": "country", "PR": "pr", "CD": "cd", "CSD": "csd", "CMA": "cma", "CA": "cma", "CT": "ct", "DA": "da"}

var vectorNotRead = reasons.Skipped("vector_not_read", "The vector of the census in the column is not read.")

// vectors is a file of the layout.
type vectors struct {
	*table.Table
	path     string
	id, kind int
	lines    map[int]int // line by column
}

// openVectors opens the file and finds its columns.
func openVectors(in source.Input, out source.Sink) (*vectors, error) {
	t, err := table.Open(in.Path, table.Dialect{})
	if err != nil {
		return nil, source.BadFile(in.Path, "%v", err)
	}
	v := &vectors{Table: t, path: in.Path, id: slices.Index(t.Columns, "GeoUID"), kind: slices.Index(t.Columns, "Type"), lines: map[int]int{}}
	for i, column := range t.Columns {
		name, _, _ := strings.Cut(column, ":")
		name = strings.TrimSpace(name)
		if id, ok := vectorLines[name]; ok {
			v.lines[i] = lineByID[id]
		} else if strings.HasPrefix(name, "v_") {
			out.Issue(vectorNotRead, name)
		}
	}
	if v.id < 0 || v.kind < 0 || len(v.lines) == 0 {
		t.Close()
		return nil, source.BadFile(in.Path, "no columns GeoUID, Type and Population or v_CA21_1; there are: %s", strings.Join(t.Columns, ", "))
	}
	return v, nil
}

func checkVectors(in source.Input) error {
	v, err := openVectors(in, source.Discard{})
	if err == nil {
		v.Close()
	}
	return err
}

func stageVectors(ctx context.Context, in source.Input, o Options, out source.Sink) error {
	v, err := openVectors(in, out)
	if err != nil {
		return err
	}
	defer v.Close()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := out.Row(source.Survey{Vintage: censusYear, Title: "Census of Population, Census Profile",
		MaxUnmatched: o.MaxUnmatched}); err != nil {
		return err
	}
	a, selected := newAreas(out), 0
	err = v.Each(ctx, out, func() error {
		level, id := regionTypes[v.Text(v.kind)], v.Text(v.id)
		where := fmt.Sprintf("line %d: %s", v.Line, id)
		if level == "country" {
			id = "CA"
		}
		why := reason.Reason{}
		switch {
		case level == "":
			why = source.UnreadSummaryLevel
		case id == "":
			why = source.MissingKey
		case !o.selects(level, id):
			why = source.ExcludedByOption
		}
		if !why.OK() {
			out.Issue(why, where)
			return nil
		}
		selected++
		if !a.begin("statcan:"+level+":"+id, where) {
			return nil
		}
		for column, line := range v.lines {
			a.take(line, parse(strings.TrimPrefix(v.Text(column), "NA"), ""))
		}
		return a.finish()
	})
	if err == nil && selected == 0 {
		err = source.BadFile(in.Path, "none of its areas is of a level that is read and selected by areas")
	}
	return err
}

// layoutOf is the layout of a file that no option says: cancensus by its first column, else statcan-profile.
func layoutOf(path string) string {
	if t, err := table.Open(path, table.Dialect{}); err == nil {
		defer t.Close()
		if len(t.Columns) > 0 && t.Columns[0] == "GeoUID" {
			return cancensus
		}
	}
	return "statcan-profile"
}

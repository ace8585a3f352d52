package vector

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quartier/ingest/formats/table"
	"quartier/ingest/source"
)

// Attributes that options may name in addition to the columns of a file.
const (
	featureID  = "@id"      // the feature's own id
	featureRow = "@row"     // its number in the file, 1 first
	shortDGUID = "@dguid"   // Statistics Canada's DGUID without vintage, type and schema: 2021A000235 is 35
	geoid      = "@gisjoin" // the Census Bureau's GEOID of a block group, from NHGIS's GISJOIN
)

// columnOf returns the column from which an attribute is made; "" where every file has the attribute.
func columnOf(name string) string {
	switch name {
	case featureID, featureRow:
		return ""
	case shortDGUID:
		return "DGUID"
	case geoid:
		return "GISJOIN"
	}
	return name
}

// Value returns the attribute of a column, or @id, @row, @dguid or @gisjoin; "" where it is absent.
func (f Feature) Value(name string) string {
	full := f.Attributes[columnOf(name)]
	switch name {
	case featureID:
		return f.ID
	case featureRow:
		return strconv.Itoa(f.Row)
	case shortDGUID:
		const prefix = 9 // vintage, type, schema
		return full[min(prefix, len(full)):]
	case geoid:
		return geoidOf(full)
	}
	return full
}

// Number returns an attribute as a number; false where it is absent or none. A column of Columns.Numbers is read as it is
// written; other attributes have the decimal mark that is given, "" for the point.
func (f Feature) Number(name, decimal string) (float64, bool) {
	mark, known := f.Marks[name]
	switch {
	case known:
	case decimal != "":
		mark = decimal[0]
	default:
		mark = '.'
	}
	return table.ParseNumber([]byte(f.Value(name)), mark)
}

// gisjoin is G, state, 0, county, 0, tract, block group; the zeros are digits of old territories and counties.
var gisjoin = regexp.MustCompile(`^G(\d{2})\d(\d{3})\d(\d{6})(\d)$`)

// geoidOf converts G41005100056002 to 410510056002; "" where text is not a GISJOIN of a block group.
func geoidOf(text string) string {
	parts := gisjoin.FindStringSubmatch(text)
	if parts == nil {
		return ""
	}
	return strings.Join(parts[1:], "")
}

// Text returns the first attribute that is not empty or, where a template is given, the template with its {placeholders}
// replaced; "" where one of those is absent.
func (f Feature) Text(names source.List, template string) string {
	if template == "" {
		for _, name := range names {
			if v := f.Value(name); v != "" {
				return v
			}
		}
		return ""
	}
	return source.Fill(template, f.Value)
}

// Key returns the first attribute that is not empty; where none is named, the number of the feature in the file.
func (f Feature) Key(names source.List) string {
	if len(names) == 0 {
		return f.Value(featureRow)
	}
	return f.Text(names, "")
}

// Where describes the feature in messages; name may be "".
func (f Feature) Where(name string) string {
	here := fmt.Sprintf("feature %d", f.Row)
	if f.Line > 0 {
		here = fmt.Sprintf("line %d", f.Line)
	}
	if name != "" {
		here += fmt.Sprintf(" %q", name)
	}
	return here
}

// CheckFields returns an error that names the attributes for which the layer has no column; of each list one is enough.
// Without FieldsKnown it must be called after all features are read.
func (l *Layer) CheckFields(wanted ...source.List) error {
	there := func(name string) bool {
		column := columnOf(name)
		return column == "" || slices.Contains(l.Fields, column)
	}
	var missing, all []string
	for _, names := range wanted {
		if len(names) > 0 && !slices.ContainsFunc(names, there) {
			all = append(all, names...)
			missing = append(missing, strings.Join(names, " or "))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	slices.Sort(missing)
	columns := "it has none"
	if len(l.Fields) > 0 {
		columns = "there are: " + strings.Join(l.Fields, ", ")
	}
	text := fmt.Sprintf("no column %s; %s", strings.Join(slices.Compact(missing), ", nor "), columns)
	return l.named(&source.NoColumns{Names: all, Text: text})
}

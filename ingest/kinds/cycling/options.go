package cycling

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"quartier/ingest/formats/table"
	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas"
)

// Options say where classes, lengths and geometries of a file are.
type Options struct {
	Layout              string                       `yaml:"layout" doc:"city whose ready mapping sets defaults for the other options"`
	Classes             map[string]map[string]string `yaml:"classes" doc:"column: value: class; \"*\" is any other value, \"\" none in any of the columns"`
	Length              string                       `yaml:"length" doc:"column with the length of a piece; points need it"`
	Decimal             string                       `yaml:"decimal" values:". ," doc:"decimal mark of lengths; default: as found in a table, else \".\""`
	LengthUnit          string                       `yaml:"length_unit" values:"m km ft mi" doc:"unit of length; default: m"`
	vector.TableOptions `yaml:",inline"`
}

// layouts are the ready mappings of layouts.yaml.
var (
	//go:embed layouts.yaml
	layoutsText []byte
	layouts     = source.ParseLayouts[Options](layoutsText)
)

const (
	ignore     = "ignore" // class of pieces that are left out
	otherValue = "*"      // value of classes
)

var metres = map[string]float64{"": 1, "m": 1, "km": 1000, "ft": 0.3048, "mi": 1609.344}

// maxLengthM is the length of the longest plausible piece in metres.
const maxLengthM = 100_000

// complete folds the values of classes and returns an error for missing or invalid options.
func (o *Options) complete(source.Input) error {
	if err := source.Complete(o, o.Layout, layouts); err != nil {
		return err
	}
	var f source.Faults
	f.Option(len(o.Classes) == 0, "classes", "is missing; set it or a layout; it maps the values of a column to %s or %s",
		classNames(), ignore)
	classes := map[string]map[string]string{}
	for _, column := range slices.Sorted(maps.Keys(o.Classes)) {
		folded := map[string]string{}
		for _, value := range slices.Sorted(maps.Keys(o.Classes[column])) {
			class := o.Classes[column][value]
			f.Value(class != ignore && rank(class) < 0, "classes", class, "%q of %s %q is none of %s, nor %s", class, column, value,
				classNames(), ignore)
			before, twice := folded[fold(value)]
			f.Value(twice && before != class, "classes", value, "%s %q is %s and %s", column, value, before, class)
			folded[fold(value)] = class
		}
		f.Value(len(folded) == 0, "classes", column, "%s has no values", column)
		classes[column] = folded
	}
	o.Classes = classes
	f.Option(o.LengthUnit != "" && o.Length == "", "length_unit", "requires length")
	f.Option(o.Decimal != "" && o.Length == "", "decimal", "requires length")
	f.Add(o.Check())
	return f.Err()
}

func fold(value string) string { return strings.ToLower(strings.TrimSpace(value)) }

// rank is the place of a class in schemas.BikewayClasses, best first; −1 if it is none.
func rank(class string) int {
	return slices.IndexFunc(schemas.BikewayClasses, func(c schemas.BikewayClass) bool { return c.ID == class })
}

func classNames() string {
	var names []string
	for _, c := range schemas.BikewayClasses {
		names = append(names, c.ID)
	}
	return strings.Join(names, ", ")
}

func (o *Options) file(in source.Input) *vector.File {
	f := o.FileOf(in, source.Lists(append(slices.Sorted(maps.Keys(o.Classes)), o.Length)...)...)
	f.Columns.Decimal = o.Decimal
	if o.Length != "" {
		f.Columns.Numbers = map[string]table.Meaning{o.Length: table.AnyNumber}
	}
	return f
}

// class returns the best class by the values of a feature, or ignore. It is not known if one of the values has no class,
// which unknown counts.
//
// For example, a street with a painted lane one way and a track the other, in the columns LANE and TRACK, is protected.
func (o *Options) class(f vector.Feature, unknown *unknownValues) (class string, known bool) {
	class, given, missing := "", false, false
	for _, column := range slices.Sorted(maps.Keys(o.Classes)) {
		value := f.Value(column)
		if value == "" {
			continue
		}
		given = true
		found, mapped := o.Classes[column][fold(value)]
		if !mapped {
			found, mapped = o.Classes[column][otherValue]
		}
		if !mapped {
			unknown.add(column, value, f.Where(""))
			missing = true
			continue
		}
		class = better(class, found)
	}
	if !given {
		if class, known = o.blank(); !known {
			unknown.add(strings.Join(slices.Sorted(maps.Keys(o.Classes)), " or "), "", f.Where(""))
		}
		return class, known
	}
	return class, !missing
}

// blank returns the class of a piece that has no value in any column.
func (o *Options) blank() (class string, known bool) {
	for _, column := range slices.Sorted(maps.Keys(o.Classes)) {
		if found, mapped := o.Classes[column][""]; mapped {
			class, known = better(class, found), true
		}
	}
	return class, known
}

// better returns the better of two classes; ignore is stronger than all, "" is none.
func better(a, b string) string {
	switch {
	case a == ignore || b == ignore:
		return ignore
	case a == "" || rank(b) < rank(a):
		return b
	}
	return a
}

// length returns the published length in metres; nil where it is missing, zero or not plausible.
func (o *Options) length(f vector.Feature) *float64 {
	number, ok := f.Number(o.Length, o.Decimal)
	number *= metres[o.LengthUnit]
	if o.Length == "" || !ok || !(number > 0 && number <= maxLengthM) {
		return nil
	}
	return &number
}

// unknownValues are the values without a class in the order of the file.
type unknownValues []*unknownValue

type unknownValue struct {
	column, value string
	rows          int
	first         string // row
}

func (u *unknownValues) add(column, value, where string) {
	for _, v := range *u {
		if v.column == column && fold(v.value) == fold(value) {
			v.rows++
			return
		}
	}
	const most = 1000 // a column of free text is not one of classes
	if len(*u) < most {
		*u = append(*u, &unknownValue{column, value, 1, where})
	}
}

// err returns the fault of each value.
func (u unknownValues) err() error {
	const most = 20
	var f source.Faults
	for i, v := range u {
		if i == most {
			f.Option(true, "classes", "and %d more values have no class", len(u)-most)
			break
		}
		what := fmt.Sprintf("%s %s", v.column, table.Shorten(v.value))
		if v.value == "" {
			what = fmt.Sprintf(`no value in %s ("")`, v.column)
		}
		f.Option(true, "classes", "%s has no class, in %d rows, first in %s; give it one of %s, or %s", what, v.rows, v.first,
			classNames(), ignore)
	}
	return f.Err()
}

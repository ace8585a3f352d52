package addresses

import (
	_ "embed"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
)

// Options map the columns of a file. A layout sets defaults for the files of a publisher; other options take precedence.
type Options struct {
	Layout              string            `yaml:"layout" doc:"publisher's layout, which sets defaults for the other options"`
	Number              source.List       `yaml:"house_number" doc:"house number with its suffix: 221B, 12 1/2"`
	Street              source.List       `yaml:"street" doc:"street with its type and directions, or its name alone where the next two options give these"`
	StreetType          source.List       `yaml:"street_type" doc:"type of the street, where the file has it apart; a French one is put before the name"`
	StreetDirection     source.List       `yaml:"street_direction" doc:"direction of the street, likewise; it is put last"`
	Unit                source.List       `yaml:"unit" doc:"unit or suite"`
	City                source.List       `yaml:"city" doc:"town as it is written in addresses"`
	State               source.List       `yaml:"state" doc:"state or province, by code, name, FIPS or PRUID; default: that of the point"`
	Postal              source.List       `yaml:"postal_code" doc:"postal code"`
	Country             source.List       `yaml:"country" doc:"country, by code or name; rows of others than Canada and the United States are skipped"`
	Constants           map[string]string `yaml:"constants" doc:"option name -> text for rows without a value, e.g. city: Ottawa"`
	Accuracy            string            `yaml:"accuracy" values:"rooftop parcel street" doc:"what the points are: a building, entrance or unit; the middle of its land; a place along the street. Default: parcel"`
	AccuracyOf          source.List       `yaml:"accuracy_of" doc:"column that says it"`
	Accuracies          map[string]string `yaml:"accuracies" doc:"value of accuracy_of -> rooftop, parcel or street; rows with other values have the option accuracy"`
	LeftFrom            string            `yaml:"left_from" doc:"of lines of streets: number on the left where the line begins"`
	LeftTo              string            `yaml:"left_to" doc:"number on the left where it ends"`
	RightFrom           string            `yaml:"right_from" doc:"number on the right where it begins"`
	RightTo             string            `yaml:"right_to" doc:"number on the right where it ends"`
	LeftParity          string            `yaml:"left_parity" doc:"which numbers the left has: B both, else those of its ends"`
	RightParity         string            `yaml:"right_parity" doc:"which numbers the right has"`
	Nulls               source.List       `yaml:"nulls" doc:"values that mean missing, beside empty ones"`
	vector.TableOptions `yaml:",inline"`
}

// layouts.yaml has the defaults for the files of a publisher.
//
//go:embed layouts.yaml
var layoutText []byte

var layouts = source.ParseLayouts[Options](layoutText)

func (o *Options) complete(source.Input) error {
	if err := source.Complete(o, o.Layout, layouts); err != nil {
		return err
	}
	var f source.Faults
	f.Option(len(o.Street) == 0, "street", "is missing; set it or a layout")
	f.Option(len(o.Number) == 0 && !o.ranged(), "house_number", "is missing; set it, left_from and the others of ranges, or a layout")
	f.Option(o.ranged() && slices.Contains([]string{o.LeftFrom, o.LeftTo, o.RightFrom, o.RightTo}, ""), "left_from",
		"left_to, right_from and right_to: require each other")
	_, own := readers[o.Layout]
	f.Option(own && len(o.Where)+len(o.Unless) > 0, "where", "and unless: are not read with the layout %s", o.Layout)
	for _, name := range slices.Sorted(maps.Keys(o.Constants)) {
		f.Value(!slices.Contains([]string{"city", "state", "postal_code", "country", "street"}, name), "constants", name,
			"%q is not an option that can have one", name)
	}
	for _, value := range slices.Sorted(maps.Keys(o.Accuracies)) {
		is := o.Accuracies[value]
		f.Value(accuracy(is) == "", "accuracies", is, "%q is none of rooftop, parcel, street", is)
	}
	f.Add(o.Check())
	return f.Err()
}

// ranged reports whether the rows are lines with ranges of numbers.
func (o *Options) ranged() bool { return o.LeftFrom+o.LeftTo+o.RightFrom+o.RightTo != "" }

// file returns the file with its required columns: those of the options of the source, and a number and a street of its layout.
func (o *Options) file(in source.Input) *vector.File {
	var wanted []source.List
	preset := layouts[o.Layout]
	texts := preset.texts()
	for i, option := range o.texts() {
		if !slices.Equal(option, texts[i]) {
			wanted = append(wanted, required(option)...)
		}
	}
	for _, option := range []source.List{o.Number, o.Street} {
		if columns := columnsOf(option); len(columns) > 0 {
			wanted = append(wanted, columns)
		}
	}
	f := o.FileOf(in, append(wanted, source.Lists(o.LeftFrom, o.LeftTo, o.RightFrom, o.RightTo)...)...)
	f.Columns.Nulls = o.Nulls
	return f
}

func (o *Options) texts() []source.List {
	return []source.List{o.Number, o.Street, o.StreetType, o.StreetDirection, o.Unit, o.City, o.State, o.Postal, o.Country, o.AccuracyOf}
}

// required are the columns of an option: all of one text, of several texts one.
func required(option source.List) []source.List {
	if columns := columnsOf(option); len(option) == 1 {
		return source.Lists(columns...)
	} else if len(columns) > 0 {
		return []source.List{columns}
	}
	return nil
}

func columnsOf(option source.List) (columns source.List) {
	for _, text := range option {
		for _, name := range source.Columns(text) {
			name, _, _ = item(name)
			columns = append(columns, name)
		}
	}
	return columns
}

// item splits NAME[2] into the name of a column and the index of an item in its list; false for a column alone.
func item(name string) (column string, index int, ok bool) {
	column, rest, ok := strings.Cut(strings.TrimSuffix(name, "]"), "[")
	n, err := strconv.Atoi(rest)
	if !ok || err != nil || n < 1 || !strings.HasSuffix(name, "]") {
		return name, 0, false
	}
	return column, n - 1, true
}

// values returns the values of columns and items of lists without those that mean missing.
func (o *Options) values(raw func(column string) string) func(name string) string {
	return func(name string) string {
		column, index, ok := item(name)
		text := strings.TrimSpace(raw(column))
		if ok {
			text = itemOf(text, index)
		}
		if slices.ContainsFunc(o.Nulls, func(null string) bool { return strings.EqualFold(null, text) }) {
			return ""
		}
		return text
	}
}

// itemOf is the value of an item of a list of Overture: [{"value": "MA"}, {"value": "NEWTON CENTRE"}]; "" where there is none.
func itemOf(list string, index int) string {
	var items []struct{ Value *string }
	if json.Unmarshal([]byte(list), &items) != nil || index >= len(items) || items[index].Value == nil {
		return ""
	}
	return strings.TrimSpace(*items[index].Value)
}

// text is the first text of an option that is not empty, or its constant.
func (o *Options) text(name string, option source.List, value func(string) string) string {
	for _, text := range option {
		if v := source.Compose(text, value); v != "" {
			return v
		}
	}
	return o.Constants[name]
}

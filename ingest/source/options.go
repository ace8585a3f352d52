package source

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/paulmach/orb"
	"gopkg.in/yaml.v3"
)

// BBox is an option of several kinds: [west, south, east, north] in degrees; nil: everywhere.
type BBox []float64

// Check returns an error if b is not a valid box.
func (b BBox) Check() error {
	if b == nil || len(b) == 4 && b[0] >= -180 && b[0] < b[2] && b[2] <= 180 && b[1] >= -90 && b[1] < b[3] && b[3] <= 90 {
		return nil
	}
	var f Faults
	f.Option(true, "bbox", "%v is not [west, south, east, north] in degrees", []float64(b))
	return f.Err()
}

// Contains reports whether p is in the box or on its edge; NaN is not.
func (b BBox) Contains(p orb.Point) bool {
	return b == nil || p[0] >= b[0] && p[0] <= b[2] && p[1] >= b[1] && p[1] <= b[3]
}

// Touches reports whether a box touches b; every box touches one that is not set.
func (b BBox) Touches(box orb.Bound) bool {
	return b == nil || (orb.Bound{Min: orb.Point{b[0], b[1]}, Max: orb.Point{b[2], b[3]}}).Intersects(box)
}

// Complete sets the options that are absent to the defaults of a layout, which may be "". Both are structs of options.
func Complete[O any](options *O, layout string, layouts map[string]O) error {
	preset, known := layouts[layout]
	if !known && layout != "" {
		var f Faults
		f.Option(true, "layout", "%q is none of %s", layout, LayoutNames(layouts))
		return f.Err()
	}
	complete(reflect.ValueOf(options).Elem(), reflect.ValueOf(preset))
	return nil
}

// complete sets the fields of a struct that are zero to those of another, and so in the structs that it embeds.
func complete(to, from reflect.Value) {
	for field, value := range to.Fields() {
		switch preset := from.FieldByIndex(field.Index); {
		case field.Anonymous:
			complete(value, preset)
		case value.IsZero():
			value.Set(preset)
		}
	}
}

// ParseLayouts parses layouts that are embedded in the program.
func ParseLayouts[O any](text []byte) (layouts map[string]O) {
	if err := DecodeYAML(text, &layouts, "option"); err != nil {
		panic(err)
	}
	return layouts
}

// LayoutNames lists the names of layouts for messages.
func LayoutNames[L any](layouts map[string]L) string {
	return strings.Join(slices.Sorted(maps.Keys(layouts)), ", ")
}

// List is an option that is a text or a list of texts. Numbers are read as text, so that 06 stays 06.
type List []string

// UnmarshalYAML reads a scalar as a list of one.
func (l *List) UnmarshalYAML(node *yaml.Node) error {
	switch node.Kind {
	case yaml.ScalarNode:
		*l = List{node.Value}
		return nil
	case yaml.SequenceNode:
		for _, item := range node.Content {
			if item.Kind != yaml.ScalarNode {
				return fmt.Errorf("line %d: expected a list of texts", item.Line)
			}
			*l = append(*l, item.Value)
		}
		return nil
	}
	return fmt.Errorf("line %d: expected a text or a list of texts", node.Line)
}

// Lists returns a list of one for each name that is not empty.
func Lists(names ...string) (lists []List) {
	for _, name := range names {
		if name != "" {
			lists = append(lists, List{name})
		}
	}
	return lists
}

// Package featuretags classifies OpenStreetMap objects by their tags as features that shape a place without being a
// destination: tracks, shores, woods, trees, buildings, gates. The rules are in features.csv; an object matches each
// kind of staged.feature at most once.
package featuretags

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"quartier/ingest/formats/element"
	"quartier/ingest/source"
	"quartier/schemas"
	"quartier/schemas/reason"
)

//go:embed features.csv
var featuresCSV string

// Match is an object that is a feature.
type Match struct {
	Kind, Class string
	Shape       Shape
	Reason      reason.Reason // why it is not staged; the zero value if it is
}

var own reason.List

var (
	privateAccess = own.Skipped("private_access", "The gate or park is not open to the public.")
	underground   = own.Skipped("underground", "The feature is underground.")
)

// Reasons are the reasons for which a match is not staged.
func Reasons() []reason.Reason { return append(slices.Clone(own), source.NotInUse) }

// Shape is the geometry of a staged feature.
type Shape int

// The shapes, with the elements that can have them.
const (
	Point  Shape = iota // a node
	Line                // a way
	Shore               // a way, or each way of a multipolygon
	Area                // a closed way or a multipolygon
	Spot                // a node, or a point inside an area
	Extent              // a node or an area
	Inside              // a point inside an area
)

var drawnAs = map[Shape]element.Kinds{
	Point: element.Nodes, Line: element.Ways, Shore: element.Ways | element.Relations, Area: element.Ways | element.Relations,
	Spot: element.All, Extent: element.All, Inside: element.Ways | element.Relations,
}

var shapeOf = map[string]Shape{
	"rail": Line, "water": Shore, "land": Area, "tree": Point, "tree_row": Line, "heritage": Spot, "building": Inside,
	"runway": Line, "aerodrome": Extent, "junction": Point, "park": Area, "gate": Point, "mall": Area,
}

// Enclosed reports whether the shape needs a complete outline.
func (s Shape) Enclosed() bool { return s >= Area }

// Rules has the rules of each value of a key; "*" has those of other values.
type Rules map[string]map[string][]rule

type rule struct {
	kind  int // index in schemas.FeatureKinds
	class string
	line  int // of features.csv; of several rules for a kind the first one applies
}

// excluded is the class of objects that later rules for the kind do not apply to.
const excluded = "-"

// NewRules reads the built-in rules of the given kinds; nil: of all kinds.
func NewRules(kinds []string) (Rules, error) {
	rows, err := csv.NewReader(strings.NewReader(featuresCSV)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("features.csv: %w", err)
	}
	table := Rules{}
	for i, row := range rows[1:] {
		key, value, kind, class := row[0], row[1], row[2], row[3]
		n := slices.IndexFunc(schemas.FeatureKinds, func(k schemas.FeatureKind) bool { return k.ID == kind })
		if n < 0 || !hasClass(schemas.FeatureKinds[n], class) {
			return nil, fmt.Errorf("features.csv, line %d: there is no feature of kind %q and class %q", i+2, kind, class)
		}
		if kinds != nil && !slices.Contains(kinds, kind) {
			continue
		}
		if table[key] == nil {
			table[key] = map[string][]rule{}
		}
		table[key][value] = append(table[key][value], rule{n, class, i + 2})
	}
	return table, nil
}

// hasClass reports whether a kind has a class; "" if it has no classes.
func hasClass(kind schemas.FeatureKind, class string) bool {
	return class == excluded || class == "" && kind.Classes == nil || slices.Contains(kind.Classes, class)
}

// Classify appends the matches of an object, in the order of schemas.FeatureKinds.
func (t Rules) Classify(kind element.Kinds, tags element.Tags, matches []Match) []Match {
	const maxKinds = 16
	var found [maxKinds]*rule
	any, notInUse := false, false
	for key, value := range tags.All() {
		notInUse = notInUse || element.NotInUse(key, value)
		values, known := t[key]
		if !known || value == "" {
			continue
		}
		rules, listed := values[value]
		if !listed {
			rules = values["*"]
		}
		for i := range rules {
			if best := found[rules[i].kind]; best == nil || rules[i].line < best.line {
				found[rules[i].kind], any = &rules[i], true
			}
		}
	}
	if !any {
		return matches
	}
	for i := range schemas.FeatureKinds {
		if found[i] == nil || found[i].class == excluded {
			continue
		}
		m := Match{Kind: schemas.FeatureKinds[i].ID, Class: found[i].class}
		m.Shape = shapeOf[m.Kind]
		if m.Kind == "water" && m.Class != "shore" && kind == element.Ways {
			m.Shape = Line
		}
		if drawnAs[m.Shape]&kind == 0 {
			continue
		}
		if m.refine(tags); notInUse {
			m.Reason = source.NotInUse
		}
		matches = append(matches, m)
	}
	return matches
}

// refine sets the class where it depends on several tags, and the reason for which the feature is not staged.
func (m *Match) refine(tags element.Tags) {
	switch m.Kind {
	case "rail":
		m.Class = rail(m.Class, tags)
		m.checkUnderground(tags)
	case "water":
		m.checkUnderground(tags)
	case "aerodrome":
		m.Class = aerodrome(m.Class, tags)
	case "gate":
		if closed(tags) {
			m.Reason = privateAccess.With("gate")
		}
	case "park":
		if restricted[tags.Get("access")] {
			m.Reason = privateAccess.With("park")
		}
	}
}

// checkUnderground skips features that are underground.
func (m *Match) checkUnderground(tags element.Tags) {
	switch t := tags.Get("tunnel"); {
	case t != "" && t != "no", tags.Get("culvert") == "yes", tags.Get("location") == "underground":
		m.Reason = underground
	}
}

var restricted = map[string]bool{"private": true, "no": true}

// closed reports whether a gate is closed to the public.
func closed(tags element.Tags) bool {
	if foot := tags.Get("foot"); foot != "" {
		return restricted[foot]
	}
	return restricted[tags.Get("access")]
}

// Bridge reports whether a line is on a bridge.
func Bridge(tags element.Tags) bool {
	b := tags.Get("bridge")
	return b != "" && b != "no"
}

// Name returns the name on the sign: name, else name:en or name:fr; "" if there is none.
func Name(tags element.Tags) string {
	for _, key := range [...]string{"name", "name:en", "name:fr"} {
		if name := strings.TrimSpace(tags.Get(key)); name != "" {
			return name
		}
	}
	return ""
}

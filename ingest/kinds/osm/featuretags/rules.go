// Package feature says which objects of OpenStreetMap shape a place without being one to go to: tracks, shores, woods,
// trees, buildings, gates. In go an object's tags; out come claims by the rules of features.csv, one for each kind of
// staged.feature that the object is of.
package featuretags

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"quartier/ingest/formats/element"
	"quartier/schemas"
)

//go:embed features.csv
var featuresCSV string

// Claim is that an object is a feature.
type Claim struct {
	Kind, Class string
	Shape       Shape
	Reason      string // why it is not staged all the same, as issues do; '' where it is
}

// Shape is how a feature is staged.
type Shape int

// Shapes. Each one says which elements may be drawn so.
const (
	Point  Shape = iota // a node
	Line                // a way
	Shore               // a way, or each way of a multipolygon; a river as a multipolygon has shores too
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

// Enclosed reports whether the shape is made of an outline that must be whole.
func (s Shape) Enclosed() bool { return s >= Area }

// Rules holds the rules of each key's values; "*" stands for those not listed.
type Rules map[string]map[string][]rule

type rule struct {
	kind  int // place in schemas.FeatureKinds
	class string
	line  int // of features.csv: of several rules for a kind the first one holds
}

// leftOut is the class of objects that are not of a kind although a later rule says so.
const leftOut = "-"

// NewRules reads the rules that are built in, those of some kinds alone or, for nil, of all.
func NewRules(kinds []string) (Rules, error) {
	rows, err := csv.NewReader(strings.NewReader(featuresCSV)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("features.csv: %w", err)
	}
	table := Rules{}
	for i, row := range rows[1:] {
		key, value, kind, class := row[0], row[1], row[2], row[3]
		n := slices.IndexFunc(schemas.FeatureKinds, func(k schemas.FeatureKind) bool { return k.ID == kind })
		if n < 0 || !fits(schemas.FeatureKinds[n], class) {
			return nil, fmt.Errorf("features.csv, line %d: %q of class %q is no feature", i+2, kind, class)
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

// fits reports whether a kind has a class, or none.
func fits(kind schemas.FeatureKind, class string) bool {
	return class == leftOut || class == "" && kind.Classes == nil || slices.Contains(kind.Classes, class)
}

// Judge appends the claims of an object to claims, in the order of schemas.FeatureKinds.
func (t Rules) Judge(kind element.Kinds, tags element.Tags, claims []Claim) []Claim {
	const most = 16
	var found [most]*rule
	any, gone := false, false
	for key, value := range tags.All() {
		gone = gone || element.Gone(key, value)
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
		return claims
	}
	for i := range schemas.FeatureKinds {
		if found[i] == nil || found[i].class == leftOut {
			continue
		}
		c := Claim{Kind: schemas.FeatureKinds[i].ID, Class: found[i].class}
		c.Shape = shapeOf[c.Kind]
		if c.Kind == "water" && c.Class != "shore" && kind == element.Ways {
			c.Shape = Line
		}
		if drawnAs[c.Shape]&kind == 0 {
			continue
		}
		if c.look(tags); gone {
			c.Reason = "disused or not yet there"
		}
		claims = append(claims, c)
	}
	return claims
}

// look finds the class where one tag does not tell it, and what speaks against staging.
func (c *Claim) look(tags element.Tags) {
	switch c.Kind {
	case "rail":
		c.Class = rail(c.Class, tags)
		c.hide(tags)
	case "water":
		c.hide(tags)
	case "aerodrome":
		c.Class = aerodrome(c.Class, tags)
	case "gate":
		if closed(tags) {
			c.Reason = "a gate that is closed to the public"
		}
	case "park":
		if restricted[tags.Get("access")] {
			c.Reason = "a park that is closed to the public"
		}
	}
}

// hide leaves out what runs below the ground.
func (c *Claim) hide(tags element.Tags) {
	switch t := tags.Get("tunnel"); {
	case t != "" && t != "no", tags.Get("culvert") == "yes", tags.Get("location") == "underground":
		c.Reason = "below the ground"
	}
}

var restricted = map[string]bool{"private": true, "no": true}

// closed reports whether a gate lets only some through.
func closed(tags element.Tags) bool {
	if foot := tags.Get("foot"); foot != "" {
		return restricted[foot]
	}
	return restricted[tags.Get("access")]
}

// Bridge reports whether the tags put a line on a bridge.
func Bridge(tags element.Tags) bool {
	b := tags.Get("bridge")
	return b != "" && b != "no"
}

// Name is the name on the sign: name, else name:en or name:fr; ” without any.
func Name(tags element.Tags) string {
	for _, key := range [...]string{"name", "name:en", "name:fr"} {
		if name := strings.TrimSpace(tags.Get(key)); name != "" {
			return name
		}
	}
	return ""
}

// Package column is the catalogue of columns: what the tables of exports, enriched files and the answers of the API have. Each
// column is described once, in English and French; who writes or documents one asks the catalogue.
//
// The rows of columns.tsv are the columns. A name with a family in braces, {score}, is a column for each of its members, which
// come from the vocabularies; {label} in its texts, the type {type} and the unit {unit} are the member's. The unit of units.tsv
// follows a text, or is where {unit} is in it. What is in further braces is given by With. Which sources a column is made of
// follows from its product: see schemas/feeds.
package column

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"quartier/schemas"
	"quartier/schemas/tsv"
)

// Column is a column of a product.
type Column struct {
	Product string // of agreements; All; streets, service and enrich are in no product
	Name    string
	Type    Type
	Unit    string       // of units.tsv; "": a number, or none
	Text    schemas.Text // what it is, with its unit
	Absent  schemas.Text // when there is no value; "" where it always has one
}

// All is the product of columns that several products have alike.
const All = "all"

// Share is the unit of shares, 0 to 1.
const Share = "share"

// Type is what the values of a column are.
type Type struct {
	Name             string // bool, date, float64, int32, int64, string, decimal(5,4); geometry, and object in answers
	Digits, Decimals int32  // of a decimal, all digits and those after the point; else 0
	Optional         bool   // written with a "?" at the end: rows may be without a value
}

// ParseType reads "decimal(5,4)?".
func ParseType(text string) (t Type) {
	t.Name, t.Optional = strings.CutSuffix(text, "?")
	fmt.Sscanf(t.Name, "decimal(%d,%d)", &t.Digits, &t.Decimals)
	return t
}

// String is the type as ParseType reads it.
func (t Type) String() string {
	if t.Optional {
		return t.Name + "?"
	}
	return t.Name
}

//go:embed columns.tsv
var columnsText string

//go:embed units.tsv
var unitsText string

// units are the units of units.tsv.
var units = sync.OnceValue(func() map[string]schemas.Text {
	all := map[string]schemas.Text{}
	for _, row := range tsv.MustParse("units.tsv", unitsText, "unit", "en", "fr") {
		all[row[0]] = schemas.Text{EN: row[1], FR: row[2]}
	}
	return all
})

// rows are the rows of columns.tsv by key.
var rows = sync.OnceValue(func() map[string]*Column {
	levels := schemas.LevelNumbers(schemas.Levels)
	last := len(levels) - 1
	numbers := schemas.Text{EN: strings.Join(levels[:last], ", ") + " or " + levels[last],
		FR: strings.Join(levels[:last], ", ") + " ou " + levels[last]}
	all := map[string]*Column{}
	for _, row := range tsv.MustParse("columns.tsv", columnsText, "product", "name", "type", "unit", "en", "fr", "absent", "absent_fr") {
		c := &Column{row[0], row[1], ParseType(row[2]), row[3], schemas.Text{EN: row[4], FR: row[5]}, schemas.Text{EN: row[6], FR: row[7]}}
		add(all, c.With("levels", numbers).measured())
	}
	return all
})

// catalogue is all columns by key, families among them under their patterns.
var catalogue = sync.OnceValue(func() map[string]*Column {
	all := maps.Clone(rows())
	for _, pattern := range rows() {
		for _, m := range Members(pattern.Name) {
			add(all, pattern.of(&m))
		}
	}
	return all
})

func add(all map[string]*Column, c *Column) {
	if all[c.Key()] != nil {
		panic("columns.tsv: " + c.Key() + " is there twice")
	}
	all[c.Key()] = c
}

// measured is the column with its unit in the text, if it has one.
func (c *Column) measured() *Column {
	unit, known := units()[c.Unit]
	if !known {
		return c
	}
	if !strings.Contains(c.Text.EN, "{unit}") {
		c.Text = schemas.Text{EN: c.Text.EN + ", {unit}", FR: c.Text.FR + ", {unit}"}
	}
	return c.With("unit", unit)
}

// of is the column of a member of the family. The type {type} and the unit {unit} are the member's.
func (c *Column) of(m *Member) *Column {
	of := c.With("label", m.label)
	of.Name = m.Fill(c.Name)
	if c.Type.Name == "{type}" {
		of.Type = ParseType(m.kind + "?")
	}
	if c.Unit == "{unit}" {
		of.Unit = m.unit
	}
	if of.Unit == c.Unit {
		return of
	}
	return of.measured()
}

// Key is what the column is found by: product.name.
func (c *Column) Key() string { return c.Product + "." + c.Name }

// Keys are those of all columns, sorted; families are there with their members, not with their patterns.
func Keys() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(catalogue())), func(key string) bool { return strings.Contains(key, "{") })
}

// Find is the column with a name of a product or, where the product has none of its own, of All; nil if there is none.
func Find(product, name string) *Column {
	if c := catalogue()[product+"."+name]; c != nil {
		return c
	}
	return catalogue()[All+"."+name]
}

// Of is the column with a key of the source code; it panics if there is none.
func Of(key string) *Column {
	product, name, _ := strings.Cut(key, ".")
	c := Find(product, name)
	if c == nil {
		panic("no column " + key)
	}
	return c
}

// With is the column with a text in place of what its texts have in braces.
func (c *Column) With(name string, text schemas.Text) *Column {
	of := *c
	for _, t := range []*schemas.Text{&of.Text, &of.Absent} {
		*t = schemas.Text{EN: strings.ReplaceAll(t.EN, "{"+name+"}", text.EN), FR: strings.ReplaceAll(t.FR, "{"+name+"}", text.FR)}
	}
	return &of
}

// Describe is what the column is and when it is NULL, in 'en' or 'fr', where it has a type.
func (c *Column) Describe(t Type, language string) string {
	if !t.Optional {
		return c.Text.In(language)
	}
	return c.Text.In(language) + schemas.Text{EN: "; NULL: ", FR: " ; NULL : "}.In(language) + c.Absent.In(language)
}

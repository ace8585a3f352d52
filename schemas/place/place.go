// Package place declares the attributes of places, each once: texts that a source may have beyond name, address and class, from
// staged.poi to the answers. It imports no other package of the project.
package place

import (
	"reflect"
	"strings"
)

// Attributes are the attributes of a place; "" is not known. A field is all that an attribute needs to be passed on: its column
// in the tables of POIs, which have it in place of a column of type ATTRIBUTES, its member of the answers, its column of the
// export, and what all of them say of it. An enum is one of Vocabularies.
type Attributes struct {
	OpeningHours string `col:"opening_hours,null" json:"opening_hours,omitempty" fr:"Heures d’ouverture dans la syntaxe d’OpenStreetMap, comme Mo-Fr 08:00-18:00" doc:"Opening hours in the syntax of OpenStreetMap, such as Mo-Fr 08:00-18:00. Absent if not known."`
	Wheelchair   string `col:"wheelchair,null" json:"wheelchair,omitempty" enum:"Wheelchair" fr:"Si l’on peut y aller en fauteuil roulant" doc:"Whether people in wheelchairs can use it. Absent if not known."`
}

// MaxLength is the maximum length of an attribute in characters, that of a value in OpenStreetMap.
const MaxLength = 255

// Vocabulary is the values of an attribute that has few.
type Vocabulary struct {
	Doc   string // what they are of, and what each says
	Words []string
}

// Vocabularies are those of attributes, by their names in the OpenAPI document.
var Vocabularies = map[string]Vocabulary{
	"Wheelchair": {"Whether people in wheelchairs can use a place. yes: all of it that visitors use. limited: a part of it, or with help. " +
		"no: they cannot enter.", []string{"yes", "limited", "no"}},
}

// Attribute describes a field of Attributes.
type Attribute struct {
	Name string // of its column and member
	Doc  string // sentences
	FR   string // the first of them in French, without a full stop
}

// All describes the fields of Attributes in their order.
var All = func() (list []Attribute) {
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Attributes]()) {
		name, _, _ := strings.Cut(field.Tag.Get("col"), ",")
		list = append(list, Attribute{name, field.Tag.Get("doc"), field.Tag.Get("fr")})
	}
	return list
}()

// DDL is a DDL with a column for each attribute in place of one of type ATTRIBUTES.
func DDL(text string) string {
	var columns, out strings.Builder
	for _, a := range All {
		columns.WriteString("    " + a.Name + " TEXT, -- " + a.Doc + "\n")
	}
	for line := range strings.Lines(text) {
		if words := strings.Fields(line); len(words) > 1 && words[1] == "ATTRIBUTES," {
			line = columns.String()
		}
		out.WriteString(line)
	}
	return out.String()
}

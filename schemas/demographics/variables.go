package demographics

import (
	_ "embed"
	"strings"

	"quartier/schemas/tsv"
)

// Method is how a variable is computed from cells.
type Method uint8

// The methods.
const (
	Share  Method = iota // its cells divided by those of all shares of its category: 0 to 1
	Count                // its cell, else the sum of its table's parts
	Median               // dollars: the published scalar of the area, else from the bins of its distribution
	Mean                 // dollars: the published scalar, else dollars divided by their base, else from the bins
	Ratio                // the published scalar, else the second cell of its table divided by the first
	Index                // median household income of the metro divided by the home value
)

// Variable is a variable of the API.
type Variable struct {
	ID      string
	Method  Method
	Country string // 'CA' or 'US' if only this country has it, else ''

	Terms     []Term // of Share and Count
	Sum, Dist int    // indexes in Tables of the dollars with their base, and of the bins; −1 if there is none
	Scalar    int    // index in Cells; −1 if there is none

	label, us [2]string
}

// Term is a share of a cell: 1, or the part of a bin that is in the range of the variable, with its people
// distributed evenly.
type Term struct {
	Cell  int // index in Cells
	Share float64
}

// CellsOf is the set of cells that the variables of a list of categories are computed from, by index in Cells.
func CellsOf(list []Category) map[int]bool {
	set := map[int]bool{}
	for _, category := range list {
		for i := range category.Variables {
			for _, cell := range category.Variables[i].cells() {
				set[cell] = true
			}
		}
	}
	return set
}

func (v *Variable) cells() (list []int) {
	for _, t := range v.Terms {
		list = append(list, t.Cell)
	}
	for _, table := range []int{v.Sum, v.Dist} {
		if table >= 0 {
			list = append(list, Tables[table].Cells...)
		}
	}
	if v.Scalar >= 0 {
		list = append(list, v.Scalar)
	}
	return list
}

// Has reports whether the country has the variable.
func (v *Variable) Has(country string) bool { return v.Country == "" || v.Country == country }

// Label is the variable's display name in 'en' or 'fr'.
func (v *Variable) Label(country, language string) string {
	return label(v.label, v.us, country, language)
}

// Decimals is the number of decimals of the variable in answers.
func (v *Variable) Decimals() int {
	switch v.Method {
	case Share, Index:
		return 4
	case Ratio:
		return 2
	}
	return 0
}

// Type is the type of the variable in the by-geography endpoint: "percent", "count" or "standalone".
func (v *Variable) Type() string {
	switch v.Method {
	case Share:
		return "percent"
	case Count:
		return "count"
	}
	return "standalone"
}

// Category is a category of the API with its variables in the order of answers.
type Category struct {
	ID        string
	Country   string
	Variables []Variable

	label [2]string
}

// Has reports whether the country has the category.
func (c *Category) Has(country string) bool { return c.Country == "" || c.Country == country }

// Label is the category's display name in 'en' or 'fr'.
func (c *Category) Label(language string) string { return label(c.label, [2]string{}, "", language) }

// Type is "percent" if any variable is a share, else "standalone".
func (c *Category) Type() string {
	for _, v := range c.Variables {
		if v.Method == Share {
			return "percent"
		}
	}
	return "standalone"
}

//go:embed variables.tsv
var variablesText string

// Around are the categories around a point or in a polygon, ByGeography those of a geography.
var Around, ByGeography []Category

func label(all, us [2]string, country, language string) string {
	n := 0
	if language == "fr" {
		n = 1
	}
	if country == "US" && us[n] != "" {
		return us[n]
	}
	return all[n]
}

func loadVariables() {
	lists := map[string]*[]Category{"around": &Around, "geography": &ByGeography}
	for _, f := range tsv.MustParse("variables.tsv", variablesText) {
		list := lists[f[0]]
		if f[2] == "" {
			*list = append(*list, Category{ID: f[1], Country: f[4], label: [2]string{f[6], f[7]}})
			continue
		}
		c := &(*list)[len(*list)-1]
		if c.ID != f[1] {
			panic("variables.tsv: " + f[2] + " is outside its category")
		}
		v := Variable{ID: f[2], Country: f[4], Sum: -1, Dist: -1, Scalar: -1, label: [2]string{f[6], f[7]}, us: [2]string{f[8], f[9]}}
		v.read(f[3], f[5])
		c.Variables = append(c.Variables, v)
	}
}

// read parses a method and its operand: "age.00_04", "education.trade+education.college",
// "household_income[0,10000)", "household_income_sum|average_household_income|household_income".
func (v *Variable) read(method, operand string) {
	switch method {
	case "share":
		v.Method, v.Terms = Share, terms(operand)
	case "count":
		v.Method, v.Terms = Count, terms(operand)
	case "median":
		v.Method = Median
		dist, scalar, _ := strings.Cut(operand, "|")
		v.Dist, v.Scalar = table(dist), cell(scalar+".value")
	case "mean":
		v.Method = Mean
		names := strings.Split(operand, "|")
		v.Sum, v.Scalar, v.Dist = table(names[0]), cell(names[1]+".value"), table(names[2])
	case "ratio":
		v.Method = Ratio
		sum, scalar, _ := strings.Cut(operand, "|")
		v.Sum, v.Scalar = table(sum), cell(scalar+".value")
	case "index":
		v.Method = Index
	default:
		panic("variables.tsv: unknown method " + method)
	}
}

func terms(operand string) (list []Term) {
	name, span, ranged := strings.Cut(operand, "[")
	if !ranged {
		for _, id := range strings.Split(operand, "+") {
			list = append(list, Term{cell(id), 1})
		}
		return list
	}
	from, to, _ := strings.Cut(strings.TrimSuffix(span, ")"), ",")
	lower, upper := dollars(from), dollars(to)
	for _, c := range Tables[table(name)].Cells {
		bin := &Cells[c]
		switch {
		case !bin.Bin() || bin.Upper <= lower || bin.Lower >= upper:
		case bin.Lower >= lower && bin.Upper <= upper:
			list = append(list, Term{c, 1})
		default:
			inside := min(bin.Upper, upper) - max(bin.Lower, lower)
			list = append(list, Term{c, inside / (bin.Upper - bin.Lower)})
		}
	}
	return list
}

func table(id string) int {
	t, ok := tableByID[id]
	if !ok {
		panic("variables.tsv: unknown table " + id)
	}
	return t
}

func cell(id string) int {
	c, ok := cellByID[id]
	if !ok {
		panic("variables.tsv: unknown cell " + id)
	}
	return c
}

// Place is the position of a variable in a list of categories.
type Place struct{ Category, Variable int }

// Flat lists the positions of all variables of a list of categories, in order. Figures are stored and passed on in
// this order.
func Flat(list []Category) (places []Place) {
	for c := range list {
		for v := range list[c].Variables {
			places = append(places, Place{c, v})
		}
	}
	return places
}

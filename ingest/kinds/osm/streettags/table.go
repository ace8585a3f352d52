package streettags

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quartier/schemas"
)

//go:embed classes.csv
var classesCSV string

//go:embed access.csv
var accessCSV string

// Rules are the tables by which tags are classified.
type Rules struct {
	classes map[[2]string]class      // by the values of highway and of its detail; '' for other details
	access  map[string][3]permission // by the value of an access tag, by mode
}

// class is the rule of a value of highway.
type class struct {
	name     string // of schemas.StreetClasses; '' if it is not a street
	status   Status
	allowed  [3]bool // by mode, unless a tag differs
	walkUpTo float64 // speed limit in km/h up to which people walk along it without a sidewalk; 0: any
}

// mode is a mode of travel.
type mode int

const (
	walking mode = iota
	cycling
	driving
)

// permission is what a value of an access tag means for a mode.
type permission int

const (
	unknown permission = iota
	yes
	no
	private // for residents only
)

var permissions = map[string]permission{"": unknown, "yes": yes, "no": no, "private": private}

// NewRules reads the built-in rules: classes.csv, whose column foot is yes, no, or the highest speed limit in km/h at
// which people walk along the street without a sidewalk, and access.csv.
func NewRules() (*Rules, error) {
	r := &Rules{classes: map[[2]string]class{}, access: map[string][3]permission{}}
	rows, err := csv.NewReader(strings.NewReader(classesCSV)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("classes.csv: %w", err)
	}
	for i, row := range rows[1:] {
		c, err := readClass(row)
		if err != nil {
			return nil, fmt.Errorf("classes.csv, line %d: %w", i+2, err)
		}
		r.classes[[2]string{row[0], row[1]}] = c
	}
	if rows, err = csv.NewReader(strings.NewReader(accessCSV)).ReadAll(); err != nil {
		return nil, fmt.Errorf("access.csv: %w", err)
	}
	for i, row := range rows[1:] {
		var all [3]permission
		for m, text := range row[1:] {
			a, known := permissions[text]
			if !known {
				return nil, fmt.Errorf("access.csv, line %d: %q is not yes, no or private", i+2, text)
			}
			all[m] = a
		}
		r.access[row[0]] = all
	}
	return r, nil
}

func readClass(row []string) (class, error) {
	switch row[2] {
	case "gone":
		return class{status: NotInUse}, nil
	case "none":
		return class{status: None}, nil
	}
	if !slices.Contains(schemas.StreetClasses, row[2]) {
		return class{}, fmt.Errorf("%q is not a class of streets", row[2])
	}
	c := class{name: row[2], status: Street}
	for m, text := range row[3:] {
		limit, err := strconv.ParseFloat(text, 64)
		switch {
		case err == nil && mode(m) == walking:
			c.walkUpTo, c.allowed[m] = limit, true
		case text != "yes" && text != "no":
			return class{}, fmt.Errorf("%q is not yes or no", text)
		default:
			c.allowed[m] = text == "yes"
		}
	}
	return c, nil
}

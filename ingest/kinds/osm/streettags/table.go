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

// Rules are the tables that tags are judged by.
type Rules struct {
	classes map[[2]string]class  // by the values of highway and of its detail, '' for the rest
	access  map[string][3]answer // by the value of an access tag, by mode
}

// class is what a value of highway makes of a way.
type class struct {
	name     string // of schemas.StreetClasses; '' where it is no street
	verdict  Verdict
	allowed  [3]bool // where no tag says otherwise, by mode
	walkUpTo float64 // km/h: walked along only up to this limit or beside a sidewalk; 0: at any
}

// mode is a way to move.
type mode int

const (
	walking mode = iota
	cycling
	driving
)

// answer is what a value of an access tag says of a mode.
type answer int

const (
	silent answer = iota
	yes
	no
	private // only those who live there may
)

var answers = map[string]answer{"": silent, "yes": yes, "no": no, "private": private}

// NewRules reads the rules that are built in: classes.csv, whose column foot is yes, no, or the highest speed limit in
// km/h that one walks along without a sidewalk; and access.csv.
func NewRules() (*Rules, error) {
	r := &Rules{classes: map[[2]string]class{}, access: map[string][3]answer{}}
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
		var all [3]answer
		for m, text := range row[1:] {
			a, known := answers[text]
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
		return class{verdict: Gone}, nil
	case "none":
		return class{verdict: None}, nil
	}
	if !slices.Contains(schemas.StreetClasses, row[2]) {
		return class{}, fmt.Errorf("%q is not a class of street", row[2])
	}
	c := class{name: row[2], verdict: Street}
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

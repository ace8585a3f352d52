// Package place finds the place that a region file is made for: a state or province by its code or name, a city by its name
// and that of its state, or a box.
package place

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/paulmach/orb"
	"golang.org/x/text/unicode/norm"

	"quartier/internal/geo"
	"quartier/internal/outline"
	"quartier/schemas"
	"quartier/schemas/tsv"
)

// ErrNotFound is the error of a text that names no place, or several.
var ErrNotFound = errors.New("not a place")

// Place is what a region file is made for.
type Place struct {
	Name   string    // of the region: us-or, us-oh-columbus, box-us-oh
	Title  string    // shown to people
	States []State   // in which it is, in the order of schemas.States
	Box    orb.Bound // in degrees
	Whole  bool      // the place is all of its only state
}

// State is a state or province with what publishers call it.
type State struct {
	schemas.StateEntry
	Extract string // of OpenStreetMap by Geofabrik, such as north-america/us/oregon; "": none
	Profile string // the census profile by dissemination area that has it, such as Ontario; "": none
}

// ID is the code in region files, such as us-or.
func (s State) ID() string { return strings.ToLower(s.Country + "-" + s.Code) }

// code is that of package outline.
func (s State) code() string { return s.Country + "_" + s.Code }

// Countries returns the codes of the countries of the place.
func (p *Place) Countries() (list []string) {
	for _, s := range p.States {
		if !slices.Contains(list, s.Country) {
			list = append(list, s.Country)
		}
	}
	return list
}

// Has reports whether a box has a part of the place, by the coarse outlines of states that come with the program.
func (p *Place) Has(box orb.Bound) bool {
	if !p.Box.Intersects(box) {
		return false
	}
	part := orb.Bound{Min: orb.Point{max(p.Box.Min[0], box.Min[0]), max(p.Box.Min[1], box.Min[1])},
		Max: orb.Point{min(p.Box.Max[0], box.Max[0]), min(p.Box.Max[1], box.Max[1])}}
	return slices.ContainsFunc(p.States, func(s State) bool { return s.meets(part) })
}

// meets reports whether a box has a part of the state: a vertex of its outline, or, on a grid of 16 by 16, ground of it.
func (s State) meets(box orb.Bound) bool {
	for _, polygon := range outline.Of(s.code()) {
		if slices.ContainsFunc(polygon[0], box.Contains) {
			return true
		}
	}
	const cells = 16
	for i := range cells + 1 {
		for j := range cells + 1 {
			x, y := float64(i)/cells, float64(j)/cells
			p := orb.Point{box.Min[0] + x*(box.Max[0]-box.Min[0]), box.Min[1] + y*(box.Max[1]-box.Min[1])}
			if outline.At(p) == s.code() {
				return true
			}
		}
	}
	return false
}

// box is that of the state without what lies beyond the 180th meridian, which no box can have.
func (s State) box() orb.Bound {
	bound := orb.Bound{Min: orb.Point{180, 90}, Max: orb.Point{-180, -90}}
	for _, polygon := range outline.Of(s.code()) {
		if b := polygon.Bound(); s.Code != "AK" || b.Max[0] < 0 {
			bound = bound.Union(b)
		}
	}
	return round(bound)
}

// round widens a box to hundredths of a degree.
func round(b orb.Bound) orb.Bound {
	down := func(v float64) float64 { return math.Floor(v*100) / 100 }
	up := func(v float64) float64 { return math.Ceil(v*100) / 100 }
	return orb.Bound{Min: orb.Point{down(b.Min[0]), down(b.Min[1])}, Max: orb.Point{up(b.Max[0]), up(b.Max[1])}}
}

//go:embed states.tsv
var statesText string

// States are all states and provinces.
var States = sync.OnceValue(func() (list []State) {
	named := map[string][]string{}
	for _, row := range tsv.MustParse("states.tsv", statesText, "state", "extract", "profile") {
		named[row[0]] = row
	}
	for _, entry := range schemas.States {
		s := State{StateEntry: entry}
		if row := named[s.ID()]; row != nil {
			s.Extract, s.Profile = strings.TrimPrefix(row[1], "-"), strings.TrimPrefix(row[2], "-")
		}
		list = append(list, s)
	}
	return list
})

// Of finds the place of a text: us-or, Oregon, "Columbus, Ohio" or, where a name is unique, a city alone. The error says what
// else there is.
func Of(text string) (*Place, error) {
	for _, s := range States() {
		if fold(text) == fold(s.ID()) || fold(text) == fold(s.Name.EN) || fold(text) == fold(s.Name.FR) {
			if text := outline.Of(s.code()); text == nil {
				return nil, fmt.Errorf("%w: there is no outline of %s; give its --box w,s,e,n", ErrNotFound, s.Name.EN)
			}
			return &Place{Name: s.ID(), Title: s.Name.EN, States: []State{s}, Box: s.box(), Whole: true}, nil
		}
	}
	name, in, given := cutLast(text)
	states, err := statesOf(in, given)
	if err != nil {
		return nil, err
	}
	found := citiesOf(name, states)
	switch len(found) {
	case 1:
		return found[0].place(), nil
	case 0:
		return nil, fmt.Errorf("%w: %q is no state or province, and no city of 15,000 people or more%s; give a code such as us-or or ca-on, "+
			"\"City, State\", or the place's --box west,south,east,north in degrees%s", ErrNotFound, text, withinText(given, in),
			nearText(name, states))
	}
	var names []string
	for _, c := range found {
		names = append(names, fmt.Sprintf("%q (%s people)", c.title(), grouped(c.people)))
	}
	return nil, fmt.Errorf("%w: %q is the name of %d: %s", ErrNotFound, text, len(found), strings.Join(names, ", "))
}

// OfBox is the place of a box, with all states of which it has a part.
func OfBox(box orb.Bound) (*Place, error) {
	if !(box.Min[0] >= -180 && box.Min[0] < box.Max[0] && box.Max[0] <= 180 && box.Min[1] >= -90 && box.Min[1] < box.Max[1] &&
		box.Max[1] <= 90) {
		return nil, fmt.Errorf("%w: the box %s is not west,south,east,north in degrees", ErrNotFound, BoxText(box))
	}
	p := &Place{Box: box}
	var names []string
	for _, s := range States() {
		if s.meets(box) {
			p.States, names = append(p.States, s), append(names, s.Name.EN)
		}
	}
	if len(p.States) == 0 {
		return nil, fmt.Errorf("%w: the box %s has no part of Canada or the United States; it is west,south,east,north in degrees, "+
			"such as -76.35,44.96,-75.24,45.54 of Ottawa", ErrNotFound, BoxText(box))
	}
	p.Name, p.Title = "box-"+p.States[0].ID(), "Box "+BoxText(box)+" in "+strings.Join(names, " and ")
	return p, nil
}

// ParseBox reads west,south,east,north.
func ParseBox(text string) (box orb.Bound, err error) {
	parts := strings.Split(text, ",")
	if len(parts) != 4 {
		return box, fmt.Errorf("%w: %q is not west,south,east,north in degrees", ErrNotFound, text)
	}
	for i, part := range parts {
		v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || math.IsNaN(v) {
			return box, fmt.Errorf("%w: %q of the box %q is not a number", ErrNotFound, part, text)
		}
		if i < 2 {
			box.Min[i] = v
		} else {
			box.Max[i-2] = v
		}
	}
	return box, nil
}

// BoxText is a box as it is given: west,south,east,north.
func BoxText(b orb.Bound) string {
	var parts []string
	for _, v := range []float64{b.Min[0], b.Min[1], b.Max[0], b.Max[1]} {
		parts = append(parts, strconv.FormatFloat(v, 'f', -1, 64))
	}
	return strings.Join(parts, ",")
}

// cutLast cuts a text at its last comma.
func cutLast(text string) (name, in string, given bool) {
	if at := strings.LastIndex(text, ","); at >= 0 {
		return strings.TrimSpace(text[:at]), strings.TrimSpace(text[at+1:]), true
	}
	return strings.TrimSpace(text), "", false
}

// statesOf are the states by a code or name; all where none is given.
func statesOf(in string, given bool) ([]State, error) {
	if !given {
		return States(), nil
	}
	var found []State
	for _, s := range States() {
		if w := fold(in); w == fold(s.Code) || w == fold(s.ID()) || w == fold(s.Name.EN) || w == fold(s.Name.FR) {
			found = append(found, s)
		}
	}
	if found == nil {
		return nil, fmt.Errorf("%w: %q is not the code or name of a state or province", ErrNotFound, in)
	}
	return found, nil
}

// fold is a name without case, accents, and what is neither letter nor number.
func fold(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, norm.NFD.String(text))
}

// around is the box of a point that reaches so many metres in each direction.
func around(p orb.Point, metres float64) orb.Bound {
	lng, lat := geo.MetresPerDegree(p[1])
	lng, lat = metres/lng, metres/lat
	return round(orb.Bound{Min: orb.Point{p[0] - lng, p[1] - lat}, Max: orb.Point{p[0] + lng, p[1] + lat}})
}

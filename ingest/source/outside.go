package source

import (
	"errors"
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/internal/outline"
)

// ErrOutside is the error of a source that is not in Canada or the United States.
var ErrOutside = errors.New("outside Canada and the United States")

// CheckBox returns an error if a box has no part of Canada and the United States.
func CheckBox(box orb.Bound) error {
	if outline.Meets(box) {
		return nil
	}
	w := Whereabouts{Outside: 1, Box: box}
	return w.Err()
}

// Whereabouts counts the rows of a source that are in Canada and the United States and those that are not.
type Whereabouts struct {
	Inside, Outside int64
	Swapped         int64     // of Outside: would be inside if longitude and latitude were exchanged
	Box             orb.Bound // of those outside
	Place           string    // a name of where they are; "": not known
}

// Add counts a place and returns the code of its state, "" outside. Invalid coordinates and 0, 0 are not counted.
func (w *Whereabouts) Add(p orb.Point) (code string) {
	if !geo.Valid(p) || p == (orb.Point{}) {
		return ""
	}
	if outline.Near(p) {
		if code = outline.At(p); code != "" {
			w.Inside++
			return code
		}
	}
	if w.Outside == 0 {
		w.Box = orb.Bound{Min: p, Max: p}
	}
	w.Box = w.Box.Extend(p)
	w.Outside++
	if outline.At(orb.Point{p[1], p[0]}) != "" {
		w.Swapped++
	}
	return ""
}

// Err returns an error that says where the source is, if all of its rows are outside.
func (w *Whereabouts) Err() error {
	if w.Inside > 0 || w.Outside == 0 {
		return nil
	}
	place := ""
	if w.Place != "" {
		place = " in " + w.Place + ","
	}
	hint := (&Misplaced{w.Outside, w.Swapped}).Hint()
	return fmt.Errorf("all of it lies%s at %s, %s, %w%s", place,
		span(w.Box.Min[1], w.Box.Max[1], "S", "N"), span(w.Box.Min[0], w.Box.Max[0], "W", "E"), ErrOutside, hint)
}

// span writes a range of degrees: 47.53–49.79° N.
func span(from, to float64, negative, positive string) string {
	side := func(v float64) string {
		if v < 0 {
			return negative
		}
		return positive
	}
	text := func(v float64) string { return fmt.Sprintf("%.2f", math.Abs(v)) }
	switch low, high := text(from), text(to); {
	case side(from) != side(to):
		return low + "° " + side(from) + " to " + high + "° " + side(to)
	case low == high:
		return low + "° " + side(from)
	case from < 0:
		return high + "–" + low + "° " + side(from)
	default:
		return low + "–" + high + "° " + side(from)
	}
}

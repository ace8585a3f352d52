package destination

import (
	"cmp"
	"slices"

	"quartier/internal/rating"
	"quartier/schemas/calibration"
	"quartier/transform/places/normalize"
)

// serveRefs lets the lines that a map lists at its stops serve these where neither a timetable nor a relation, course or list
// of another source has a line of their kind. A line of that name of another source that stops near is the same one.
//
// Example: of three poles of line 7 a relation has the first. The second, 300 m on, lists 7 and 12: it is served by the line of
// the relation and by a line 12. The list of a pole across the street from the first makes no difference.
func (u *untimed) serveRefs() {
	var services [][2]int
	for _, ref := range u.refs {
		mode := u.lines[ref[0]].service.Mode
		if !u.served(ref[1], calibration.StopKind{Mode: mode}) {
			services = append(services, [2]int{u.known(ref[0], ref[1]), ref[1]})
		}
	}
	slices.SortFunc(services, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	for _, s := range services {
		u.serve(s[0], s[1])
	}
}

// known is the first line of another source that has the kind and name of a listed one and stops near a halt; the listed one
// where there is none.
func (u *untimed) known(listed, halt int) int {
	want := &u.lines[listed].service
	first := listed
	u.near.Within(u.halts[halt].destination.Point, u.f.c.Transit.WithoutTimes.SameLineM, func(other int) bool {
		for _, l := range u.halts[other].lines {
			s := &u.lines[l].service
			same := rating.ModeGroup(s.Mode) == rating.ModeGroup(want.Mode) && normalize.Name(s.RouteName) == normalize.Name(want.RouteName)
			if same && (first == listed || l < first) {
				first = l
			}
		}
		return true
	})
	return first
}

package destination

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"quartier/internal/geo"
	"quartier/internal/rating"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/transform/places/near"
)

var (
	lineWithoutStops = Reasons.Skipped("line_without_stops", "No stop is beside the course of the line.")
	lineInTimetable  = Reasons.Skipped("line_in_timetable", "A timetable of the region has the line, or has all lines where it stops.")
)

// addUnknown makes lines of the stops of a kind whose lines no source knows. Bus stops of a street are of the line of
// their nearest neighbour on it, if that is known without times.
//
// Example: poles at 0, 300, 600 and 2,000 m of Elm Street, of which none has a line, are two lines where neighbours may be
// 400 m apart; if the source lists line 7 at the first one, the three are stops of line 7.
func (u *untimed) addUnknown(kind calibration.StopKind) {
	if u.f.set.AllLines[kind.Channel] {
		return
	}
	served := make([]bool, len(u.halts))
	var poles []int
	for h := range u.halts {
		if slices.Contains(u.halts[h].classes, kind.Class) {
			served[h] = u.served(h, kind)
			if kind.ByStreet || !served[h] {
				poles = append(poles, h)
			}
		}
	}
	for _, chain := range u.chains(poles, kind) {
		if slices.ContainsFunc(chain.halts, func(h int) bool { return served[h] }) {
			u.extend(chain.halts, served, rating.ModeGroup(kind.Mode))
			continue
		}
		first := &u.halts[chain.halts[0]].destination
		s := Service{Route: "stops:" + kind.Mode + ":" + first.Key, RouteName: cmp.Or(chain.street, first.Name), Mode: kind.Mode,
			Basis:     schemas.StopsBasis,
			TripsWeek: rating.Assumed(&u.f.c.Transit.WithoutTimes, kind.Mode, ""), Rapid: kind.Class == "rapid_station"}
		l := u.addLine(line{service: s})
		for _, h := range chain.halts {
			u.serve(l, h)
		}
	}
}

// served reports whether a line of a kind is known at a halt, or at another halt or stop of a timetable beside it.
func (u *untimed) served(h int, kind calibration.StopKind) bool {
	metres, want, found := u.f.c.Transit.WithoutTimes.ServedM, rating.ModeGroup(kind.Mode), false
	u.eachTimed(h, metres, func(s Service, _ bool) { found = found || rating.ModeGroup(s.Mode) == want })
	u.near.Within(u.halts[h].destination.Point, metres, func(other int) bool {
		found = found || slices.ContainsFunc(u.halts[other].lines, func(l int) bool {
			return u.lines[l].service.Basis == schemas.LineBasis && rating.ModeGroup(u.lines[l].service.Mode) == want
		})
		return !found
	})
	return found
}

// extend gives the poles of a chain without lines those of a kind at the nearest pole that has some.
func (u *untimed) extend(chain []int, served []bool, kind string) {
	of := func(h int) []int {
		return slices.DeleteFunc(slices.Clone(u.halts[h].lines), func(l int) bool { return rating.ModeGroup(u.lines[l].service.Mode) != kind })
	}
	var with []int
	for _, h := range chain {
		if len(of(h)) > 0 {
			with = append(with, h)
		}
	}
	lines := make([][]int, len(chain))
	for i, h := range chain {
		if served[h] || len(with) == 0 {
			continue
		}
		distance := func(other int) float64 {
			return geo.Distance(u.halts[h].destination.Point, u.halts[other].destination.Point)
		}
		lines[i] = of(slices.MinFunc(with, func(a, b int) int { return cmp.Compare(distance(a), distance(b)) }))
	}
	for i, h := range chain {
		for _, l := range lines[i] {
			u.serve(l, h)
		}
	}
}

// chain is stops of one line: those of a street, each near another of them.
type chain struct {
	street string // "" where streets make no difference, or without a name
	halts  []int  // by key
}

// chains groups poles.
func (u *untimed) chains(poles []int, kind calibration.StopKind) (all []chain) {
	slices.SortFunc(poles, func(a, b int) int {
		return cmp.Compare(u.halts[a].destination.Key, u.halts[b].destination.Key)
	})
	streets, names := make([]string, len(poles)), map[string]string{}
	if kind.ByStreet && len(poles) > 0 {
		streets, names = u.streetsOf(poles)
	}
	var index near.Points
	for _, h := range poles {
		index.List = append(index.List, u.halts[h].destination.Point)
	}
	index.Build()
	done := make([]bool, len(poles))
	for i := range poles {
		if done[i] {
			continue
		}
		done[i] = true
		members := []int{i}
		for next := 0; next < len(members); next++ {
			index.Within(index.List[members[next]], kind.ApartM, func(j int) bool {
				if !done[j] && streets[j] == streets[i] {
					done[j] = true
					members = append(members, j)
				}
				return true
			})
		}
		slices.Sort(members)
		c := chain{street: names[streets[i]]}
		for _, m := range members {
			c.halts = append(c.halts, poles[m])
		}
		all = append(all, c)
	}
	return all
}

// streetsOf returns the street of each pole: the nearest with a name that cars use, else the nearest; "" where none is
// near. names has the names of streets as published.
func (u *untimed) streetsOf(poles []int) (streets []string, names map[string]string) {
	var lines near.Segments
	for i, s := range u.f.net.Streets {
		if s.Car != "no" {
			lines.Add(s.Line, i)
		}
	}
	lines.Build()
	streets, names = make([]string, len(poles)), map[string]string{}
	for i, h := range poles {
		const unnamedM = 1000 // more than any distance here, so that streets with a name come first
		nearest := math.Inf(1)
		lines.Within(u.halts[h].destination.Point, u.f.c.Transit.WithoutTimes.OnStreetM, func(owner int, metres float64) {
			s := &u.f.net.Streets[owner]
			id := strings.ToLower(s.Name)
			if s.Name == "" {
				id, metres = s.Key, metres+unnamedM
			}
			if metres < nearest || metres == nearest && id < streets[i] {
				nearest, streets[i] = metres, id
				names[id] = s.Name
			}
		})
	}
	return streets, names
}

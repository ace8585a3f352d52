package destination

import (
	"context"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/schemas/reason"
	"quartier/transform/network/street"
)

// Reasons are the reasons that only this step raises.
var Reasons reason.List

var rampWithoutWalkway = Reasons.Repaired("ramp_without_walkway",
	"No street for pedestrians is near the ramp. It counts for driving distances only.")

// ramps adds the ends of ramps on a motorway or an expressway. All of them count for driving distances; those near a
// street for pedestrians are destinations too, for reference.
func (f *deriver) ramps(ctx context.Context) error {
	highways := map[coord.Point]bool{}
	for i := range f.net.Streets {
		if s := &f.net.Streets[i]; s.Class == "motorway" || s.Class == "trunk" {
			for _, p := range s.Line {
				if point, ok := coord.NewPoint(p[0], p[1]); ok {
					highways[point] = true
				}
			}
		}
	}
	seen := map[coord.Point]bool{}
	for i := range f.net.Streets {
		s := &f.net.Streets[i]
		for _, p := range rampEnds(s) {
			point, ok := coord.NewPoint(p[0], p[1])
			if !ok || !highways[point] || seen[point] {
				continue
			}
			seen[point] = true
			f.set.Ramps = append(f.set.Ramps, p)
			d := Destination{Class: "highway_ramp", Key: s.Key, Source: s.Source, Name: s.Name, Station: s.Key, Point: p}
			if d.Place, ok = f.snap(p); ok {
				f.set.List = append(f.set.List, d)
			} else {
				f.issues.Add(rampWithoutWalkway, where(&d))
			}
		}
	}
	return ctx.Err()
}

// rampEnds are the ends of a street that is a ramp of a motorway or an expressway.
func rampEnds(s *street.Street) []orb.Point {
	if !strings.HasSuffix(s.Class, "_link") || !strings.HasPrefix(s.Class, "motorway") && !strings.HasPrefix(s.Class, "trunk") {
		return nil
	}
	return []orb.Point{s.Line[0], s.Line[len(s.Line)-1]}
}

package noise

import (
	"context"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/pointindex"
	"quartier/transform/feature"
	"quartier/transform/network/street"
)

func isRamp(class string) bool { return strings.HasSuffix(class, "_link") }

// exits are the motorway junctions: the staged ones, and the points where a ramp begins or ends on a motorway, so
// that a road network file without junctions has them too.
func exits(ctx context.Context, staged *duck.DB, streets []street.Street) (*pointindex.PointSet, error) {
	points, err := feature.Points(ctx, staged, "junction", "motorway")
	if err != nil {
		return nil, err
	}
	onMotorway := map[coord.Point]bool{}
	for i := range streets {
		if streets[i].Class == "motorway" {
			for _, p := range streets[i].Line {
				if at, ok := coord.NewPoint(p[0], p[1]); ok {
					onMotorway[at] = true
				}
			}
		}
	}
	for i := range streets {
		if line := streets[i].Line; isRamp(streets[i].Class) {
			for _, p := range []orb.Point{line[0], line[len(line)-1]} {
				if at, ok := coord.NewPoint(p[0], p[1]); ok && onMotorway[at] {
					points = append(points, at)
				}
			}
		}
	}
	return pointindex.NewPointSet(points, 400), nil
}

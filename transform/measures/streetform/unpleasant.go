package streetform

import (
	"context"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/pointindex"
	"quartier/schemas/calibration"
	"quartier/transform/feature"
	"quartier/transform/measures/land"
	"quartier/transform/measures/measure"
	"quartier/transform/measures/raster"
	"quartier/transform/network/street"
)

// nuisance finds the places that are unpleasant to walk at.
type nuisance struct {
	along *pointindex.PointSet // wide and fast streets
	near  *pointindex.PointSet // motorways and yards
	land  *raster.Bits
	c     *calibration.Unpleasant
}

// sampleM is the distance of the points that represent a line: a point 20 m from the line is at most 20.6 m from one
// of them.
const sampleM = 10

func newNuisance(ctx context.Context, r *measure.Region, uses *land.Raster) (*nuisance, error) {
	u, streets := &r.Calibration.Form.Unpleasant, r.Network.Streets
	var along, near []coord.Point
	sample := func(to *[]coord.Point, line orb.LineString) {
		raster.Along(line, sampleM, func(middle orb.Point, _ float64) {
			if p, ok := coord.NewPoint(middle[0], middle[1]); ok {
				*to = append(*to, p)
			}
		})
	}
	for i := range streets {
		s := &streets[i]
		if s.Car == "no" || s.Tunnel {
			continue
		}
		road, ok := r.Calibration.Traffic.Of(s.Class, oneWay(s), s.Lanes, s.SpeedKMH)
		if ok && (road.Lanes >= u.Lanes || road.SpeedKMH >= u.SpeedKMH) {
			sample(&along, s.Line)
		}
		if slices.Contains(u.Roads, s.Class) {
			sample(&near, s.Line)
		}
	}
	err := feature.Shapes(ctx, r.Staged, "rail", func(f *feature.Feature, line orb.LineString) {
		if slices.Contains(u.Rails, f.Class) {
			sample(&near, line)
		}
	})
	return &nuisance{pointindex.NewPointSet(along, 100), pointindex.NewPointSet(near, 100), uses.Layer(u.Land), u}, err
}

// at reports whether it is unpleasant to walk at p. counts is a buffer for one number.
func (n *nuisance) at(p orb.Point, counts []int) bool {
	at, ok := coord.NewPoint(p[0], p[1])
	if !ok {
		return false
	}
	if n.along.Near(at, n.c.BesideM) || n.near.Near(at, n.c.FromM) {
		return true
	}
	counts[0] = 0
	n.land.Disc(p, n.c.FromM, counts)
	return counts[0] > 0
}

// walkways are the decimetres of ways around every node: all, and unpleasant ones.
func walkways(ctx context.Context, net *street.Network, n *nuisance) (*raster.Sums, error) {
	const all, bad, cellM = 0, 1, 50
	s, counts := raster.NewSums(net.Walk.Nodes, cellM, n.c.RadiusM, 2), []int{0}
	for e := range net.Walk.Edges {
		if e%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if slices.Contains(n.c.LeaveOut, net.Street(uint32(e)).Class) {
			continue
		}
		raster.Along(shape(net, e), cellM/2, func(middle orb.Point, metres float64) {
			decimetres := uint32(math.Round(10 * metres))
			s.Add(all, middle, decimetres)
			if n.at(middle, counts) {
				s.Add(bad, middle, decimetres)
			}
		})
	}
	s.Finish()
	return s, nil
}

// shape is the line of an edge.
func shape(net *street.Network, edge int) orb.LineString {
	var line orb.LineString
	for _, p := range net.Walk.Line(uint32(edge)) {
		line = append(line, p.Orb())
	}
	return line
}

// Package congestion computes how crowded streets are around every node: vehicles per lane where one drives, and people
// and visitors on the land. Input: the flow of streets, people, destinations, water. Output: Quantities.LaneLoad and
// ActivityKM2, of which car_friendly is made.
package congestion

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/extent"
	"quartier/internal/parallel"
	"quartier/schemas/calibration"
	"quartier/transform/issue"
	"quartier/transform/measures/land"
	"quartier/transform/measures/measure"
	"quartier/transform/measures/raster"
	"quartier/transform/network/channel"
	"quartier/transform/network/edges"
)

// The layers of the sums.
const (
	traffic = iota // vehicles · km
	loaded         // the same times vehicles a day per lane
	streets        // decimetres
	places         // of known classes
	listed         // places of unknown classes
	layers
)

// Amounts are integers, and those of a row of cells must be below 4·10⁹: vehicle·metres by the hundred, and these times
// vehicles a day and lane by the hundred, of which no lane carries more than 20,000.
const (
	perUnit   = 100
	perLoad   = 100
	mostLoads = 200
)

// deriver is what all nodes share.
type deriver struct {
	*measure.Region
	c        *calibration.Congestion
	sums     *raster.Sums
	water    *raster.Bits
	near     edges.Search // for places
	perHead  float64      // places of unknown classes for each person, by their usual rates
	perHeads float64      // places of all classes
}

// Derive sets Quantities.LaneLoad, the mean of the vehicles a day per lane of the streets within the radius, weighted by
// vehicle-kilometres: what a driver there meets; absent without any. And Quantities.ActivityKM2, people and visitors of
// places per km² of land.
//
// A street of 9,000 vehicles a day on two lanes beside one of 300 on two, as long: (9,000·4,500 + 300·150)/9,300 = 4,360
// vehicles a day per lane.
func Derive(ctx context.Context, r *measure.Region) ([]issue.Issue, error) {
	d := &deriver{Region: r, c: &r.Calibration.Scores.Congestion}
	nodes := r.Network.Walk.Nodes
	wet, err := land.ReadRaster(ctx, r, d.c.RadiusM, "water")
	if err != nil {
		return nil, fmt.Errorf("congestion: %w", err)
	}
	d.water = wet.Layer([]string{"water"})
	d.sums = raster.NewSums(nodes, d.c.CellM, d.c.RadiusM, layers)
	d.addStreets()
	d.addPlaces()
	d.sums.Finish()
	q := r.Quantities
	q.LaneLoad, q.ActivityKM2 = channel.Absent(len(nodes)), channel.Absent(len(nodes))
	return nil, parallel.Nodes(ctx, len(nodes), func(lo, hi int) {
		for node := lo; node < hi; node++ {
			var total [layers]uint64
			d.sums.Disc(nodes[node].Orb(), d.c.RadiusM, total[:])
			if total[traffic] > 0 {
				q.LaneLoad[node] = float32(perLoad * float64(total[loaded]) / float64(total[traffic]))
			}
			q.ActivityKM2[node] = float32(d.activity(node, &total))
		}
	})
}

// addStreets adds the traffic of the streets where one drives, and the lengths of those where people live and go.
func (d *deriver) addStreets() {
	for i := range d.Network.Streets {
		s := &d.Network.Streets[i]
		if slices.Contains(d.c.Streets, s.Class) {
			d.sums.AddLine(streets, s.Line, 10)
		}
		if s.Flow.AADT == 0 || s.Flow.Lanes == 0 || slices.Contains(d.c.LeaveOut, s.Class) {
			continue
		}
		load := math.Round(min(s.Flow.AADT/s.Flow.Lanes/perLoad, mostLoads))
		raster.Along(s.Line, d.c.CellM/2, func(p orb.Point, metres float64) {
			amount := uint32(math.Round(metres * s.Flow.AADT / perUnit))
			d.sums.Add(traffic, p, amount)
			d.sums.Add(loaded, p, amount*uint32(load))
		})
	}
}

// addPlaces adds the places that have visitors.
func (d *deriver) addPlaces() {
	var known, unknown []string
	for _, class := range d.c.Classes {
		perHead := d.Calibration.Known.Usual[class] / 1000
		d.perHeads += perHead
		if d.Known != nil && d.Known(class) {
			known = append(known, class)
			continue
		}
		unknown, d.perHead = append(unknown, class), d.perHead+perHead
	}
	d.near = d.Edges.NewSearch(known, 0, extent.NewWeight(d.c.RadiusM, nil))
	if d.Destinations == nil {
		return
	}
	of := len(d.Destinations.Points(known))
	for i, p := range d.Destinations.Points(slices.Concat(known, unknown)) { // a place of both is of the first
		if i < of {
			d.sums.Add(places, p, 1)
		} else {
			d.sums.Add(listed, p, 1)
		}
	}
}

// activity is the people and visitors per km² of land around a node. Places of classes that are unknown are as many as
// the people there usually have, or as are listed. Where nobody counted people, streets represent both.
//
// For example, 3,000 people per km² have 40 places of known classes on 2 km² of land; the unknown ones have a usual rate
// of 2.5 per 1,000 people: 3,000 + 40 · (40/2 + 7.5) = 4,100. Without counts, 20 km of street are 7 · 20² = 2,800.
func (d *deriver) activity(node int, total *[layers]uint64) float64 {
	var wet [1]int
	cells := d.water.Disc(d.Network.Walk.Nodes[node].Orb(), d.c.RadiusM, wet[:])
	dry := max(1-float64(wet[0])/float64(cells), d.Calibration.Form.Intersections.MinLand)
	people := math.NaN()
	if d.Quantities.DensityKM2 != nil {
		people = float64(d.Quantities.DensityKM2[node])
	}
	if math.IsNaN(people) {
		km := float64(total[streets]) / 1e4 / dry
		return d.c.PerKM2 * km * km
	}
	landKM2 := dry * math.Pi * d.c.RadiusM * d.c.RadiusM / 1e6
	known, more := float64(total[places])/landKM2, float64(total[listed])/landKM2
	if d.near.Beyond(node, nil) > d.Calibration.Coverage.MaxBeyond {
		return people + d.c.Visitors*max(known+more, people*d.perHeads)
	}
	return people + d.c.Visitors*(known+max(more, people*d.perHead))
}

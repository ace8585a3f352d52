// Package congestion computes how crowded streets are around every node: vehicles per lane where one drives, and people
// and visitors on the land. Input: the flow of streets, dwellings or people, destinations. Output: Quantities.LaneLoad
// and ActivityKM2, of which car_friendly is made.
package congestion

import (
	"context"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/parallel"
	"quartier/transform/issue"
	"quartier/transform/measures/measure"
	"quartier/transform/measures/raster"
	"quartier/transform/network/channel"
)

// The layers of the sums.
const (
	traffic = iota // vehicles · km
	loaded         // the same times vehicles a day per lane
	places
	layers
)

// Amounts are integers: vehicle·metres by the hundred, and these times vehicles a day and lane by the hundred.
const (
	perUnit   = 100
	perLoad   = 100
	mostLoads = 200 // 20,000 vehicles a day on a lane are a motorway's
)

// Derive sets Quantities.LaneLoad, the mean of the vehicles a day per lane of the streets within the radius, weighted by
// vehicle-kilometres: what a driver there meets; absent without any. And Quantities.ActivityKM2, people and visitors of
// places per km² of land: people of the blocks, else of the dwellings within calibration.Setting.RadiusM.
//
// A street of 9,000 vehicles a day on two lanes beside one of 300 on two, as long: (9,000·4,500 + 300·150)/9,300 = 4,360
// vehicles a day per lane.
func Derive(ctx context.Context, r *measure.Region) ([]issue.Issue, error) {
	c := &r.Calibration.Scores.Congestion
	nodes := r.Network.Walk.Nodes
	sums := raster.NewSums(nodes, c.CellM, c.RadiusM, layers)
	for i := range r.Network.Streets {
		s := &r.Network.Streets[i]
		if s.Flow.AADT == 0 || s.Flow.Lanes == 0 || slices.Contains(c.LeaveOut, s.Class) {
			continue
		}
		load := math.Round(min(s.Flow.AADT/s.Flow.Lanes/perLoad, mostLoads))
		raster.Along(s.Line, c.CellM/2, func(p orb.Point, metres float64) {
			amount := uint32(math.Round(metres * s.Flow.AADT / perUnit))
			sums.Add(traffic, p, amount)
			sums.Add(loaded, p, amount*uint32(load))
		})
	}
	if r.Destinations != nil {
		for _, p := range r.Destinations.Points(c.Classes) {
			sums.Add(places, p, 1)
		}
	}
	sums.Finish()
	q := r.Quantities
	q.LaneLoad, q.ActivityKM2 = channel.Absent(len(nodes)), channel.Absent(len(nodes))
	disc := math.Pi * c.RadiusM * c.RadiusM / 1e6
	setting := &r.Calibration.Traffic.Setting
	around := math.Pi * setting.RadiusM * setting.RadiusM / 1e6
	return nil, parallel.Nodes(ctx, len(nodes), func(lo, hi int) {
		for node := lo; node < hi; node++ {
			var total [layers]uint64
			sums.Disc(nodes[node].Orb(), c.RadiusM, total[:])
			if total[traffic] > 0 {
				q.LaneLoad[node] = float32(perLoad * float64(total[loaded]) / float64(total[traffic]))
			}
			people := math.NaN()
			if q.DensityKM2 != nil {
				people = float64(q.DensityKM2[node])
			}
			if math.IsNaN(people) && q.Dwellings != nil {
				people = float64(q.Dwellings[node]) * r.Calibration.Demographics.Ground.HouseholdSize / around
			}
			q.ActivityKM2[node] = float32(people + c.Visitors*float64(total[places])/disc)
		}
	})
}

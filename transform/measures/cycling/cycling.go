// Package cycling computes how suitable the streets around every node of a walking network are for cycling: how many
// cycleways there are, and how far one gets on streets of low traffic stress. Input: staged streets, traffic signals and
// cycling networks of cities. Output: BikeLanes and LowStress of channel.Quantities, two parts of the score cycling_friendly.
package cycling

import (
	"context"
	"fmt"
	"math"

	"quartier/internal/duck"
	"quartier/internal/parallel"
	"quartier/internal/pointindex"
	"quartier/internal/sqlrow"
	"quartier/transform/feature"
	"quartier/transform/issue"
	"quartier/transform/measures/measure"
	"quartier/transform/network/street"
)

// Derive sets BikeLanes and LowStress. BikeLanes is √(R/Top), where R is the length of paths, tracks and lanes within a
// kilometre on streets and in cycling networks, weighted by distance; a street counts once. LowStress is the share of the length of
// cycleable streets within two kilometres that
// is connected to a street near the node by streets of a level of traffic stress of at most 2 and by safe crossings.
// It is absent where streets that
// lead beyond the edge of the data could raise cycling_friendly by more than twice calibration.Coverage.MaxSpread.
// Both are absent where most streets are from sources without bicycle tags, such as road network files; BikeLanes is known
// within the extent of a cycling network too. A million nodes
// of a state like Delaware take 250 MB temporarily and 7 s of one processor.
func Derive(ctx context.Context, r *measure.Region) ([]issue.Issue, error) {
	tagged, err := sourcesWithBicycleTags(ctx, r.Staged, r.Network.Streets)
	if err != nil {
		return nil, err
	}
	network, err := readNetwork(ctx, r.Staged)
	if err != nil || len(tagged) == 0 && network.extents == nil {
		return nil, err
	}
	signals, err := feature.Points(ctx, r.Staged, "junction", "signals")
	if err != nil {
		return nil, fmt.Errorf("cycling: %w", err)
	}
	c, q, nodes := &r.Calibration.Bicycle, r.Quantities, r.Network.Walk.Nodes
	lanes := newLanes(r.Network.Streets, network, &c.Lanes)
	reach := newReach(newWays(r.Network.Streets, pointindex.NewPointSet(signals, 200), r.Edges.Leaves(nodes), c), tagged, &c.LowStress)
	q.BikeLanes, q.LowStress = make([]float32, len(nodes)), make([]float32, len(nodes))
	return nil, parallel.Nodes(ctx, len(nodes), func(lo, hi int) {
		buffer := make([]uint32, 0, 16)
		for node := lo; node < hi; node++ {
			share, more, known := reach.share(nodes[node], buffer)
			around := math.NaN()
			if !known || !r.Edges.Settled(node, 5*r.Calibration.Scores.Cycling.LowStress*more/2) { // half of them are taken to be connected
				share = math.NaN()
			}
			if known || network.covers(nodes[node]) {
				around = lanes.around(nodes[node])
			}
			q.BikeLanes[node], q.LowStress[node] = float32(around), float32(share)
		}
	})
}

// sourcesWithBicycleTags are the sources whose streets have bicycle tags: those of kind osm, and others with at least one
// path or lane.
func sourcesWithBicycleTags(ctx context.Context, staged *duck.DB, streets []street.Street) (map[string]bool, error) {
	type source struct {
		ID string `col:"source_id"`
	}
	tagged := map[string]bool{}
	for row, err := range sqlrow.Select[source](ctx, staged, `SELECT source_id FROM source WHERE kind = 'osm'`) {
		if err != nil {
			return nil, fmt.Errorf("cycling: read sources: %w", err)
		}
		tagged[row.ID] = true
	}
	for i := range streets {
		if streets[i].Cycleway != "" || streets[i].Class == "cycleway" {
			tagged[streets[i].Source] = true
		}
	}
	return tagged, nil
}

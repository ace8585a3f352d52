// Package cycling works out how well one can cycle around every node of a walking network: how much there is for
// bicycles alone, and how far one gets without traffic stress. In go the staged streets and signals; out come
// BikeLanes and LowStress of channel.Quantities, two parts of the score cycling_friendly.
package cycling

import (
	"context"
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/schemas/calibration"
	"quartier/transform/feature"
	"quartier/transform/issue"
	"quartier/transform/network/channel"
	"quartier/transform/network/street"
	"quartier/transform/network/strip"
	"quartier/transform/parallel"
)

// Derive sets s.BikeLanes and s.LowStress for every node of net.Walk. BikeLanes is √(R/Top), where R is the length of
// paths, tracks and lanes within a kilometre, the nearer the more. LowStress is the share of the length of cycleable
// streets within two kilometres that is joined, by streets of a level of traffic stress of at most 2 and crossings that
// one dares, to one near the node. Both are absent where the sources of most streets know nothing of bicycles, as road
// network files do. For a million nodes of a state like Delaware it takes 250 MB for a while and 7 s of one processor.
func Derive(ctx context.Context, staged *duck.DB, net *street.Network, s *channel.Quantities, c *calibration.Calibration) ([]issue.Issue, error) {
	if net.Walk == nil {
		return nil, nil
	}
	told, err := tellers(ctx, staged, net.Streets)
	if err != nil || len(told) == 0 {
		return nil, err
	}
	signals, err := lights(ctx, staged)
	if err != nil {
		return nil, fmt.Errorf("cycling: %w", err)
	}
	lanes := newLanes(net.Streets, &c.Bicycle.Lanes)
	reach := newReach(newWays(net.Streets, signals, &c.Bicycle), told, &c.Bicycle.LowStress)
	nodes := net.Walk.Nodes
	s.BikeLanes, s.LowStress = make([]float32, len(nodes)), make([]float32, len(nodes))
	return nil, parallel.Nodes(ctx, len(nodes), func(lo, hi int) {
		groups := make([]uint32, 0, 16)
		for node := lo; node < hi; node++ {
			at := nodes[node]
			share, told := reach.share(at, groups)
			around := math.NaN()
			if told {
				around = lanes.around(at)
			} else {
				share = math.NaN()
			}
			s.BikeLanes[node], s.LowStress[node] = float32(around), float32(share)
		}
	})
}

// tellers are the sources whose streets know of bicycles: OpenStreetMap, and any that tells of a single path or lane.
func tellers(ctx context.Context, staged *duck.DB, streets []street.Street) (map[string]bool, error) {
	told := map[string]bool{}
	rows, err := staged.QueryContext(ctx, `SELECT source_id FROM source WHERE kind = 'osm'`)
	if err != nil {
		return nil, fmt.Errorf("cycling: read sources: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("cycling: read sources: %w", err)
		}
		told[id] = true
	}
	for i := range streets {
		if streets[i].Cycleway != "" || streets[i].Class == "cycleway" {
			told[streets[i].Source] = true
		}
	}
	return told, rows.Err()
}

// lights are the traffic lights.
func lights(ctx context.Context, staged *duck.DB) (*strip.Spots, error) {
	var points []coord.Point
	err := feature.Each(ctx, staged, "junction", func(f *feature.Feature) error {
		if p, ok := f.Geometry.(orb.Point); ok && f.Class == "signals" {
			if at, ok := coord.NewPoint(p[0], p[1]); ok {
				points = append(points, at)
			}
		}
		return nil
	})
	return strip.NewSpots(points, 200), err
}

package drive

import (
	"testing"

	"quartier/internal/network"
	"quartier/schemas/calibration"
	"quartier/transform/network/street"

	"github.com/paulmach/orb"
)

func TestTimes(t *testing.T) {
	c := calibration.Standard()
	km := orb.LineString{{-76, 39}, {-76, 39.009}} // 999 m
	for _, tt := range []struct {
		kmh, minutes float64
	}{{50, 999.0 / 1000 * 60 / 40}, {100, 999.0 / 1000 * 60 / 80}, {0, 999.0 / 1000 * 60 / 8}} {
		s := street.Street{Class: "primary", Car: "both", Line: km}
		s.Flow.SpeedKMH = tt.kmh
		n := New([]street.Street{s}, c.Walking)
		times := n.Times(&c.Scores.Drive)
		got := times.Edges[0].Length.Metres() * 60 / 1000 / c.Scores.Drive.UnitKMH
		if got < tt.minutes*.998 || got > tt.minutes*1.002 || n.Graph.Edges[0].Length == times.Edges[0].Length {
			t.Errorf("%v km/h: %v minutes, not %v", tt.kmh, got, tt.minutes)
		}
		labels := times.Nearest([]network.Place{{Edge: 0}}, nil, 1, network.Far)
		if far := labels.At(int(times.Edges[0].B)); len(far) != 1 || far[0].Distance != times.Edges[0].Length {
			t.Errorf("%v km/h: searches see %v", tt.kmh, far)
		}
	}
	if New([]street.Street{{Class: "footway", Car: "no", Line: km}}, c.Walking) != nil {
		t.Error("a footway is a street for cars")
	}
}

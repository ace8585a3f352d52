package schemas

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestChannels(t *testing.T) {
	if len(Measures) != int(FirstScore) || len(Measures)+len(Scores) != ChannelCount {
		t.Fatalf("%d measures and %d scores", len(Measures), len(Scores))
	}
	for c := range Channel(ChannelCount) {
		if got, ok := ChannelOf(ChannelName(c)); !ok || got != c {
			t.Errorf("channel %d has the name %s, which is that of channel %d", c, ChannelName(c), got)
		}
	}
	if _, ok := ChannelOf("charm"); ok {
		t.Error("there is a channel with the name charm")
	}
}

func TestTravelMeasures(t *testing.T) {
	for _, m := range TravelMeasures {
		if want := fmt.Sprintf("%s_within_%d_min_%s", m.Of, m.Minutes, m.Mode); m.ID != want || !slices.Contains(TravelCounted, m.Of) ||
			m.Mode != "transit" && m.Mode != "car" || !strings.Contains(m.Name.FR, strconv.Itoa(m.Minutes)) {
			t.Errorf("%+v, want %s", m, want)
		}
	}
}

package schemas

import "testing"

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

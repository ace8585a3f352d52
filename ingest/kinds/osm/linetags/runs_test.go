package linetags

import (
	"testing"

	"quartier/ingest/formats/element"
)

func TestKindsDirectionsAndStopsOfRelations(t *testing.T) {
	node := func(ref int64, role string) element.Member {
		return element.Member{Kind: element.Nodes, Ref: ref, Role: role}
	}
	for _, test := range []struct {
		name       string
		tags       map[string]string
		kind       string
		directions int32
	}{
		{"nothing", nil, "", 0},
		{"a route of one direction", map[string]string{"public_transport:version": "2"}, "", 1},
		{"a loop", map[string]string{"public_transport:version": "2", "roundtrip": "yes"}, "", 0},
		{"every ten minutes", map[string]string{"interval": "00:10"}, "frequent", 0},
		{"every ten minutes with seconds", map[string]string{"interval": "00:10:00"}, "frequent", 0},
		{"every half hour", map[string]string{"interval": "30"}, "all_day", 0},
		{"every two hours", map[string]string{"interval": "02:00"}, "", 0},
		{"no interval", map[string]string{"interval": "varies"}, "", 0},
		{"pupils", map[string]string{"school": "yes", "interval": "10"}, "school", 0},
		{"peaks", map[string]string{"opening_hours": "Mo-Fr 06:30-09:00,15:30-18:00"}, "peak", 0},
		{"often in the peaks", map[string]string{"opening_hours": "Mo-Fr 06:30-09:00", "interval": "10"}, "peak", 0},
		{"all day", map[string]string{"opening_hours": "Mo-Fr 05:30-23:00; Sa 08:00-12:00"}, "all_day", 0},
		{"until after midnight", map[string]string{"opening_hours": "18:00-01:00"}, "peak", 0},
		{"a colour", map[string]string{"colour": "#F68E1D"}, "", 0},
	} {
		l := Line{Routes: []*Route{{Tags: test.tags}}}
		if kind, directions := l.kind(), l.directions(); kind != test.kind || directions != test.directions {
			t.Errorf("%s: %q, %d directions; want %q, %d", test.name, kind, directions, test.kind, test.directions)
		}
	}
	there := &Route{Members: []element.Member{
		node(1, "stop"), node(11, "platform"), node(2, "stop"), node(12, "platform_exit_only"), node(13, "platform"),
	}}
	back := &Route{Members: []element.Member{node(2, "stop"), node(13, "platform"), node(3, "")}}
	l := Line{Routes: []*Route{there, back}}
	if l.stops() != 3 || l.directions() != 2 {
		t.Errorf("%d stops in %d directions, want 3 in 2", l.stops(), l.directions())
	}
}

package staging

import (
	"errors"
	"fmt"
	"testing"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
)

// TestImplausibleRowsAreRejected stages one row per case; one without a reason is staged.
func TestImplausibleRowsAreRejected(t *testing.T) {
	const outside, far, large = "outside_north_america", "segment_too_long", "implausible_area"
	type read = func(source.Sink) error
	street := func(line ...orb.Point) read {
		return func(s source.Sink) error {
			return s.Row(source.Street{Key: "k", Class: "residential", Car: "both", Line: line})
		}
	}
	feature := func(kind, class string, shape orb.Geometry) read {
		return func(s source.Sink) error {
			return s.Row(source.Feature{Key: "k", Kind: kind, Class: class, Geometry: shape})
		}
	}
	stop := func(p orb.Point) read {
		return func(s source.Sink) error {
			return s.Row(source.Stop{SourceKey: "k", Name: "Stop", Lng: p[0], Lat: p[1]})
		}
	}
	f := create(t)
	for i, test := range []struct {
		name, reason string
		read         read
	}{
		{"street", "", street(orb.Point{-75.7, 45.4}, orb.Point{-75.71, 45.4})},
		{"street, swapped", outside, street(orb.Point{45.4, -75.7}, orb.Point{45.4, -75.71})},
		{"street, one vertex in France", outside, street(orb.Point{-75.7, 45.4}, orb.Point{2, 48}, orb.Point{-75.71, 45.4})},
		{"street of 18 km", "", street(orb.Point{-105, 50}, orb.Point{-104.75, 50})},
		{"street of 22 km", far, street(orb.Point{-105, 50}, orb.Point{-105, 50.2})},
		{"street over the antimeridian", "", street(orb.Point{179.99, 51.9}, orb.Point{-179.99, 51.9})},
		{"tree", outside, feature("tree", "", orb.Point{45.4, -75.7})},
		{"tracks of 111 km", "", feature("rail", "main", orb.LineString{{-105, 50}, {-105, 51}})},
		{"tracks of 222 km", far, feature("rail", "main", orb.LineString{{-105, 50}, {-105, 52}})},
		{"shore of 111 km", "", feature("water", "shore", orb.LineString{{-105, 50}, {-105, 51}})},
		{"tree row of 111 km", far, feature("tree_row", "", orb.LineString{{-105, 50}, {-105, 51}})},
		{"park of 2.9 degrees", "", feature("park", "", square(-105, 50, 2.9))},
		{"park of 3.1 degrees", large, feature("park", "", square(-105, 50, 3.1))},
		{"park of 4 degrees of longitude far north", "",
			feature("park", "", orb.MultiPolygon{{{{-80, 81}, {-76, 81}, {-76, 82}, {-80, 82}, {-80, 81}}}})},
		{"lake of 9 degrees", "", feature("land", "water", square(-105, 50, 9))},
		{"lake of 11 degrees", large, feature("land", "water", square(-105, 50, 11))},
		{"lawn of 9 degrees", large, feature("land", "grass", square(-105, 50, 9))},
		{"mall, swapped", outside, feature("mall", "", square(45, -75, 0.1))},
		{"stop in Honolulu", "", stop(orb.Point{-157.86, 21.3})},
		{"stop in San Juan", "", stop(orb.Point{-66.1, 18.4})},
		{"stop on Attu", "", stop(orb.Point{173.2, 52.9})},
		{"stop at Alert", "", stop(orb.Point{-62.3, 82.5})},
		{"stop in St. John's", "", stop(orb.Point{-52.7, 47.6})},
		{"stop in Berlin", outside, stop(orb.Point{13.4, 52.5})},
		{"stop in Lima", outside, stop(orb.Point{-77, -12})},
		{"block, swapped", outside, func(s source.Sink) error { return s.Row(source.Block{Key: "k", Geometry: square(45, -75, 0.1)}) }},
		{"block", "", func(s source.Sink) error { return s.Row(source.Block{Key: "k", Geometry: square(-75, 45, 0.1)}) }},
		{"home, swapped", outside, func(s source.Sink) error {
			return s.Row(source.Home{SourceKey: "k", BlockKey: "b", Weight: 1, Lng: 45.4, Lat: -75.7})
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			summary, err := f.Stage(t.Context(), all(meta(fmt.Sprint("odd", i))), func(s source.Sink) error {
				s.Read(1)
				return test.read(s)
			})
			if err != nil && !errors.Is(err, source.ErrNothingLeft) {
				t.Fatal(err)
			}
			got := ""
			if len(summary.Issues) > 0 {
				got = summary.Issues[0].Reason.String()
			}
			if got != test.reason || (summary.Staged == 1) != (test.reason == "") {
				t.Errorf("%+v, want one row with the reason %q", summary, test.reason)
			}
		})
	}
}

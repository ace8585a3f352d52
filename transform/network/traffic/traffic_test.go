package traffic

import (
	"math"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/geo"
	"quartier/schemas/calibration"
	"quartier/transform/network/street"
)

var (
	c    = calibration.Standard()
	home = geo.NewPlane(orb.Point{-76.7, 39.4})
)

// line connects points given in metres.
func line(xy ...float64) (l orb.LineString) {
	for i := 0; i < len(xy); i += 2 {
		l = append(l, home.Point(xy[i], xy[i+1]))
	}
	return l
}

// assumed is the traffic of a street of a class with some dwellings around.
func assumed(t *testing.T, class string, dwellings float64) float64 {
	t.Helper()
	streets := []street.Street{{Class: class, Car: "both", Line: line(0, 0, 100, 0)}}
	if err := Assume(t.Context(), streets, func(orb.Point, float64) (float64, bool) { return dwellings, true }, &c.Traffic); err != nil {
		t.Fatal(err)
	}
	return streets[0].Flow.AADT
}

// The values that published counts of rural and urban roads are in.
func TestTrafficBySetting(t *testing.T) {
	for _, want := range []struct {
		class          string
		dwellings      float64
		least, largest float64
	}{
		{"secondary", 0, 500, 1000}, {"secondary", 500, 1000, 2000}, {"secondary", 16_000, 9000, 9000}, {"tertiary", 2500, 1000, 2000},
		{"residential", 0, 50, 150}, {"residential", 60, 50, 150}, {"residential", 3000, 600, 800},
		{"primary", 160, 1500, 2500}, {"primary", 80_000, 20_000, 23_000},
		{"motorway", 0, 50_000, 50_000}, {"trunk", 0, 30_000, 30_000}, {"footway", 2000, 0, 0},
	} {
		if got := assumed(t, want.class, want.dwellings); got < want.least || got > want.largest {
			t.Errorf("%s among %v dwellings: %v vehicles a day", want.class, want.dwellings, got)
		}
	}
}

// A village is as dense as a suburb and ends a kilometre from its centre: its local streets are like those of the suburb, and
// its main road has far fewer vehicles.
func TestVillageIsNoSuburb(t *testing.T) {
	vehicles := func(class string, within3km float64) float64 {
		streets := []street.Street{{Class: class, Car: "both", Line: line(0, 0, 100, 0)}}
		around := func(_ orb.Point, radiusM float64) (float64, bool) {
			if radiusM > 1000 {
				return within3km, true
			}
			return 1500, true
		}
		if err := Assume(t.Context(), streets, around, &c.Traffic); err != nil {
			t.Fatal(err)
		}
		return streets[0].Flow.AADT
	}
	if village, suburb := vehicles("residential", 2500), vehicles("residential", 13_000); village != suburb {
		t.Errorf("local streets of a village have %v vehicles, those of a suburb %v", village, suburb)
	}
	if village, suburb := vehicles("secondary", 2500), vehicles("secondary", 13_000); village > 4000 || suburb < 8000 {
		t.Errorf("main roads of a village have %v vehicles, those of a suburb %v", village, suburb)
	}
}

func TestMoreDwellingsMoreTraffic(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		class := rapid.SampledFrom([]string{"motorway", "primary", "secondary", "residential", "service"}).Draw(rt, "class")
		few, more := rapid.Float64Range(0, 20_000).Draw(rt, "few"), rapid.Float64Range(0, 5000).Draw(rt, "more")
		if a, b := assumed(t, class, few), assumed(t, class, few+more); b < a || a <= 0 {
			rt.Fatalf("%v vehicles among %v dwellings, %v with %v more", a, few, b, more)
		}
	})
}

// A road out of a town has the mean of both settings, not that of one of its ends.
func TestSettingAlongTheStreet(t *testing.T) {
	streets := []street.Street{{Class: "secondary", Car: "both", Line: line(-1900, 0, 1900, 0)},
		{Class: "secondary", Car: "no", Line: line(0, 0, 1, 0)}}
	known := false
	town := func(p orb.Point, _ float64) (float64, bool) {
		if x, _ := home.XY(p); x > 0 {
			return 16_000, known
		}
		return 0, true
	}
	for _, beyond := range []float64{9000 * .45, 0} { // half of it has the factor .1 at least
		if err := Assume(t.Context(), streets, town, &c.Traffic); err != nil {
			t.Fatal(err)
		}
		if got := streets[0].Flow; math.Abs(got.AADT-9000*.55) > 1 || math.Abs(got.Beyond-beyond) > 1 || streets[1].Flow.AADT != 0 {
			t.Errorf("%v vehicles a day, %v of them from beyond, %v on a street without cars", got.AADT, got.Beyond, streets[1].Flow.AADT)
		}
		known = true
	}
}

// Lines without a second vertex have no length, and traffic all the same.
func TestTrafficOfAPoint(t *testing.T) {
	streets := []street.Street{{Class: "secondary", Car: "both", Line: line(0, 0)}, {Class: "secondary", Car: "both"}}
	if err := Assume(t.Context(), streets, func(orb.Point, float64) (float64, bool) { return 0, true }, &c.Traffic); err != nil {
		t.Fatal(err)
	}
	if a, b := streets[0].Flow.AADT, streets[1].Flow.AADT; math.Abs(a-900) > 1e-6 || b != 9000 {
		t.Errorf("%v and %v vehicles a day", a, b)
	}
}

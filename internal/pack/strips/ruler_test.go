package strips

import (
	"math"
	"testing"

	"quartier/internal/coord"
	"quartier/internal/geo"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"
)

// vincenty is the distance in metres by the iteration of Vincenty (1975), exact to a millimetre except for points that
// are nearly antipodal.
func vincenty(p, q orb.Point) float64 {
	const semiMinor = geo.SemiMajorM * (1 - geo.Flattening)
	radian := math.Pi / 180
	sinU, cosU := math.Sincos(math.Atan((1 - geo.Flattening) * math.Tan(p[1]*radian)))
	sinV, cosV := math.Sincos(math.Atan((1 - geo.Flattening) * math.Tan(q[1]*radian)))
	difference := math.Remainder(q[0]-p[0], 360) * radian
	lambda := difference
	for range 100 {
		sinL, cosL := math.Sincos(lambda)
		sinS := math.Hypot(cosV*sinL, cosU*sinV-sinU*cosV*cosL)
		if sinS == 0 {
			return 0
		}
		cosS := sinU*sinV + cosU*cosV*cosL
		sigma := math.Atan2(sinS, cosS)
		sinA := cosU * cosV * sinL / sinS
		cos2A := 1 - sinA*sinA
		cosM := 0.0
		if cos2A > 0 {
			cosM = cosS - 2*sinU*sinV/cos2A
		}
		c := geo.Flattening / 16 * cos2A * (4 + geo.Flattening*(4-3*cos2A))
		last := lambda
		lambda = difference + (1-c)*geo.Flattening*sinA*(sigma+c*sinS*(cosM+c*cosS*(2*cosM*cosM-1)))
		if math.Abs(lambda-last) > 1e-12 {
			continue
		}
		u2 := cos2A * (geo.SemiMajorM*geo.SemiMajorM/(semiMinor*semiMinor) - 1)
		a := 1 + u2/16384*(4096+u2*(u2*(320-175*u2)-768))
		b := u2 / 1024 * (256 + u2*(u2*(74-47*u2)-128))
		bend := b * sinS * (cosM + b/4*(cosS*(2*cosM*cosM-1)-b/6*cosM*(4*sinS*sinS-3)*(4*cosM*cosM-3)))
		return semiMinor * a * (sigma - bend)
	}
	return math.NaN()
}

// Flinders Peak to Buninyong, as Geoscience Australia publishes it.
func TestVincenty(t *testing.T) {
	got := vincenty(orb.Point{144.42486788888888, -37.95103341666667}, orb.Point{143.92649552777777, -37.65282113888889})
	if want := 54972.271; math.Abs(got-want) > 0.01 {
		t.Errorf("%v m, want %v", got, want)
	}
}

func TestRulerAgreesWithTheEllipsoid(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, from, to orb.Point) {
		p, ok := coord.NewPoint(to[0], to[1])
		if !ok {
			t.Fatalf("invalid position: %v", to)
		}
		r := newRuler(from[0], from[1])
		got := math.Sqrt(r.squared(p))
		lng, lat := p.Degrees()
		if want := vincenty(from, orb.Point{lng, lat}); !(math.Abs(got-want) <= 0.001*want+0.01) {
			t.Fatalf("%v to %v: %v m, want %v", from, to, got, want)
		}
	}
	for _, pair := range [][2]orb.Point{
		{{-89.2, 70.7}, {-62.35, 82.5}},    // the middle of Nunavut to Alert
		{{-89.2, 70.7}, {-68.52, 63.75}},   // … to Iqaluit
		{{-110, 75}, {-95, 75}},            // along a parallel of the north
		{{-153, 64}, {-176.64, 51.88}},     // Alaska to Adak
		{{-153, 64}, {173.18, 52.93}},      // … to Attu, across the antimeridian
		{{-85.3, 50}, {-74.3, 45.2}},       // Ontario, end to end
		{{-62.35, 82.5}, {-62.35 + 2, 82}}, // around Alert
	} {
		check(t, pair[0], pair[1])
	}
	rapid.Check(t, func(rt *rapid.T) {
		from := orb.Point{rapid.Float64Range(-180, -50).Draw(rt, "lng"), rapid.Float64Range(17, 84).Draw(rt, "lat")}
		metres := rapid.SampledFrom([]float64{100, 25_000, 400_000, 2_500_000}).Draw(rt, "reach") * rapid.Float64Range(0, 1).Draw(rt, "share")
		sin, cos := math.Sincos(2 * math.Pi * rapid.Float64Range(0, 1).Draw(rt, "bearing"))
		lat := min(90, max(-90, from[1]+metres*cos/111_000))
		lng := from[0] + min(180, metres/111_000/max(0.01, math.Cos(lat*math.Pi/180)))*sin
		check(rt, from, orb.Point{math.Remainder(lng, 360), lat})
	})
}

func TestReachHoldsWhatIsMeasured(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lng, lat := rapid.Float64Range(-180, 180).Draw(t, "lng"), rapid.Float64Range(-90, 90).Draw(t, "lat")
		if rapid.Bool().Draw(t, "arctic") {
			lat = rapid.Float64Range(70, 90).Draw(t, "latitude")
		}
		metres := rapid.SampledFrom([]float64{500, 25_000, 300_000, 3_000_000}).Draw(t, "metres")
		strip := stripOf((lat + metres/111_000*rapid.Float64Range(-1.1, 1.1).Draw(t, "north")) * coord.Scale)
		south := float64(strip)*stripHeight - 90*coord.Scale
		r := newRuler(lng, lat)
		inner, outer := r.reach(south, south+stripHeight, metres)
		for range 30 {
			away := outer * rapid.Float64Range(-1.05, 1.05).Draw(t, "east")
			if rapid.Bool().Draw(t, "anywhere") || outer < 0 {
				away = rapid.Float64Range(-halfTurn, halfTurn).Draw(t, "east")
			}
			away = min(halfTurn, max(-halfTurn, away))
			at := math.Remainder(r.lng+away, 2*halfTurn)
			p := coord.Point{Lng: int32(at), Lat: int32(min(90*coord.Scale, south+rapid.Float64Range(0, stripHeight-1).Draw(t, "lat")))}
			in := r.squared(p) <= metres*metres
			if away = math.Abs(math.Remainder(float64(p.Lng)-r.lng, 2*halfTurn)); in && away > outer || !in && away < inner {
				t.Fatalf("%v: %v, %v units away, reach %v to %v", p, in, away, inner, outer)
			}
		}
	})
}

package explain

import (
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/internal/rating"
	"quartier/internal/wording"
	"quartier/schemas"
)

// notHeard is why the measure of a class of schemas.HeardClasses is absent; nil if the class is known in the region.
func (l *location) notHeard(class string) *wording.Line {
	if l.coverage.has(class) {
		return nil
	}
	return l.coverage.why(class)
}

// missingHeard is why quiet is absent for classes of schemas.HeardClasses; nil if all are known in the region.
func (l *location) missingHeard() *wording.Line {
	var missing, accepted []string
	for _, class := range schemas.HeardClasses {
		switch of := l.coverage[class]; {
		case of.Verdict.Known():
		case of.Accepted == "":
			missing = append(missing, class)
		default:
			accepted = append(accepted, class)
		}
	}
	switch {
	case missing != nil:
		return wording.Say("heard_unknown", wording.Classes(missing))
	case accepted != nil:
		return wording.Say("heard_not_here", wording.Classes(accepted), l.r.c.Noise.ReachM)
	}
	return nil
}

// describeNoise adds the streets and railways around, and the level of each kind of noise, to the score quiet.
func (l *location) describeNoise(x *Explanation) {
	n := &l.r.c.Noise
	railways, aircraft := !math.IsNaN(l.named("railway_noise")), !math.IsNaN(l.named("airport_noise"))
	heard := map[[2]bool]*wording.Line{
		{false, false}: wording.Say("heard_roads"), {true, false}: wording.Say("heard_roads_railways"),
		{false, true}: wording.Say("heard_roads_aircraft"), {true, true}: wording.Say("heard_roads_railways_aircraft"),
	}
	x.Remarks = append(x.Remarks, l.text(heard[[2]bool{railways, aircraft}]))
	for _, name := range []string{"traffic_noise", "interchange_noise", "railway_noise", "airport_noise"} {
		of := wording.Say("no_data")
		if v := l.named(name); !math.IsNaN(v) {
			db := rating.Invert(func(db float64) float64 { return rating.Noise(n, rating.Roads, db, nil) }, v, n.Scale.Zero, n.Scale.Five)
			switch of = wording.Say("db", db); v {
			case 0:
				of = wording.Say("db_or_less", db)
			case 5:
				of = wording.Say("db_or_more", db)
			}
		}
		x.Parts = append(x.Parts, Part{Name: l.r.language.Symbol(name), Value: known(l.named(name)), Of: l.text(of)})
	}
	l.barsHeard(x)
	l.streetsHeard(x)
	if railways {
		l.barrierHeard(x, "railway")
	}
}

// barsHeard adds the level of the places of nightlife within earshot, and lists the nearest.
func (l *location) barsHeard(x *Explanation) {
	const shown = 5
	n := &l.r.c.Noise
	bars := slices.DeleteFunc(l.inLine("nightlife"), func(p *place) bool { return geo.Distance(l.at, p.at) > n.Night.ReachM })
	if len(bars) == 0 {
		return
	}
	var metres []float64
	for k, p := range bars {
		metres = append(metres, geo.Distance(l.at, p.at))
		if k < shown {
			x.Places = append(x.Places, l.straight(wording.Say("heard_at_night"), p, k))
		}
	}
	db := rating.NightlifeDB(&n.Night, metres)
	x.Parts = append(x.Parts, Part{Name: l.r.language.Symbol("nightlife"),
		Value: known(rating.Noise(n, rating.Roads, db, nil)), Of: l.text(wording.Say("db", db))})
}

// streetsHeard lists the five nearest streets for cars, and the nearest of each busier one within the reach of sound.
func (l *location) streetsHeard(x *Explanation) {
	const nearest = 5
	near := l.streetsWithin(l.at, l.r.c.Noise.ReachM)
	shown := map[[2]string]bool{}
	busiest := 0.0
	for i := range near {
		s := &near[i]
		road, ok := l.r.c.Traffic.Of(s.Class, false, 0, 0)
		key := [2]string{s.Name, s.Class}
		if !ok || s.PerDay == 0 || s.Name != "" && shown[key] || len(shown) >= nearest && s.PerDay <= busiest {
			continue
		}
		if s.Name == "" {
			key[0] = s.SourceKey
		}
		shown[key] = true
		busiest = max(busiest, s.PerDay)
		s.KMH = road.SpeedKMH
		l.used[[2]string{s.region, s.SourceID}] = true
		x.Streets = append(x.Streets, s.NearStreet)
	}
	x.Remarks = append(x.Remarks, l.text(wording.Say("vehicles_assumed")))
	l.barrierHeard(x, "motorway")
}

// barrierHeard adds the nearest motorway or railway, which is no street for pedestrians: the release has it as a barrier.
func (l *location) barrierHeard(x *Explanation, kind string) {
	reach := l.r.c.Noise.ReachM
	box := orb.Bound{Min: l.at, Max: l.at}.Pad(2 * reach / geo.MinDegreeM / math.Max(0.1, math.Cos(l.at[1]*math.Pi/180)))
	nearest := line{distance: math.Inf(1)}
	l.eachBarrier(func(k string, vertices orb.LineString) {
		if k != kind || !box.Intersects(vertices.Bound()) {
			return
		}
		b := line{NearStreet: NearStreet{Class: k}}
		if b.measure(l.at, vertices); b.distance < nearest.distance {
			nearest = b
		}
	})
	if nearest.distance > reach {
		if kind == "railway" {
			x.Remarks = append(x.Remarks, l.text(wording.Say("no_railway_above", reach)))
		} else if x.Name == "interchange_noise" {
			x.Remarks = append(x.Remarks, l.text(wording.Say("no_motorway_above", reach)))
		}
		return
	}
	if road, ok := l.r.c.Traffic.Of(kind, false, 0, 0); ok {
		nearest.PerDay, nearest.KMH = road.AADT, road.SpeedKMH
	}
	x.Streets = append(x.Streets, nearest.NearStreet)
}

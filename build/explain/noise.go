package explain

import (
	"fmt"
	"math"

	"quartier/internal/geo"

	"github.com/paulmach/orb"

	"quartier/internal/rating"
)

// describeNoise adds the streets and railways around, and the level of each kind of noise, to the score quiet.
func (l *location) describeNoise(x *Explanation) {
	n := &l.r.c.Noise
	for _, name := range []string{"traffic_noise", "interchange_noise", "railway_noise", "airport_noise"} {
		part := Part{Name: name, Value: known(l.named(name)), Of: "no data"}
		if v := l.named(name); !math.IsNaN(v) {
			db := rating.Invert(func(db float64) float64 { return rating.Noise(n, rating.Roads, db, nil) }, v, n.Scale.Zero, n.Scale.Five)
			part.Of = fmt.Sprintf("%.1f dB", db)
			switch v {
			case 0:
				part.Of += " or less"
			case 5:
				part.Of += " or more"
			}
		}
		x.Parts = append(x.Parts, part)
	}
	l.streetsHeard(x)
	l.barrierHeard(x, "railway")
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
	x.Remarks = append(x.Remarks, "vehicles are counted or assumed for class, lanes and the dwellings around; speeds are those of the class, and the value also takes account of speed limits from the source and of buildings in between")
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
		if kind == "railway" || x.Name == "interchange_noise" {
			x.Remarks = append(x.Remarks, fmt.Sprintf("no %s above ground is within %s m", kind, number(reach)))
		}
		return
	}
	if road, ok := l.r.c.Traffic.Of(kind, false, 0, 0); ok {
		nearest.PerDay, nearest.KMH = road.AADT, road.SpeedKMH
	}
	x.Streets = append(x.Streets, nearest.NearStreet)
}

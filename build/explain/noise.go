package explain

import (
	"fmt"
	"math"

	"quartier/internal/geo"

	"github.com/paulmach/orb"
)

// level is the sound level that a measure of noise stands for, in words.
func (o *origin) level(v float64) string {
	s := o.r.c.Noise.Scale
	switch {
	case v <= 0:
		return fmt.Sprintf("%s dB or less", number(s.Zero))
	case v >= 5:
		return fmt.Sprintf("%s dB or more", number(s.Five))
	}
	return fmt.Sprintf("%.1f dB", s.Zero+v/5*(s.Five-s.Zero))
}

// loud begins the explanation of a measure of noise.
func (o *origin) loud(x *Explanation, what string) {
	s := o.r.c.Noise.Scale
	x.Formula = fmt.Sprintf("5 (L − %s)/%s, L in dB: %s", number(s.Zero), number(s.Five-s.Zero), what)
	x.Constants = constants("scale", fmt.Sprintf("%s to %s dB", number(s.Zero), number(s.Five)), "noise.scale")
	x.NotAnew = "sound is summed up over lanes, speeds, rails, runways and buildings that are not kept in a release"
	if x.Served != nil {
		x.Worked = "the value stands for L = " + o.level(x.Served.Value)
	}
}

func (o *origin) trafficNoise(x *Explanation) error {
	n := o.r.c.Noise
	o.loud(x, fmt.Sprintf("Lden of all streets within %s m in pieces of %s m, 4.5 dB less for twice the distance, less rows of houses between", number(n.ReachM), number(n.PieceM)))
	x.Constants = append(x.Constants, constants("vehicles", "a day by class of street", "traffic.classes", "nearest", number(n.MinM)+" m", "noise.least_m",
		"a vehicle at 15 m", fmt.Sprintf("%s log v %+.1f dB", number(n.Vehicles.Auto[0]), n.Vehicles.Auto[1]), "noise.vehicles")...)
	if x.Served == nil {
		x.Absent = "no noise is told here"
		return nil
	}
	return o.heard(x)
}

func (o *origin) interchangeNoise(x *Explanation) error {
	r := o.r.c.Noise.Interchange
	o.loud(x, fmt.Sprintf("of motorways and ramps within %s m of a motorway junction, ramps within %s m of it %s dB louder", number(r.NearM), number(r.RampM), number(r.RampDB)))
	x.Constants = append(x.Constants, constants("near, ramps, louder", fmt.Sprintf("%s m, %s m, %s dB", number(r.NearM), number(r.RampM), number(r.RampDB)), "noise.interchange")...)
	if x.Served == nil {
		x.Absent = "no noise is told here"
		return nil
	}
	return o.barriersHeard(x, "motorway")
}

func (o *origin) railwayNoise(x *Explanation) error {
	r := o.r.c.Noise.Rail
	o.loud(x, fmt.Sprintf("Ldn of tracks within %s m by use: trains of the timetable, else assumed ones; horns within %s m of level crossings", number(o.r.c.Noise.ReachM), number(r.HornM)))
	main := r.Tracks["main"]
	x.Constants = append(x.Constants, constants("a main track", fmt.Sprintf("%s trains a day of %s locomotives and %s cars", number(main.TrainsDay), number(main.Locomotives), number(main.Cars)),
		"noise.rail.tracks", "horn", number(r.HornDB)+" dB", "noise.rail.horn_db", "a car", number(r.CarDB)+" dB", "noise.rail.car_db")...)
	if x.Served == nil {
		x.Absent = "no source of the region tells what lies beside the streets, and nothing is heard"
		return nil
	}
	return o.barriersHeard(x, "railway")
}

func (o *origin) airportNoise(x *Explanation) error {
	a := o.r.c.Noise.Air
	o.loud(x, fmt.Sprintf("DNL of aircraft gliding to both ends of every runway: %s dB at %s m of %s movements a year, %s dB less for ten times the distance and %s dB less a kilometre beyond",
		number(a.LevelDB), number(a.AtM), number(a.ReferenceOps), number(a.Slope), number(a.DampDBKM)))
	x.Constants = append(x.Constants, constants("aircraft", number(a.LevelDB)+" dB", "noise.air.level_db", "movements", "by class of aerodrome", "noise.air.fields")...)
	if x.Served == nil {
		x.Absent = "no source of the region tells what lies beside the streets, and nothing is heard"
		return nil
	}
	x.Remarks = append(x.Remarks, "runways are not kept in a release")
	return nil
}

// heard lists the five nearest streets that cars use, and the nearest of each busier class within reach.
func (o *origin) heard(x *Explanation) error {
	const nearest = 5
	near, err := o.streetsWithin(o.at, o.r.c.Noise.ReachM)
	if err != nil {
		return err
	}
	shown := map[[2]string]bool{}
	busiest := 0.0
	for i := range near {
		l := &near[i]
		road, ok := o.r.c.Traffic.Of(l.Class, false, 0, 0)
		key := [2]string{l.Name, l.Class}
		if !ok || l.Name != "" && shown[key] || len(shown) >= nearest && road.AADT <= busiest {
			continue
		}
		if l.Name == "" {
			key[0] = l.SourceKey
		}
		shown[key] = true
		busiest = max(busiest, road.AADT)
		l.PerDay, l.KMH = road.AADT, road.SpeedKMH
		o.used[[2]string{l.region, l.SourceID}] = true
		x.Streets = append(x.Streets, l.NearStreet)
	}
	x.Remarks = append(x.Remarks, "vehicles and speeds are those of the class; the value also counts lanes, one-ways and limits that the source tells, and buildings between")
	return o.barriersHeard(x, "motorway")
}

// barriersHeard adds the nearest motorway or railway, which nobody walks along: the release keeps them as barriers.
func (o *origin) barriersHeard(x *Explanation, kind string) error {
	reach := o.r.c.Noise.ReachM
	box := orb.Bound{Min: o.at, Max: o.at}.Pad(2 * reach / geo.MinDegreeM / math.Max(0.1, math.Cos(o.at[1]*math.Pi/180)))
	nearest := line{distance: math.Inf(1)}
	err := o.eachBarrier(func(k string, vertices orb.LineString) {
		if k != kind || !box.Intersects(vertices.Bound()) {
			return
		}
		l := line{NearStreet: NearStreet{Class: k}}
		if l.measure(o.at, vertices); l.distance < nearest.distance {
			nearest = l
		}
	})
	if err != nil {
		return err
	}
	if nearest.distance > reach {
		if kind == "railway" || x.Name == "interchange_noise" {
			x.Remarks = append(x.Remarks, fmt.Sprintf("no %s in the open is within %s m", kind, number(reach)))
		}
		return nil
	}
	if road, ok := o.r.c.Traffic.Of(kind, false, 0, 0); ok {
		nearest.PerDay, nearest.KMH = road.AADT, road.SpeedKMH
	}
	x.Streets = append(x.Streets, nearest.NearStreet)
	return nil
}

// quiet explains the sum of all noise, which follows from the score (methods, 2).
func (o *origin) quiet(x *Explanation) error {
	q := o.r.c.Scores.Quiet
	x.Formula = fmt.Sprintf("5 (%s − L)/%s, from 0 to 5, less %s × nightlife_access/5; L in dB of streets, trains and aircraft together, aircraft %s dB more",
		number(q.LoudDB), number(q.LoudDB-q.QuietDB), number(q.Nightlife), number(o.r.c.Noise.Air.WeightDB))
	x.Constants = constants("loud and quiet", fmt.Sprintf("%s and %s dB", number(q.LoudDB), number(q.QuietDB)), "scores.quiet", "nightlife", number(q.Nightlife), "scores.quiet",
		"aircraft", number(o.r.c.Noise.Air.WeightDB)+" dB more", "noise.air.weight_db")
	x.NotAnew = "the level of all sound together is worked out in a build and not kept in a release; it follows from the served value"
	if x.Served == nil {
		x.Absent = "no noise is told here"
		return nil
	}
	nightlife := o.value("nightlife_access")
	off := 0.0
	if !math.IsNaN(nightlife) {
		off = q.Nightlife * nightlife / 5
	}
	x.Worked = fmt.Sprintf("the value stands for L = %s: %.4f, less %.4f for nightlife", o.allNoise(x.Served.Value, off), x.Served.Value+off, off)
	if a, b := x.Nodes[0], x.Nodes[1]; a != nil && b != nil && (*a <= 0) != (*b <= 0) {
		x.Remarks = append(x.Remarks, fmt.Sprintf("louder than the scale ends at one node, so that L between is too low: %s and %s at the nodes", o.allNoise(*a, off), o.allNoise(*b, off)))
	}
	for _, name := range []string{"traffic_noise", "interchange_noise", "railway_noise", "airport_noise"} {
		of := "absent"
		if v := o.value(name); !math.IsNaN(v) {
			of = o.level(v)
		}
		x.Parts = append(x.Parts, Part{Name: name, Value: known(o.value(name)), Of: of})
	}
	x.Parts = append(x.Parts, Part{Name: "nightlife_access", Value: known(nightlife), Of: asServed, Weight: -q.Nightlife / 5, Part: known(-off)})
	if err := o.heard(x); err != nil {
		return err
	}
	if err := o.barriersHeard(x, "railway"); err != nil {
		return err
	}
	return o.below(x, "nightlife_access")
}

// allNoise is the level that a value of quiet stands for, off being what nightlife takes.
func (o *origin) allNoise(quiet, off float64) string {
	q := o.r.c.Scores.Quiet
	level := fmt.Sprintf("%.1f dB", q.LoudDB-(quiet+off)/5*(q.LoudDB-q.QuietDB))
	switch {
	case quiet <= 0:
		return level + " or more"
	case quiet+off >= 4.9999:
		return number(q.QuietDB) + " dB or less"
	}
	return level
}

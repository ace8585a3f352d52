package rating

import (
	"math"

	"quartier/schemas/calibration"
)

// CarInputs are what car_friendly is made of; NaN without data.
type CarInputs struct {
	Errands              float64 // 0–1: share of errands within a short drive
	RampMin, ArterialMin float64 // minutes of driving
	ParkingShare         float64 // 0–1: share of land that is parking
	LaneLoad             float64 // vehicles a day per lane
	ActivityKM2          float64 // people and visitors per km²
}

// Car is car_friendly: how easy driving and parking are, and how far one gets by car. Unknown parts of
// access are estimated; the two others are needed (docs/methods.md, 1.9).
//
// A village with a shop 12 minutes of driving away from the others and a highway (errands 0.6, ramp 0.5, arterial 1), of
// 500 people per km²: access 0.68, room 1, flow 1, so 5 · 0.68^0.75 = 3.7. A downtown core of 11,000 people and visitors
// per km² with 7,400 vehicles a day on a lane: access 1, room 0.28, flow 0.92, so 1.3.
func Car(all *calibration.Calibration, in CarInputs, t *Trace) float64 {
	c := &all.Scores
	access, parking, flow := carAccess(all, in, t), carParking(c, in, t), carFlow(c, in, t)
	power := c.Car.AccessPower
	score := 5 * math.Pow(access, power) * parking * flow
	if t != nil {
		t.step("", formula("5 × {access}^{p} × {parking} × {flow}"), score, value("access", access), value("parking", parking),
			value("flow", flow),
			constant("p", power, "", "scores.car.access_power"))
	}
	return score
}

// carAccess is what can be reached by car, 0–1.
func carAccess(all *calibration.Calibration, in CarInputs, t *Trace) float64 {
	w, d := &all.Scores.Car.Access, &all.Scores.Drive
	parts := [...]float64{in.Errands, Driven(d.Ramp, in.RampMin), Driven(d.Arterial, in.ArterialMin)}
	e := estimated(all.Estimates.Car, w.Errands, w.Ramp, w.Arterial)
	mean, of := e.blend(all.Estimates.MaxResidual, 5, parts[:])
	mean = clamp(mean)
	if t != nil {
		t.step("errands", say("driven_errands"), in.Errands,
			constant("full", d.Errands.Full, "min", "scores.drive.errands.full_min"),
			constant("none", d.Errands.None, "min", "scores.drive.errands.none_min"),
			constant("speed", d.SpeedShare, "of the limit", "scores.drive.speed_share"))
		t.driven("ramp", "ramp", d.Ramp, in.RampMin)
		t.driven("arterial", "arterial", d.Arterial, in.ArterialMin)
		e.blended(t, "access", "scores.car.access", mean, of, parts[:], "errands", "ramp", "arterial")
	}
	return mean
}

// carParking is how easy parking is, 0–1: where there is room there are driveways and free kerbs, elsewhere there may be
// lots. Lots that are unknown add nothing.
func carParking(c *calibration.Scores, in CarInputs, t *Trace) float64 {
	r, l := &c.Car.Room, &c.Car.Lots
	room := 1 / (1 + math.Pow(in.ActivityKM2/r.HalfKM2, r.Power))
	lots := l.Worth * clamp(in.ParkingShare/l.Full)
	parking := room
	if !math.IsNaN(lots) {
		parking = 1 - (1-lots)*(1-room)
	}
	if t != nil {
		t.step("room", formula("1/(1 + ({activity}/{half})^{power})"), room,
			quantity("activity", in.ActivityKM2, "people and visitors/km²"),
			constant("half", r.HalfKM2, "/km²", "scores.car.room.half_km2"), constant("power", r.Power, "", "scores.car.room.power"),
			constant("visitors", c.Congestion.Visitors, "of a place", "scores.congestion.visitors"))
		share := []Var{value("share of land", in.ParkingShare), constant("worth", l.Worth, "", "scores.car.lots.worth"),
			constant("full share", l.Full, "", "scores.car.lots.full_share")}
		if math.IsNaN(lots) {
			t.step("lots", say("worth_of_lots"), lots, share...)
			t.step("parking", say("lots_unknown"), parking, value("room", room))
			return parking
		}
		t.step("lots", formula("{worth} × {clamp}({share of land}/{full share})"), lots, share...)
		t.step("parking", formula("1 − (1 − {lots}) × (1 − {room})"), parking, value("lots", lots), value("room", room))
	}
	return parking
}

// carFlow is the mean speed over that of empty streets, 0–1.
func carFlow(c *calibration.Scores, in CarInputs, t *Trace) float64 {
	f := &c.Car.Flow
	flow := 1 / (1 + f.Delay*math.Pow(in.LaneLoad/f.FullLane, f.Power))
	if t != nil {
		t.step("flow", formula("1/(1 + {delay} × ({load}/{full})^{power})"), flow, quantity("load", in.LaneLoad, "vehicles/day/lane"),
			constant("delay", f.Delay, "of the time", "scores.car.flow.delay"),
			constant("full", f.FullLane, "vehicles/day", "scores.car.flow.full_lane"),
			constant("power", f.Power, "", "scores.car.flow.power"))
	}
	return flow
}

// driven records the worth of a driving time.
func (t *Trace) driven(symbol, path string, m calibration.Minutes, minutes float64) {
	t.step(symbol, formula("{clamp}(({none} − {drive})/({none} − {full}))"), Driven(m, minutes), quantity("drive", minutes, "min"),
		constant("none", m.None, "min", "scores.drive."+path+".none_min"), constant("full", m.Full, "min", "scores.drive."+path+".full_min"))
}

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

// Car is car_friendly: how easy driving and parking are, and how far one gets by car. Half of the weight of each is
// needed (docs/methods.md, 1.9).
//
// A village with a shop, far from a highway (errands 0.6, ramp 0, arterial 1), with little traffic and room to park:
// access 0.55, ease 0.85, so 5 · 0.55^0.4 · 0.85^0.6 = 3.6. A downtown core has access 0.95 and ease 0.04: 0.7.
func Car(c *calibration.Scores, in CarInputs, t *Trace) float64 {
	access, ease := carAccess(c, in, t), carEase(c, in, t)
	power := c.Car.AccessPower
	score := 5 * math.Pow(access, power) * math.Pow(ease, 1-power)
	if t != nil {
		t.step("", "5 × {access}^{p} × {ease}^(1 − {p})", score, value("access", access), value("ease", ease),
			constant("p", power, "", "scores.car.access_power"))
	}
	return score
}

// carAccess is what can be reached by car, 0–1.
func carAccess(c *calibration.Scores, in CarInputs, t *Trace) float64 {
	w, d := &c.Car.Access, &c.Drive
	ramp, arterial := Driven(d.Ramp, in.RampMin), Driven(d.Arterial, in.ArterialMin)
	parts := [...]Weighted{{in.Errands, w.Errands}, {ramp, w.Ramp}, {arterial, w.Arterial}}
	mean := Blend(c.MinWeight, parts[:]...)
	if t != nil {
		t.step("errands", "Σ weight × clamp((none − minutes)/(none − full))/Σ weights over the nearest place of each kind of errand", in.Errands,
			constant("full", d.Errands.Full, "min", "scores.drive.errands.full_min"), constant("none", d.Errands.None, "min", "scores.drive.errands.none_min"),
			constant("speed", d.SpeedShare, "of the limit", "scores.drive.speed_share"))
		t.driven("ramp", "ramp", d.Ramp, in.RampMin)
		t.driven("arterial", "arterial", d.Arterial, in.ArterialMin)
		t.means("access", "scores.car.access", mean, parts[:], "errands", "ramp", "arterial")
	}
	return mean
}

// carEase is how easy driving and parking are, 0–1. Parking is where there are lots or room: a driveway, a free kerb.
func carEase(c *calibration.Scores, in CarInputs, t *Trace) float64 {
	w := &c.Car.Ease
	lots := clamp(in.ParkingShare / c.Parking)
	room := 1 - clamp(math.Log10(in.ActivityKM2/c.Density.FromKM2)/c.Density.Decades)
	parking := 1 - (1-lots)*(1-room)
	flow := clamp((c.Car.FullLane - in.LaneLoad) / (c.Car.FullLane - c.Car.FreeLane))
	parts := [...]Weighted{{parking, w.Parking}, {flow, w.Flow}, {room, w.Room}}
	mean := Blend(c.MinWeight, parts[:]...)
	if t != nil {
		t.step("lots", "clamp({share of land}/{full share})", lots, value("share of land", in.ParkingShare),
			constant("full share", c.Parking, "", "scores.parking_full_share"))
		t.step("room", "1 − clamp(log10({activity}/{from})/{decades})", room, quantity("activity", in.ActivityKM2, "people and visitors/km²"),
			constant("from", c.Density.FromKM2, "/km²", "scores.density.from_km2"), constant("decades", c.Density.Decades, "", "scores.density.decades"),
			constant("visitors", c.Congestion.Visitors, "of a place", "scores.congestion.visitors"))
		t.step("parking", "1 − (1 − {lots}) × (1 − {room})", parking, value("lots", lots), value("room", room))
		t.step("flow", "clamp(({full} − {load})/({full} − {free}))", flow, quantity("load", in.LaneLoad, "vehicles/day/lane"),
			constant("full", c.Car.FullLane, "vehicles/day", "scores.car.full_lane"), constant("free", c.Car.FreeLane, "vehicles/day", "scores.car.free_lane"))
		t.means("ease", "scores.car.ease", mean, parts[:], "parking", "flow", "room")
	}
	return mean
}

// driven records the worth of a driving time.
func (t *Trace) driven(symbol, path string, m calibration.Minutes, minutes float64) {
	t.step(symbol, "clamp(({none} − {drive})/({none} − {full}))", Driven(m, minutes), quantity("drive", minutes, "min"),
		constant("none", m.None, "min", "scores.drive."+path+".none_min"), constant("full", m.Full, "min", "scores.drive."+path+".full_min"))
}

// means records a mean that is itself a part of the value.
func (t *Trace) means(symbol, path string, mean float64, parts []Weighted, names ...string) {
	first := len(t.Parts)
	t.mean(symbol, path, mean, parts, names...)
	for i := range t.Parts[first:] {
		t.Parts[first+i].Of = "in " + symbol
	}
}

package noise

import (
	"math"

	"quartier/internal/coord"
	"quartier/schemas/calibration"
	"quartier/transform/network/street"
)

// emission is the strength of a street: FHWA's level for an hour of the mean of the day, as energy, times the power of
// the distance that it is told for. S is in km/h; of slow cars the level is that of LeastSpeedKMH.
func emission(r calibration.Road, v calibration.Vehicles, soft float64) float64 {
	speed := math.Log10(max(r.SpeedKMH, v.MinSpeedKMH))
	an := func(share float64, level [2]float64) float64 {
		perHour := r.AADT / 24 * share
		return decibels(level[0]*speed+level[1]) * perHour * math.Pi * v.AtM / (1000 * max(r.SpeedKMH, v.SlowestKMH))
	}
	return (an(1-r.Heavy, v.Auto) + an(r.Heavy, v.Heavy)) * math.Pow(v.AtM, 1+soft) / math.Pi
}

// decibels is the energy of a level.
func decibels(db float64) float64 { return math.Pow(10, db/10) }

// level is the level of an energy.
func level(energy float64) float64 { return 10 * math.Log10(energy) }

// reachOf is how far an endless line of a strength is heard.
func reachOf(strength float64, g *ground, c *calibration.Noise) float32 {
	return float32(min(c.ReachM, math.Pow(strength*g.whole()/decibels(c.ReachDB), 1/(1+g.soft))))
}

// roads are the pieces of all streets with cars that are heard: not those in tunnels, nor driveways.
func roads(streets []street.Street, near func(p coord.Point, metres float64) bool, g *ground, c *calibration.Calibration) *byReach {
	pieces := &byReach{}
	n := &c.Noise
	for i := range streets {
		s := &streets[i]
		if s.Car == "no" || s.Tunnel {
			continue
		}
		road, ok := c.Traffic.Of(s.Class, s.Car != "both", s.Lanes, s.SpeedKMH)
		if !ok {
			continue
		}
		strength := emission(road, n.Vehicles, n.Soft)
		if float64(reachOf(strength, g, n)) < 2*n.MinM {
			continue
		}
		cutLine(s.Line, n.PieceM, func(a, b coord.Point) {
			p := newPiece(a, b, strength)
			if isRamp(s.Class) || s.Class == "motorway" {
				p.ramp = near(p.middle(), n.Interchange.NearM)
			}
			if isRamp(s.Class) && near(p.middle(), n.Interchange.RampM) {
				p.strength *= decibels(n.Interchange.RampDB)
			}
			p.reach = reachOf(p.strength, g, n)
			pieces.add(p)
		})
	}
	return pieces
}

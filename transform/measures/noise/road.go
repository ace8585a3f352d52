package noise

import (
	"math"

	"quartier/internal/coord"
	"quartier/schemas/calibration"
	"quartier/transform/network/street"
)

// emission is the strength of a street: FHWA's level for the mean hour of a day, as energy, times a power of its
// reference distance. Speeds are in km/h; below MinSpeedKMH the level is that of MinSpeedKMH.
func emission(r calibration.Road, v calibration.Vehicles, soft float64) float64 {
	speed := math.Log10(max(r.SpeedKMH, v.MinSpeedKMH))
	hourly := func(share float64, level [2]float64) float64 {
		perHour := r.AADT / 24 * share
		return energyOf(level[0]*speed+level[1]) * perHour * math.Pi * v.AtM / (1000 * max(r.SpeedKMH, v.SlowestKMH))
	}
	return (hourly(1-r.Heavy, v.Auto) + hourly(r.Heavy, v.Heavy)) * math.Pow(v.AtM, 1+soft) / math.Pi
}

// energyOf is the energy of a level in dB.
func energyOf(db float64) float64 { return math.Pow(10, db/10) }

// level is that of an energy, in dB.
func level(energy float64) float64 { return 10 * math.Log10(energy) }

// reachOf is the distance in metres at which an endless line of the strength is no longer audible.
func reachOf(strength float64, g *propagation, c *calibration.Noise) float32 {
	return float32(min(c.ReachM, math.Pow(strength*g.halfTurn()/energyOf(c.ReachDB), 1/(1+g.exponent))))
}

// roads are the pieces of streets that are audible.
type roads struct {
	all    piecesByReach // of all of them
	beyond piecesByReach // with the traffic that is there only if a street leads somewhere beyond the edge (street.Flow.Beyond)
	ramps  piecesByReach // of motorways that are part of an interchange if one is beyond the edge
}

// junctions says where motorway junctions are.
type junctions struct {
	near   func(p coord.Point, metres float64) bool // one is within so many metres
	beyond func(p coord.Point, metres float64) bool // one may be there on unknown ground
}

// newRoads cuts all streets with audible car traffic, except tunnels and driveways.
func newRoads(streets []street.Street, j junctions, g *propagation, n *calibration.Noise) *roads {
	r := &roads{}
	for i := range streets {
		s := &streets[i]
		if s.Flow.AADT == 0 || s.Tunnel {
			continue
		}
		strength := emission(s.Flow.Road, n.Vehicles, n.Soft)
		if float64(reachOf(strength, g, n)) < 2*n.MinM {
			continue
		}
		cutLine(s.Line, n.PieceM, func(a, b coord.Point) {
			p := newPiece(a, b, strength)
			middle, highway := p.middle(), isRamp(s.Class) || s.Class == "motorway"
			p.ramp = highway && j.near(middle, n.Interchange.NearM)
			if isRamp(s.Class) && j.near(middle, n.Interchange.RampM) {
				p.strength *= energyOf(n.Interchange.RampDB)
			}
			p.reach = reachOf(p.strength, g, n)
			r.all.add(p)
			if highway && !p.ramp && j.beyond(middle, n.Interchange.NearM) {
				r.ramps.add(p)
			}
			if s.Flow.Beyond > 0 {
				p.strength *= s.Flow.Beyond / s.Flow.AADT
				r.beyond.add(p)
			}
		})
	}
	return r
}

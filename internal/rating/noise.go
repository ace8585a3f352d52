package rating

import (
	"math"

	"quartier/schemas/calibration"
)

// NoiseSource is a source of sound with a measure of its own.
type NoiseSource int

// The sources of sound.
const (
	Roads NoiseSource = iota
	Interchanges
	Railways
	Aircraft
)

// Noise is a measure of noise of the sound level in dB (docs/methods.md, 2).
func Noise(c *calibration.Noise, source NoiseSource, db float64, t *Trace) float64 {
	score := 5 * clamp((db-c.Scale.Zero)/(c.Scale.Five-c.Scale.Zero))
	if t != nil {
		t.level(c, source, db)
		t.step("", formula("5 {clamp}(({L} − {zero})/({five} − {zero}))"), score, quantity("L", db, "dB"),
			constant("zero", c.Scale.Zero, "dB", "noise.scale.zero"), constant("five", c.Scale.Five, "dB", "noise.scale.five"))
	}
	return score
}

// NightlifeDB is the Lden of places of nightlife at some distances in metres in a straight line, of those within ReachM
// (docs/methods.md, 2); -Inf without any.
//
// A street with one every 20 m on both ends of the view has LevelDB + 10·log10(π·15/20) = LevelDB + 3.7 dB at 15 m.
func NightlifeDB(c *calibration.Night, metres []float64) float64 {
	sum := 0.0
	for _, d := range metres {
		if d <= c.ReachM {
			sum += math.Pow(c.AtM/max(d, c.AtM), 2)
		}
	}
	return c.LevelDB + 10*math.Log10(sum)
}

// level records what a sound level is made of.
func (t *Trace) level(c *calibration.Noise, source NoiseSource, db float64) {
	switch source {
	case Roads:
		t.step("L", say("streets_lden", c.ReachM, c.PieceM), db,
			constants("a car at 15 m: slope and level over log10 of the speed", c.Vehicles.Auto[:], "dB", "noise.vehicles.auto"),
			constant("distance at least", c.MinM, "m", "noise.least_m"),
			constant("evening", c.Vehicles.EveningDB, "dB", "noise.vehicles.evening_db"))
	case Interchanges:
		i := c.Interchange
		t.step("L", say("interchanges_lden", i.NearM, i.RampM, i.RampDB), db,
			constant("junction within", i.NearM, "m", "noise.interchange.near_m"), constant("ramp", i.RampDB, "dB", "noise.interchange.ramp_db"))
	case Railways:
		main := c.Rail.Tracks["main"]
		t.step("L", say("tracks_ldn", c.ReachM, c.Rail.HornM), db,
			constant("trains on a main track", main.TrainsDay, "a day", "noise.rail.tracks.main.trains_day"),
			constant("horn", c.Rail.HornDB, "dB", "noise.rail.horn_db"),
			constant("a car", c.Rail.CarDB, "dB", "noise.rail.car_db"))
	case Aircraft:
		a := c.Air
		t.step("L", say("aircraft_dnl", a.LevelDB, a.AtM, a.ReferenceOps, a.Slope, a.DampDBKM), db,
			constant("aircraft", a.LevelDB, "dB", "noise.air.level_db"),
			constant("movements of an international aerodrome", a.Fields["international"].Ops, "a year", "noise.air.fields.international.ops"))
	}
}

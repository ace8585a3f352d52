package rating

import (
	"math"

	"quartier/schemas/calibration"
)

// The constants that normalise are worked out from reference places, which stand beside them in the calibration.

// GravityG0 is the G0 by which the reference place of a gravity scores reference of 5.
func GravityG0(w *Walk, g calibration.Gravity, reference float64) float64 {
	var worths []float64
	for _, near := range g.Reference {
		for range near.Places {
			worths = append(worths, w.Worth(near.Metres))
		}
	}
	return scale(Gravity(g.Lambda, worths[:min(len(worths), g.Places)]), reference)
}

// ParkG0 is the G0 of park_access_weighted_by_area.
func ParkG0(w *Walk, p calibration.ParkSizes, reference float64) float64 {
	g := 0.0
	for _, park := range p.Reference {
		size := p.BandsHa[Band(p.BandsHa, park.Hectares)]
		g += ParkMass(size) * w.Worth(park.Metres/ParkStretch(size))
	}
	return scale(g, reference)
}

// FrontageL0 is the metres by which pedestrian_oriented_street_access is normalised.
func FrontageL0(w *Walk, f calibration.Frontage, reference float64) float64 {
	sum := 0.0
	for _, road := range f.Reference {
		sum += road.LengthM * w.Worth(road.Metres)
	}
	return scale(sum, reference)
}

// TransitPerfect is the weighted departures a week that score 5.
func TransitPerfect(w *Walk, t calibration.Transit, channel string, reference float64) float64 {
	raw := 0.0
	for _, line := range t.Kinds[channel].Reference {
		raw += float64(line.Lines) * line.TripsWeek * t.Modes[line.Mode] * w.Worth(line.Metres)
	}
	return math.Expm1(math.Log1p(raw) * 5 / reference)
}

// VibrantN0 is the number of places by which vibrant is normalised.
func VibrantN0(v calibration.Vibrant, reference float64) float64 {
	return scale(float64(v.Reference), reference)
}

// scale is the g0 by which g scores reference.
func scale(g, reference float64) float64 { return -g / math.Log(1-reference/5) }

package rating

import (
	"math"

	"quartier/schemas/calibration"
)

// The constants of normalisers are computed from reference places, which are next to them in the calibration; a test
// checks them.

// GravityG0 is the G0 with which the reference place of a gravity scores reference of 5.
func GravityG0(w *Decay, g calibration.Gravity, reference float64) float64 {
	var metres []float64
	for _, near := range g.Reference {
		for range near.Places {
			metres = append(metres, near.Metres)
		}
	}
	return scale(w.Sum(geometric(1, g.Lambda, g.Places), metres, 1, nil), reference)
}

// ParkG0 is the G0 of park_access_weighted_by_area.
func ParkG0(w *Decay, p calibration.ParkSizes, reference float64) float64 {
	g, bands := 0.0, ParkBands(&p, w)
	for _, park := range p.Reference {
		g += bands[Band(p.BandsHa, park.Hectares)].Sum([]float64{park.Metres}, nil)
	}
	return scale(g, reference)
}

// FrontageL0 is the metres by which pedestrian_oriented_street_access is normalised.
func FrontageL0(w *Decay, f calibration.Frontage, reference float64) float64 {
	sum := 0.0
	for _, road := range f.Reference {
		sum += road.LengthM * w.At(road.Metres)
	}
	return scale(sum, reference)
}

// TransitPerfect is the weighted departures a week that score 5.
func TransitPerfect(w *Decay, t calibration.Transit, channel string, reference float64) float64 {
	raw := 0.0
	for _, line := range t.Kinds[channel].Reference {
		raw += float64(line.Lines) * line.TripsWeek * t.Modes[line.Mode] * w.At(line.Metres)
	}
	return math.Expm1(math.Log1p(raw) * 5 / reference)
}

// VibrantN0 is the number of places by which vibrant is normalised.
func VibrantN0(v calibration.Vibrant, reference float64) float64 {
	return scale(float64(v.Reference), reference)
}

// scale is the g0 with which g scores reference.
func scale(g, reference float64) float64 { return -g / math.Log(1-reference/5) }

package rating

import (
	"math"
	"slices"

	"quartier/schemas/calibration"
)

// ParkSize is the size in hectares with which a park counts; 0: unknown.
func ParkSize(c *calibration.Access, hectares float64) float64 {
	if hectares == 0 {
		return c.ParkUnknownHa
	}
	return hectares
}

// ParkAccess is park_access of the metres to the nearest parks of at least ParkMinHa (docs/methods.md, 5).
func ParkAccess(c *calibration.Access, w *Decay, metres []float64, t *Trace) float64 {
	sum := w.Sum(c.ParkSlots, metres, 1, t)
	score := 5 * sum / Total(c.ParkSlots)
	if t != nil {
		t.step("S", say("parks_sum", len(c.ParkSlots), c.ParkMinHa), sum,
			constants("weights", c.ParkSlots, "", "access.park_slots"), constant("minimum size", c.ParkMinHa, "ha", "access.park_least_ha"),
			constant("size of a park without an outline", c.ParkUnknownHa, "ha", "access.park_unknown_ha"))
		t.step("", formula("5 × {S}/{Σ weights}"), score, value("S", sum), value("Σ weights", Total(c.ParkSlots)))
	}
	return score
}

// ParkBand is the parks of one band of sizes, which all count with its lower end.
type ParkBand struct {
	FromHa  float64
	ReachM  float64 // farther parks do not count
	Weights []float64
	factor  float64
	walk    *Decay
}

// ParkBands are the bands of sizes by which parks count in park_access_weighted_by_area.
func ParkBands(p *calibration.ParkSizes, w *Decay) []ParkBand {
	var bands []ParkBand
	for _, size := range p.BandsHa {
		factor := parkDistanceFactor(size)
		bands = append(bands, ParkBand{size, w.Reach() * factor, slices.Repeat([]float64{parkWeight(size)}, p.Places), factor, w})
	}
	return bands
}

// Sum is what the nearest parks of the band add to G.
func (b *ParkBand) Sum(metres []float64, t *Trace) float64 {
	return b.walk.Sum(b.Weights, metres, b.factor, t)
}

// parkDistanceFactor is by how much farther people walk to a park of the given size in hectares.
func parkDistanceFactor(hectares float64) float64 { return 1 + math.Log10(max(hectares, 1)) }

// parkWeight is the weight of a park of the given size in hectares; one of 1 ha has 1.
func parkWeight(hectares float64) float64 { return math.Sqrt(hectares) }

// Band is the index of the greatest of the rising bands that is at most size; -1 if all are greater.
func Band(bands []float64, size float64) int {
	band := -1
	for i, from := range bands {
		if size >= from {
			band = i
		}
	}
	return band
}

// ParksBySize is park_access_weighted_by_area of the sum over all bands (docs/methods.md, 5).
func ParksBySize(p *calibration.ParkSizes, sum float64, t *Trace) float64 {
	score := Saturate(sum, p.G0)
	if t != nil {
		t.step("G", say("park_bands_sum", p.Places), sum,
			constants("bands from", p.BandsHa, "ha", "access.park_sizes.bands_ha"),
			constant("places", float64(p.Places), "", "access.park_sizes.places"))
		t.step("", formula(saturation), score, value("G", sum), constant("G0", p.G0, "", "access.park_sizes.g0"))
	}
	return score
}

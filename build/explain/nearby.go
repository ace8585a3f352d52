package explain

import (
	"cmp"
	"fmt"
	"math"

	"quartier/internal/network"
	"quartier/internal/rating"
	"quartier/schemas/calibration"
)

// gravity explains a sum over the nearest places (methods, 1.2).
func (o *origin) gravity(x *Explanation, path string, g calibration.Gravity) error {
	x.Formula = fmt.Sprintf("5 (1 − exp(−G/G0)), G = Σ λ^(k−1) W(d_k) over the %d nearest of class %s", g.Places, words(g.Class))
	x.Constants = constants("λ", number(g.Lambda), path+".lambda", "places", fmt.Sprint(g.Places), path+".places", "G0", number(g.G0), path+".g0")
	if !o.ready(x, g.Class) {
		return nil
	}
	places, err := o.nearest([]string{g.Class}, g.Places, o.r.walk.Reach(), nil)
	if err != nil {
		return err
	}
	weight := 1.0
	for k, p := range places {
		x.Places = append(x.Places, o.row(p, k, 1, weight))
		weight *= g.Lambda
	}
	sum := func(farther network.Distance) float64 { return rating.Gravity(g.Lambda, o.worths(places, farther, 1)) }
	o.anew(x, func(farther network.Distance) float64 { return rating.Saturate(sum(farther), g.G0) })
	x.Worked = fmt.Sprintf("G = %.4f; 5 (1 − exp(−%.4f/%s)) = %.4f", sum(0), sum(0), number(g.G0), rating.Saturate(sum(0), g.G0))
	if len(places) == 0 {
		return o.beyond(x, g.Class)
	}
	return nil
}

// beyond tells how far the nearest place is that is too far to count.
func (o *origin) beyond(x *Explanation, class string) error {
	const times = 4
	places, err := o.nearest([]string{class}, 1, times*o.r.walk.Reach(), nil)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("no %s within %.0f m on foot", words(class), o.r.walk.Reach())
	if len(places) > 0 {
		p := o.row(places[0], 0, 1, 0)
		text += fmt.Sprintf("; the nearest, %s (%s), is %.0f m away", cmp.Or(p.Name, "nameless"), p.Key, p.M)
	} else {
		text += fmt.Sprintf(", nor within %.0f", times*o.r.walk.Reach())
	}
	x.Remarks = append(x.Remarks, text)
	return nil
}

// proximity explains the nearest place (methods, 1.3).
func (o *origin) proximity(x *Explanation, path string, p calibration.Proximity) error {
	x.Formula = fmt.Sprintf("5 (1 − ln(d/near)/ln(far/near)) of the way d to the nearest of class %s; 5 up to near, 0 from far on", words(p.Class))
	x.Constants = constants("near", number(p.NearM)+" m", path+".near_m", "far", number(p.FarM)+" m", path+".far_m")
	if !o.ready(x, p.Class) {
		return nil
	}
	return o.nearestOne(x, p.Class, p.FarM, func(metres float64) float64 { return rating.LogRamp(metres, p.NearM, p.FarM) })
}

// school explains the distance to the nearest school (methods, 1.9).
func (o *origin) school(x *Explanation, score string, stretch float64) error {
	class := map[string]string{"primary_schools": "primary_school", "high_schools": "high_school", "daycares": "daycare"}[score]
	curve, text := o.r.c.Education.Curve, ""
	for i, point := range curve {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s at %s m", number(point[1]), number(point[0]*stretch))
	}
	x.Formula = fmt.Sprintf("the curve of the way to the nearest of class %s: %s; straight between", words(class), text)
	x.Constants = constants("curve", "metres and score", "education.curve", "distances times", number(stretch), "education.stretch."+score)
	if !o.ready(x, class) {
		return nil
	}
	return o.nearestOne(x, class, stretch*curve[len(curve)-1][0], func(metres float64) float64 { return rating.Piecewise(curve, metres/stretch) })
}

// nearestOne explains what is made of the way to the nearest place.
func (o *origin) nearestOne(x *Explanation, class string, farM float64, score func(metres float64) float64) error {
	places, err := o.nearest([]string{class}, 1, farM, nil)
	if err != nil {
		return err
	}
	if len(places) == 0 {
		o.anew(x, func(network.Distance) float64 { return score(math.Inf(1)) })
		x.Remarks = append(x.Remarks, fmt.Sprintf("no %s within %.0f m on foot", words(class), farM))
		return nil
	}
	row := o.row(places[0], 0, 1, 0)
	row.Worth = 0
	x.Places = []Place{row}
	o.anew(x, func(farther network.Distance) float64 { return score((places[0].way + farther).Metres()) })
	x.Worked = fmt.Sprintf("d = %.1f m: %.4f", row.M, score(row.M))
	return nil
}

// parkAccess explains the nearest parks (methods, 5).
func (o *origin) parkAccess(x *Explanation) error {
	c := o.r.c.Access
	x.Formula = fmt.Sprintf("5/%s × Σ weight_k W(d_k) over the %d nearest parks of at least %s ha, by their nearest entrances",
		number(rating.Total(c.ParkSlots)), len(c.ParkSlots), number(c.ParkMinHa))
	x.Constants = constants("weights", list(c.ParkSlots), "access.park_slots", "least size", number(c.ParkMinHa)+" ha", "access.park_least_ha",
		"size of a park known as a point", number(c.ParkUnknownHa)+" ha", "access.park_unknown_ha")
	if !o.ready(x, "park") {
		return nil
	}
	places, err := o.nearest([]string{"park"}, len(c.ParkSlots), o.r.walk.Reach(), func(p *place) bool { return o.hectares(p) >= c.ParkMinHa })
	if err != nil {
		return err
	}
	for k, p := range places {
		x.Places = append(x.Places, o.row(p, k, 1, c.ParkSlots[k]))
	}
	value := func(farther network.Distance) float64 {
		return 5 * rating.Slots(c.ParkSlots, o.worths(places, farther, 1)) / rating.Total(c.ParkSlots)
	}
	o.anew(x, value)
	x.Worked = fmt.Sprintf("Σ = %.4f; 5/%s × Σ = %.4f", value(0)*rating.Total(c.ParkSlots)/5, number(rating.Total(c.ParkSlots)), value(0))
	return nil
}

// hectares is the size that a park counts with.
func (o *origin) hectares(p *place) float64 {
	if p.hectares == 0 {
		return o.r.c.Access.ParkUnknownHa
	}
	return p.hectares
}

// parksBySize explains parks weighted by size (methods, 5): of each band of sizes the nearest count.
func (o *origin) parksBySize(x *Explanation) error {
	sizes := o.r.c.Access.ParkSizes
	x.Formula = fmt.Sprintf("5 (1 − exp(−G/G0)), G = Σ √A × W(d/(1 + log10 A)) over the %d nearest parks of each band of sizes, A the band's lower end in ha", sizes.Places)
	x.Constants = constants("bands from", list(sizes.BandsHa)+" ha", "access.park_sizes.bands_ha", "places", fmt.Sprint(sizes.Places), "access.park_sizes.places",
		"G0", number(sizes.G0), "access.park_sizes.g0")
	if !o.ready(x, "park") {
		return nil
	}
	bands := make([][]*place, len(sizes.BandsHa))
	for band, size := range sizes.BandsHa {
		stretch := rating.ParkStretch(size)
		places, err := o.nearest([]string{"park"}, sizes.Places, o.r.walk.Reach()*stretch, func(p *place) bool {
			return rating.Band(sizes.BandsHa, o.hectares(p)) == band
		})
		if err != nil {
			return err
		}
		for k, p := range places {
			row := o.row(p, k, stretch, rating.ParkMass(size))
			if row.For = fmt.Sprintf("%s ha and more", number(size)); row.Part > 0 {
				x.Places = append(x.Places, row)
			}
		}
		bands[band] = places
	}
	sum := func(farther network.Distance) float64 {
		g := 0.0
		for band, size := range sizes.BandsHa {
			for _, w := range o.worths(bands[band], farther, rating.ParkStretch(size)) {
				g += rating.ParkMass(size) * w
			}
		}
		return g
	}
	o.anew(x, func(farther network.Distance) float64 { return rating.Saturate(sum(farther), sizes.G0) })
	x.Worked = fmt.Sprintf("G = %.4f; 5 (1 − exp(−%.4f/%s)) = %.4f", sum(0), sum(0), number(sizes.G0), rating.Saturate(sum(0), sizes.G0))
	return nil
}

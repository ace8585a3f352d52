package explain

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"quartier/internal/geo"
	"quartier/internal/network"
	"quartier/internal/rating"
)

// vibrant explains how much goes on around (methods, 5).
func (o *origin) vibrant(x *Explanation) error {
	v := &o.r.c.Vibrant
	x.Formula = fmt.Sprintf("5 (1 − exp(−n/n0)) × (%s + %s × diversity) × (%s + %s × evening), n places within %s m on foot; diversity is the entropy over %d kinds of activity by its most, evening the share of evening places by %s, at most 1",
		number(v.DiversityFloor), number(round(1-v.DiversityFloor, 4)), number(v.EveningFloor), number(round(1-v.EveningFloor, 4)), number(v.RadiusM), len(v.Activities), number(v.FullEvening))
	x.Constants = constants("n0", number(v.N0), "vibrant.n0", "radius", number(v.RadiusM)+" m", "vibrant.radius_m",
		"diversity floor", number(v.DiversityFloor), "vibrant.diversity_floor", "evening floor", number(v.EveningFloor), "vibrant.evening_floor",
		"full evening", number(v.FullEvening), "vibrant.full_evening")
	if x.Served == nil {
		x.Absent = fmt.Sprintf("fewer than %d of the %d kinds of activity are known", v.MinActivities, len(v.Activities))
		if o.ground.note == "" || !o.ground.nothing && len(o.ground.unknown) == 0 {
			x.Absent = o.noGround()
		}
		return nil
	}
	if err := o.around(o.r.walk.Reach()); err != nil {
		return err
	}
	places, activity := o.active()
	count := func(farther network.Distance) rating.Activity {
		counts := make([]uint64, len(v.Activities))
		for _, p := range places {
			if int((p.way+farther)/10) <= int(v.RadiusM) {
				counts[activity[p.key]]++
			}
		}
		return rating.NewActivity(v, counts)
	}
	o.anew(x, func(farther network.Distance) float64 { return rating.Vibrant(v, count(farther)) })
	for i, a := range v.Activities {
		n := 0.0
		for k, p := range places {
			if activity[p.key] == i {
				n++
				row := o.row(p, k, 1, 1)
				row.For, row.Worth, row.Part = words(strings.Join(a.Classes, ", ")), 0, 1
				x.Places = append(x.Places, row)
			}
		}
		of := "places"
		if a.Evening {
			of = "places of the evening"
		}
		x.Parts = append(x.Parts, Part{Name: words(strings.Join(a.Classes, ", ")), Value: known(n), Of: of})
	}
	slices.SortStableFunc(x.Places, func(a, b Place) int { return cmp.Compare(a.Rank, b.Rank) })
	a := count(0)
	x.Worked = fmt.Sprintf("n = %.0f, diversity %.4f, evening share %.4f: %.4f", a.Places, a.Diversity, a.Evening, rating.Vibrant(v, a))
	return nil
}

// active are the places of activity in the radius, nearest first, and the activity that each counts as: the first that
// it is of.
func (o *origin) active() ([]*place, map[string]int) {
	v, activity := &o.r.c.Vibrant, map[string]int{}
	var places []*place
	for i, a := range v.Activities {
		for _, class := range a.Classes {
			for _, p := range o.area.places[class] {
				if _, seen := activity[p.key]; !seen && int(p.way/10) <= int(v.RadiusM) {
					activity[p.key] = i
					places = append(places, p)
				}
			}
		}
	}
	slices.SortStableFunc(places, func(a, b *place) int { return int(a.way) - int(b.way) })
	return places, activity
}

// frontage explains streets lined with shops (methods, 4), of which the release does not keep all.
func (o *origin) frontage(x *Explanation) error {
	f := o.r.c.Access.Frontage
	x.Formula = fmt.Sprintf("5 (1 − exp(−L/L0)), L = Σ metres of slow, narrow street with at least %d shops or the like to %s m × W of the way there", f.MinPlaces, number(f.StretchM))
	x.Constants = constants("L0", number(f.L0)+" m", "access.frontage.l0", "at most", fmt.Sprintf("%s km/h and %d lanes", number(f.MaxKMH), f.MaxLanes), "access.frontage.most_kmh",
		"shops within", number(f.FromCentreM)+" m of the middle of the street", "access.frontage.from_centre_m")
	x.NotAnew = "speeds, lanes and sidewalks of streets are not kept in a release"
	if x.Served == nil {
		x.Absent = "no source lists all kinds of places, and a street may be lined with what is not known"
		return nil
	}
	if v := x.Served.Value; v < 5 {
		x.Worked = fmt.Sprintf("the value stands for L = −%s ln(1 − %.4f/5) = %.0f m of such street, by W of the way", number(f.L0), v, -f.L0*math.Log1p(-v/5))
	}
	places, err := o.nearest(f.Classes, 10, o.r.walk.Reach(), nil)
	if err != nil {
		return err
	}
	for k, p := range places {
		row := o.row(p, k, 1, 0)
		row.For = "may line a street"
		x.Places = append(x.Places, row)
	}
	return nil
}

// highway explains the way of a car to the nearest ramp, over streets that the release does not keep.
func (o *origin) highway(x *Explanation) error {
	p := o.r.c.Proximity["nearest_highway_proximity"]
	x.Formula = "5 (1 − ln(d/near)/ln(far/near)) of the way d of a car, one-ways kept, to the nearest ramp of a motorway or an expressway"
	x.Constants = constants("near", number(p.NearM)+" m", "proximity.nearest_highway_proximity.near_m", "far", number(p.FarM)+" m", "proximity.nearest_highway_proximity.far_m")
	x.NotAnew = "the ways of cars are not kept in a release"
	if x.Served == nil {
		x.Absent = fmt.Sprintf("the region has no ramp of a motorway or an expressway, or no street that cars use within %s m", number(o.r.c.Scores.Drive.SnapM))
		return nil
	}
	if v := x.Served.Value; v > 0 && v < 5 {
		x.Worked = fmt.Sprintf("the value stands for d = %s (%s/%s)^(1 − %.4f/5) = %.0f m by car", number(p.NearM), number(p.FarM), number(p.NearM), v,
			p.NearM*math.Pow(p.FarM/p.NearM, 1-v/5))
	}
	if err := o.around(o.r.walk.Reach()); err != nil {
		return err
	}
	const shown = 3
	ramps := slices.Clone(o.area.places["highway_ramp"])
	slices.SortStableFunc(ramps, func(a, b *place) int {
		return cmp.Compare(geo.Distance(o.at, a.at), geo.Distance(o.at, b.at))
	})
	for k, ramp := range ramps[:min(shown, len(ramps))] {
		o.used[[2]string{o.street.Region, ramp.source}] = true
		x.Places = append(x.Places, Place{For: "ramp near a footway", Rank: k + 1, Name: ramp.name, Class: ramp.class, M: round(geo.Distance(o.at, ramp.at), 0), Straight: true,
			SourceID: ramp.source, Key: ramp.key})
	}
	return nil
}

package explain

import (
	"fmt"
	"strings"
)

// stands begins the explanation of a value that is made of what the release does not keep: what is measured, as a text
// with the place for the number that the value stands for.
func stands(x *Explanation, absent, text string, number float64) {
	switch {
	case x.Served == nil:
		x.Absent = absent
	case x.Served.Value >= 5:
		x.Worked = fmt.Sprintf("the value stands for "+text+" or more", number)
	default:
		x.Worked = fmt.Sprintf("the value stands for "+text, number)
	}
}

// measured is the value as a share of the scale, 0 where it is absent.
func measured(x *Explanation) float64 {
	if x.Served == nil {
		return 0
	}
	return x.Served.Value / 5
}

const noHeights = "no source gives heights of half of the land around here"

func (o *origin) terrain(x *Explanation) error {
	t := o.r.c.Terrain
	x.Formula = fmt.Sprintf("5 × slope/%s %%, the mean slope of the land within %s m, water left out", number(t.Slope.FullPct), number(t.Slope.RadiusM))
	x.Constants = constants("full", number(t.Slope.FullPct)+" %", "terrain.slope.full_pct", "radius", number(t.Slope.RadiusM)+" m", "terrain.slope.radius_m")
	x.NotAnew = "heights are not kept in a release"
	stands(x, noHeights, "a mean slope of %.1f %%", measured(x)*t.Slope.FullPct)
	return nil
}

func (o *origin) streetSteepness(x *Explanation) error {
	t := o.r.c.Terrain
	x.Formula = fmt.Sprintf("5 × grade/%s %%, the mean grade of the streets within %s m by length, over stretches of %s m", number(t.Street.FullPct), number(t.Street.RadiusM), number(t.Street.BaseM))
	x.Constants = constants("full", number(t.Street.FullPct)+" %", "terrain.street.full_pct", "cap", number(t.CapPct)+" %", "terrain.cap_pct")
	x.NotAnew = "heights are not kept in a release"
	stands(x, noHeights, "a mean grade of %.1f %%", measured(x)*t.Street.FullPct)
	return nil
}

func (o *origin) intersections(x *Explanation) error {
	f := o.r.c.Form
	i := f.Intersections
	x.Formula = fmt.Sprintf("5 × (rank − 1)/%d, the national rank of %s × junctions of three streets + %s × of four and more, by square mile of land within %s m",
		len(i.RanksSqMi), number(i.Three), number(i.Four), number(f.RadiusM))
	x.Constants = constants("three and four", number(i.Three)+" and "+number(i.Four), "form.intersections.three", "ranks", fmt.Sprintf("from %s to %s a square mile", number(i.RanksSqMi[0]), number(i.RanksSqMi[len(i.RanksSqMi)-1])), "form.intersections.ranks_sq_mi",
		"junctions are one within", number(i.ConsolidateM)+" m", "form.intersections.consolidate_m")
	x.NotAnew = "junctions are not kept in a release"
	stands(x, "how streets lie is not known here", "rank %.1f of 20, between those of the two nodes", 1+measured(x)*float64(len(i.RanksSqMi)))
	return nil
}

func (o *origin) localStreets(x *Explanation) error {
	f := o.r.c.Form
	x.Formula = fmt.Sprintf("5 × metres of %s / metres of these and of through streets, within %s m", words(strings.Join(f.Local, ", ")), number(f.RadiusM))
	x.Constants = constants("local", fmt.Sprintf("%d classes of street", len(f.Local)), "form.local", "through", fmt.Sprintf("%d classes", len(f.Through)), "form.through",
		"at least", number(f.MinStreetM)+" m of street", "form.least_street_m")
	x.NotAnew = "lengths are summed up over the lines of the source, driven ones too, of which a release keeps those that one walks"
	stands(x, fmt.Sprintf("less than %s m of such streets lie around", number(f.MinStreetM)), "a share of %.3f", measured(x))
	return nil
}

func (o *origin) unpleasant(x *Explanation) error {
	u := o.r.c.Form.Unpleasant
	x.Formula = fmt.Sprintf("5 × %s × the share of ways within %s m along %s lanes or more or %s km/h or more, or within %s m of a motorway, a railway yard or industry",
		number(u.Factor), number(u.RadiusM), number(u.Lanes), number(u.SpeedKMH), number(u.FromM))
	x.Constants = constants("factor", number(u.Factor), "form.unpleasant.factor", "lanes and speed", fmt.Sprintf("%s and %s km/h", number(u.Lanes), number(u.SpeedKMH)), "form.unpleasant.lanes")
	x.NotAnew = "lanes, speeds and the use of land are not kept in a release"
	stands(x, fmt.Sprintf("less than %s m of ways lie around", number(u.MinM)), "a share of %.3f", measured(x)/u.Factor)
	return nil
}

func (o *origin) greenery(x *Explanation) error {
	g := o.r.c.Land.Green
	x.Formula = fmt.Sprintf("5 × (%s × green land + %s × trees along streets + %s × unsealed ground) within %s m, of what is known of them", number(g.Land), number(g.Trees), number(g.Unsealed), number(g.RadiusM))
	x.Constants = constants("weights", fmt.Sprintf("%s, %s, %s", number(g.Land), number(g.Trees), number(g.Unsealed)), "land.green.land", "full of trees", number(g.FullTreesHa)+" to a hectare of street", "land.green.full_trees_ha")
	x.NotAnew = "land, trees and buildings are not kept in a release"
	stands(x, fmt.Sprintf("neither trees nor the use of %s of the land are mapped around here, so that how green it is is unknown", number(g.MinMapped)), "%.3f of the most", measured(x))
	return nil
}

func (o *origin) historic(x *Explanation) error {
	h := o.r.c.Land.Historic
	x.Formula = fmt.Sprintf("5 × (%s × share of buildings from before %d + %s × (1 − exp(−n/%s))), n protected sites, within %s m", number(h.Old), h.Before, number(h.Heritage), number(h.HeritageN), number(h.RadiusM))
	x.Constants = constants("weights", number(h.Old)+" and "+number(h.Heritage), "land.historic.old", "at least dated", number(h.MinDated), "land.historic.least_dated")
	x.NotAnew = "buildings and protected sites are not kept in a release"
	stands(x, fmt.Sprintf("the years of less than %s of the buildings around are known, or fewer than %d buildings are", number(h.MinDated), h.MinBuilt), "%.3f of the most", measured(x))
	return nil
}

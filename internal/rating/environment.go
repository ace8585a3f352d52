package rating

import (
	"math"
	"strings"

	"quartier/internal/wording"
	"quartier/schemas/calibration"
)

// TerrainSteepness is terrain_steepness of the mean slope in percent (docs/methods.md, 3).
func TerrainSteepness(c *calibration.Terrain, slopePct float64, t *Trace) float64 {
	score := 5 * slopePct / c.Slope.FullPct
	if t != nil {
		t.step("slope", say("mean_slope", c.Slope.RadiusM), slopePct,
			constant("radius", c.Slope.RadiusM, "m", "terrain.slope.radius_m"))
		t.step("", formula("5 × {slope}/{full}"), score, quantity("slope", slopePct, "%"),
			constant("full", c.Slope.FullPct, "%", "terrain.slope.full_pct"))
	}
	return score
}

// StreetSteepness is street_steepness of the mean grade of streets in percent (docs/methods.md, 3).
func StreetSteepness(c *calibration.Terrain, gradePct float64, t *Trace) float64 {
	score := 5 * gradePct / c.Street.FullPct
	if t != nil {
		t.step("grade", say("mean_grade", c.Street.RadiusM, c.Street.BaseM), gradePct,
			constant("steepest", c.CapPct, "%", "terrain.cap_pct"))
		t.step("", formula("5 × {grade}/{full}"), score, quantity("grade", gradePct, "%"),
			constant("full", c.Street.FullPct, "%", "terrain.street.full_pct"))
	}
	return score
}

// IntersectionDensity is intersection_density of the national rank, from 1, of the density (docs/methods.md, 4).
func IntersectionDensity(c *calibration.Form, rank float64, t *Trace) float64 {
	i := &c.Intersections
	score := 5 * (rank - 1) / float64(len(i.RanksSqMi))
	if t != nil {
		t.step("rank", say("junction_rank", c.RadiusM), rank,
			constants("weights of junctions of three and of more streets", []float64{i.Three, i.Four}, "", "form.intersections.three"),
			constant("junctions are merged within", i.ConsolidateM, "m", "form.intersections.consolidate_m"))
		t.step("", formula("5 × ({rank} − 1)/{ranks}"), score, value("rank", rank), value("ranks", float64(len(i.RanksSqMi))),
			constants("ranks between", []float64{i.RanksSqMi[0], i.RanksSqMi[len(i.RanksSqMi)-1]}, "a square mile",
				"form.intersections.ranks_sq_mi"))
	}
	return score
}

// LocalStreets is local_street_proportion of the share of local streets by length (docs/methods.md, 4).
func LocalStreets(c *calibration.Form, share float64, t *Trace) float64 {
	score := 5 * share
	if t != nil {
		t.step("share", say("local_metres", wording.Classes(c.Local), c.RadiusM), share,
			constant("minimum", c.MinStreetM, "m of street", "form.least_street_m"))
		t.step("", formula("5 × {share}"), score, value("share", share))
	}
	return score
}

// UnpleasantStreets is infrastructure_unpleasant_for_pedestrians of the share of ways along which walking is unpleasant
// (docs/methods.md, 4). The share may make more than 5, which callers limit.
func UnpleasantStreets(c *calibration.Form, share float64, t *Trace) float64 {
	u := &c.Unpleasant
	score := 5 * u.Factor * share
	if t != nil {
		t.step("share", say("unpleasant_metres", u.RadiusM, u.Lanes, u.SpeedKMH, u.FromM), share,
			constant("lanes", u.Lanes, "", "form.unpleasant.lanes"), constant("speed", u.SpeedKMH, "km/h", "form.unpleasant.speed_kmh"))
		t.step("", formula("min(5, 5 × {factor} × {share})"), score, constant("factor", u.Factor, "", "form.unpleasant.factor"),
			value("share", share))
	}
	return score
}

// Frontage is pedestrian_oriented_street_access of the metres of slow, narrow streets lined with shops, weighted by W
// (docs/methods.md, 4).
func Frontage(f *calibration.Frontage, metres float64, t *Trace) float64 {
	score := Saturate(metres, f.L0)
	if t != nil {
		t.step("L", say("shop_street_metres", f.MinPlaces, f.StretchM), metres,
			constant("at most", f.MaxKMH, "km/h", "access.frontage.most_kmh"),
			constant("lanes at most", float64(f.MaxLanes), "", "access.frontage.most_lanes"),
			constant("shops within", f.FromCentreM, "m of the middle of the street", "access.frontage.from_centre_m"))
		t.step("", formula(strings.ReplaceAll(saturation, "G", "L")), score, quantity("L", metres, "m"),
			constant("L0", f.L0, "m", "access.frontage.l0"))
	}
	return score
}

// HistoricShare is how old and protected a place is, 0–1, from the numbers of buildings or dwellings, those with a year, old
// ones and heritage sites around (docs/methods.md, 5); NaN if too few buildings or years are known. It is the share of old
// ones if sites is NaN: nobody has recorded them.
func HistoricShare(c *calibration.Historic, buildings, dated, old, sites float64) float64 {
	if buildings < float64(c.MinBuilt) || dated < c.MinDated*buildings {
		return math.NaN()
	}
	if math.IsNaN(sites) {
		return old / dated
	}
	return c.Old*old/dated + c.Heritage*(1-math.Exp(-sites/c.HeritageN))
}

// Historic is the score historic of the HistoricShare.
func Historic(c *calibration.Historic, share float64, t *Trace) float64 {
	if t != nil {
		t.step("share", say("historic_share", c.Before, c.RadiusM), share,
			constant("buildings", c.Old, "", "land.historic.old"), constant("sites", c.Heritage, "", "land.historic.heritage"),
			constant("full", c.HeritageN, "", "land.historic.heritage_n"), constant("dated at least", c.MinDated, "", "land.historic.least_dated"))
		t.step("", formula("5 × {share}"), 5*share, value("share", share))
	}
	return 5 * share
}

// CoverShare is the green share of the land by a raster of land cover, 0–1, of the number of cells of each class and the
// green share of each, NaN of water; NaN if too few of all cells have a class, or there is no land.
func CoverShare(c *calibration.Green, green []float64, counts []int, cells int) float64 {
	known, land, sum := 0, 0, 0.0
	for class, n := range counts {
		known += n
		if !math.IsNaN(green[class]) {
			land, sum = land+n, sum+green[class]*float64(n)
		}
	}
	if float64(known) < c.MinMapped*float64(cells) || land == 0 {
		return math.NaN()
	}
	return sum / float64(land)
}

// Greenery is the score greenery of the green share, 0–1, which the land cover step computes (docs/methods.md, 5).
func Greenery(c *calibration.Green, share float64, t *Trace) float64 {
	if t != nil {
		t.step("share", say("green_share", c.RadiusM), share,
			constant("land", c.Land, "", "land.green.land"), constant("trees", c.Trees, "", "land.green.trees"),
			constant("unsealed", c.Unsealed, "", "land.green.unsealed"),
			constant("full of trees", c.FullTreesHa, "to a hectare of street", "land.green.full_trees_ha"))
		t.step("", formula("5 × {share}"), 5*share, value("share", share))
	}
	return 5 * share
}

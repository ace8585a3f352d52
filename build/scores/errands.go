package scores

import (
	"math"

	"quartier/internal/rating"
	"quartier/schemas"
	"quartier/schemas/calibration"
)

// Errands are of how many points the errands of each region are made, by its classes.
func Errands(c *calibration.Calibration, classes []schemas.RegionClass) (list []schemas.RegionErrands) {
	for rest := classes; len(rest) > 0; {
		region, known := rest[0].Region, map[string]bool{}
		for len(rest) > 0 && rest[0].Region == region {
			known[rest[0].Class], rest = rest[0].Verdict.Known(), rest[1:]
		}
		e := rating.NewErrands(c, c.Estimates.Walk, false, func(class string) bool { return known[class] })
		points := schemas.RegionErrands{Region: region, Of: e.Of, Residual: e.Residual, Enough: e.Enough()}
		for _, u := range e.Unknown {
			points.Estimated += u.Weight
		}
		points.Known = points.Of - points.Estimated
		for _, v := range []*float64{&points.Known, &points.Estimated, &points.Of, &points.Residual} {
			*v = math.Round(1e4**v) / 1e4 // sums of weights such as 0.225
		}
		list = append(list, points)
	}
	return list
}

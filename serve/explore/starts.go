package explore

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/schemas"
	"quartier/serve/account"
	"quartier/serve/release"
)

// Start is a place to begin with.
type Start struct {
	Role   string       `json:"role"` // city, neighbourhood, contrast
	GeogID string       `json:"geog_id"`
	Name   schemas.Text `json:"name"`
	Lat    float64      `json:"lat"` // in the middle of what is inside
	Lng    float64      `json:"lng"`
	Zoom   float64      `json:"zoom"` // at which it is seen in a window
}

// beginningsOf are places to begin with in all of a release that an account may see.
func beginningsOf(r *release.Release, a *account.Agreement) []Start {
	seen := slices.DeleteFunc(smallOnes(r), func(i int) bool { return !allowsAny(a, r.Regions(i)) })
	return startsOf(r, seen, -1)
}

// startsOf are places to begin with among some geographies: the municipality that a region is called after (−1: none), or else the
// largest; a neighbourhood in its middle; and the municipality whose scores differ most from its own.
func startsOf(r *release.Release, members []int, anchor int) []Start {
	if len(members) == 0 {
		return []Start{}
	}
	level := func(i int) schemas.Level { return r.Geographies.Level(i) }
	city := slices.MaxFunc(members, func(a, b int) int {
		rank := func(i int) (rank float64) {
			if level(i) == schemas.Municipality {
				rank = 1
			}
			if i == anchor {
				rank++
			}
			return rank
		}
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(r.Population(a), r.Population(b)),
			cmp.Compare(r.Geographies.AreaM2(a), r.Geographies.AreaM2(b)), b-a)
	})
	starts := []Start{startAt(r, members, city, "city")}
	middle, own := orb.Point{starts[0].Lng, starts[0].Lat}, r.Geographies.ID(city)
	hood, farthest := -1, 0.0
	other, most := -1, 0.0
	for _, i := range members {
		at := r.Geographies.Centroid(i)
		away := apart(at, middle) + float64(level(i)) // the smallest level first
		if level(i) < level(city) && r.Geographies.BBox(city).Contains(at) && (hood < 0 || away < farthest) {
			hood, farthest = i, away
		}
		if by := difference(r, own, r.Geographies.ID(i)); level(i) == schemas.Municipality && by > most {
			other, most = i, by
		}
	}
	if hood >= 0 {
		starts = append(starts, startAt(r, members, hood, "neighbourhood"))
	}
	if other >= 0 {
		starts = append(starts, startAt(r, members, other, "contrast"))
	}
	return starts
}

// difference is by how much the scores of two geographies differ, on average over those that both have; 0 of fewer than three.
func difference(r *release.Release, a, b string) float64 {
	one, _ := r.Access.Geography(a)
	other, scored := r.Access.Geography(b)
	sum, n := 0, 0
	for s := range one {
		if scored && one[s] != schemas.AbsentValue && other[s] != schemas.AbsentValue {
			sum, n = sum+max(int(one[s])-int(other[s]), int(other[s])-int(one[s])), n+1
		}
	}
	if n < 3 {
		return 0
	}
	return float64(sum) / float64(n)
}

// startAt is a geography as a place to begin with, in the middle of the smaller ones inside it, of which a tenth may be outside of the
// window on each side: fields around a city have few.
func startAt(r *release.Release, members []int, i int, role string) Start {
	box, at := r.Geographies.BBox(i), r.Geographies.Centroid(i)
	var inside [2][]float64 // longitudes, latitudes
	for _, m := range members {
		if c := r.Geographies.Centroid(m); r.Geographies.Level(m) < r.Geographies.Level(i) && box.Contains(c) {
			inside[0], inside[1] = append(inside[0], c[0]), append(inside[1], c[1])
		}
	}
	if n := len(inside[0]); n > 4 {
		for axis := range inside {
			slices.Sort(inside[axis])
			box.Min[axis], box.Max[axis] = inside[axis][n/10], inside[axis][n-1-n/10]
			at[axis] = inside[axis][n/2]
		}
	}
	return Start{role, r.Geographies.ID(i), r.Geographies.Name(i), round(at[1], 1e5), round(at[0], 1e5), zoomOf(box)}
}

// zoomOf is the zoom of the map at which a box fills a window of 800 × 600 pixels, from 9 to 15: whole degrees are 512/360 pixels at 0.
func zoomOf(box orb.Bound) float64 {
	wide := max(box.Max[0]-box.Min[0], 1e-6)
	high := max((box.Max[1]-box.Min[1])/math.Cos(box.Center()[1]*math.Pi/180), 1e-6)
	zoom := math.Log2(min(800/wide, 600/high) * 360 / 512)
	return round(min(max(zoom, 9), 15), 10)
}

func round(x, parts float64) float64 { return math.Round(x*parts) / parts }

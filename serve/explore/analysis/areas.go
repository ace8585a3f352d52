package analysis

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/schemas"
)

// MostAreas is how many areas an answer has at most.
const MostAreas = 2000

// Areas is one figure of the areas of a level in a box.
type Areas struct {
	Figure  string   `json:"figure"`
	Level   int      `json:"level"`
	Areas   []Valued `json:"areas"`    // with a value, the highest first
	Unknown int      `json:"unknown"`  // of the areas in the box, those without
	LeftOff int      `json:"left_off"` // that are farther from the middle of the box than MostAreas others
	Market  string   `json:"market,omitempty"`
}

// Valued is an area with its value.
type Valued struct {
	Area
	Number
}

// Areas lists the areas of a level whose bounding boxes meet a box.
func (r *Reader) Areas(level schemas.Level, figure int, box orb.Bound) Areas {
	out := Areas{Figure: Figures[figure].ID, Level: int(level), Areas: []Valued{}}
	table := r.Release.Geographies
	var found []int
	for i := range table.Len() {
		if table.Level(i) != level || !box.Intersects(table.BBox(i)) {
			continue
		}
		if _, superseded := table.Superseded(i); !superseded && r.Sees(i) {
			found = append(found, i)
		}
	}
	if out.LeftOff = max(0, len(found)-MostAreas); out.LeftOff > 0 {
		middle := box.Center()
		away := func(i int) float64 { p := table.Centroid(i); return math.Hypot(p[0]-middle[0], p[1]-middle[1]) }
		slices.SortFunc(found, func(a, b int) int { return cmp.Or(cmp.Compare(away(a), away(b)), cmp.Compare(a, b)) })
		found = found[:MostAreas]
	}
	for _, i := range found {
		known := false
		r.each(i, func(f int, n Number) {
			if f == figure {
				known = true
				out.Areas = append(out.Areas, Valued{Area{table.ID(i), int(level), table.Name(i)}, n})
			}
		})
		if !known {
			out.Unknown++
		}
	}
	slices.SortFunc(out.Areas, func(a, b Valued) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.GeogID, b.GeogID))
	})
	if Figures[figure].Product == "market_stats" && r.Release.Market != nil {
		out.Market = r.Release.Market.Table.Day().String()
	}
	return out
}

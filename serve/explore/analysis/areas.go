package analysis

import (
	"cmp"
	"slices"

	"github.com/paulmach/orb"

	"quartier/schemas"
)

// MostAreas is how many areas an answer has at most.
const MostAreas = 2000

// Areas is one figure of the areas of a level in a box.
type Areas struct {
	Areas   []Valued `json:"areas"`   // with a value, the highest first; none if Count is more than MostAreas
	Count   int      `json:"count"`   // of the areas in the box
	Unknown []string `json:"unknown"` // geog_ids of those without a value
}

// Valued is an area with its value.
type Valued struct {
	Area
	Number
}

// Areas lists the areas of a level whose bounding boxes meet a box, with the figure of an index in Figures.
func (r *Reader) Areas(level schemas.Level, figure int, box orb.Bound) Areas {
	out := Areas{Areas: []Valued{}, Unknown: []string{}}
	found := r.ofLevel(level, func(i int) bool { return box.Intersects(r.Release.Geographies.BBox(i)) })
	if out.Count = len(found); out.Count > MostAreas {
		return out
	}
	for _, i := range found {
		before := len(out.Areas)
		r.each(i, func(f int, n Number) {
			if f == figure {
				out.Areas = append(out.Areas, Valued{r.area(i), n})
			}
		})
		if len(out.Areas) == before {
			out.Unknown = append(out.Unknown, r.Release.Geographies.ID(i))
		}
	}
	slices.SortFunc(out.Areas, func(a, b Valued) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.GeogID, b.GeogID))
	})
	return out
}

// ofLevel are the geographies of a level that the account may see, without superseded ones and those that has refuses.
func (r *Reader) ofLevel(level schemas.Level, has func(i int) bool) (found []int) {
	table := r.Release.Geographies
	for i := range table.Len() {
		if _, superseded := table.Superseded(i); table.Level(i) == level && !superseded && has(i) && r.Sees(i) {
			found = append(found, i)
		}
	}
	return found
}

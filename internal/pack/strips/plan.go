package strips

import (
	"math"

	"quartier/internal/coord"
	"quartier/internal/pack"
)

// Run is a range of points that may be in the shape, in a plan those of one cell.
type Run struct {
	First, Last uint32 // Last is one past the end
	Sure        bool   // all of them are in the shape
}

// Plan is the part of an index that a shape covers: the runs of points of each cell that it touches, in the order of the index.
// Its memory is kept when it is set again.
type Plan struct {
	shape   Shape
	ruler   ruler
	radius2 float64 // squared metres; of a circle
	flat    bool    // a circle of which all points are close, and none is beyond the antimeridian
	outline outline
	south   int        // the first band
	bands   []int      // end of the cells of each band
	cells   []cellRuns // that have runs
	runs    []Run      // of all cells
	count   int        // points in all runs
	joined  []Run      // of Runs
	area    areaPlan
	meter   pack.Meter
	ahead   int32 // of readAhead
}

// cellRuns is a cell of an index, and the end of its runs in a plan.
type cellRuns struct{ cell, end int }

// Set plans a search of s; false if s is invalid or the search was stopped.
func (p *Plan) Set(x *Index, s *Shape) bool {
	if !(math.Abs(s.Lng) <= 180 && math.Abs(s.Lat) <= 90) {
		return false
	}
	p.begin(*s, newRuler(s.Lng, s.Lat))
	if s.Area == nil {
		return p.setCircle(x)
	}
	return p.setArea(x)
}

// Narrow plans the circle of another plan with a smaller radius.
func (p *Plan) Narrow(x *Index, in *Plan, radiusM float64) {
	p.begin(in.shape, in.ruler)
	p.shape.RadiusM = radiusM
	p.setCircle(x)
}

func (p *Plan) begin(s Shape, r ruler) {
	p.shape, p.ruler = s, r
	p.meter.Start(s.Stop)
	p.bands, p.cells, p.runs, p.count = p.bands[:0], p.cells[:0], p.runs[:0], 0
}

// push adds a run, which is joined with the one before it if nothing is between them. Those of a cell are in the order of the
// index, or else the cell is in the plan twice: on both sides of the antimeridian.
func (p *Plan) push(cell int, r Run) {
	if r.First >= r.Last {
		return
	}
	p.count += int(r.Last - r.First)
	n, end := len(p.cells), len(p.runs)
	if n == 0 || p.cells[n-1].cell != cell || p.runs[end-1].Last > r.First {
		p.cells = append(p.cells, cellRuns{cell, end + 1})
	} else if last := &p.runs[end-1]; last.Last == r.First && last.Sure == r.Sure {
		last.Last = r.Last
		return
	} else {
		p.cells[n-1].end++
	}
	p.runs = append(p.runs, r)
}

// The work of a search in units of a pack.Meter.
const (
	stripWork   = 100
	workOfPoint = 5
)

// Stopped reports, after the work on some points, whether the search should end.
func (p *Plan) Stopped(points int) bool { return p.meter.Spend(workOfPoint * points) }

// Runs are the runs of all cells, with those joined between which nothing is.
func (p *Plan) Runs() []Run {
	p.joined = p.joined[:0]
	for _, r := range p.runs {
		if n := len(p.joined); n > 0 && p.joined[n-1].Last == r.First && p.joined[n-1].Sure == r.Sure {
			p.joined[n-1].Last = r.Last
		} else {
			p.joined = append(p.joined, r)
		}
	}
	return p.joined
}

// Len is the number of points in all runs.
func (p *Plan) Len() int { return p.count }

// Key orders a point by its distance, rounded to decimetres, then by its rank.
func (p *Plan) Key(at coord.Point, rank uint32) uint64 { return keyOf(p.ruler.squared(at), rank) }

// KeyInCircle is Key of a point of a run of a circle; false if it is not in the circle.
func (p *Plan) KeyInCircle(r Run, at coord.Point, rank uint32) (key uint64, in bool) {
	squared := p.ruler.squared(at)
	if !r.Sure && squared > p.radius2 {
		return 0, false
	}
	return keyOf(squared, rank), true
}

func keyOf(squaredM float64, rank uint32) uint64 {
	return uint64(decimetres(math.Sqrt(squaredM)))<<32 | uint64(rank)
}

// Contains reports whether a point is in the shape.
func (p *Plan) Contains(at coord.Point) bool {
	return p.Near(at) || p.shape.Area != nil && p.outline.contains(at)
}

// Near reports whether a point of a run that is not sure is in the shape: such a point is not in the area itself.
func (p *Plan) Near(at coord.Point) bool {
	if p.shape.Area == nil {
		return p.ruler.squared(at) <= p.radius2
	}
	return p.shape.BufferM > 0 && p.outline.within(at, p.shape.BufferM)
}

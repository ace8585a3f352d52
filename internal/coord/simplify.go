package coord

import (
	"cmp"
	"math"
	"slices"
)

// Simplify leaves out vertices of the polygons of a geography that are within a tolerance in metres of the edges that are
// left (Douglas and Peucker), and polygons and holes that are less than twice the tolerance wide and high, but not the
// largest polygon. Valid polygons stay valid: vertices are put back where edges would cross or touch, and where a ring would
// be on the other side of an edge than it was.
//
// Example: with a tolerance of 100 m an inlet that is 150 m wide and 3 km long stays, since its head is 3 km from the coast;
// one that is 90 m long is cut off, unless there is an island in it.
func Simplify(polygons []Area, tolerance float64) []Area {
	if len(polygons) == 0 {
		return nil
	}
	s := simplification{tolerance: tolerance}
	largest := slices.MaxFunc(polygons, func(a, b Area) int {
		return cmp.Compare(math.Abs(float64(SignedArea2(a.Ring(0)))), math.Abs(float64(SignedArea2(b.Ring(0)))))
	})
	var parts []int // number of rings of each polygon that is left
	for _, polygon := range polygons {
		if s.small(polygon.Ring(0)) && &polygon.Points[0] != &largest.Points[0] {
			continue
		}
		first := len(s.rings)
		for i := range polygon.Ends {
			if ring := polygon.Ring(i); i == 0 || !s.small(ring) {
				s.add(ring)
			}
		}
		parts = append(parts, len(s.rings)-first)
	}
	s.containing = s.containers()
	for s.uncross() || s.restore() {
	}
	left := make([]Area, len(parts))
	next := 0
	for i, rings := range parts {
		for range rings {
			left[i].add(s.rings[next].left())
			next++
		}
	}
	return left
}

// simplification is a state of Simplify.
type simplification struct {
	tolerance  float64
	rings      []simplified
	spans      []span // the edges that are left
	tree       Tree   // of spans
	containing [][]int
}

// simplified is a ring, closed, and which of its vertices are left; the first and the last always are.
type simplified struct {
	points []Point
	kept   []bool
}

// span is an edge that is left, from one vertex of a ring to another.
type span struct{ ring, from, to int }

func (r simplified) left() (points []Point) {
	for i, p := range r.points {
		if r.kept[i] {
			points = append(points, p)
		}
	}
	return points
}

func (s *simplification) small(ring []Point) bool {
	b := BoxAround(ring)
	east, north := NewPlane(b.Min).Delta(b.Min, b.Max)
	return east < 2*s.tolerance && north < 2*s.tolerance
}

// add simplifies a ring, which keeps three corners: the first vertex, the farthest from it, and the farthest from both.
func (s *simplification) add(points []Point) {
	r := simplified{points, make([]bool, len(points))}
	s.rings = append(s.rings, r)
	last := len(points) - 1
	middle, _ := r.farthest(0, last)
	third, far := r.farthest(0, middle)
	if other, farther := r.farthest(middle, last); third == 0 || farther > far {
		third = other
	}
	for _, i := range []int{0, middle, third, last} {
		r.kept[i] = true
	}
	corners := []int{0, min(middle, third), max(middle, third), last}
	for i := 1; i < len(corners); i++ {
		s.divide(r, corners[i-1], corners[i])
	}
}

// divide keeps the vertices between two that are farther from the edges that are left than the tolerance.
func (s *simplification) divide(r simplified, from, to int) {
	for to-from > 1 {
		i, far := r.farthest(from, to)
		if far <= s.tolerance*s.tolerance {
			return
		}
		r.kept[i] = true
		s.divide(r, from, i)
		from = i
	}
}

// farthest is the vertex between two that is farthest from the edge between them, and its squared distance in metres. It
// is from itself where there is none between them.
func (r simplified) farthest(from, to int) (at int, square float64) {
	a, b := r.points[from], r.points[to]
	plane := NewPlane(Point{a.Lng, int32((int64(a.Lat) + int64(b.Lat)) / 2)})
	dx, dy := plane.Delta(a, b)
	length := dx*dx + dy*dy
	at, square = from, -1
	for i := from + 1; i < to; i++ {
		x, y := plane.Delta(a, r.points[i])
		if length > 0 {
			along := min(1, max(0, (x*dx+y*dy)/length))
			x, y = x-along*dx, y-along*dy
		}
		if d := x*x + y*y; d > square {
			at, square = i, d
		}
	}
	return at, square
}

// refine puts back the vertex of an edge that is farthest from it; false if the edge is one of the outline itself.
func (s *simplification) refine(e span) bool {
	if e.to-e.from <= 1 {
		return false
	}
	r := s.rings[e.ring]
	at, _ := r.farthest(e.from, e.to)
	changed := !r.kept[at]
	r.kept[at] = true
	return changed
}

func (s *simplification) index() {
	s.spans = s.spans[:0]
	for n, r := range s.rings {
		from := 0
		for i := 1; i < len(r.points); i++ {
			if r.kept[i] {
				s.spans = append(s.spans, span{n, from, i})
				from = i
			}
		}
	}
	s.tree.Build(len(s.spans), func(i int) Box { return BoxAround([]Point{s.begin(i), s.end(i)}) })
}

func (s *simplification) begin(i int) Point { return s.rings[s.spans[i].ring].points[s.spans[i].from] }
func (s *simplification) end(i int) Point   { return s.rings[s.spans[i].ring].points[s.spans[i].to] }

// uncross refines edges that cross or touch others, and reports whether there were any that could be refined.
func (s *simplification) uncross() (changed bool) {
	s.index()
	for i := range s.spans {
		a, b := s.begin(i), s.end(i)
		s.tree.Search(BoxAround([]Point{a, b}), func(item uint32) bool {
			if j := int(item); j > i && s.conflict(i, j) {
				changed = s.refine(s.spans[i]) || changed
				changed = s.refine(s.spans[j]) || changed
			}
			return true
		})
	}
	return changed
}

// conflict reports whether two edges have a point in common, other than the vertex between neighbours.
func (s *simplification) conflict(i, j int) bool {
	e, f := s.spans[i], s.spans[j]
	a, b, c, d := s.begin(i), s.end(i), s.begin(j), s.end(j)
	last := len(s.rings[e.ring].points) - 1
	switch {
	case e.ring == f.ring && e.to == f.from:
		return folds(a, b, d)
	case e.ring == f.ring && e.from == 0 && f.to == last:
		return folds(c, a, b)
	}
	return turn(a, b, c) != turn(a, b, d) && turn(c, d, a) != turn(c, d, b) || on(a, b, c) || on(a, b, d) || on(c, d, a) || on(c, d, b)
}

// folds reports whether the edge from b to c lies on that from a to b.
func folds(a, b, c Point) bool { return on(a, b, c) || on(b, c, a) }

// on reports whether p is on the edge from a to b.
func on(a, b, p Point) bool {
	return turn(a, b, p) == 0 && BoxAround([]Point{a, b}).Intersects(Box{p, p})
}

// turn is positive if the way from a by b to c turns left, 0 if they are on a line. The three are within 90 degrees.
func turn(a, b, c Point) int {
	return cmp.Compare((int64(b.Lng)-int64(a.Lng))*(int64(c.Lat)-int64(a.Lat)), (int64(b.Lat)-int64(a.Lat))*(int64(c.Lng)-int64(a.Lng)))
}

// restore refines edges of rings that a ring has come to lie in, or does not lie in any more, and reports whether there are.
func (s *simplification) restore() (changed bool) {
	for n, now := range s.containers() {
		before := s.containing[n]
		for i, e := range s.spans {
			if e.to-e.from <= 1 || slices.Contains(before, e.ring) == slices.Contains(now, e.ring) {
				continue
			}
			chain := s.rings[e.ring].points[e.from : e.to+1]
			if BoxAround(chain).Intersects(BoxAround(s.rings[n].points)) {
				changed = s.refine(s.spans[i]) || changed
			}
		}
	}
	return changed
}

// containers lists for each ring those that its first vertex is in.
func (s *simplification) containers() [][]int {
	if s.containing == nil { // of the outlines as they are given
		for _, r := range s.rings {
			defer copy(r.kept, slices.Clone(r.kept))
			for i := range r.kept {
				r.kept[i] = true
			}
		}
	}
	s.index()
	containing := make([][]int, len(s.rings))
	for n, r := range s.rings {
		p := r.points[0]
		odd := map[int]bool{}
		s.tree.Search(Box{p, Point{math.MaxInt32, p.Lat}}, func(item uint32) bool {
			if e := s.spans[item]; e.ring != n && Crosses(s.begin(int(item)), s.end(int(item)), p) {
				odd[e.ring] = !odd[e.ring]
			}
			return true
		})
		for ring, in := range odd {
			if in {
				containing[n] = append(containing[n], ring)
			}
		}
		slices.Sort(containing[n])
	}
	return containing
}

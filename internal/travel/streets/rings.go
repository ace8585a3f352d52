package streets

import (
	"slices"

	"quartier/internal/coord"
)

// A Polygon is an outer ring counterclockwise and its holes clockwise, each closed, of four points or more.
type Polygon [][]coord.Point

// rings traces the outlines of cells. A ring goes through the middles of the sides between a cell that is in and one that is
// not; cells that touch at a corner are joined. No two rings touch and none touches itself, since a side is passed once.
type rings struct {
	*cells
	most   uint8    // bands that are in
	ringAt []uint32 // of the left side of each cell, the ring that passes it, from 1; 0: none yet
	points []coord.Point
}

func (r *rings) in(x, y int) bool { return r.band[y*r.columns+x] <= r.most }

// trace returns the polygons of the cells of bands up to most, by their lowest rows, then from the left.
func (r *rings) trace(most uint8) (polygons []Polygon) {
	r.most = most
	r.ringAt = slices.Grow(r.ringAt[:0], len(r.band))[:len(r.band)]
	clear(r.ringAt)
	polygonOf := []int{-1} // of each ring
	for y := 1; y < r.rows-1; y++ {
		last := uint32(0) // the ring of the last side to the left
		row := r.band[y*r.columns:][:r.columns]
		for x := 1; x < r.columns; x++ {
			in, before := row[x] <= most, row[x-1] <= most
			if in == before {
				continue
			}
			at := y*r.columns + x
			if r.ringAt[at] == 0 {
				number := uint32(len(polygonOf))
				ring := r.ring(x, y, in, number)
				if in { // the lowest side of a ring, from the left: around a part that is new
					polygonOf = append(polygonOf, len(polygons))
					polygons = append(polygons, Polygon{ring})
				} else { // around a hole of the part that ends here
					polygonOf = append(polygonOf, polygonOf[last])
					polygons[polygonOf[last]] = append(polygons[polygonOf[last]], ring)
				}
			}
			last = r.ringAt[at]
		}
	}
	return polygons
}

// directions of a walk along the sides of cells: east, north, west, south.
var steps = [4][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}

// ring walks around with the cells that are in at the left, from the left side of the cell x, y: southwards if that cell is in,
// else northwards.
func (r *rings) ring(x, y int, in bool, number uint32) []coord.Point {
	r.points = r.points[:0]
	way := 1
	if in {
		way, y = 3, y+1
	} // the walk is at the corner x, y of the grid and goes way
	startX, startY, startWay := x, y, way
	for {
		dx, dy := steps[way][0], steps[way][1]
		switch way { // the side that is passed is the left one of a cell
		case 1:
			r.ringAt[y*r.columns+x] = number
		case 3:
			r.ringAt[(y-1)*r.columns+x] = number
		}
		r.add(coord.Point{Lng: r.west + int32(x)*r.wide + int32(dx)*r.wide/2, Lat: r.south + int32(y)*r.high + int32(dy)*r.high/2})
		x, y = x+dx, y+dy
		way = r.turn(x, y, way)
		if x == startX && y == startY && way == startWay {
			break
		}
	}
	return r.closed()
}

// turn is the direction after a corner: right if the cell ahead on the right is in, else straight on if the one ahead on the
// left is, else left.
func (r *rings) turn(x, y, way int) int {
	ahead := [4][2][2]int{ // of each direction: the cells ahead on the right and on the left of a corner
		{{0, -1}, {0, 0}}, {{0, 0}, {-1, 0}}, {{-1, 0}, {-1, -1}}, {{-1, -1}, {0, -1}},
	}[way]
	switch {
	case r.in(x+ahead[0][0], y+ahead[0][1]):
		return (way + 3) % 4
	case r.in(x+ahead[1][0], y+ahead[1][1]):
		return way
	}
	return (way + 1) % 4
}

// add appends a point in place of the last one if that is on the straight line to it.
func (r *rings) add(p coord.Point) {
	if n := len(r.points); n >= 2 && straight(r.points[n-2], r.points[n-1], p) {
		r.points[n-1] = p
		return
	}
	r.points = append(r.points, p)
}

func straight(a, b, c coord.Point) bool {
	return int64(b.Lng-a.Lng)*int64(c.Lat-b.Lat) == int64(b.Lat-a.Lat)*int64(c.Lng-b.Lng)
}

// closed is a copy of the ring with its first point at the end, without points on straight lines there.
func (r *rings) closed() []coord.Point {
	p := r.points
	for len(p) > 3 && straight(p[len(p)-2], p[len(p)-1], p[0]) {
		p = p[:len(p)-1]
	}
	for len(p) > 3 && straight(p[len(p)-1], p[0], p[1]) {
		p = p[1:]
	}
	return append(slices.Clone(p), p[0])
}

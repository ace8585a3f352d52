package typology

import (
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/schemas/calibration"
	"quartier/transform/network/street"
)

// A geohash of 7 characters has 35 bits: 18 of longitude and 17 of latitude. All its cells have the same size in
// degrees.
const (
	columns = 1 << 18
	rows    = 1 << 17
	width   = 360.0 / columns // degrees
	height  = 180.0 / rows    // degrees
)

// spot is a cell, by row and column counted from the south and the west.
type spot uint64

func spotAt(p orb.Point) spot {
	return spotOf(int((p[1]+90)/height), int((p[0]+180)/width))
}

func spotOf(row, column int) spot {
	return spot(min(max(row, 0), rows-1))<<18 | spot(min(max(column, 0), columns-1))
}

func (s spot) row() int    { return int(s >> 18) }
func (s spot) column() int { return int(s % columns) }

func (s spot) centre() orb.Point {
	return orb.Point{(float64(s.column())+0.5)*width - 180, (float64(s.row())+0.5)*height - 90}
}

// candidates are the cells with streets and those around people, each once.
func candidates(net *street.Network, people People, t calibration.Typology) []spot {
	found := follow(net, t.AlongM)
	var homes []spot
	people.Each(func(p orb.Point) { homes = append(homes, spotAt(p)) })
	return unique(append(found, around(unique(homes), t.AroundPeopleM)...))
}

func unique(spots []spot) []spot {
	slices.Sort(spots)
	return slices.Compact(spots)
}

// follow lists the cells that the region's own streets pass, in steps of the given length in metres.
func follow(net *street.Network, metres float64) []spot {
	var found []spot
	for _, e := range net.Own().Edges {
		shape := net.Walk.Line(e)
		for i := 1; i < len(shape); i++ {
			a, b := shape[i-1].Orb(), shape[i].Orb()
			steps := max(1, int(math.Ceil(geo.Distance(a, b)/metres)))
			for k := range steps + 1 {
				share := float64(k) / float64(steps)
				s := spotAt(orb.Point{a[0] + share*(b[0]-a[0]), a[1] + share*(b[1]-a[1])})
				if n := len(found); n == 0 || found[n-1] != s {
					found = append(found, s)
				}
			}
		}
	}
	return unique(found)
}

// around lists the cells whose centres are within the given distance in metres of the centre of one of the sorted
// cells homes. It goes row by row and merges overlapping intervals of columns.
func around(homes []spot, metres float64) []spot {
	var found []spot
	reach := 0
	if len(homes) > 0 {
		reach = int(metres / geo.Distance(orb.Point{0, 45}, orb.Point{0, 45 + height}))
	}
	for begin := 0; begin < len(homes); {
		row := homes[begin].row()
		end := begin
		for end < len(homes) && homes[end].row() == row {
			end++
		}
		plane := geo.NewPlane(homes[begin].centre())
		across, up := plane.XY(orb.Point{homes[begin].centre()[0] + width, homes[begin].centre()[1] + height})
		for up, step := float64(-reach)*up, up; up <= metres; up += step {
			if up < -metres {
				continue
			}
			half := int(math.Sqrt(metres*metres-up*up) / across)
			found = interval(found, homes[begin:end], int(math.Round(up/step)), half)
		}
		begin = end
	}
	return found
}

// interval adds the cells that are up rows north of a row of homes and at most half columns to either side of one.
func interval(found, row []spot, up, half int) []spot {
	next := 0
	for _, home := range row {
		column := home.column()
		for at := max(next, column-half); at <= column+half; at++ {
			found = append(found, spotOf(home.row()+up, at))
		}
		next = column + half + 1
	}
	return found
}

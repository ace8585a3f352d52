package analysis

import (
	"math"

	"quartier/internal/coord"
)

// MetresPerMinute is how fast people walk.
const MetresPerMinute = 80

// Rings are the streets within minutes on foot of a point.
type Rings struct {
	MetresPerMinute int    `json:"metres_per_minute"`
	Bands           []Band `json:"bands"`    // those within the first minutes, then those beyond and within the next, …
	Complete        bool   `json:"complete"` // false: they reach places of which the release knows no streets
}

// Band is the streets of a ring. A line is longitude and latitude of its first vertex in hundred-thousandths of a degree, and the
// steps to each further one: [-7526000, 3916000, 12, -5, …].
type Band struct {
	Minutes int       `json:"minutes"`
	M       float64   `json:"m"` // of streets
	Lines   [][]int32 `json:"lines"`
}

// Rings finds the rings around a point; false where no street is near. Minutes ascend.
func (r *Reader) Rings(lng, lat float64, minutes []int) (out Rings, ok bool) {
	out.MetresPerMinute, out.Complete = MetresPerMinute, true
	limits := make([]float64, len(minutes))
	for i, m := range minutes {
		limits[i] = float64(m * MetresPerMinute)
		out.Bands = append(out.Bands, Band{Minutes: m, Lines: [][]int32{}})
	}
	ok = r.Release.Access.Walk(lng, lat, limits, func(band int, m float64, line []coord.Point) {
		out.Bands[band].M += m
		out.Bands[band].Lines = append(out.Bands[band].Lines, steps(line))
	})
	north := limits[len(limits)-1] / 111_200
	east := north / max(0.01, math.Cos(lat*math.Pi/180))
	for i := range 9 { // the point, and eight around it
		x, y := lng+east*float64(i%3-1), lat+north*float64(i/3-1)
		out.Complete = out.Complete && len(r.Release.Geographies.RegionsAt(nil, x, y)) > 0
	}
	return out, ok
}

func steps(line []coord.Point) (out []int32) {
	var last coord.Point
	for _, p := range line {
		next := coord.Point{Lng: (p.Lng + 50) / 100, Lat: (p.Lat + 50) / 100}
		out, last = append(out, next.Lng-last.Lng, next.Lat-last.Lat), next
	}
	return out
}

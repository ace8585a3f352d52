package analysis

import (
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/network"
)

// MetresPerMinute is how fast people walk.
const MetresPerMinute = 80

// Rings are the streets within minutes on foot of a point.
type Rings struct {
	MetresPerMinute int    `json:"metres_per_minute"`
	Bands           []Band `json:"bands"`    // those within the first minutes, then those beyond and within the next, …
	Complete        bool   `json:"complete"` // false: the last minutes lead out of the regions of the release, where streets are not known
}

// Band is the streets of a ring. A line is longitude and latitude of its first vertex in hundred-thousandths of a degree, and the
// steps to each further one: [-7526000, 3916000, 12, -5, …].
type Band struct {
	Minutes int       `json:"minutes"`
	KM      float64   `json:"km"` // of streets, to a tenth
	Lines   [][]int32 `json:"lines"`
}

// Rings finds the rings around a point that the account may see; false where no street is near. Minutes ascend.
func (r *Reader) Rings(lng, lat float64, minutes []int) (out Rings, ok bool) {
	out.MetresPerMinute, out.Complete = MetresPerMinute, true
	var limits []network.Distance
	for _, m := range minutes {
		limits = append(limits, network.Metres(float64(m*MetresPerMinute)))
		out.Bands = append(out.Bands, Band{Minutes: m, Lines: [][]int32{}})
	}
	ok = r.Release.Access.Walk(lng, lat, limits, func(band int, m float64, line []coord.Point) {
		one := &out.Bands[band]
		one.KM += m / 1000
		one.Lines = append(one.Lines, steps(line))
	})
	reach := limits[len(limits)-1].Metres()
	for i := range out.Bands {
		out.Bands[i].KM = math.Round(10*out.Bands[i].KM) / 10
	}
	for turn := range 16 {
		at := around(orb.Point{lng, lat}, reach, float64(turn)/16)
		out.Complete = out.Complete && len(r.Release.Geographies.RegionsAt(nil, at[0], at[1])) > 0
	}
	return out, ok
}

// around is a point at metres from another in a direction, in turns.
func around(p orb.Point, metres, turn float64) orb.Point {
	sin, cos := math.Sincos(2 * math.Pi * turn)
	north := metres / 111_200
	return orb.Point{p[0] + north*sin/max(0.01, math.Cos(p[1]*math.Pi/180)), p[1] + north*cos}
}

func steps(line []coord.Point) []int32 {
	const unit = coord.Scale / 100_000
	out := make([]int32, 0, 2*len(line))
	var last [2]int32
	for i, p := range line {
		at := [2]int32{int32(math.Round(float64(p.Lng) / unit)), int32(math.Round(float64(p.Lat) / unit))}
		if i > 0 && at == last {
			continue
		}
		out = append(out, at[0]-last[0], at[1]-last[1])
		last = at
	}
	return out
}

package trafficcounts

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geo"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

const (
	maxVolume = 500_000 // vehicles a day; the busiest road of the continent has some 420,000
	maxLanes  = 30
	maxKMH    = 200
	kmhPerMPH = 1.609344
)

// record is a feature or a row of a table.
type record struct {
	value    func(name string) string
	number   func(name string) (n float64, ok bool)
	geometry orb.Geometry
	fault    reason.Reason // of the geometry
	where    string
}

// first is the first of some attributes that is not empty.
func (r *record) first(names source.List) string {
	for _, name := range names {
		if v := r.value(name); v != "" {
			return v
		}
	}
	return ""
}

// firstNumber is its number; absent if all are empty, and not ok if it is none.
func (r *record) firstNumber(names source.List) (n float64, absent, ok bool) {
	for _, name := range names {
		if r.value(name) != "" {
			n, ok = r.number(name)
			return n, false, ok
		}
	}
	return 0, true, true
}

// sum adds up numbers; absent if all are empty, and not ok if one is no number.
func (r *record) sum(names source.List) (sum float64, absent, ok bool) {
	absent = true
	for _, name := range names {
		if r.value(name) == "" {
			continue
		}
		n, number := r.number(name)
		if !number {
			return 0, false, false
		}
		sum, absent = sum+n, false
	}
	return sum, absent, true
}

// row converts a record to a count, or says why it is none.
func (s *stage) row(r *record) (c source.TrafficCount, why reason.Reason) {
	if !r.fault.OK() {
		return c, r.fault
	}
	dropped := 0
	if c.Geometry, dropped, why = shape(r.geometry); !why.OK() {
		return c, why
	}
	key := r.first(s.Key)
	if key == "" {
		return c, source.MissingKey
	}
	c.Key, c.Name, c.Class = s.Scheme+":"+key, r.first(s.Name), s.Classes[r.first(s.Class)]
	if c.AADT, why = s.volume(r, key); !why.OK() {
		return c, why
	}
	if dropped > 0 {
		s.out.Issue(otherLines, fmt.Sprintf("%s: %d of %d lines", r.where, dropped, dropped+1))
	}
	s.details(r, &c)
	return c, why
}

// volume is the vehicles a day.
func (s *stage) volume(r *record, key string) (aadt float64, why reason.Reason) {
	absent, ok := false, true
	switch {
	case s.days != nil:
		if aadt, ok = s.days.mean(key); !ok {
			return 0, noFullDay
		}
	case len(s.Sum) > 0:
		aadt, absent, ok = r.sum(s.Sum)
	default:
		aadt, absent, ok = r.firstNumber(s.AADT)
	}
	aadt *= s.Factor
	switch {
	case !ok || !(aadt >= 0 && aadt <= maxVolume):
		return 0, invalidVolume
	case absent || aadt == 0:
		return 0, noVolume
	}
	return aadt, why
}

// details sets what is known besides the volume; what is not plausible is left out and counted.
func (s *stage) details(r *record, c *source.TrafficCount) {
	if heavy, known, ok := s.heavy(r, c.AADT); known && ok {
		c.Heavy = &heavy
	} else if known {
		s.out.Issue(heavyRemoved, r.where)
	}
	if lanes, absent, ok := r.firstNumber(s.Lanes); !absent && ok && lanes >= 1 && lanes <= maxLanes && lanes == math.Trunc(lanes) {
		c.Lanes = int32(lanes)
	} else if !absent && lanes != 0 {
		s.out.Issue(source.LanesRemoved, r.where)
	}
	if speed, absent, ok := r.firstNumber(s.Speed); !absent && speed != 0 {
		if s.SpeedUnit == "mph" {
			speed *= kmhPerMPH
		}
		if ok && speed > 0 && speed <= maxKMH {
			c.SpeedKMH = math.Round(speed*10) / 10
		} else {
			s.out.Issue(source.SpeedLimitRemoved, r.where)
		}
	}
	c.OneWay = s.PerDirection || len(s.OneWay) > 0 && slices.Contains(s.OneWayValues, r.first(s.OneWay))
	if text := r.first(s.Heading); text != "" {
		if degrees, ok := heading(text); ok {
			c.Heading = &degrees
		} else {
			s.out.Issue(unknownTravel, r.where)
		}
	}
}

// heavy is the share of heavy vehicles.
func (s *stage) heavy(r *record, aadt float64) (share float64, known, ok bool) {
	absent := true
	if s.HeavyPct != "" {
		share, absent, ok = r.firstNumber(source.List{s.HeavyPct})
		share /= 100
	} else if len(s.Heavy) > 0 {
		share, absent, ok = r.sum(s.Heavy)
		share *= s.Factor / aadt
	}
	return share, !absent, ok && share >= 0 && share <= 1
}

// shape is a point or a line; of several lines the longest, with how many others it has: with a key for each a count could
// be counted twice.
func shape(g orb.Geometry) (shape orb.Geometry, dropped int, why reason.Reason) {
	switch g := g.(type) {
	case orb.Point, orb.LineString:
		return g, 0, why
	case orb.MultiPoint:
		if len(g) == 1 {
			return g[0], 0, why
		}
	case orb.MultiLineString:
		if len(g) > 0 {
			longest := slices.MaxFunc(g, func(a, b orb.LineString) int { return cmp.Compare(geo.Length(a), geo.Length(b)) })
			return longest, len(g) - 1, why
		}
		return nil, 0, source.MissingGeometry
	case nil:
		return nil, 0, source.MissingGeometry
	}
	return nil, 0, source.WrongGeometryType
}

// compass are the points of the compass, in degrees, as publishers write them.
var compass = map[string]float64{
	"n": 0, "ne": 45, "e": 90, "se": 135, "s": 180, "sw": 225, "w": 270, "nw": 315,
	"north": 0, "northeast": 45, "east": 90, "southeast": 135, "south": 180, "southwest": 225, "west": 270, "northwest": 315,
	"nord": 0, "nordest": 45, "est": 90, "sudest": 135, "sud": 180, "sudouest": 225, "ouest": 270, "nordouest": 315,
}

// heading reads "NB", "Northbound", "South-East", "ouest" or degrees.
func heading(text string) (degrees float64, ok bool) {
	text = strings.NewReplacer(" ", "", "-", "", "_", "", ".", "").Replace(strings.ToLower(text))
	for _, tail := range []string{"", "bound", "b"} {
		if degrees, ok = compass[strings.TrimSuffix(text, tail)]; ok {
			return degrees, true
		}
	}
	degrees, err := strconv.ParseFloat(text, 64)
	return math.Mod(degrees, 360), err == nil && degrees >= 0 && degrees <= 360
}

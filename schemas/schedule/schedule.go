// Package schedule has the forms of columns of timetables in the staged and derived databases: days of services, stops of
// patterns and times of trips as bytes. A trip is one row: times of two million calls are a few bytes each.
package schedule

import (
	"encoding/binary"
	"errors"
)

// Flags of a call.
const (
	NoBoarding  = 1 << iota // passengers do not get on
	NoAlighting             // they do not get off
)

// Kinds of transfers.
const (
	Recommended = iota
	Timed       // the vehicle waits
	TakesTime   // at least some seconds
	NotPossible
)

// Days are the days of a service: bit i%8 of byte i/8 is day i.
type Days []byte

// NewDays has room for some days.
func NewDays(days int) Days { return make(Days, (days+7)/8) }

// Add adds a day.
func (d Days) Add(day int) { d[day/8] |= 1 << (day % 8) }

// Has reports whether a day is among them; false for days beyond them.
func (d Days) Has(day int) bool { return day >= 0 && day/8 < len(d) && d[day/8]&(1<<(day%8)) != 0 }

// AppendStops appends the stops of a pattern, four bytes each.
func AppendStops(dst []byte, stops ...uint32) []byte {
	for _, stop := range stops {
		dst = binary.LittleEndian.AppendUint32(dst, stop)
	}
	return dst
}

// Stops are the stops that AppendStops encoded.
func Stops(data []byte) ([]uint32, error) {
	if len(data)%4 != 0 {
		return nil, errors.New("stops of a pattern: not four bytes each")
	}
	stops := make([]uint32, len(data)/4)
	for i := range stops {
		stops[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return stops, nil
}

// AppendTimes appends the times of a trip, arrival and departure at each call one after the other: the first in seconds after
// midnight, the others in seconds after the one before, as varints. They must not go back. 8:00:00, 8:00:00, 8:02:10, 8:02:30 are
// 28,800, 0, 130, 20.
func AppendTimes(dst []byte, times ...uint32) []byte {
	last := uint32(0)
	for _, t := range times {
		dst = binary.AppendUvarint(dst, uint64(t-last))
		last = t
	}
	return dst
}

// MaxSeconds is the latest time of a trip: 96:00:00, of a vehicle that departed three days before.
const MaxSeconds = 4 * 86_400

// Times appends the times that AppendTimes encoded to dst, seconds after midnight.
func Times(dst []uint32, data []byte) ([]uint32, error) {
	last := uint64(0)
	for len(data) > 0 {
		step, n := binary.Uvarint(data)
		if n <= 0 || step > MaxSeconds || last+step > MaxSeconds {
			return dst, errors.New("times of a trip: not seconds up to 96:00:00")
		}
		data, last = data[n:], last+step
		dst = append(dst, uint32(last))
	}
	return dst, nil
}

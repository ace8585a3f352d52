// Package location stores the coordinates of the requested nodes of a file and returns points, lines, and the longest
// known run of a way that leaves the extract.
package location

import (
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/internal/geo"
)

// Store has the coordinates of nodes. Request the ids with Want or Locate, then call Freeze, then store the coordinates
// with Put. It takes 16 bytes per node. The zero value is ready for use.
type Store struct {
	ids  []int64
	at   [][2]int32 // longitude, latitude in 1e-7 degrees, the resolution of OpenStreetMap
	last int        // result of the last search: files are mostly sorted

	located []element.Node // coordinates from ways, before Freeze
}

// Longitudes of nodes without valid coordinates.
const (
	missing = math.MinInt32
	invalid = math.MinInt32 + 1 // in the file, but out of range
)

// Want requests nodes. Ids may be repeated.
func (s *Store) Want(refs []int64) {
	if len(s.ids)+len(refs) > cap(s.ids) {
		s.compact()
		s.ids = slices.Grow(s.ids, max(len(s.ids), 1<<12)+len(refs))
	}
	s.ids = append(s.ids, refs...)
}

// compact sorts the ids and removes duplicates.
func (s *Store) compact() {
	s.ids, _ = sortIDs(s.ids, make([]int64, len(s.ids)))
	s.ids = slices.Compact(s.ids)
}

// Locate requests the nodes of a way and stores their coordinates if the file has them with the way.
func (s *Store) Locate(refs []int64, points []orb.Point) {
	s.Want(refs)
	for i, p := range points {
		s.located = append(s.located, element.Node{ID: refs[i], Point: p})
	}
}

// Freeze ends the requests.
func (s *Store) Freeze() {
	s.compact()
	s.at = make([][2]int32, len(s.ids))
	for i := range s.at {
		s.at[i][0] = missing
	}
	for _, n := range s.located {
		s.Put(n.ID, n.Point)
	}
	s.located = nil
}

// Put stores the coordinates of a node if it was requested. Of a duplicate node the first one is kept; coordinates out
// of range count as missing.
func (s *Store) Put(id int64, p orb.Point) {
	i, ok := s.find(id)
	switch {
	case !ok || s.known(i):
	case geo.Valid(p):
		s.at[i] = [2]int32{int32(math.Round(p[0] * 1e7)), int32(math.Round(p[1] * 1e7))}
	default:
		s.at[i][0] = invalid
	}
}

func (s *Store) known(i int) bool { return s.at[i][0] != missing && s.at[i][0] != invalid }

// Point returns the coordinates of a node, if the file has them.
func (s *Store) Point(id int64) (orb.Point, bool) {
	i, ok := s.find(id)
	if !ok || !s.known(i) {
		return orb.Point{}, false
	}
	return orb.Point{float64(s.at[i][0]) / 1e7, float64(s.at[i][1]) / 1e7}, true
}

// HasInvalidLocation reports whether a node of a way has coordinates out of range.
func (s *Store) HasInvalidLocation(refs []int64) bool {
	return slices.ContainsFunc(refs, func(ref int64) bool {
		i, ok := s.find(ref)
		return ok && s.at[i][0] == invalid
	})
}

// Line returns the coordinates of a way's nodes and the number of missing ones.
func (s *Store) Line(refs []int64) (line orb.LineString, missing int) {
	line = make(orb.LineString, 0, len(refs))
	for _, ref := range refs {
		if p, ok := s.Point(ref); ok {
			line = append(line, p)
		} else {
			missing++
		}
	}
	return line, missing
}

// LongestKnownRun returns the longest run of consecutive nodes of a way whose coordinates are known, the first one of
// equal length, and the number of missing nodes. Repeated consecutive nodes are used once. The memory of line and ids is
// reused.
//
// For example, of the nodes 1 2 x 3 4 5, where x is missing, it returns 3 4 5.
func (s *Store) LongestKnownRun(refs []int64, line orb.LineString, ids []int64) (orb.LineString, []int64, int) {
	line, ids = line[:0], ids[:0]
	missing, run := 0, 0
	best := [2]int{}
	for i, ref := range refs {
		if i > 0 && ref == refs[i-1] {
			continue
		}
		p, ok := s.Point(ref)
		if !ok {
			missing++
			run = len(line)
			continue
		}
		line, ids = append(line, p), append(ids, ref)
		if len(line)-run > best[1]-best[0] {
			best = [2]int{run, len(line)}
		}
	}
	return line[best[0]:best[1]], ids[best[0]:best[1]], missing
}

// find is a binary search that starts at the last result.
func (s *Store) find(id int64) (int, bool) {
	low, high := 0, len(s.ids)
	if s.last < len(s.ids) && s.ids[s.last] <= id {
		low = s.last
		for step := 1; low+step < high; step *= 2 {
			if s.ids[low+step] > id {
				high = low + step
				break
			}
			low += step
		}
	}
	i, ok := slices.BinarySearch(s.ids[low:high], id)
	s.last = low + i
	return low + i, ok
}

// Package nodes keeps where the nodes of a file lie: of those that somebody wants, and of no others. In go the ids of
// nodes and then the nodes, out come points, lines, and the longest known stretch of a way that leaves the extract.
package location

import (
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/internal/geo"
)

// Places holds the places of nodes. First the ids are collected, then sealed, then the places are put in. It takes 16
// bytes a node. The zero value is ready to be asked.
type Store struct {
	ids  []int64
	at   [][2]int32 // longitude, latitude in 1e-7 degrees, the resolution of OpenStreetMap
	last int        // where the last search ended: files are mostly sorted

	located []element.Node // places that came with ways, before the sealing
}

// What stands for the longitude of a node without a place.
const (
	unknown   = math.MinInt32
	misplaced = math.MinInt32 + 1 // it has one, outside the world
)

// Want asks for nodes. Ids may repeat.
func (s *Store) Want(refs []int64) {
	if len(s.ids)+len(refs) > cap(s.ids) {
		s.compact()
		s.ids = slices.Grow(s.ids, max(len(s.ids), 1<<12)+len(refs))
	}
	s.ids = append(s.ids, refs...)
}

// compact leaves each id once, in order.
func (s *Store) compact() {
	s.ids, _ = sortIDs(s.ids, make([]int64, len(s.ids)))
	s.ids = slices.Compact(s.ids)
}

// Locate asks for nodes and takes their places from the way, in files that keep them there.
func (s *Store) Locate(refs []int64, points []orb.Point) {
	s.Want(refs)
	for i, p := range points {
		s.located = append(s.located, element.Node{ID: refs[i], Point: p})
	}
}

// Seal ends the collecting.
func (s *Store) Seal() {
	s.compact()
	s.at = make([][2]int32, len(s.ids))
	for i := range s.at {
		s.at[i][0] = unknown
	}
	for _, n := range s.located {
		s.Put(n.ID, n.Point)
	}
	s.located = nil
}

// Put keeps the place of a node, if it was asked for. Of a node that comes twice the first one stays; one outside the
// world is as good as missing.
func (s *Store) Put(id int64, p orb.Point) {
	i, ok := s.find(id)
	switch {
	case !ok || s.known(i):
	case geo.Valid(p):
		s.at[i] = [2]int32{int32(math.Round(p[0] * 1e7)), int32(math.Round(p[1] * 1e7))}
	default:
		s.at[i][0] = misplaced
	}
}

func (s *Store) known(i int) bool { return s.at[i][0] != unknown && s.at[i][0] != misplaced }

// Point returns the place of a node, if the file has it.
func (s *Store) Point(id int64) (orb.Point, bool) {
	i, ok := s.find(id)
	if !ok || !s.known(i) {
		return orb.Point{}, false
	}
	return orb.Point{float64(s.at[i][0]) / 1e7, float64(s.at[i][1]) / 1e7}, true
}

// Misplaced reports whether one of a way's nodes is missing because the file has it outside the world.
func (s *Store) Misplaced(refs []int64) bool {
	return slices.ContainsFunc(refs, func(ref int64) bool {
		i, ok := s.find(ref)
		return ok && s.at[i][0] == misplaced
	})
}

// Line returns the places of a way's nodes, and how many of them are missing.
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

// Run is the longest stretch of a way whose nodes are all known, the first one of several, and how many nodes are
// missing. A node that follows itself is taken once. The space of line and ids is used again.
func (s *Store) Run(refs []int64, line orb.LineString, ids []int64) (orb.LineString, []int64, int) {
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

// find is a binary search that begins near the last answer.
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

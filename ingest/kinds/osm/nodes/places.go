// Package nodes keeps where the nodes of a file lie: of those that somebody wants, and of no others. In go the ids of
// nodes and then the nodes, out come points, lines, and the longest known stretch of a way that leaves the extract.
package nodes

import (
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/internal/geo"
)

// Places holds the places of nodes. First the ids are collected, then sealed, then the places are put in. It takes 16
// bytes a node. The zero value is ready to be asked.
type Places struct {
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
func (c *Places) Want(refs []int64) {
	if len(c.ids)+len(refs) > cap(c.ids) {
		c.compact()
		c.ids = slices.Grow(c.ids, max(len(c.ids), 1<<12)+len(refs))
	}
	c.ids = append(c.ids, refs...)
}

// compact leaves each id once, in order.
func (c *Places) compact() {
	c.ids, _ = sortIDs(c.ids, make([]int64, len(c.ids)))
	c.ids = slices.Compact(c.ids)
}

// Locate asks for nodes and takes their places from the way, in files that keep them there.
func (c *Places) Locate(refs []int64, points []orb.Point) {
	c.Want(refs)
	for i, p := range points {
		c.located = append(c.located, element.Node{ID: refs[i], Point: p})
	}
}

// Seal ends the collecting.
func (c *Places) Seal() {
	c.compact()
	c.at = make([][2]int32, len(c.ids))
	for i := range c.at {
		c.at[i][0] = unknown
	}
	for _, n := range c.located {
		c.Put(n.ID, n.Point)
	}
	c.located = nil
}

// Put keeps the place of a node, if it was asked for. Of a node that comes twice the first one stays; one outside the
// world is as good as missing.
func (c *Places) Put(id int64, p orb.Point) {
	i, ok := c.find(id)
	switch {
	case !ok || c.known(i):
	case geo.Valid(p):
		c.at[i] = [2]int32{int32(math.Round(p[0] * 1e7)), int32(math.Round(p[1] * 1e7))}
	default:
		c.at[i][0] = misplaced
	}
}

func (c *Places) known(i int) bool { return c.at[i][0] != unknown && c.at[i][0] != misplaced }

// Point returns the place of a node, if the file has it.
func (c *Places) Point(id int64) (orb.Point, bool) {
	i, ok := c.find(id)
	if !ok || !c.known(i) {
		return orb.Point{}, false
	}
	return orb.Point{float64(c.at[i][0]) / 1e7, float64(c.at[i][1]) / 1e7}, true
}

// Misplaced reports whether one of a way's nodes is missing because the file has it outside the world.
func (c *Places) Misplaced(refs []int64) bool {
	return slices.ContainsFunc(refs, func(ref int64) bool {
		i, ok := c.find(ref)
		return ok && c.at[i][0] == misplaced
	})
}

// Line returns the places of a way's nodes, and how many of them are missing.
func (c *Places) Line(refs []int64) (line orb.LineString, missing int) {
	line = make(orb.LineString, 0, len(refs))
	for _, ref := range refs {
		if p, ok := c.Point(ref); ok {
			line = append(line, p)
		} else {
			missing++
		}
	}
	return line, missing
}

// Run is the longest stretch of a way whose nodes are all known, the first one of several, and how many nodes are
// missing. A node that follows itself is taken once. The space of line and ids is used again.
func (c *Places) Run(refs []int64, line orb.LineString, ids []int64) (orb.LineString, []int64, int) {
	line, ids = line[:0], ids[:0]
	missing, run := 0, 0
	best := [2]int{}
	for i, ref := range refs {
		if i > 0 && ref == refs[i-1] {
			continue
		}
		p, ok := c.Point(ref)
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
func (c *Places) find(id int64) (int, bool) {
	low, high := 0, len(c.ids)
	if c.last < len(c.ids) && c.ids[c.last] <= id {
		low = c.last
		for step := 1; low+step < high; step *= 2 {
			if c.ids[low+step] > id {
				high = low + step
				break
			}
			low += step
		}
	}
	i, ok := slices.BinarySearch(c.ids[low:high], id)
	c.last = low + i
	return low + i, ok
}

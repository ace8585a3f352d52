package osm

import (
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/osm/element"
	"quartier/internal/geo"
)

// coordinates holds the places of the nodes that outlines need, and of no others: first the ids are collected, then
// sealed, then the places are put in. It takes 16 bytes a node.
type coordinates struct {
	ids  []int64
	at   [][2]int32 // longitude, latitude in 1e-7 degrees, the resolution of OpenStreetMap
	last int        // where the last search ended: files are mostly sorted

	located []element.Node // places that came with ways, before the sealing
}

const unknown = math.MinInt32

// want asks for nodes. Ids may repeat.
func (c *coordinates) want(refs []int64) {
	if len(c.ids)+len(refs) > cap(c.ids) {
		c.compact()
	}
	c.ids = append(c.ids, refs...)
}

func (c *coordinates) compact() {
	slices.Sort(c.ids)
	c.ids = slices.Compact(c.ids)
}

// locate asks for nodes and takes their places from the way, in files that keep them there.
func (c *coordinates) locate(refs []int64, points []orb.Point) {
	c.want(refs)
	for i, p := range points {
		c.located = append(c.located, element.Node{ID: refs[i], Point: p})
	}
}

// seal ends the collecting.
func (c *coordinates) seal() {
	c.compact()
	c.at = make([][2]int32, len(c.ids))
	for i := range c.at {
		c.at[i][0] = unknown
	}
	for _, n := range c.located {
		c.put(n.ID, n.Point)
	}
	c.located = nil
}

// put keeps the place of a node, if it was asked for. Of a node that comes twice the first one stays; one outside the
// world is as good as missing.
func (c *coordinates) put(id int64, p orb.Point) {
	if i, ok := c.find(id); ok && c.at[i][0] == unknown && geo.Valid(p) {
		c.at[i] = [2]int32{int32(math.Round(p[0] * 1e7)), int32(math.Round(p[1] * 1e7))}
	}
}

// point returns the place of a node, if the file has it.
func (c *coordinates) point(id int64) (orb.Point, bool) {
	i, ok := c.find(id)
	if !ok || c.at[i][0] == unknown {
		return orb.Point{}, false
	}
	return orb.Point{float64(c.at[i][0]) / 1e7, float64(c.at[i][1]) / 1e7}, true
}

// line returns the places of a way's nodes, and how many of them are missing.
func (c *coordinates) line(refs []int64) (line orb.LineString, missing int) {
	line = make(orb.LineString, 0, len(refs))
	for _, ref := range refs {
		if p, ok := c.point(ref); ok {
			line = append(line, p)
		} else {
			missing++
		}
	}
	return line, missing
}

// find is a binary search that begins near the last answer.
func (c *coordinates) find(id int64) (int, bool) {
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

package network

import "quartier/internal/pack"

// Snapper finds where a door meets the network: the nearest point of an edge that a straight way leads to without
// crossing a barrier. It is a handful of flat slices, so that a pack can keep it and map it.
type Snapper struct{}

// NewSnapper indexes the edges of g. Barriers are lines that a way from a door may not cross.
func NewSnapper(g *Graph, barriers [][]pack.Point) *Snapper { panic("not written yet") }

// Snap finds the place of p on the network; false where no edge within limit metres can be reached.
func (s *Snapper) Snap(p pack.Point, limit float64) (Place, bool) { panic("not written yet") }

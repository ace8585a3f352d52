package schools

import (
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
)

// namesakes finds groups by name: by the cell where they are, and by name and postal code.
type namesakes struct {
	reachM    float64
	groups    []*group
	cells     map[namedCell][]int
	addresses map[[2]string][]int // by folded name and postal code
}

// namedCell is a folded name in a square of a quarter of a degree.
type namedCell struct {
	name string
	x, y int32
}

const cellDegrees = 0.25

func cellOf(p orb.Point) (x, y int32) {
	return int32(math.Floor(p[0] / cellDegrees)), int32(math.Floor(p[1] / cellDegrees))
}

func newNamesakes(groups []*group, reachM float64) *namesakes {
	n := &namesakes{reachM, groups, map[namedCell][]int{}, map[[2]string][]int{}}
	for i, g := range groups {
		code := g.postalCode()
		for _, name := range keysOf(g.names()) {
			if g.placed {
				x, y := cellOf(g.at)
				n.cells[namedCell{name, x, y}] = append(n.cells[namedCell{name, x, y}], i)
			}
			if code != "" {
				n.addresses[[2]string{name, code}] = append(n.addresses[[2]string{name, code}], i)
			}
		}
	}
	return n
}

// around are the groups that share a name with g and are within reachM of it, of another source and without contradicting
// grades; at most two, because one is looked for.
func (n *namesakes) around(g *group) (found []int) {
	box := geo.CircleBound(g.at, n.reachM)
	west, south := cellOf(box.Min)
	east, north := cellOf(box.Max)
	for _, name := range keysOf(g.names()) {
		for x := west; x <= east; x++ {
			for y := south; y <= north; y++ {
				for _, i := range n.cells[namedCell{name, x, y}] {
					if !slices.Contains(found, i) && n.may(g, i) && geo.Distance(g.at, n.groups[i].at) <= n.reachM {
						if found = append(found, i); len(found) > 1 {
							return found
						}
					}
				}
			}
		}
	}
	return found
}

// mostAtAddress is the greatest number of schools of one name at one address that are compared: a building has an intermediate
// and a high school.
const mostAtAddress = 8

// atAddress are the groups that share a name and the postal code with g, of another source and without contradicting grades.
func (n *namesakes) atAddress(g *group) (found []int) {
	code := g.postalCode()
	if code == "" {
		return nil
	}
	for _, name := range keysOf(g.names()) {
		for _, i := range n.addresses[[2]string{name, code}] {
			if len(found) < mostAtAddress && !slices.Contains(found, i) && n.may(g, i) {
				found = append(found, i)
			}
		}
	}
	return found
}

func (n *namesakes) may(g *group, i int) bool {
	other := n.groups[i]
	return !other.apart(g) && !other.grades().contradicts(g.grades())
}

// named finds the pairs of groups with equal names of which one is not placed, at one address, and of which one is placed by
// its address and far off. Nothing else around may be meant.
func (m *matcher) named() {
	kept, others := newNamesakes(m.kept, m.c.MovedM), newNamesakes(m.others, m.c.MovedM)
	for j, g := range m.others {
		for _, i := range kept.atAddress(g) {
			if !g.placed || !m.kept[i].placed {
				m.pairUp(i, j, byAddress)
			}
		}
		if !g.placed {
			continue
		}
		found := kept.around(g)
		for _, i := range found {
			m.kept[i].why.note(unmergedFar)
			g.why.note(unmergedFar)
		}
		if len(found) == 1 && m.kept[found[0]].geocode != g.geocode && len(others.around(m.kept[found[0]])) == 1 {
			m.pairUp(found[0], j, byMovedName)
		}
	}
}

// pairUp adds a pair of groups with equal names, unless they are near each other and a pair already.
func (m *matcher) pairUp(i, j, rule int) {
	kept, other := m.kept[i], m.others[j]
	p := pair{kept: i, other: j, rule: rule, metres: math.Inf(1)}
	if kept.placed && other.placed {
		if p.metres = geo.Distance(kept.at, other.at); p.metres <= m.c.SameNameM {
			return
		}
	}
	p.folded, p.plain = similarity(kept.names(), other.names())
	m.pairs = append(m.pairs, p)
}

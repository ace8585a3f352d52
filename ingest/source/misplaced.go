package source

import (
	"fmt"

	"github.com/paulmach/orb"

	"quartier/internal/outline"
)

// Misplaced counts positions that are not in Canada or the United States.
type Misplaced struct {
	all, swapped int64 // swapped: of all, those that would be there with longitude and latitude swapped
}

// Add counts a position.
func (m *Misplaced) Add(p orb.Point) {
	m.all++
	if outline.At(orb.Point{p[1], p[0]}) != "" {
		m.swapped++
	}
}

// Hint says, at the end of a message, that longitude and latitude may be swapped; "" if they are not for at least half of
// the positions.
func (m *Misplaced) Hint() string {
	if m.swapped == 0 || 2*m.swapped < m.all {
		return ""
	}
	return fmt.Sprintf("; with longitude and latitude swapped, %d of %d would be in Canada or the United States", m.swapped, m.all)
}

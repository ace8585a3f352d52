package assembly

import (
	"fmt"
	"strings"

	"quartier/internal/household"
	"quartier/schemas"
)

// Hulls are the convex hulls of the regions' street nodes. Outside of them nothing is known.
type Hulls = household.Hulls

// LevelCounts counts geographies by level.
type LevelCounts map[schemas.Level]int

// String lists the counts: "2 of level 10, 1 of level 30". It is empty where there are none.
func (c LevelCounts) String() string {
	var list []string
	for _, level := range schemas.Levels {
		if n := c[level]; n > 0 {
			list = append(list, fmt.Sprintf("%d of level %d", n, level))
		}
	}
	return strings.Join(list, ", ")
}

package endpoint

import (
	"slices"

	"quartier/schemas"
)

// The levels that endpoints take.
var (
	BelowMetro = []schemas.Level{
		schemas.Neighbourhood, schemas.Borough, schemas.Municipality, schemas.PostalArea,
		schemas.CountySubdivision, schemas.County, schemas.Region,
	}
	UpToMetro = append(slices.Clone(BelowMetro), schemas.Metro) // those with scores and demographics
)

// SelectLevels is the set of the levels whose bits are set. No bits give the empty set, which look-ups take for all.
func SelectLevels(levels []schemas.Level, bits uint64) schemas.LevelSet {
	var set schemas.LevelSet
	for i, level := range levels {
		if bits&(1<<i) != 0 {
			set |= schemas.NewLevelSet(level)
		}
	}
	return set
}

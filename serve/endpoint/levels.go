package endpoint

import (
	"slices"
	"strconv"

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

// LevelNumbers lists levels as parameters write them.
func LevelNumbers(levels []schemas.Level) []string {
	var numbers []string
	for _, level := range levels {
		numbers = append(numbers, strconv.Itoa(int(level)))
	}
	return numbers
}

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

// MaxGeogID is the maximum length of a geog_id, in characters.
const MaxGeogID = 36

// ValidGeogID reports whether id can be the id of a geography of one of the levels: g<level>_ and at least one more
// character.
func ValidGeogID(id string, levels []schemas.Level) bool {
	if len(id) > MaxGeogID || len(id) < len("g10_x") || id[0] != 'g' || id[3] != '_' {
		return false
	}
	tens, ones := int(id[1])-'0', int(id[2])-'0'
	return ones >= 0 && ones <= 9 && slices.Contains(levels, schemas.Level(10*tens+ones))
}

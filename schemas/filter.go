package schemas

import "strings"

// LevelSet is a set of levels of geographies. The zero value is the set of all levels.
type LevelSet uint16

// NewLevelSet returns the set of the given levels. Unknown levels are ignored; without any, it is the set of all levels.
func NewLevelSet(levels ...Level) LevelSet {
	var set LevelSet
	for i, known := range Levels {
		for _, l := range levels {
			if l == known {
				set |= 1 << i
			}
		}
	}
	return set
}

// Has reports whether l is in the set.
func (s LevelSet) Has(l Level) bool {
	return s == 0 || s&NewLevelSet(l) != 0
}

// RegionMatches reports whether a region code such as US_DE is allowed by the same code or that of its country, US.
func RegionMatches(code, allowance string) bool {
	rest, ok := strings.CutPrefix(code, allowance)
	return ok && allowance != "" && (rest == "" || rest[0] == '_')
}

package schemas

import (
	"slices"
	"strings"
)

// CoverageTopic is the topic of the note that CoverageNote writes.
const CoverageTopic = "places"

const (
	noPlaces       = "no data for places: no source lists any"
	sparseClasses  = "no data for these kinds of places, of which the sources have few or none: "
	unlistedKinds  = "no data for these kinds of places, because no source covers all kinds: "
	classSeparator = ", "
)

// CoverageNote is the note of the manifest on the classes of DestinationClasses for which a region has no data; "" if
// there are none. general: some source covers all kinds of places.
func CoverageNote(missing []string, general bool) string {
	text := strings.ReplaceAll(strings.Join(missing, classSeparator), "_", " ")
	switch {
	case text == "":
		return ""
	case len(missing) == len(DestinationClasses):
		return noPlaces
	case general:
		return sparseClasses + text
	}
	return unlistedKinds + text
}

// ParseCoverageNote reads what CoverageNote wrote; false for any other note.
func ParseCoverageNote(note string) (missing []string, ok bool) {
	if note == noPlaces {
		return slices.Clone(DestinationClasses), true
	}
	for _, prefix := range []string{sparseClasses, unlistedKinds} {
		if text, found := strings.CutPrefix(note, prefix); found {
			return strings.Split(strings.ReplaceAll(text, " ", "_"), strings.ReplaceAll(classSeparator, " ", "_")), true
		}
	}
	return nil, false
}

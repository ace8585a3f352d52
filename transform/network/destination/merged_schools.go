package destination

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"quartier/internal/sqlrow"
	"quartier/schemas/derived"
	"quartier/schemas/staged"
)

// SchoolClasses are the classes of destinations that are derived.school where a region has some, and POIs elsewhere.
var SchoolClasses = []string{"primary_school", "high_school"}

// mergedSchools adds the schools of derived.school, and reports whether the region has some of its own. If not, those that
// neighbours lend are not added either, because their POIs are.
func (f *deriver) mergedSchools(ctx context.Context) (own bool, err error) {
	var candidates []candidate
	for s, err := range sqlrow.Select[derived.School](ctx, f.derived, "SELECT * FROM school ORDER BY school_key") {
		if err != nil {
			return false, fmt.Errorf("read schools: %w", err)
		}
		own = own || !staged.Lent(s.SourceID)
		if classes := classesOfSchool(s.Levels); len(classes) > 0 {
			candidates = append(candidates, candidate{
				Destination{Key: s.Key, Source: s.SourceID, Name: s.Name, Station: s.Key, Point: [2]float64{s.Lng, s.Lat}}, classes})
		}
	}
	if !own {
		return false, nil
	}
	sources := map[string]bool{}
	for _, c := range candidates {
		if !staged.Lent(c.destination.Source) {
			sources[c.destination.Source] = true
		}
	}
	f.set.SchoolLists = slices.Sorted(maps.Keys(sources))
	return true, f.add(ctx, candidates)
}

// classesOfSchool are the classes of a school that teaches a comma list of levels, as those of POIs are by grades: K-8 is a primary
// school, 7-12 a high school, a middle school alone both, and preschool alone neither. /v3/schools lists every school with middle
// grades in both lists; where half of the elementary schools end with grade 8, no one would be far from a high school.
func classesOfSchool(levels string) (classes []string) {
	has := map[string]bool{}
	for level := range strings.SplitSeq(levels, ",") {
		has[level] = true
	}
	if has["elementary"] || has["middle"] && !has["secondary"] {
		classes = append(classes, SchoolClasses[0])
	}
	if has["secondary"] || has["middle"] && !has["elementary"] {
		classes = append(classes, SchoolClasses[1])
	}
	return classes
}

// SchoolNote says where the destinations of the education scores come from.
func (s *Set) SchoolNote() string {
	if len(s.SchoolLists) > 0 {
		return "the primary and high schools of scores are the merged schools of the sources " + strings.Join(s.SchoolLists, ", ") +
			", not the POIs"
	}
	return "the primary and high schools of scores are POIs, because no source lists schools"
}

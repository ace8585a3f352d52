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
		candidates = append(candidates, candidate{
			Destination{Key: s.Key, Source: s.SourceID, Name: s.Name, Station: s.Key, Point: [2]float64{s.Lng, s.Lat}}, classesOfSchool(s.Levels)})
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

// classesOfSchool are the classes of a school that teaches a comma list of levels, as /v3/schools lists it.
func classesOfSchool(levels string) (classes []string) {
	for i, of := range [][]string{{"preschool", "elementary", "middle"}, {"middle", "secondary"}} {
		if slices.ContainsFunc(strings.Split(levels, ","), func(l string) bool { return slices.Contains(of, l) }) {
			classes = append(classes, SchoolClasses[i])
		}
	}
	return classes
}

// SchoolNote says where the destinations of the education scores come from.
func (s *Set) SchoolNote() string {
	if len(s.SchoolLists) > 0 {
		return "the primary and high schools of scores are the merged schools of the sources " + strings.Join(s.SchoolLists, ", ") + ", not the POIs"
	}
	return "the primary and high schools of scores are POIs, because no source lists schools"
}

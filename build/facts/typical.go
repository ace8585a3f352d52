package facts

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"quartier/build/released"
	"quartier/schemas"
	"quartier/schemas/profile"
)

// group is the places whose values are compared.
type group struct {
	area    string // region, or country with a colon
	level   uint8
	code    profile.Code
	subject string
}

// typical has the values of facts by group, which become medians and ranks.
type typical struct{ values map[group][]float64 }

func newTypical() *typical { return &typical{map[group][]float64{}} }

// ranked reports whether a place has at most one fact of the code and subject, so that places can be compared by it.
func ranked(code profile.Code) bool {
	switch code {
	case profile.TypologyFact, profile.LineFact, profile.ParkFact, profile.StreetFact, profile.WaterFact, profile.BoundedByFact,
		profile.ContainsFact:
		return false
	}
	return true
}

func groups(s *subject, f *profile.Fact) [2]group {
	return [2]group{
		{s.region, s.place.Level, f.Code, f.Subject},
		{":" + s.place.Country, s.place.Level, f.Code, f.Subject},
	}
}

// add adds facts of a place.
func (t *typical) add(s *subject, facts []profile.Fact) {
	for i := range facts {
		if f := &facts[i]; ranked(f.Code) {
			for _, g := range groups(s, f) {
				t.values[g] = append(t.values[g], f.Value)
			}
		}
	}
}

// addReleased adds the facts of the profiles of the release in dir.
func (t *typical) addReleased(ctx context.Context, dir string) error {
	places, err := released.Open(filepath.Join(dir, schemas.GeographiesFile))
	if err != nil {
		return err
	}
	defer places.Close()
	subjects, err := readSubjects(ctx, places, places)
	if err != nil {
		return err
	}
	profiles, err := released.Open(filepath.Join(dir, schemas.ProfilesFile))
	if err != nil {
		return err
	}
	defer profiles.Close()
	return released.Profiles(ctx, profiles, "", func(p *released.Profile) error {
		i, found := slices.BinarySearchFunc(subjects, p.Place.ID, func(s subject, id string) int { return cmp.Compare(s.place.ID, id) })
		if !found {
			return fmt.Errorf("profile of %s, which is not in the release", p.Place.ID)
		}
		t.add(&subjects[i], p.Facts)
		return nil
	})
}

func (t *typical) sort() {
	for _, values := range t.values {
		slices.Sort(values)
	}
}

// rank sets what is typical of the region of a place, and how far the place is from it.
func (t *typical) rank(s *subject, facts []profile.Fact) {
	for i := range facts {
		f := &facts[i]
		f.Typical, f.Rank = math.NaN(), 0
		if !ranked(f.Code) {
			continue
		}
		for _, g := range groups(s, f) {
			if values := t.values[g]; len(values) >= constants().LeastPeers {
				f.Typical, f.Rank = median(values), rank(values, f.Value)
				break
			}
		}
	}
}

// median is the median of ascending values.
func median(values []float64) float64 {
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}

// rank is how far a value is from the median of ascending values: 0 at it, 1 if it is greater or less than all. Example:
// of 1, 2, 3, 4, 10 the value 4 has three below, itself and one above, so it is at (3 + ½)/5 = 0.7, and its rank is 0.4.
func rank(values []float64, v float64) float64 {
	if v == median(values) {
		return 0
	}
	below, _ := slices.BinarySearch(values, v)
	upTo, _ := slices.BinarySearchFunc(values, v, func(e, v float64) int {
		if e <= v {
			return -1
		}
		return 1
	})
	middle := float64(below+upTo) / 2 / float64(len(values))
	return math.Abs(2*middle - 1)
}

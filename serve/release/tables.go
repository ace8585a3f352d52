package release

import (
	"quartier/internal/pack"
	"quartier/internal/pack/access"
	"quartier/internal/pack/geographies"
	"quartier/internal/pack/names"
	"quartier/internal/pack/people"
	"quartier/internal/pack/profiles"
	"quartier/schemas/demographics"
)

// Tables are what is known of geographies. The components places and private both have them.
type Tables struct {
	Geographies *geographies.Table
	Names       *names.Index
	Access      *access.Table
	People      *people.Table
	Profiles    *profiles.Table
}

func (t *Tables) openGeographies(f *pack.File) (err error) {
	if t.Geographies, err = geographies.Open(f); err == nil {
		t.Names, err = names.Open(f)
	}
	return err
}

func (t *Tables) openAccess(f *pack.File) (err error) {
	t.Access, err = access.Open(f)
	return err
}

func (t *Tables) openPeople(f *pack.File) (err error) {
	t.People, err = people.Open(f)
	return err
}

func (t *Tables) openProfiles(f *pack.File) (err error) {
	t.Profiles, err = profiles.Open(f)
	return err
}

// Population is the population of geography i by which names rank: that of its outline's source, else that of its
// demographics; −1 where it is not known.
func (t *Tables) Population(i int) int64 {
	if known, ok := t.Geographies.Population(i); ok {
		return known
	}
	if record, ok := t.People.Find(t.Geographies.ID(i)); ok {
		if value, _, _ := record.Value(totalIndividuals); value != people.Absent {
			return int64(value)
		}
	}
	return -1
}

// totalIndividuals is the index of total_individuals among the variables of a geography, which are whole numbers.
var totalIndividuals = func() int {
	for i, at := range demographics.Flat(demographics.ByGeography) {
		if c := &demographics.ByGeography[at.Category]; c.ID == "population_total" && c.Variables[at.Variable].ID == "total_individuals" {
			return i
		}
	}
	panic("no total_individuals")
}()

package servetest

import (
	"cmp"
	"maps"
	"slices"

	"quartier/internal/pack"
	"quartier/internal/pack/profiles"
	"quartier/schemas"
	"quartier/schemas/profile"
)

// Borough is the borough with HostileName.
const Borough = "g20_nordest000"

// profiled is a geography with a text in each language; there is none in French in the United States.
type profiled struct {
	id     string
	en, fr profiles.Sentences
}

// profilesOfWorld are profiles for each rule: with all sections, with some, without French, of a superseded version.
func profilesOfWorld() []profiled {
	full := func(name, nom string) (en, fr profiles.Sentences) {
		for s := range profile.SectionCount {
			en[s] = []string{name + ": " + s.String() + ".", "Two parks are near."}
			fr[s] = []string{nom + " : " + s.String() + ".", "Deux parcs sont près d’ici."}
		}
		return en, fr
	}
	oldEN, oldFR := full("Old North", "Vieux-Nord")
	gone, parti := full("Drowned Quarter", "Quartier noyé")
	south, _ := full("Old South", "")
	hostile := profiles.Sentences{profile.Intro: {HostileName + " is a borough."}, profile.Housing: {"Most homes are houses."}}
	abri := profiles.Sentences{profile.Intro: {HostileName + " est un arrondissement."},
		profile.Housing: {"La plupart des logements sont des maisons."}}
	return []profiled{
		{NorthOld, oldEN, oldFR}, {Replaced, oldEN, oldFR}, {Gone, gone, parti}, {SouthOld, south, profiles.Sentences{}},
		{Borough, hostile, abri},
		{NorthCity, profiles.Sentences{profile.Summary: {"Northville is a city."}},
			profiles.Sentences{profile.Summary: {"Villenord est une ville."}}},
	}
}

func (w *world) writeProfiles(out *pack.Writer, m *schemas.Manifest) error {
	slices.SortFunc(w.profiles, func(a, b profiled) int { return cmp.Compare(a.id, b.id) })
	table, levels := profiles.NewWriter(out), map[schemas.Level]int64{}
	for _, p := range w.profiles {
		if err := table.Add(p.id, &[len(profiles.Locales)]profiles.Sentences{p.en, p.fr}); err != nil {
			return err
		}
		level, _ := schemas.LevelOfGeogID(p.id)
		levels[level]++
	}
	for _, level := range slices.Sorted(maps.Keys(levels)) {
		m.Counts.Profiles = append(m.Counts.Profiles, schemas.LevelCount{Level: level, Rows: levels[level]})
	}
	return nil
}

package servetest

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/pack"
	"quartier/internal/pack/access"
	"quartier/internal/pack/geographies"
	"quartier/internal/pack/owners"
	"quartier/internal/pack/people"
	"quartier/internal/pack/profiles"
	"quartier/schemas"
	"quartier/schemas/demographics"
	"quartier/schemas/profile"
)

// PrivatePlace is a custom geography. Unless it is bare, it has all products of its country.
type PrivatePlace struct {
	ID, Customer string
	Level        schemas.Level
	EN, FR       string
	State        string // "CA_QC" or "US_VT"
	Outline      orb.MultiPolygon
	Superseded   bool
	ReplacedBy   string // of a superseded one
	Deprecated   bool
	Bare         bool // without scores, demographics and profile
}

// PrivatePlaces are geographies of two customers in every state: of every level that custom geographies have, over each other
// and over those of places, with the names of those of places and of each other. tag begins their ids, "a" or longer.
func PrivatePlaces(customer, tag string) []PrivatePlace {
	n := 0
	one := func(level schemas.Level, state string, en, fr string, west, south, east, north float64) PrivatePlace {
		id := fmt.Sprintf("g%d_%s%0*d", level, tag, 10-len(tag), n)
		n++
		return PrivatePlace{ID: id, Customer: customer, Level: level, EN: en, FR: fr, State: state, Outline: box(west, south, east, north)}
	}
	north := func(level schemas.Level, en, fr string) PrivatePlace {
		d := float64(n) / 1000
		return one(level, "CA_QC", en, fr, -72.89-d, 45.16-d, -72.71+d, 45.24+d)
	}
	all := []PrivatePlace{
		north(schemas.Neighbourhood, "Old North", "Vieux-Nord"), // as one of places, and as those of other customers
		north(schemas.Neighbourhood, "Secret "+tag, "Secrète "+tag),
		north(schemas.Borough, "Hidden Borough "+tag, "Arrondissement caché "+tag),
		north(schemas.Municipality, "Northville", "Villenord"),
		north(schemas.County, "Shadow "+tag, "Ombre "+tag),
		north(schemas.Region, "Realm "+tag, "Royaume "+tag),
		one(schemas.Neighbourhood, "US_VT", "Secret South "+tag, "Sud secret "+tag, -72.88, 44.76, -72.72, 44.84),
		one(schemas.CountySubdivision, "US_VT", "South Township "+tag, "Canton sud "+tag, -72.95, 44.7, -72.65, 44.9),
	}
	current := all[0].ID
	old := north(schemas.Neighbourhood, "Secret "+tag, "Secrète "+tag)
	old.Superseded, old.ReplacedBy = true, current
	gone := one(schemas.Neighbourhood, "US_VT", "Lost "+tag, "Perdue "+tag, -72.88, 44.76, -72.72, 44.84)
	gone.Superseded = true
	deprecated := north(schemas.Neighbourhood, "Former "+tag, "Ancienne "+tag)
	deprecated.Deprecated = true
	southern := one(schemas.Neighbourhood, "US_VT", "Former South "+tag, "Ancien sud "+tag, -72.88, 44.76, -72.72, 44.84)
	southern.Deprecated = true
	bare := north(schemas.Neighbourhood, "Bare "+tag, "Nue "+tag)
	bare.Bare = true
	return append(all, old, gone, deprecated, southern, bare)
}

// WritePrivate writes a component private beside the component places in a folder.
func WritePrivate(dir, places string, all []PrivatePlace) (*schemas.PrivateManifest, error) {
	beside, err := schemas.ReadManifest(places)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	sum := func(data []byte) string { s := sha256.Sum256(data); return hex.EncodeToString(s[:]) }
	m := &schemas.PrivateManifest{
		Schema: schemas.ManifestSchema, History: schemas.HistorySchema, Component: schemas.Private, AsOf: beside.AsOf, ToolVersion: "test",
		Places: beside.Digest,
		Update: 1, Requests: sum(nil),
	}
	w := &private{all: slices.Clone(all)}
	w.sort()
	for _, p := range []struct {
		name string
		fill func(*pack.Writer) error
	}{
		{schemas.AccessPack, w.writeScores}, {schemas.DemographicsPack, w.writePeople}, {schemas.GeographiesPack, w.writeGeographies},
		{schemas.OwnersPack, w.writeOwners}, {schemas.ProfilesPack, w.writeProfiles},
	} {
		path := filepath.Join(dir, p.name)
		if err := writePack(path, p.fill); err != nil {
			return nil, err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		m.Files = append(m.Files, schemas.ReleaseFile{Name: p.name, SHA256: sum(data), Bytes: int64(len(data))})
	}
	w.count(&m.Counts)
	if m.Digest, err = m.ComputeDigest(); err != nil {
		return nil, err
	}
	data, err := m.Encode()
	if err != nil {
		return nil, err
	}
	return m, os.WriteFile(filepath.Join(dir, schemas.ManifestFile), data, 0o644)
}

// private is the content of a component private.
type private struct {
	all     []PrivatePlace // by id
	records []geographies.Record
}

func (w *private) sort() {
	slices.SortFunc(w.all, func(a, b PrivatePlace) int { return cmp.Compare(a.ID, b.ID) })
	for _, p := range w.all {
		r := place(p.ID, p.Level, p.EN, p.FR, []string{p.State}, p.Outline)
		r.City, r.Metro = northCity, metro
		if p.State == "US_VT" {
			r.City = southCity
		}
		r.Parents = above(&r)
		r.Superseded, r.ReplacedBy = p.Superseded || p.Deprecated, p.ReplacedBy
		w.records = append(w.records, r)
	}
}

func (w *private) writeGeographies(out *pack.Writer) error {
	table, err := geographies.NewWriter("")
	if err != nil {
		return err
	}
	defer table.Close()
	table.Overlapping = true
	for i := range w.records {
		r := w.records[i]
		if !w.all[i].Bare {
			population := PrivatePopulation(r.ID)
			r.People = &population
		}
		if err := table.Add(&r); err != nil {
			return err
		}
	}
	return table.Finish(out)
}

// writeOwners writes owners in the order of geographies.pack.
func (w *private) writeOwners(out *pack.Writer) error {
	order := make([]int, len(w.all))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := &w.records[i], &w.records[j]
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.AreaM2, b.AreaM2), cmp.Compare(a.ID, b.ID))
	})
	var list []owners.Owner
	for _, i := range order {
		list = append(list, owners.Owner{Customer: w.all[i].Customer, Deprecated: w.all[i].Deprecated})
	}
	return owners.Write(out, list)
}

// PrivateScore is a score of a custom geography, by index in schemas.Scores: historic is absent.
func PrivateScore(id string, score int) uint16 {
	if schemas.Scores[score].ID == "historic" {
		return schemas.AbsentValue
	}
	return uint16(5000 + numberOf(id)%40000 - uint32(score))
}

// numberOf is a number that few other ids have.
func numberOf(id string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(id))
	return h.Sum32()
}

func (w *private) writeScores(out *pack.Writer) error {
	table := access.NewWriter(out, 250)
	for _, p := range w.all {
		var values [access.ScoreCount]uint16
		for s := range values {
			values[s] = PrivateScore(p.ID, s)
		}
		if p.Bare {
			continue
		}
		if err := table.AddGeography(p.ID, &values); err != nil {
			return err
		}
	}
	return table.Finish()
}

// PrivatePopulation is the population of a custom geography.
func PrivatePopulation(id string) int64 { return int64(1000 + numberOf(id)%9000) }

// populationTotal is the index of the population in demographics.Flat(demographics.ByGeography).
var populationTotal = slices.IndexFunc(demographics.Flat(demographics.ByGeography), func(at demographics.Place) bool {
	return demographics.ByGeography[at.Category].ID == "population_total"
})

func (w *private) writePeople(out *pack.Writer) error {
	table := people.NewWriter(out)
	for _, p := range w.all {
		if p.Bare {
			continue
		}
		g := people.Geography{ID: p.ID, Country: p.State[:len("CA")], Vintage: "2021"}
		like := slices.Index(Described, NorthOld)
		if g.Country == "US" {
			like = slices.Index(Described, SouthCity)
		}
		for i := range people.Variables() {
			value := GeographyFigure(like, i)
			if i == populationTotal {
				value.Value = float64(PrivatePopulation(p.ID))
				value.Lower, value.Upper = value.Value-10, value.Value+10
			}
			g.Values = append(g.Values, value)
		}
		if err := table.Add(g); err != nil {
			return err
		}
	}
	return table.Finish()
}

func (w *private) writeProfiles(out *pack.Writer) error {
	inner := &world{}
	for _, p := range w.all {
		if p.Bare {
			continue
		}
		about := profiled{id: p.ID, en: profiles.Sentences{profile.Intro: {p.EN + " is private."},
			profile.Summary: {"Nobody knows " + p.EN + "."}}}
		if p.State[:len("CA")] == "CA" {
			about.fr = profiles.Sentences{profile.Intro: {p.FR + " est privée."}, profile.Summary: {"Personne ne connaît " + p.FR + "."}}
		}
		inner.profiles = append(inner.profiles, about)
	}
	return inner.writeProfiles(out, &schemas.Manifest{})
}

func (w *private) count(c *schemas.PrivateCounts) {
	customers := map[string]bool{}
	for _, p := range w.all {
		customers[p.Customer] = true
		switch {
		case p.Superseded:
			c.Superseded++
		case p.Deprecated:
			c.Deprecated++
		default:
			c.Geographies++
		}
		if !p.Bare {
			c.ScoredGeographies++
			c.DescribedGeographies++
			c.Profiles++
		}
	}
	c.Customers = int64(len(customers))
}

package release

import (
	"fmt"
	"sync"

	"quartier/internal/pack"
	"quartier/internal/pack/access"
	"quartier/internal/pack/geographies"
	"quartier/internal/pack/names"
	"quartier/internal/pack/people"
	"quartier/internal/pack/pois"
	"quartier/internal/pack/profiles"
	"quartier/internal/pack/schools"
	"quartier/internal/pack/smallareas"
	"quartier/schemas"
)

// Places is an open component places.
type Places struct {
	Manifest    *schemas.Manifest
	Geographies *geographies.Table
	Names       *names.Index
	POIs        *pois.Table
	Access      *access.Table
	SmallAreas  *smallareas.Table
	People      *people.Table
	Schools     *schools.Table
	Profiles    *profiles.Table

	regionsOnce sync.Once
	regionsOf   []uint32 // by geography: index in regionLists
	regionLists [][]string
}

func readPlaces(dir string) (*component, error) {
	m, err := schemas.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	p := &Places{Manifest: m}
	return &component{
		ComponentRef: schemas.ComponentRef{Digest: m.Digest, AsOf: m.AsOf},
		listed:       m.File, open: p.open, attach: func(r *Release) { r.Places = p },
	}, nil
}

func (p *Places) open(c *component, _ *Release) error {
	err := c.openPacks(
		table{schemas.GeographiesPack, p.openGeographies},
		table{schemas.POIsPack, func(f *pack.File) (err error) { p.POIs, err = pois.Open(f); return err }},
		table{schemas.AccessPack, func(f *pack.File) (err error) { p.Access, err = access.Open(f); return err }},
		table{schemas.SmallAreasPack, func(f *pack.File) (err error) { p.SmallAreas, err = smallareas.Open(f); return err }},
		table{schemas.DemographicsPack, func(f *pack.File) (err error) { p.People, err = people.Open(f); return err }},
		table{schemas.SchoolsPack, func(f *pack.File) (err error) { p.Schools, err = schools.Open(f); return err }},
		table{schemas.ProfilesPack, func(f *pack.File) (err error) { p.Profiles, err = profiles.Open(f); return err }},
	)
	if err != nil {
		return err
	}
	return p.compareCounts()
}

func (p *Places) openGeographies(f *pack.File) (err error) {
	if p.Geographies, err = geographies.Open(f); err == nil {
		p.Names, err = names.Open(f)
	}
	return err
}

// compareCounts rejects valid packs of another release.
func (p *Places) compareCounts() error {
	counts := &p.Manifest.Counts
	geogs := counts.Superseded
	for _, level := range counts.Geographies {
		geogs += level.Rows
	}
	for _, c := range []struct {
		pack, what string
		got        int
		want       int64
	}{
		{schemas.GeographiesPack, "geographies", p.Geographies.Len(), geogs},
		{schemas.POIsPack, "pois", p.POIs.Len(), counts.POIs},
		{schemas.AccessPack, "street nodes", p.Access.Nodes(), counts.StreetNodes},
		{schemas.AccessPack, "street edges", p.Access.Edges(), counts.StreetEdges},
		{schemas.AccessPack, "scored geographies", p.Access.Scored(), counts.ScoredGeographies},
		{schemas.AccessPack, "typologies", p.Access.Cells(), counts.Typologies},
		{schemas.SmallAreasPack, "small areas", p.SmallAreas.Areas(), counts.SmallAreas},
		{schemas.DemographicsPack, "described geographies", p.People.Len(), counts.DescribedGeographies},
		{schemas.SchoolsPack, "schools", p.Schools.Len(), counts.Schools},
		{schemas.ProfilesPack, "profiles", p.Profiles.Len(), schemas.SumLevels(counts.Profiles)},
		{schemas.SchoolsPack, "catchments", p.Schools.Catchments(), counts.Catchments},
	} {
		if int64(c.got) != c.want {
			return fmt.Errorf("%s has %d %s, %d according to the manifest", c.pack, c.got, c.what, c.want)
		}
	}
	return nil
}

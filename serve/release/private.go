package release

import (
	"sync"

	"quartier/internal/pack"
	"quartier/internal/pack/owners"
	"quartier/schemas"
)

// Private is an open component private: the custom geographies of all customers.
type Private struct {
	Manifest *schemas.PrivateManifest
	Tables
	Owners *owners.Table

	own sync.Map // *Own by customer, of those who have geographies
}

func readPrivate(dir string) (*component, error) {
	m := new(schemas.PrivateManifest)
	if err := schemas.ReadServed(dir, m, schemas.Private); err != nil {
		return nil, err
	}
	p := &Private{Manifest: m}
	return &component{
		ComponentRef: schemas.ComponentRef{Digest: m.Digest, AsOf: m.AsOf},
		beside:       schemas.Places, base: m.Places,
		listed: m.File, open: p.open, attach: func(r *Release) { r.Private = p },
	}, nil
}

func (p *Private) open(c *component, _ *Release) error {
	err := c.openPacks(
		table{schemas.GeographiesPack, p.openGeographies},
		table{schemas.AccessPack, p.openAccess},
		table{schemas.DemographicsPack, p.openPeople},
		table{schemas.ProfilesPack, p.openProfiles},
		table{schemas.OwnersPack, func(f *pack.File) (err error) { p.Owners, err = owners.Open(f); return err }},
	)
	if err != nil {
		return err
	}
	return p.compareCounts()
}

// compareCounts rejects valid packs of another component.
func (p *Private) compareCounts() error {
	counts := &p.Manifest.Counts
	all := counts.Geographies + counts.Deprecated + counts.Superseded
	return compareCounts(
		count{schemas.GeographiesPack, "geographies", p.Geographies.Len(), all},
		count{schemas.OwnersPack, "geographies", p.Owners.Len(), all},
		count{schemas.OwnersPack, "customers", p.Owners.Customers(), counts.Customers},
		count{schemas.AccessPack, "scored geographies", p.Access.Scored(), counts.ScoredGeographies},
		count{schemas.DemographicsPack, "described geographies", p.People.Len(), counts.DescribedGeographies},
		count{schemas.ProfilesPack, "profiles", p.Profiles.Len(), counts.Profiles},
	)
}

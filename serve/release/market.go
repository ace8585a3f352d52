package release

import (
	"fmt"

	"quartier/internal/pack"
	"quartier/internal/pack/market"
	"quartier/schemas"
)

// Market is an open component market.
type Market struct {
	Manifest *schemas.MarketManifest
	Table    *market.Table
}

func readMarket(dir string) (*component, error) {
	manifest, err := schemas.ReadMarketManifest(dir)
	if err != nil {
		return nil, err
	}
	m := &Market{Manifest: manifest}
	return &component{
		ComponentRef: schemas.ComponentRef{Digest: manifest.Digest, AsOf: manifest.AsOf},
		beside:       schemas.Places, base: manifest.Places,
		listed: manifest.File, open: m.open, attach: func(r *Release) { r.Market = m },
	}, nil
}

func (m *Market) open(c *component, r *Release) error {
	err := c.openPacks(table{schemas.MarketPack, func(f *pack.File) (err error) { m.Table, err = market.Open(f); return err }})
	if err != nil {
		return err
	}
	if n := r.Geographies.Len(); m.Table.Len() != n { // a valid pack of another component
		return fmt.Errorf("%s has %d geographies, its release %d", c.Folder, m.Table.Len(), n)
	}
	if day := m.Table.Day().String(); day != m.Manifest.AsOf {
		return fmt.Errorf("%s is of %s, %s according to the manifest", c.Folder, day, m.Manifest.AsOf)
	}
	return nil
}

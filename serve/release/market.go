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

	component component
}

// openMarket opens the component in dir. It must stand beside places.
func openMarket(dir string, places *Places) (*Market, error) {
	manifest, err := schemas.ReadMarketManifest(dir)
	if err != nil {
		return nil, err
	}
	if manifest.Places != places.Manifest.Digest {
		return nil, fmt.Errorf("%s stands beside the places %.12s, not %.12s: compute it for this release", dir, manifest.Places, places.Manifest.Digest)
	}
	m := &Market{Manifest: manifest}
	m.component.name, m.component.dir, m.component.listed = schemas.Market, dir, manifest.File
	m.component.digest, m.component.asOf = manifest.Digest, manifest.AsOf
	m.component.users.Store(1)
	err = m.component.openTables(func() error { return m.check(places) },
		table{schemas.MarketPack, func(f *pack.File) (err error) { m.Table, err = market.Open(f); return err }})
	if err != nil {
		m.component.done()
		return nil, err
	}
	return m, nil
}

// check rejects a valid pack of another component.
func (m *Market) check(places *Places) error {
	if n := places.Geographies.Len(); m.Table.Len() != n {
		return fmt.Errorf("%s has %d geographies, its release %d", m.component.dir, m.Table.Len(), n)
	}
	if day := m.Table.Day().String(); day != m.Manifest.AsOf {
		return fmt.Errorf("%s is of %s, %s according to the manifest", m.component.dir, day, m.Manifest.AsOf)
	}
	return nil
}

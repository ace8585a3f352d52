package release

import (
	"fmt"

	"quartier/internal/pack"
	"quartier/internal/pack/market"
	"quartier/schemas"
)

// Market is an open component market or private-market.
type Market struct {
	Manifest *schemas.MarketManifest
	Table    *market.Table
}

func readMarket(dir string) (*component, error) {
	m, c, err := readStatistics(dir, schemas.Market)
	if err != nil {
		return nil, err
	}
	c.beside, c.attach = schemas.Places, func(r *Release) { r.Market = m }
	c.open = func(c *component, r *Release) error { return m.open(c, &r.Places.Tables) }
	return c, nil
}

func readPrivateMarket(dir string) (*component, error) {
	m, c, err := readStatistics(dir, schemas.PrivateMarket)
	if err != nil {
		return nil, err
	}
	c.beside, c.attach = schemas.Private, func(r *Release) { r.PrivateMarket = m }
	c.open = func(c *component, r *Release) error { return m.open(c, &r.Private.Tables) }
	return c, nil
}

func readStatistics(dir, name string) (*Market, *component, error) {
	m := new(schemas.MarketManifest)
	if err := schemas.ReadServed(dir, m, name); err != nil {
		return nil, nil, err
	}
	return &Market{Manifest: m}, &component{
		ComponentRef: schemas.ComponentRef{Digest: m.Digest, AsOf: m.AsOf}, base: m.Places, listed: m.File,
	}, nil
}

// open opens the statistics of the geographies of a component.
func (m *Market) open(c *component, of *Tables) error {
	err := c.openPacks(table{schemas.MarketPack, func(f *pack.File) (err error) { m.Table, err = market.Open(f); return err }})
	if err != nil {
		return err
	}
	for _, year := range m.Table.Years() {
		name := schemas.MarketYear(schemas.MarketPack, year)
		if err := c.openPacks(table{name, func(f *pack.File) error { return m.Table.AddYear(year, f) }}); err != nil {
			return err
		}
	}
	if n := of.Geographies.Len(); m.Table.Len() != n { // a valid pack of another component
		return fmt.Errorf("%s has %d geographies, its release %d", c.Folder, m.Table.Len(), n)
	}
	if day := m.Table.Day().String(); day != m.Manifest.AsOf {
		return fmt.Errorf("%s is of %s, %s according to the manifest", c.Folder, day, m.Manifest.AsOf)
	}
	return nil
}

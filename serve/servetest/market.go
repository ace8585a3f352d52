package servetest

import (
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"os"
	"path/filepath"

	"quartier/internal/pack"
	"quartier/internal/pack/geographies"
	marketpack "quartier/internal/pack/market"
	"quartier/schemas"
	"quartier/schemas/market"
)

// Market describes a component market to write.
type Market struct {
	AsOf string // YYYY-MM-DD; "": "2024-01-15"

	// Sparse makes a market with one cell for each geography, with counts alone.
	Sparse bool
}

// Sold is the number of homes sold in a cell of a market, which is the same in all cells of a day and differs from day to
// day.
func Sold(asOf string) int64 {
	day, err := market.ParseDay(asOf)
	if err != nil {
		panic(err)
	}
	return 1 + int64(day)
}

// WriteMarket writes a component market beside the component places in a folder, or private-market beside private. Geographies
// of Vermont have statistics.
func WriteMarket(dir, places string, m Market) (*schemas.MarketManifest, error) {
	if m.AsOf == "" {
		m.AsOf = "2024-01-15"
	}
	beside, err := refOf(places)
	if err != nil {
		return nil, err
	}
	name := schemas.Market
	if beside.Name == schemas.Private {
		name = schemas.PrivateMarket
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	manifest := &schemas.MarketManifest{
		Schema: schemas.ManifestSchema, Component: name, AsOf: m.AsOf, ToolVersion: "test", Places: beside.Digest, States: []string{"US_VT"},
	}
	day, err := market.ParseDay(m.AsOf)
	if err != nil {
		return nil, err
	}
	if err := writeCells(dir, places, day, m, &manifest.Counts); err != nil {
		return nil, err
	}
	for _, year := range append(market.Years(market.Intervals(day)), 0) {
		name := schemas.MarketYear(schemas.MarketPack, year)
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(data)
		manifest.Files = append(manifest.Files, schemas.ReleaseFile{Name: name, SHA256: hex.EncodeToString(sum[:]), Bytes: int64(len(data))})
	}
	if manifest.Digest, err = manifest.ComputeDigest(); err != nil {
		return nil, err
	}
	data, err := manifest.Encode()
	if err != nil {
		return nil, err
	}
	return manifest, os.WriteFile(filepath.Join(dir, schemas.ManifestFile), data, 0o644)
}

func writeCells(dir, places string, day market.Day, m Market, counts *schemas.MarketCounts) error {
	file, err := pack.Open(filepath.Join(places, schemas.GeographiesPack))
	if err != nil {
		return err
	}
	defer file.Close()
	table, err := geographies.Open(file)
	if err != nil {
		return err
	}
	w, err := marketpack.NewWriter(dir, marketpack.Header{Day: day, Zones: marketpack.Zones(table)})
	if err != nil {
		return err
	}
	defer w.Abort()
	for i := range table.Len() {
		if w := table.Regions(i); len(w) == 0 || w[0] != "US_VT" {
			continue
		}
		s := market.Statistics{Geography: uint32(i), Cells: cellsOf(m, rand.New(rand.NewPCG(uint64(numberOf(table.ID(i))), 1)))}
		counts.Geographies++
		counts.Cells += int64(len(s.Cells))
		if err := w.Add(&s); err != nil {
			return err
		}
	}
	_, err = w.Finish([]string{"US_VT"})
	return err
}

// cellsOf are the cells of a geography: those of the first types but not of all intervals.
func cellsOf(m Market, random *rand.Rand) (cells []market.Cell) {
	for of := range market.VacantLand {
		for n := range marketpack.IntervalCount {
			c := market.Cell{Type: of, Interval: uint8(n)}
			for metric := range c.Values {
				c.Values[metric] = 1000 + random.Int64N(9000)
				if m.Sparse {
					c.Values[metric] = market.Absent
				}
			}
			c.Values[market.Active], c.Values[market.Pending], c.Values[market.UnderContract] = int64(n%4), 1, 2
			c.Values[market.Sold], c.Values[market.New] = Sold(m.AsOf), 3
			if !m.Sparse {
				c.Values[market.MedianDifference], c.Values[market.Assessment], c.Values[market.Qualifier] = -5000, int64(n%3), -50
			}
			if m.Sparse && (of > 0 || n > 0) || n%7 == 5 {
				continue
			}
			cells = append(cells, c)
		}
	}
	return cells
}

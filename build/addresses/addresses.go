// Package addresses makes the addresses of a release, addresses.pack, from the derived databases of its regions, and checks them. A
// release whose regions have no source of addresses has none.
//
// An address that several regions have in one town is there once, as within a region: the most accurate point counts. Its source is
// REGION/SOURCE, as the manifest names both.
package addresses

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"quartier/internal/address"
	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/pack"
	packed "quartier/internal/pack/addresses"
	"quartier/schemas"
	"quartier/schemas/derived"
)

// Region is a region with the DuckDB file that transform wrote.
type Region struct{ Name, Derived string }

// Write writes the pack of regions to a path, with temporary files in scratch, which are removed.
func Write(ctx context.Context, regions []Region, path, scratch string) error {
	out, err := pack.Create(path)
	if err != nil {
		return err
	}
	defer out.Abort()
	w := &writer{Writer: packed.NewWriter(out, scratch)}
	defer w.Close()
	for _, r := range regions {
		if err := w.region(ctx, r); err != nil {
			return fmt.Errorf("addresses of region %s: %w", r.Name, err)
		}
	}
	if err := w.Finish(); err != nil {
		return err
	}
	return out.Close()
}

// writer adds the rows of one region after the other.
type writer struct {
	*packed.Writer
	record packed.Record
	side   packed.Range
}

func (w *writer) region(ctx context.Context, r Region) error {
	db, err := duck.Open(r.Derived)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := duck.EachRow(ctx, db, "address", func(a *derived.Address) error { return w.address(r.Name, a) }); err != nil {
		return err
	}
	return duck.EachRow(ctx, db, "address_range", func(a *derived.AddressRange) error { return w.addRange(r.Name, a) })
}

func (w *writer) address(region string, a *derived.Address) error {
	at, ok := coord.NewPoint(a.Lng, a.Lat)
	if !ok {
		return fmt.Errorf("%s %s: invalid position %v, %v", a.Number, a.Street, a.Lng, a.Lat)
	}
	w.record = packed.Record{Number: a.Number, Street: a.Street, Unit: a.Unit, Place: a.City, Region: regionOf(a.State), Postal: a.PostalCode,
		Point: at, Accuracy: packed.Accuracy(slices.Index(schemas.AddressAccuracies, a.Accuracy)), Source: region + "/" + a.SourceID}
	return w.Add(&w.record)
}

func (w *writer) addRange(region string, a *derived.AddressRange) error {
	line, err := geo.LineString(a.Geom)
	if err != nil {
		return fmt.Errorf("range of %s: %w", a.Street, err)
	}
	w.side = packed.Range{Street: a.Street, Place: a.City, Region: regionOf(a.State), Low: uint32(a.Low), High: uint32(a.High),
		Step: packed.Step(slices.Index(schemas.AddressSteps, a.Step)), Source: region + "/" + a.SourceID}
	for _, p := range line {
		at, _ := coord.NewPoint(p[0], p[1])
		w.side.Line = append(w.side.Line, at)
	}
	return w.AddRange(&w.side)
}

// regionOf is CA and ON of CA_ON.
func regionOf(state string) (r address.Region) {
	r.Country, r.Code, _ = strings.Cut(state, "_")
	return r
}

// Count sets the numbers of addresses and streets of a release; none if it has no addresses.
func Count(dir string, files []schemas.ReleaseFile, counts *schemas.ReleaseCounts) error {
	return withTable(dir, files, func(t *packed.Table) error {
		counts.Addresses, counts.AddressStreets = int64(t.Len()), int64(t.Streets())
		return nil
	})
}

// Verify checks the addresses of a release: that they are as many as the manifest counts, and that of samples each is found again by
// its parts, and as the nearest to its point.
func Verify(ctx context.Context, dir string, m *schemas.Manifest) error {
	return withTable(dir, m.Files, func(t *packed.Table) error {
		if n, streets := int64(t.Len()), int64(t.Streets()); n != m.Counts.Addresses || streets != m.Counts.AddressStreets {
			return fmt.Errorf("%s: %d addresses in %d streets, the manifest has %d in %d", schemas.AddressesPack, n, streets,
				m.Counts.Addresses, m.Counts.AddressStreets)
		}
		return findAgain(ctx, t)
	})
}

// Samples of addresses: how many are looked up, and the share of them that may be read as others, such as a street that has the name
// of its town.
const (
	sampled = 10_000
	misread = 0.05
)

// findAgain looks samples up.
func findAgain(ctx context.Context, t *packed.Table) error {
	var found packed.Found
	var near packed.Nearby
	missed, tried, example := 0, 0, ""
	for i := 0; i < t.Len(); i += t.Len()/sampled + 1 {
		if err := ctx.Err(); err != nil {
			return err
		}
		tried++
		r := t.Record(i)
		lng, lat := r.Point.Degrees()
		const radiusM, roundingM = 1, 0.05
		if _, metres, ok := t.Nearest(lng, lat, radiusM, &near); !ok || metres > roundingM {
			return fmt.Errorf("%s: nothing is at the place of %s %s", schemas.AddressesPack, r.Number, r.Street)
		}
		parts := address.Columns{Number: r.Number, Street: r.Street, Unit: r.Unit, Place: r.Place, Region: r.Region.Code, Postal: r.Postal}
		t.Find(&packed.Query{Address: parts.Read(), Level: packed.Exact}, &found)
		if text := t.Text(uint32(i), true); !slices.ContainsFunc(found.Matches, func(m packed.Match) bool { return m.Text == text }) {
			missed++
			example = text
		}
	}
	if float64(missed) > misread*float64(tried)+1 {
		return fmt.Errorf("%s: %d of %d addresses are not found by their parts, such as %s", schemas.AddressesPack, missed, tried, example)
	}
	return nil
}

// withTable opens the addresses of a release with some files for visit, unless it has none.
func withTable(dir string, files []schemas.ReleaseFile, visit func(*packed.Table) error) error {
	if !slices.ContainsFunc(files, func(f schemas.ReleaseFile) bool { return f.Name == schemas.AddressesPack }) {
		return nil
	}
	file, err := pack.Open(filepath.Join(dir, schemas.AddressesPack))
	if err != nil {
		return err
	}
	defer file.Close()
	t, err := packed.Open(file)
	if err != nil {
		return err
	}
	return visit(t)
}

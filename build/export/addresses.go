package export

import (
	"database/sql/driver"
	"io"
	"path/filepath"
	"strings"

	"quartier/internal/geo"
	"quartier/internal/pack"
	"quartier/internal/pack/addresses"
	"quartier/schemas"
)

// packed reports whether the rows of a table are in a pack instead of a database. Its SQL is names of addressValues.
func (t *Table) packed() bool { return t.File == schemas.AddressesPack }

// addressRows are the addresses of a release as rows of a query, in the order of their points.
type addressRows struct {
	table   *addresses.Table
	columns []string // of addressValues, and point
	wanted  func(state string) bool
	next    int
	file    *pack.File
}

// openAddresses opens the addresses in the regions of the agreement and, if it is not nil, of one state.
func (c *component) openAddresses(t *Table, state *string) (*addressRows, error) {
	file, err := pack.Open(filepath.Join(c.folder, t.File))
	if err != nil {
		return nil, err
	}
	r := &addressRows{file: file}
	for _, column := range t.Columns {
		r.columns = append(r.columns, column.SQL)
	}
	r.columns = append(r.columns, t.Geometry)
	r.wanted = func(of string) bool {
		return (state == nil || *state == of) && (c.regions == nil || c.regions.allows([]string{of}))
	}
	if r.table, err = addresses.Open(file); err != nil {
		file.Close()
		return nil, err
	}
	return r, nil
}

// Columns are the names of the values.
func (r *addressRows) Columns() []string { return r.columns }

// Close closes the file.
func (r *addressRows) Close() error { return r.file.Close() }

// Next sets the values of the next row; io.EOF after the last one.
func (r *addressRows) Next(values []driver.Value) error {
	for ; r.next < r.table.Len(); r.next++ {
		a := r.table.Record(r.table.ByPlace(r.next))
		if !r.wanted(stateOf(&a)) {
			continue
		}
		point, err := geo.WKB(a.Point.Orb())
		if err != nil {
			return err
		}
		for i, name := range r.columns {
			if name == "point" {
				values[i] = point
			} else if text := addressValues[name](&a); text != "" {
				values[i] = text
			} else {
				values[i] = nil
			}
		}
		r.next++
		return nil
	}
	return io.EOF
}

func stateOf(a *addresses.Record) string { return a.Region.Country + "_" + a.Region.Code }

// addressValues are the values of an address by name, "" where it has none.
var addressValues = map[string]func(a *addresses.Record) string{
	"number":   func(a *addresses.Record) string { return a.Number },
	"street":   func(a *addresses.Record) string { return a.Street },
	"unit":     func(a *addresses.Record) string { return a.Unit },
	"city":     func(a *addresses.Record) string { return a.Place },
	"code":     func(a *addresses.Record) string { return a.Region.Code },
	"country":  func(a *addresses.Record) string { return a.Region.Country },
	"postal":   func(a *addresses.Record) string { return a.Postal },
	"accuracy": func(a *addresses.Record) string { return schemas.AddressAccuracies[a.Accuracy] },
	"region":   func(a *addresses.Record) string { return strings.SplitN(a.Source, "/", 2)[0] },
	"source":   func(a *addresses.Record) string { return a.Source[strings.IndexByte(a.Source, '/')+1:] },
}

package export

import (
	"database/sql/driver"
	"io"
	"path/filepath"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/internal/pack"
	"quartier/internal/pack/addresses"
	"quartier/schemas"
)

// packed reports whether the rows of a table are in a pack instead of a database. Its SQL is names of addressRows.value.
func (t *Table) packed() bool { return t.File == schemas.AddressesPack }

// addressRows are the addresses of a release as rows of a query, in the order of their points.
type addressRows struct {
	table   *addresses.Table
	columns []string // names of values
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
		lng, lat := a.Point.Degrees()
		point, err := geo.WKB(orb.Point{lng, lat})
		if err != nil {
			return err
		}
		for i, name := range r.columns {
			if values[i] = point; name != "point" {
				values[i] = valueOf(&a, name)
			}
		}
		r.next++
		return nil
	}
	return io.EOF
}

func stateOf(a *addresses.Record) string { return a.Region.Country + "_" + a.Region.Code }

// valueOf is a value of an address by its name; nil where it has none.
func valueOf(a *addresses.Record, name string) driver.Value {
	text := ""
	switch name {
	case "number":
		text = a.Number
	case "street":
		text = a.Street
	case "unit":
		text = a.Unit
	case "city":
		text = a.Place
	case "code":
		text = a.Region.Code
	case "country":
		text = a.Region.Country
	case "postal":
		text = a.Postal
	case "accuracy":
		text = schemas.AddressAccuracies[a.Accuracy]
	case "region":
		text, _, _ = strings.Cut(a.Source, "/")
	case "source":
		_, text, _ = strings.Cut(a.Source, "/")
	}
	if text == "" {
		return nil
	}
	return text
}

// Package owners is the packed table of who may see the geographies of a component private: the build writes it, the server
// asks whose a geography is and which ones a customer has. Geographies are numbered as in geographies.pack beside it.
//
// The sections of n geographies, superseded ones included, of c customers:
//
//	owners.customer    texts × c            names of customers, ascending
//	owners.of          uint32 × n           index of the customer of each geography
//	owners.deprecated  uint8 × n            1: answers by its id and is found no more, else 0
//	owners.geography   lists of uint32 × c  geographies of each customer, ascending
//
// Geographies 0 and 2 of "acme", the second one deprecated, and geography 1 of "bell" are
//
//	owners.customer    acme, bell
//	owners.of          0 1 0
//	owners.deprecated  0 0 1
//	owners.geography   0 2; 1
package owners

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"quartier/internal/pack"
)

// Owner is whose a geography is.
type Owner struct {
	Customer   string
	Deprecated bool // answers by its id and is found no more
}

// Write writes the table of the owners of all geographies, in their order. Every geography has a customer.
func Write(out *pack.Writer, list []Owner) error {
	var customers pack.Dictionary
	for i, o := range list {
		if o.Customer == "" {
			return fmt.Errorf("owners: geography %d has no customer", i)
		}
		customers.Number(o.Customer)
	}
	names, sorted := customers.Sorted()
	pack.PutTexts(out, "owners.customer", names)
	of, deprecated := pack.NewSection[uint32](out, "owners.of"), pack.NewSection[uint8](out, "owners.deprecated")
	lists := make([][]uint32, len(names))
	for i, o := range list {
		c := sorted[customers.Number(o.Customer)]
		of.Append(c)
		deprecated.Append(flag(o.Deprecated))
		lists[c] = append(lists[c], uint32(i))
	}
	geographies := pack.NewLists[uint32](out, "owners.geography")
	for _, l := range lists {
		geographies.Append(l)
	}
	return out.Err()
}

func flag(set bool) uint8 {
	if set {
		return 1
	}
	return 0
}

// Table answers look-ups from a mapped file. It is safe for concurrent use until the file is closed. Methods with an index
// panic if it is not below Len.
type Table struct {
	customers   []string           `pack:"owners.customer"`
	of          []uint32           `pack:"owners.of"`
	deprecated  []uint8            `pack:"owners.deprecated of"`
	geographies pack.Lists[uint32] `pack:"owners.geography customers"`
}

// Open opens the table in f and checks it: a geography that is in the list of another customer would be seen by the wrong
// one. It copies the names of customers; the rest stays in the mapped file.
func Open(f *pack.File) (*Table, error) {
	l := pack.NewLoader(f)
	t := &Table{}
	l.Fill(t, "", map[string]int{
		"of":        len(pack.Load[uint32](l, "owners.of", pack.Any)),
		"customers": len(pack.Load[uint64](l, "owners.customer.ends", pack.Any)),
	})
	if l.Err() == nil {
		if err := t.check(); err != nil {
			l.Fail("%v", err)
		}
	}
	if err := l.Err(); err != nil {
		return nil, err
	}
	return t, nil
}

// check returns an error unless every geography has one customer, and is in the list of that one alone.
func (t *Table) check() error {
	for c, name := range t.customers {
		if name == "" || c > 0 && name <= t.customers[c-1] {
			return errors.New("customers are not in order")
		}
	}
	listed := 0
	for c := range t.customers {
		last := -1
		for _, i := range t.geographies.At(c) {
			if int(i) <= last || int(i) >= len(t.of) || t.of[i] != uint32(c) {
				return fmt.Errorf("geography %d is in the list of customer %d", i, c)
			}
			last = int(i)
			listed++
		}
	}
	if listed != len(t.of) {
		return fmt.Errorf("%d of %d geographies are in the list of their customer", listed, len(t.of))
	}
	if i := slices.IndexFunc(t.deprecated, func(d uint8) bool { return d > 1 }); i >= 0 {
		return fmt.Errorf("geography %d: deprecated is %d", i, t.deprecated[i])
	}
	return nil
}

// Len is the number of geographies.
func (t *Table) Len() int { return len(t.of) }

// Customers is the number of customers.
func (t *Table) Customers() int { return len(t.customers) }

// Customer is the customer of geography i.
func (t *Table) Customer(i int) string { return t.customers[t.of[i]] }

// Deprecated reports whether geography i answers by its id and is found no more.
func (t *Table) Deprecated(i int) bool { return t.deprecated[i] != 0 }

// Of is the geographies of a customer, ascending, superseded and deprecated ones included; nil if it has none. It is the
// mapped file.
func (t *Table) Of(customer string) []uint32 {
	c, ok := slices.BinarySearchFunc(t.customers, customer, strings.Compare)
	if !ok {
		return nil
	}
	return t.geographies.At(c)
}

package enrich

import (
	"math"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/address"
	"quartier/internal/pack/addresses"
	"quartier/schemas"
	"quartier/schemas/addressing"
	"quartier/schemas/column"
)

// addressProduct is the product of agreements that has the columns of addresses.
const addressProduct = "addresses"

// Columns of an address, by index.
const (
	addressLevel = iota
	addressScore
	addressLat
	addressLng
	addressUncertainty
	addressMatched
	addressChanged
	addressSource
)

// addressNames are those columns.
var addressNames = []string{"address_level", "address_score", "address_lat", "address_lng", "address_uncertainty_m", "address_matched",
	"address_changed", "address_source"}

// addressColumns are the columns of an address; nil where rows have points.
func (e *Enricher) addressColumns() (list []Column) {
	if e.choice.AddressLevel == "" {
		return nil
	}
	for _, name := range addressNames {
		list = append(list, e.choice.column(name, column.Of("enrich."+name)))
	}
	return list
}

// checkAddresses checks that addresses can be found, where rows have them.
func (e *Enricher) checkAddresses() error {
	switch {
	case e.choice.AddressLevel == "":
	case e.client.Products != nil && !slices.Contains(e.client.Products, addressProduct):
		return badChoice("the agreement of %s does not include %s", e.client.Customer, addressProduct)
	case e.release.Addresses == nil:
		return badChoice("the release has no addresses: a region needs a source of the kind %s", schemas.AddressesKind)
	}
	return nil
}

// finder finds the addresses of the rows of a block, and has their columns.
type finder struct {
	columns  []Column
	cells    [][]int64    // by column and row
	texts    []dictionary // by column
	statuses []Status     // by row; OK where there is one match
	points   []orb.Point  // by row; NaN without one
	query    addresses.Query
	found    addresses.Found
}

func newFinder(e *Enricher) *finder {
	f := &finder{columns: e.addressColumns()}
	f.query.Level = addresses.Level(max(slices.Index(addresses.LevelNames[:], e.choice.AddressLevel), 0))
	f.cells, f.texts = make([][]int64, len(f.columns)), make([]dictionary, len(f.columns))
	for i := range f.texts {
		f.texts[i].number = map[string]int64{}
	}
	return f
}

// FillAddresses is Fill for rows with addresses, which read returns. It returns the points of the matches, NaN where a row has not
// exactly one of the level that was chosen.
func (w *Worker) FillAddresses(rows int, read func(row int) address.Address) []orb.Point {
	f := w.finder
	f.statuses, f.points = f.statuses[:0], f.points[:0]
	for i := range f.columns {
		f.cells[i] = f.cells[i][:0]
		f.texts[i].reset()
	}
	for row := range rows {
		f.query.Address = read(row)
		w.findAddress()
	}
	w.Fill(f.points)
	for row, status := range f.statuses {
		if status != OK {
			w.statuses[row] = status
		}
	}
	return f.points
}

// findAddress adds a row with the matches of the query.
func (w *Worker) findAddress() {
	f, status := w.finder, OK
	if err := w.at.release.FindAddress(&f.query, &f.found); err != nil {
		f.found.Matches = f.found.Matches[:0] // impossible: New has looked whether there are any
	}
	var row [addressSource + 1]int64
	for i := range row {
		row[i] = absent
	}
	text := func(column int, value string) { row[column] = f.texts[column].of(value) }
	at := orb.Point{math.NaN(), math.NaN()}
	switch matches := f.found.Matches; {
	case f.found.Ambiguous():
		status = AmbiguousAddress
		text(addressLevel, addressing.Ambiguous)
		text(addressMatched, matches[0].Text+" | "+matches[1].Text)
		row[addressScore] = scaled(matches[0].Score, 1e3)
	case len(matches) == 1:
		m := &matches[0]
		at = orb.Point{m.Lng, m.Lat}
		row[addressScore], row[addressUncertainty] = scaled(m.Score, 1e3), scaled(m.UncertaintyM, 10)
		row[addressLat], row[addressLng] = scaled(m.Lat, 1e7), scaled(m.Lng, 1e7)
		text(addressLevel, addresses.LevelNames[m.Level])
		text(addressMatched, m.Text)
		text(addressChanged, strings.Join(m.Changed.Names(), ","))
		text(addressSource, m.Source)
	default:
		text(addressLevel, addressing.None)
		status = AddressNotFound
		switch f.query.Address.Kind {
		case address.None, address.Box, address.Corner:
			status = NoAddress
		}
	}
	for i, cell := range row {
		f.cells[i] = append(f.cells[i], cell)
	}
	f.points, f.statuses = append(f.points, at), append(f.statuses, status)
}

// scaled is a number in parts of one, as columns of decimals have it.
func scaled(value, parts float64) int64 { return int64(math.Round(value * parts)) }

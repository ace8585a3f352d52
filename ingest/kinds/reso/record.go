package reso

import (
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"strconv"

	"quartier/ingest/address"
	"quartier/ingest/source"
	"quartier/schemas/calibration"
	"quartier/schemas/market"
	"quartier/schemas/reason"
	"quartier/schemas/staged"
)

// outcome is what becomes of one record: a listing, a change, or nothing, with issues.
type outcome struct {
	row     int64
	kind    outcomeKind
	listing staged.Listing
	change  staged.ListingChange
	changes []staged.ListingChange // nested in the record of the listing
	nested  int                    // records in it: changes and others
	issues  []issue
}

type outcomeKind uint8

const (
	dropped outcomeKind = iota
	isListing
	isChange
)

type issue struct {
	why   reason.Reason
	where string
}

// decoder turns the texts of records into listings. It is for one goroutine.
type decoder struct {
	*mapping
	name    string // of the file, for messages
	country string // of the region; ""
	state   string // likewise
	states  map[string]string
	v       values
	out     *outcome

	orders func() (*orders, error) // of the columns of the file, which it reads when they are first needed
	failed error                   // of orders
}

// note counts an issue of the record, naming the fields concerned with their values.
func (d *decoder) note(why reason.Reason, fields ...field) {
	where := fmt.Sprintf("%s row %d", d.name, d.out.row)
	if key := d.v.key(); key != "" {
		where += " (" + key + ")"
	}
	for _, f := range fields {
		if d.v[f] != "" {
			where += fmt.Sprintf(", %s %q", f.name(), d.v[f])
		}
	}
	d.out.issues = append(d.out.issues, issue{why, where})
}

// name is the name of a field in messages.
func (f field) name() string {
	if len(fieldNames[f]) == 0 {
		return "class"
	}
	return fieldNames[f][0]
}

// key is the key of a listing; "" if it has none.
func (v *values) key() string {
	switch {
	case v[listingKey] != "":
		return v[listingKey]
	case v[listingID] != "":
		return v[listingID]
	}
	return v[recordKey]
}

// system is the name of the system that a record is from; "": that of its source.
func (d *decoder) systemName() string {
	for _, text := range []string{d.v[system], d.v[systemID], d.System} {
		if text != "" {
			return text
		}
	}
	return ""
}

// decode turns the texts of a record's slots into an outcome.
func (d *decoder) decode(cells []string, out *outcome) {
	d.out = out
	d.values(cells, &d.v)
	switch {
	case d.excluded(cells):
		d.note(source.ExcludedByOption)
	case d.v[recordKey] != "" || d.v[fieldName] != "":
		d.historic()
	default:
		d.listing()
	}
}

// listing reads a record of Property.
func (d *decoder) listing() {
	l := &d.out.listing
	l.System, l.Key, l.Row = d.systemName(), d.v.key(), d.out.row
	if !d.kindOf(l) {
		return
	}
	d.dates(l)
	d.prices(l)
	if !d.status(l) || !d.consistent(l) {
		return
	}
	d.home(l)
	d.place(l)
	if d.v[country] != "" && address.Country(d.v[country]) == "CA" {
		d.note(source.OtherCountry, country)
		return
	}
	if l.Key == "" && !l.Public {
		d.note(missingKey)
		return
	}
	if l.Key == "" {
		l.Key = saleKey(l)
	}
	d.out.kind = isListing
}

// day reads a date; nil if it is missing or invalid.
func (d *decoder) day(f field) *int32 {
	text := d.date(f)
	if text == "" {
		return nil
	}
	day, ok := parseDay(text)
	if !ok {
		d.note(invalidDate.With(f.name()), f)
		return nil
	}
	n := int32(day)
	return &n
}

// instant reads a time; nil if it is missing or invalid.
func (d *decoder) instant(f field) *int64 {
	text := d.date(f)
	if text == "" {
		return nil
	}
	at, ok := parseInstant(text)
	if !ok {
		d.note(invalidDate.With(f.name()), f)
		return nil
	}
	return &at
}

func (d *decoder) dates(l *staged.Listing) {
	l.OnDay, l.ListedDay = d.day(onMarketDate), d.day(listingContractDate)
	l.ContingentDay, l.ContractDay = d.day(contingentDate), d.day(purchaseContractDate)
	l.OffDay, l.WithdrawnDay = d.day(offMarketDate), d.day(withdrawnDate)
	l.CanceledDay, l.ExpiredDay, l.CloseDay = d.day(cancellationDate), d.day(expirationDate), d.day(closeDate)
	l.Modified, l.OnAt, l.PendingAt = d.instant(modified), d.instant(onMarketAt), d.instant(pendingAt)
	l.OffAt, l.PriceChangedAt = d.instant(offMarketAt), d.instant(priceChangeAt)
}

// price reads a price; nil if it is missing, invalid or nominal.
func (d *decoder) price(f field) *int64 {
	text := d.v[f]
	if text == "" {
		return nil
	}
	n, absent, ok := parseNumber(text)
	switch {
	case absent:
		return nil
	case !ok || n < 0 || n > mostDollars:
		d.note(invalidPrice.With(f.name()), f)
		return nil
	case n == 0:
		return nil
	}
	p := dollars(n)
	return &p
}

func (d *decoder) prices(l *staged.Listing) {
	l.ListPrice, l.OriginalListPrice, l.ClosePrice = d.price(listPrice), d.price(originalListPrice), d.price(closePrice)
	for _, p := range []struct {
		price **int64
		field field
	}{{&l.ListPrice, listPrice}, {&l.OriginalListPrice, originalListPrice}} {
		if *p.price != nil && **p.price < leastPrice {
			d.note(nominalPrice.With(p.field.name()), p.field)
			*p.price = nil
		}
	}
}

// leastPrice is the least price in dollars that is one: a sale for less is a transfer, an asking price a placeholder.
var leastPrice = calibration.Standard().Market.MinPrice

// status sets the status. A record without one that has a closing date and price alone is a public sale.
func (d *decoder) status(l *staged.Listing) bool {
	listed := l.OnDay != nil || l.OnAt != nil || l.ListedDay != nil || l.ListPrice != nil || l.OriginalListPrice != nil ||
		l.ContingentDay != nil || l.ContractDay != nil || l.PendingAt != nil
	text, from := d.v[standardStatus], standardStatus
	if text == "" {
		text, from = d.v[mlsStatus], mlsStatus
	}
	status, known := d.statuses[fold(text)]
	switch {
	case d.v[mayView] != "" && (fold(d.v[mayView]) == "false" || d.v[mayView] == "0"):
		l.Status = uint8(market.StatusDelete)
		return true
	case text == "" && !listed && (d.v[closeDate] != "" || d.v[closePrice] != ""):
		l.Status, l.Public = uint8(market.StatusClosed), true
		return d.sale(l)
	case text == "":
		d.note(missingStatus)
		return false
	case !known:
		d.note(unknownStatus.With(text), from)
		return false
	}
	l.Status = uint8(status)
	if status == market.StatusClosed && !listed && l.CloseDay != nil && l.ClosePrice != nil {
		l.Public = true
		return d.sale(l)
	}
	return true
}

// sale checks a public sale.
func (d *decoder) sale(l *staged.Listing) bool {
	switch {
	case l.ClosePrice == nil || *l.ClosePrice < leastPrice:
		d.note(nominalSale, closePrice)
		return false
	case l.CloseDay == nil:
		d.note(missingSaleDate, closeDate)
		return false
	}
	return true
}

// consistent checks a listing that is no public sale.
func (d *decoder) consistent(l *staged.Listing) bool {
	if l.Public || market.Status(l.Status) == market.StatusDelete {
		return true
	}
	if l.ClosePrice != nil && *l.ClosePrice < leastPrice {
		d.note(nominalPrice.With(closePrice.name()), closePrice)
		l.ClosePrice = nil
	}
	if market.Status(l.Status) == market.StatusClosed {
		off := l.CloseDay != nil || l.ContractDay != nil || l.OffDay != nil || l.PendingAt != nil || l.OffAt != nil
		if !off {
			d.note(closedUndated)
			return false
		}
		if l.ClosePrice == nil {
			d.note(unpricedClose, closePrice)
		}
	}
	if on, known := listedDay(l); known && l.CloseDay != nil && *l.CloseDay < on {
		d.note(closedBefore, closeDate, onMarketDate, onMarketAt, listingContractDate)
		return false
	}
	return true
}

// listedDay is the first day of a listing on the market; that of a time is the earliest that it can be in any of the
// states.
func listedDay(l *staged.Listing) (int32, bool) {
	const day, west = 86_400_000_000, 10 * 3_600_000_000 // microseconds; Hawaii is ten hours behind
	switch {
	case l.OnDay != nil:
		return *l.OnDay, true
	case l.OnAt != nil:
		at := *l.OnAt - west
		n := at / day
		if at%day < 0 {
			n--
		}
		return int32(n), true
	case l.ListedDay != nil:
		return *l.ListedDay, true
	}
	return 0, false
}

// saleKey is the key of a public sale without one: parcel, or address, with unit, day and price, or where neither is known what
// else the sale is.
func saleKey(l *staged.Listing) string {
	h := fnv.New128a()
	number := func(n float64) { h.Write(strconv.AppendFloat(nil, n, 'g', -1, 64)); h.Write([]byte{0}) }
	home := []string{l.Parcel, l.Unit, l.State}
	if l.Parcel == "" {
		home = []string{l.Address, l.Unit, l.PostalCode, l.State}
	}
	for _, text := range home {
		h.Write([]byte(text))
		h.Write([]byte{0})
	}
	number(float64(*l.CloseDay))
	number(float64(*l.ClosePrice))
	if l.Parcel != "" || l.Address != "" {
		return staged.SaleKey + hex.EncodeToString(h.Sum(nil)[:12])
	}
	number(float64(l.Type))
	for _, n := range []*float64{l.Lng, l.Lat, l.LivingAreaSqft} {
		if n != nil {
			number(*n)
		}
		h.Write([]byte{1})
	}
	if l.YearBuilt != nil {
		number(float64(*l.YearBuilt))
	}
	return staged.SaleKey + hex.EncodeToString(h.Sum(nil)[:12])
}

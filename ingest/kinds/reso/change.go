package reso

import (
	"quartier/ingest/source"
	"quartier/schemas/market"
	"quartier/schemas/staged"
)

// historic reads a record of HistoryTransactional: a change of the status or the asking price of a listing.
//
//	{"ResourceRecordKey": "4711", "FieldName": "ListPrice", "PreviousValue": "500000", "NewValue": "475000",
//	 "ModificationTimestamp": "2024-05-02T10:00:00Z"}
func (d *decoder) historic() {
	c := &d.out.change
	c.System, c.Key, c.Row = d.systemName(), d.v[recordKey], d.out.row
	if resource := fold(d.v[resourceName]); resource != "" && resource != "property" {
		d.note(otherResource.With(d.v[resourceName]), fieldName)
		return
	}
	ok := false
	switch fold(d.v[fieldName]) {
	case "standardstatus", "status":
		ok = d.statusChange(c, "status")
	case "mlsstatus":
		if ok = d.statusChange(c, "mls_status"); !ok && d.v[newValue] != "" {
			d.note(unknownStatus.With(d.v[newValue]), newValue)
			return
		}
	case "listprice":
		ok = d.priceChange(c)
	default:
		d.note(otherResource.With(d.v[fieldName]))
		return
	}
	if c.Price != nil && *c.Price < leastPrice {
		d.note(nominalPrice.With(listPrice.name()), newValue)
		return
	}
	at, timed := parseInstant(d.date(modified))
	if !ok || !timed || c.Key == "" {
		d.note(changeUnread, recordKey, fieldName, newValue, modified)
		return
	}
	c.At = at
	d.out.kind = isChange
}

func (d *decoder) statusChange(c *staged.ListingChange, field string) bool {
	c.Field = field
	now, known := d.statuses[fold(d.v[newValue])]
	before := d.statuses[fold(d.v[previousValue])]
	c.Status, c.Before = uint8(now), uint8(before)
	return known && now != market.StatusUnknown
}

func (d *decoder) priceChange(c *staged.ListingChange) bool {
	c.Field = "list_price"
	c.Price, c.Previous = d.price(newValue), d.price(previousValue)
	return c.Price != nil
}

// nested reads the records of HistoryTransactional that a record of Property has ($expand=HistoryTransactional), as text of
// JSON. A record without the key of the listing is one of the listing that it is in.
func (w *worker) nested(list string, o *outcome) {
	if o.kind != isListing {
		return
	}
	system, key := o.listing.System, o.listing.Key
	s := jsonScanner{text: list, at: 1}
	for s.space(); s.at < len(list) && list[s.at] != ']'; s.space() {
		start := s.at
		if s.value(0) != nil {
			return // it cannot be: the record was read as a whole
		}
		text := list[start:s.at]
		s.space()
		s.take(',')
		change := outcome{row: o.row}
		w.out, w.v = &change, values{}
		if err := w.json.read(text, w.cells); err != nil {
			w.note(source.MalformedRecord)
		} else {
			w.values(w.cells, &w.v)
			if w.v[recordKey] == "" {
				w.v[recordKey] = key
			}
			w.historic()
			if change.change.System == "" {
				change.change.System = system
			}
		}
		o.issues = append(o.issues, change.issues...)
		o.nested++
		if change.kind == isChange {
			o.changes = append(o.changes, change.change)
		}
	}
}

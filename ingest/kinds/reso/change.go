package reso

import (
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
		ok = d.statusChange(c)
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
	at, timed := parseInstant(d.v[modified])
	if !ok || !timed || c.Key == "" {
		d.note(changeUnread, recordKey, fieldName, newValue, modified)
		return
	}
	c.At = at
	d.out.kind = isChange
}

func (d *decoder) statusChange(c *staged.ListingChange) bool {
	c.Field = "status"
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

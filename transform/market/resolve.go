package market

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"

	"quartier/internal/coord"
	"quartier/internal/timezone"
	"quartier/schemas/calibration"
	"quartier/schemas/market"
	"quartier/schemas/reason"
	"quartier/schemas/staged"
	"quartier/transform/market/figures"
	"quartier/transform/market/relist"
	"quartier/transform/market/timeline"
)

// resolver makes rows of listings. It is safe for concurrent use.
type resolver struct {
	locator     *locator
	calibration *calibration.Market
}

// resolve fills in the rows of a batch and drops its listings.
func (r *resolver) resolve(b *batch) error {
	var changes []staged.ListingChange
	count := len(b.listings)
	b.links, b.notes, b.ends = make([]relist.Listing, 0, count), make([]note, 0, count), make([][2]uint32, 0, count)
	b.spans, b.sales = make([]figures.Span, 0, count), make([]figures.Sale, 0, count)
	for n := range b.listings {
		l := &b.listings[n]
		at, why := r.locator.locate(l)
		changes = b.changes(changes[:0], idOf(l.System, l.Key))
		t, err := timelineOf(l, changes, at, r.calibration)
		if err != nil {
			return err
		}
		own := note{Set: at.set}
		if len(at.state) == len(own.State) && (at.set != 0 || why == noLocation) {
			copy(own.State[:], at.state)
		}
		for _, why := range append(doubts(l, &t), why) {
			if i := slices.Index(Reasons, why); i >= 0 {
				own.Issues |= 1 << i
			}
		}
		before := len(b.sales)
		b.spans, b.sales = figures.Rows(b.spans, b.sales, l, &t, r.calibration)
		if n := len(b.sales); n > before && b.sales[n-1].Far(r.calibration.FarTimes) {
			own.Issues |= 1 << slices.Index(Reasons, priceFar)
		}
		b.ends = append(b.ends, [2]uint32{uint32(len(b.spans)), uint32(len(b.sales))})
		b.notes, b.links = append(b.notes, own), append(b.links, linkOf(l, &t))
	}
	b.listings, b.changes = nil, nil
	if b.release != nil {
		b.release()
	}
	return nil
}

// timelineOf resolves a listing in the time zone of its place.
func timelineOf(l *staged.Listing, changes []staged.ListingChange, at place, c *calibration.Market) (timeline.Timeline, error) {
	name := ""
	if at.state != "" && (len(changes) > 0 || hasInstants(l)) {
		name = timezone.At("US_"+at.state, at.position[0], at.position[1])
	}
	location, err := timezone.Location(name) // "" is UTC
	if err != nil {
		return timeline.Timeline{}, fmt.Errorf("time zone %s: %w", name, err)
	}
	return timeline.Of(l, changes, location, c), nil
}

func hasInstants(l *staged.Listing) bool {
	return l.OnAt != nil || l.PendingAt != nil || l.OffAt != nil || l.PriceChangedAt != nil || l.Modified != nil
}

// doubts is what is wrong with a listing beside its place.
func doubts(l *staged.Listing, t *timeline.Timeline) []reason.Reason {
	var list []reason.Reason
	closed := market.Status(l.Status) == market.StatusClosed || l.Public
	switch {
	case closed && (l.CloseDay == nil || l.ClosePrice == nil):
		list = append(list, closedWithout)
	case closed && t.Close == market.NoDay:
		list = append(list, nominalPrice)
	case t.On == market.NoDay && t.Close == market.NoDay:
		list = append(list, neverListed)
	}
	if t.On != market.NoDay && (t.Close != market.NoDay && t.Close < t.On || t.Spells[0].Off < t.On) {
		list = append(list, datesContradict)
	}
	return list
}

// linkOf is by what a listing is recognised when it comes on again.
func linkOf(l *staged.Listing, t *timeline.Timeline) relist.Listing {
	r := relist.Listing{ID: idOf(l.System, l.Key), System: uint32(hashOf(l.System)), Type: market.PropertyType(l.Type),
		Parcel: hashOf(l.Parcel), Address: hashOf(l.Address), Unit: hashOf(l.Unit), On: t.On, Unsold: t.Unsold}
	if len(l.State) == 2 {
		r.State = uint16(l.State[0])<<8 | uint16(l.State[1])
	}
	if postal, err := strconv.ParseUint(l.PostalCode, 10, 32); err == nil {
		r.Postal = uint32(postal) + 1
	}
	if l.Lng != nil && l.Lat != nil {
		r.Point, r.Located = coord.NewPoint(*l.Lng, *l.Lat)
	}
	if l.LivingAreaSqft != nil {
		r.Sqft = *l.LivingAreaSqft
	}
	if l.YearBuilt != nil {
		r.Year = *l.YearBuilt
	}
	return r
}

// hashOf is FNV-1a of texts, 0 if all are empty.
func hashOf(texts ...string) uint64 {
	h, empty := fnv.New64a(), true
	for _, text := range texts {
		empty = empty && text == ""
		h.Write([]byte(text))
		h.Write([]byte{0})
	}
	if empty {
		return 0
	}
	return h.Sum64()
}

// idOf identifies a listing: column key_hash of market.duckdb.
func idOf(system, listing string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(system))
	h.Write([]byte{0})
	h.Write([]byte(listing))
	return h.Sum64()
}

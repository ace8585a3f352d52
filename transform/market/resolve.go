package market

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"sync"

	"quartier/internal/coord"
	"quartier/internal/pack/geographies"
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

	mu     sync.Mutex
	issues issues
	states map[string]bool
}

func newResolver(places *geographies.Table, c *calibration.Market) *resolver {
	return &resolver{locator: newLocator(places), calibration: c, issues: issues{}, states: map[string]bool{}}
}

// resolve fills in the rows of a batch and drops its listings.
func (r *resolver) resolve(b *batch) error {
	found, states := issues{}, map[string]bool{}
	for n := range b.listings {
		l := &b.listings[n]
		at, why := r.locator.locate(l)
		t, err := timelineOf(l, b.changes[n], at, r.calibration)
		if err != nil {
			return err
		}
		if at.state != "" && (at.set != 0 || why == noLocation) {
			states[at.state] = true
		}
		if !why.OK() {
			found.add(why, l)
		}
		for _, why := range doubts(l, &t, r.calibration) {
			found.add(why, l)
		}
		number := uint32(b.first + n)
		b.spans, b.sales = figures.Rows(b.spans, b.sales, number, l, &t, r.calibration)
		b.ends = append(b.ends, [2]uint32{uint32(len(b.spans)), uint32(len(b.sales))})
		b.sets = append(b.sets, at.set)
		b.links = append(b.links, linkOf(l, &t))
	}
	b.listings, b.changes = nil, nil
	r.mu.Lock()
	defer r.mu.Unlock()
	r.issues.join(found)
	for state := range states {
		r.states[state] = true
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
func doubts(l *staged.Listing, t *timeline.Timeline, c *calibration.Market) []reason.Reason {
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
	r := relist.Listing{ID: hash(l.System, l.Key), System: uint32(hash(l.System)), Type: market.PropertyType(l.Type),
		Parcel: hash(l.Parcel), Address: hash(l.Address), Unit: hash(l.Unit), On: t.On, Unsold: t.Unsold}
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

// hash is FNV-1a of texts, 0 if all are empty.
func hash(texts ...string) uint64 {
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

// issues counts listings by reason.
type issues map[string]*Issue

func (m issues) add(why reason.Reason, l *staged.Listing) {
	m.join(issues{why.Code: {why, 1, fmt.Sprintf("%s: %s, row %d", l.SourceID, l.File, l.Row)}})
}

func (m issues) join(other issues) {
	for code, o := range other {
		if own := m[code]; own == nil {
			m[code] = o
		} else {
			own.Rows += o.Rows
			own.Example = min(own.Example, o.Example)
		}
	}
}

func (m issues) list() []Issue {
	var list []Issue
	for _, i := range m {
		list = append(list, *i)
	}
	slices.SortFunc(list, func(a, b Issue) int { return cmp.Compare(a.Reason.Code, b.Reason.Code) })
	return list
}

package scope

import (
	"errors"
	"slices"

	"quartier/internal/coord"
	"quartier/internal/pack/addresses"
)

// ErrNoAddresses is for a release without addresses. The text is shown to callers.
var ErrNoAddresses = errors.New("no addresses: no source of the release has any")

// FindAddress looks an address up among those of the regions of the agreement. It fails with ErrNoAddresses where the release has
// none.
func (r *Release) FindAddress(q *addresses.Query, found *addresses.Found) error {
	table := r.all.Addresses
	if table == nil {
		return ErrNoAddresses
	}
	q.Regions = r.addressRegions()
	table.Find(q, found)
	found.Matches = r.shownAddresses(found.Matches)
	return nil
}

// SuggestAddresses finds what an address that is begun can become, as FindAddress: the nearest to a point first, which may be nil.
func (r *Release) SuggestAddresses(typed string, near *coord.Point, limit int, found *addresses.Suggestions) error {
	table := r.all.Addresses
	if table == nil {
		return ErrNoAddresses
	}
	table.Suggest(typed, near, limit, r.addressRegions(), found)
	found.Matches = r.shownAddresses(found.Matches)
	return nil
}

// NearestAddress is the address nearest to a point, as FindAddress, with its distance in metres; false if none is within a radius.
func (r *Release) NearestAddress(lng, lat, radiusM float64, n *addresses.Nearby) (m addresses.Match, metres float64, found bool,
	err error) {
	table := r.all.Addresses
	if table == nil {
		return m, 0, false, ErrNoAddresses
	}
	n.Regions = r.addressRegions()
	m, metres, found = table.Nearest(lng, lat, radiusM, n)
	return m, metres, found && r.showsAddress(&m), nil
}

// addressRegions are the regions of the table of addresses that the agreement has, by index; nil: all.
func (r *Release) addressRegions() []bool {
	if r.regions == nil {
		return nil
	}
	if len(r.inAddresses) == 0 {
		for _, code := range r.all.Addresses.Regions() {
			r.inAddresses = append(r.inAddresses, r.allows([]string{code}))
		}
	}
	return r.inAddresses
}

// shownAddresses are the matches that the client may see.
func (r *Release) shownAddresses(all []addresses.Match) []addresses.Match {
	return slices.DeleteFunc(all, func(m addresses.Match) bool { return !r.showsAddress(&m) })
}

// showsAddress reports whether the client may see a match of a region of the agreement: not one whose point is in none of them.
func (r *Release) showsAddress(m *addresses.Match) bool {
	return r.regions == nil || r.allows(r.all.Geographies.RegionsAt(nil, m.Lng, m.Lat))
}

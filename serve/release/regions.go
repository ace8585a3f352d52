package release

import (
	"slices"
	"strings"
	"sync"

	"quartier/internal/pack/geographies"
	"quartier/schemas"
)

// regions are the region codes of the geographies of a table. There are few different lists, which are shared.
type regions struct {
	once  sync.Once
	of    []uint32 // by geography: index in lists
	lists [][]string
	known map[string]uint32 // lists, while they are made
}

// Regions returns the region codes of geography i, by which agreements are checked: the covered regions at its
// centroid, such as "CA_QC". A country has only its own code, wherever its centroid is. Where no covered region contains
// the centroid, as can happen with an old boundary version, they are the states of the geography. The slice must not
// be changed.
func (p *Places) Regions(i int) []string {
	p.prepareRegions()
	return p.regions.lists[p.regions.of[i]]
}

// AllRegions reports whether each geography is in one of the regions that are allowed.
func (p *Places) AllRegions(allows func(codes []string) bool) bool {
	p.prepareRegions()
	return !slices.ContainsFunc(p.regions.lists, func(codes []string) bool { return !allows(codes) })
}

func (p *Places) prepareRegions() {
	p.regions.once.Do(func() {
		r := &p.regions
		r.of = make([]uint32, p.Geographies.Len())
		var buffer []string
		for i := range r.of {
			buffer = p.regionsOf(buffer[:0], p.Geographies, i)
			r.of[i] = r.number(buffer)
		}
		r.known = nil
	})
}

// regionsOf appends the region codes of geography i of a table, of this component or of one beside it.
func (p *Places) regionsOf(dst []string, table *geographies.Table, i int) []string {
	if table.Level(i) == schemas.Country {
		return append(dst, table.Country(i))
	}
	centroid := table.Centroid(i)
	if dst = p.Geographies.RegionsAt(dst, centroid[0], centroid[1]); len(dst) > 0 {
		return dst
	}
	return append(dst, table.Regions(i)...)
}

// number is the index of a list of codes, which is copied.
func (r *regions) number(codes []string) uint32 {
	key := strings.Join(codes, ",")
	n, ok := r.known[key]
	if !ok {
		if r.known == nil {
			r.known = map[string]uint32{}
		}
		n = uint32(len(r.lists))
		r.known[key] = n
		r.lists = append(r.lists, slices.Clone(codes))
	}
	return n
}

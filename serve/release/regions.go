package release

import (
	"strings"

	"quartier/schemas"
)

// Regions returns the region codes of geography i, by which agreements are checked: the covered regions at its
// centroid, such as "CA_QC". A country has only its own code, wherever its centroid is. Where no covered region contains
// the centroid, as can happen with an old boundary version, they are the states of the geography. The slice must not
// be changed.
func (p *Places) Regions(i int) []string {
	p.regionsOnce.Do(p.resolveRegions)
	return p.regionLists[p.regionsOf[i]]
}

// resolveRegions fills the regions of all geographies. There are few different lists, which are shared.
func (p *Places) resolveRegions() {
	table := p.Geographies
	lists, known := make([]uint32, table.Len()), map[string]uint32{}
	var buffer []string
	for i := range lists {
		codes := []string{table.Country(i)}
		if table.Level(i) != schemas.Country {
			centroid := table.Centroid(i)
			buffer = table.RegionsAt(buffer[:0], centroid[0], centroid[1])
			if codes = buffer; len(codes) == 0 {
				codes = table.Regions(i)
			}
		}
		key := strings.Join(codes, ",")
		n, ok := known[key]
		if !ok {
			n = uint32(len(p.regionLists))
			known[key] = n
			p.regionLists = append(p.regionLists, append([]string{}, codes...))
		}
		lists[i] = n
	}
	p.regionsOf = lists
}

package release

import (
	"strings"

	"quartier/schemas"
)

// Regions returns the region codes of geography i, by which agreements are checked: the covered regions at its
// centroid, such as "CA_QC". A country has only its own code, wherever its centroid is. Where no covered region contains
// the centroid, as can happen with an old boundary version, they are the states of the geography. The slice must not
// be changed.
func (r *Release) Regions(i int) []string {
	r.regionsOnce.Do(r.resolveRegions)
	return r.regionLists[r.regionsOf[i]]
}

// resolveRegions fills the regions of all geographies. There are few different lists, which are shared.
func (r *Release) resolveRegions() {
	table := r.Geographies
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
			n = uint32(len(r.regionLists))
			known[key] = n
			r.regionLists = append(r.regionLists, append([]string{}, codes...))
		}
		lists[i] = n
	}
	r.regionsOf = lists
}

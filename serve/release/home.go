package release

import (
	"strings"

	"quartier/schemas"
)

// Home is where geography i is for the rules about regions: the codes of the covered regions at its centroid, such as
// "CA_QC". A country has its own code alone, wherever its centroid lies. Where the centroid is in no covered region, as
// that of an old boundary version may be, the states of the geography count. The slice must not be changed.
func (r *Release) Home(i int) []string {
	r.homesOnce.Do(r.findHomes)
	return r.homeCodes[r.homes[i]]
}

// findHomes fills the homes of all geographies. There are few different ones, which are shared.
func (r *Release) findHomes() {
	table := r.Geographies
	homes, known := make([]uint32, table.Len()), map[string]uint32{}
	var buffer []string
	for i := range homes {
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
			n = uint32(len(r.homeCodes))
			known[key] = n
			r.homeCodes = append(r.homeCodes, append([]string{}, codes...))
		}
		homes[i] = n
	}
	r.homes = homes
}

package release

import (
	"slices"
	"sync"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/pack/names"
	"quartier/schemas"
)

// Own is what a release has of one customer's geographies. It is safe for concurrent use while the release is open.
type Own struct {
	*Private
	all     []uint32 // indexes in Geographies, ascending
	regions regions  // of each of all
	found   []uint32 // those of all that are found: neither superseded nor deprecated
	boxes   *coord.BoxIndex

	namesOnce sync.Once
	names     *names.Beside
}

// Own returns the geographies of a customer; nil where it has none. They are prepared once, when they are first asked for.
func (r *Release) Own(customer string) *Own {
	p := r.Private
	if p == nil {
		return nil
	}
	if known, ok := p.own.Load(customer); ok {
		return known.(*Own)
	}
	all := p.Owners.Of(customer)
	if len(all) == 0 {
		return nil // not kept, so that there are as many as customers with geographies
	}
	o := &Own{Private: p, all: all}
	var boxes []orb.Bound
	var codes []string
	for _, i := range all {
		codes = r.regionsOf(codes[:0], p.Geographies, int(i))
		o.regions.of = append(o.regions.of, o.regions.number(codes))
		if _, superseded := p.Geographies.Superseded(int(i)); !superseded && !p.Owners.Deprecated(int(i)) {
			o.found = append(o.found, i)
			boxes = append(boxes, p.Geographies.BBox(int(i)))
		}
	}
	o.boxes = coord.NewBoxIndex(boxes)
	kept, _ := p.own.LoadOrStore(customer, o)
	return kept.(*Own)
}

// ByID is the index of the customer's geography with an id.
func (o *Own) ByID(id string) (int, bool) {
	i, known := o.Geographies.ByID(id)
	_, mine := slices.BinarySearch(o.all, uint32(i)) // for unknown ids too: they take as long as those of others
	return i, known && mine
}

// Regions is Places.Regions of a geography of the customer.
func (o *Own) Regions(i int) []string {
	n, ok := slices.BinarySearch(o.all, uint32(i))
	if !ok {
		return nil
	}
	return o.regions.lists[o.regions.of[n]]
}

// At appends the geographies of the given levels that contain a point, in no order.
func (o *Own) At(dst []int, lng, lat float64, levels schemas.LevelSet) []int {
	p, ok := coord.NewPoint(lng, lat)
	if !ok {
		return dst
	}
	o.boxes.At(p.Orb(), func(n int) bool {
		i := int(o.found[n])
		if (levels == 0 || levels&schemas.NewLevelSet(o.Geographies.Level(i)) != 0) && o.Geographies.Area(i).Contains(p) {
			dst = append(dst, i)
		}
		return true
	})
	return dst
}

// NamesBeside are the names of the customer's geographies, beside those of the places. prepare makes them once.
func (o *Own) NamesBeside(prepare func(found []uint32) *names.Beside) *names.Beside {
	o.namesOnce.Do(func() { o.names = prepare(o.found) })
	return o.names
}

package market

import (
	"encoding/binary"
	"regexp"
	"slices"
	"sync"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/pack/geographies"
	"quartier/schemas"
	"quartier/schemas/reason"
	"quartier/schemas/staged"
)

// served are the levels of geographies with market statistics.
var served = []schemas.Level{schemas.Neighbourhood, schemas.Borough, schemas.Municipality, schemas.PostalArea, schemas.CountySubdivision,
	schemas.County, schemas.Region, schemas.Metro}

// Served reports whether a geography has market statistics: those of the United States up to metro areas.
func Served(places *geographies.Table, i int) bool {
	return places.Country(i) == "US" && slices.Contains(served, places.Level(i))
}

// locator finds the geographies of listings and keeps each set of geographies once. It is safe for concurrent use.
type locator struct {
	places     *geographies.Table
	levels     schemas.LevelSet
	superseded *coord.BoxIndex // of the outlines of old geographies, which have their own
	old        []int           // their indexes
	postal     map[string]int  // the geography of a ZIP code

	mu     sync.RWMutex
	number map[string]uint32
	sets   [][]uint32 // geographies in ascending order; the first one is empty
}

var zip = regexp.MustCompile(`^\d{5}$`)

// newLocator begins with known sets, in their order; nil: none.
func newLocator(places *geographies.Table, sets [][]uint32) *locator {
	l := &locator{places: places, levels: schemas.NewLevelSet(append(slices.Clone(served), schemas.State)...), postal: map[string]int{},
		number: map[string]uint32{}}
	l.intern(nil)
	for _, set := range sets {
		l.intern(set)
	}
	var boxes []orb.Bound
	for i := range places.Len() {
		_, old := places.Superseded(i)
		switch {
		case !Served(places, i):
		case old:
			l.old, boxes = append(l.old, i), append(boxes, places.BBox(i))
		case places.Level(i) == schemas.PostalArea:
			if name := places.Name(i).EN; zip.MatchString(name) {
				l.postal[name] = i
			}
		}
	}
	l.superseded = coord.NewBoxIndex(boxes)
	return l
}

// place is where a listing is.
type place struct {
	set      uint32    // of geographies
	state    string    // "PA"; "": not known
	position orb.Point // (0, 0) where it is not known
}

// locate finds the geographies of a listing: by its coordinates, else that of its ZIP code. The reason says why it has none.
func (l *locator) locate(row *staged.Listing) (place, reason.Reason) {
	if row.Lng == nil || row.Lat == nil {
		return l.byPostalCode(row)
	}
	at := place{state: row.State, position: orb.Point{*row.Lng, *row.Lat}}
	p, ok := coord.NewPoint(*row.Lng, *row.Lat)
	if !ok {
		return at, outsideGeographies
	}
	var buffer [48]int
	var set []uint32
	var states []string
	for _, i := range l.places.At(buffer[:0], *row.Lng, *row.Lat, l.levels) {
		switch {
		case l.places.Country(i) != "US":
		case l.places.Level(i) == schemas.State:
			states = append(states, l.places.Regions(i)...)
		default:
			set = append(set, uint32(i))
		}
	}
	if row.State != "" && len(states) > 0 && !slices.Contains(states, "US_"+row.State) {
		return at, outsideState
	}
	if at.state == "" && len(states) > 0 {
		at.state = states[0][len("US_"):]
	}
	l.superseded.At(at.position, func(item int) bool {
		if i := l.old[item]; l.places.Area(i).Contains(p) {
			set = append(set, uint32(i))
		}
		return true
	})
	if len(set) == 0 {
		return at, outsideGeographies
	}
	at.set = l.intern(set)
	return at, reason.Reason{}
}

func (l *locator) byPostalCode(row *staged.Listing) (place, reason.Reason) {
	at := place{state: row.State}
	i, ok := l.postal[row.PostalCode]
	if !ok {
		return at, noLocation
	}
	states := l.places.Regions(i)
	if row.State != "" && !slices.Contains(states, "US_"+row.State) {
		return at, outsideState
	}
	if at.state == "" && len(states) > 0 {
		at.state = states[0][len("US_"):]
	}
	at.position = l.places.Centroid(i)
	at.set = l.intern([]uint32{uint32(i)})
	return at, reason.Reason{}
}

// intern is the number of a set, which it sorts.
func (l *locator) intern(set []uint32) uint32 {
	slices.Sort(set)
	set = slices.Compact(set)
	var buffer [256]byte
	key := buffer[:0]
	for _, g := range set {
		key = binary.LittleEndian.AppendUint32(key, g)
	}
	l.mu.RLock()
	n, ok := l.number[string(key)]
	l.mu.RUnlock()
	if ok {
		return n
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if n, ok = l.number[string(key)]; !ok {
		n = uint32(len(l.sets))
		l.number[string(key)], l.sets = n, append(l.sets, set)
	}
	return n
}

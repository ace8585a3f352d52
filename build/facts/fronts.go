package facts

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/paulmach/orb"

	"quartier/build/assembly"
	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/pack/names"
	"quartier/schemas/calibration"
	"quartier/schemas/derived"
)

// typeless is the scheme of streets whose names have no type: "Bank", "Carling".
const typeless = "statcan:"

// frontStreet is a named street that places front on.
type frontStreet struct {
	name, nameFR string
	key          string         // of a stretch of it
	spellings    map[string]int // places by how their sources write its name
}

// fronts resolves on which street the places of a region front.
type fronts struct {
	reach float64 // of places without an address, metres from the middle of the street
	edges []frontEdge
	index *coord.BoxIndex

	streets map[string]uint32 // by folded name, of all regions
	list    []frontStreet
	typed   map[string]map[string]string // by base of typeless streets: the names with a type that addresses have, by folded name
}

type frontEdge struct {
	line     orb.LineString
	name     streetName
	fr, key  string
	typeless bool
}

// frontClasses are the classes of edges on which places do not front.
var notFronted = map[string]bool{
	"motorway": true, "motorway_link": true, "trunk_link": true, "primary_link": true, "secondary_link": true, "tertiary_link": true,
	"parking_aisle": true, "driveway": true, "service": true, "track": true, "crossing": true, "steps": true, "sidewalk": true, "path": true,
	"cycleway": true, "bridleway": true,
}

// read reads the named streets of a region. Roads with a number are no shopping streets.
func (f *fronts) read(ctx context.Context, region *duck.DB) error {
	f.edges, f.typed = nil, map[string]map[string]string{}
	f.reach = calibration.Standard().Access.Frontage.FromCentreM
	var boxes []orb.Bound
	err := assembly.EachNumbered(ctx, region, "street_edge", "edge", "", func(_ int64, e *derived.StreetEdge) error {
		if e.Name == "" || notFronted[e.Class] {
			return nil
		}
		edge := frontEdge{name: parseStreet(e.Name), fr: e.NameFR, key: e.SourceKey, typeless: strings.HasPrefix(e.SourceKey, typeless)}
		if edge.name.numbered || edge.name.base == "" {
			return nil
		}
		var err error
		if edge.line, err = geo.LineString(e.Geom); err != nil {
			return fmt.Errorf("street %s: %w", e.SourceKey, err)
		}
		f.edges, boxes = append(f.edges, edge), append(boxes, edge.line.Bound())
		return nil
	})
	f.index = coord.NewBoxIndex(boxes)
	return err
}

// nearest returns the nearest street within some metres of a point that fits; nil if none does.
func (f *fronts) nearest(at orb.Point, metres float64, fits func(*frontEdge) bool) *frontEdge {
	plane := geo.NewPlane(at)
	best, found := math.Inf(1), (*frontEdge)(nil)
	f.index.Search(geo.CircleBound(at, metres), func(item int) bool {
		e := &f.edges[item]
		if !fits(e) {
			return true
		}
		for i := 1; i < len(e.line); i++ {
			d := plane.SegmentDistance(at, e.line[i-1], e.line[i])
			if d <= metres && (d < best || d == best && e.key < found.key) {
				best, found = d, e
			}
		}
		return true
	})
	return found
}

// byAddress is set in the street of a place whose address decides, until all places of the region are resolved.
const byAddress = 1 << 31

// resolveAddress sets the street of a place if that of its address is near.
func (f *fronts) resolveAddress(p *poi, address string) {
	a := streetOfAddress(address)
	if a.numbered || a.base != "" && f.setByAddress(p, &a) { // on a road with a number, whatever else is near
		p.street |= byAddress
	}
}

// resolveRest sets the streets of the other places of a region, when the addresses of all are resolved: the nearest one. A
// street without a type is named by the type that addresses on it have, if all agree.
func (f *fronts) resolveRest(places []poi) {
	for i := range places {
		if places[i].street&byAddress != 0 {
			places[i].street &^= byAddress
			continue
		}
		e := f.nearest(places[i].at, f.reach, func(*frontEdge) bool { return true })
		switch {
		case e == nil:
		case !e.typeless:
			places[i].street = f.number(e.name.full, e.fr, e.key)
		default:
			if name := only(f.typed[e.name.base]); name != "" {
				places[i].street = f.number(name, "", e.key)
			}
		}
	}
}

// setByAddress sets the street of a place that is near the street of its address, and reports whether it is.
func (f *fronts) setByAddress(p *poi, a *streetName) bool {
	e := f.nearest(p.at, constants().AddressM, func(e *frontEdge) bool { return e.name.base == a.base })
	if e == nil {
		return false
	}
	switch {
	case !e.typeless:
		p.street = f.number(e.name.full, e.fr, e.key)
	case a.typed:
		if f.typed[a.base] == nil {
			f.typed[a.base] = map[string]string{}
		}
		f.typed[a.base][names.Fold(a.full)] = a.full
		p.street = f.number(a.full, e.fr, e.key)
	default:
		return false
	}
	return true
}

// only is the value of a map of one; "" of others.
func only(m map[string]string) (name string) {
	if len(m) == 1 {
		for _, name = range m {
		}
	}
	return name
}

// number is the number of a street by its name, from 1. The key of the first stretch found is kept.
func (f *fronts) number(name, nameFR, key string) uint32 {
	id := names.Fold(name)
	n, ok := f.streets[id]
	if !ok {
		f.list = append(f.list, frontStreet{key: key, spellings: map[string]int{}})
		n = uint32(len(f.list))
		f.streets[id] = n
	}
	s := &f.list[n-1]
	s.spellings[name]++
	s.nameFR = cmp.Or(s.nameFR, nameFR)
	return n
}

// name gives each street the name that most places have it by.
func (f *fronts) name() {
	for i := range f.list {
		s := &f.list[i]
		for name, n := range s.spellings {
			if most := s.spellings[s.name]; n > most || n == most && name < s.name {
				s.name = name
			}
		}
	}
}

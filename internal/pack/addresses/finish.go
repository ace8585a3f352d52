package addresses

import (
	"cmp"
	"errors"
	"maps"
	"math"
	"slices"

	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/internal/pack/strips"
)

func (w *Writer) putNames() {
	pack.PutTexts(w.out, "name", w.names)
	pack.Put(w.out, "name.street", w.nameStreet)
	var all []nearForm
	for i, name := range w.names {
		forms(name, func(hash uint32) { all = append(all, nearForm{hash, uint32(i)}) })
	}
	sortForms(all)
	hash, name := pack.NewSection[uint32](w.out, "name.near.hash"), pack.NewSection[uint32](w.out, "name.near.name")
	for i, f := range all {
		if i == 0 || f != all[i-1] {
			hash.Append(f.hash)
			name.Append(f.name)
		}
	}
}

// putPlaces writes the places in order, and numbers those of the streets anew. It returns the regions.
func (w *Writer) putPlaces() (regions []string, err error) {
	order := make([]int, len(w.places))
	for i := range order {
		order[i] = i
		if n := len(regions); n == 0 || !slices.Contains(regions, w.places[i].region) {
			regions = append(regions, w.places[i].region)
		}
	}
	slices.Sort(regions)
	if len(regions) > math.MaxUint8+1 {
		return nil, errors.New("more than 256 regions")
	}
	slices.SortFunc(order, func(a, b int) int {
		p, q := w.places[a], w.places[b]
		return cmp.Or(cmp.Compare(p.key, q.key), cmp.Compare(p.region, q.region))
	})
	text, in := pack.NewSection[uint32](w.out, "place.text"), pack.NewSection[uint8](w.out, "place.region")
	point, radius := pack.NewSection[coord.Point](w.out, "place.point"), pack.NewSection[float32](w.out, "place.radius")
	names := pack.NewLists[uint32](w.out, "place.name")
	nameOf := w.namesOfStreets()
	keys := make([]string, len(order))
	renumbered := make([]int, len(order))
	for to, from := range order {
		p := &w.places[from]
		keys[to], renumbered[from] = p.key, to
		text.Append(uint32(p.text))
		region, _ := slices.BinarySearch(regions, p.region)
		in.Append(uint8(region))
		points := p.ranges
		list := make([]uint32, 0, len(p.streets))
		for _, s := range p.streets {
			list = append(list, nameOf[s])
			points = append(points, w.points[w.streets[s].firstAddress:w.endOf(s)]...)
		}
		names.Append(slices.Compact(list)) // streets are in the order of names
		middle, metres := middleOf(points)
		point.Append(middle)
		radius.Append(metres)
	}
	pack.PutTexts(w.out, "place.key", keys)
	w.putAliases(renumbered)
	for i := range w.streets {
		w.streets[i].place = uint32(renumbered[w.streets[i].place])
	}
	return regions, nil
}

// namesOfStreets is the number of the name of each street.
func (w *Writer) namesOfStreets() []uint32 {
	names := make([]uint32, len(w.streets))
	for n := range w.names {
		for s := w.nameStreet[n]; s < w.nameStreet[n+1]; s++ {
			names[s] = uint32(n)
		}
	}
	return names
}

// putAliases writes the other names of places, which have new numbers.
func (w *Writer) putAliases(renumbered []int) {
	places := map[string][]uint32{}
	for a := range w.aliases {
		places[a.key] = append(places[a.key], uint32(renumbered[a.place]))
	}
	keys := slices.Sorted(maps.Keys(places))
	lists := pack.NewLists[uint32](w.out, "alias.place")
	for _, key := range keys {
		lists.Append(slices.Sorted(slices.Values(places[key])))
	}
	pack.PutTexts(w.out, "alias.key", keys)
}

// endOf is the address after the last one of a street.
func (w *Writer) endOf(street uint32) uint32 {
	if int(street)+1 < len(w.streets) {
		return w.streets[street+1].firstAddress
	}
	return uint32(len(w.points))
}

func (w *Writer) putStreets() {
	text, typ := pack.NewSection[uint32](w.out, "street.text"), pack.NewSection[uint16](w.out, "street.type")
	way, in := pack.NewSection[uint8](w.out, "street.way"), pack.NewSection[uint32](w.out, "street.place")
	first, ranges := pack.NewSection[uint32](w.out, "street.address"), pack.NewSection[uint32](w.out, "street.range")
	for _, s := range w.streets {
		text.Append(s.text)
		typ.Append(s.typ)
		way.Append(s.way)
		in.Append(s.place)
		first.Append(s.firstAddress)
		ranges.Append(s.firstRng)
	}
	first.Append(uint32(len(w.points)))
	ranges.Append(w.ranges)
}

// putPostal writes the postal codes in order, and that of each address.
func (w *Writer) putPostal() {
	codes, renumbered := w.postal.Sorted()
	ends := make([]uint32, len(codes)+1) // of the addresses of each code in members
	for i, p := range w.postals {
		if p > 0 {
			w.postals[i] = renumbered[p-1] + 1
			ends[w.postals[i]]++
		}
	}
	for i := 1; i < len(ends); i++ {
		ends[i] += ends[i-1]
	}
	members := make([]uint32, at(ends, len(ends)-1))
	next := slices.Clone(ends)
	for i, p := range w.postals {
		if p > 0 {
			members[next[p-1]] = uint32(i)
			next[p-1]++
		}
	}
	pack.PutTexts(w.out, "postal.code", codes)
	point, radius := pack.NewSection[coord.Point](w.out, "postal.point"), pack.NewSection[float32](w.out, "postal.radius")
	var points []coord.Point
	for i := range codes {
		points = points[:0]
		for _, a := range members[ends[i]:ends[i+1]] {
			points = append(points, w.points[a])
		}
		middle, metres := middleOf(points)
		point.Append(middle)
		radius.Append(metres)
	}
	pack.Put(w.out, "address.postal", w.postals)
	w.postals = nil
}

// putPoints writes the points of all addresses for searches by place.
func (w *Writer) putPoints() {
	order := make([]uint32, len(w.points))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return cmp.Or(strips.Compare(w.points[a], w.points[b]), cmp.Compare(a, b)) })
	places := make([]uint32, len(order))
	for i, a := range order {
		places[a] = uint32(i)
	}
	pack.Put(w.out, "address.at", places)
	strips.Put(w.out, "near.", len(order), func(i int) coord.Point { return w.points[order[i]] })
	pack.Put(w.out, "near.address", order)
}

// middleOf is the median of points in each direction, and the metres within which 95 % of them are. It sorts them.
func middleOf(points []coord.Point) (middle coord.Point, metres float32) {
	if len(points) == 0 {
		return middle, 0
	}
	half := len(points) / 2
	slices.SortFunc(points, func(a, b coord.Point) int { return cmp.Or(cmp.Compare(a.Lng, b.Lng), cmp.Compare(a.Lat, b.Lat)) })
	middle.Lng = points[half].Lng
	slices.SortFunc(points, func(a, b coord.Point) int { return cmp.Or(cmp.Compare(a.Lat, b.Lat), cmp.Compare(a.Lng, b.Lng)) })
	middle.Lat = points[half].Lat
	plane := coord.NewPlane(middle)
	squares := make([]float64, len(points))
	for i, p := range points {
		squares[i] = plane.Square(p)
	}
	slices.Sort(squares)
	return middle, float32(math.Sqrt(squares[(len(squares)-1)*95/100]))
}

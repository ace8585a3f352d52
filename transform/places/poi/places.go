package poi

import (
	"cmp"
	"hash/maphash"
	"slices"
	"sort"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/sorter"
	"quartier/transform/places/normalize"
)

// places are the POIs of a region in the order of their keys: in memory what they are compared by, in a file the rest.
type places struct {
	list    []entry
	names   string // name keys of all places, one after the other
	sources []source
	brands  []Brand
	rows    *rows
	dir     string // of temporary files

	merges []merged        // records of the same place, by the number of the one that is kept, then in the order of merging
	stops  []merged        // stops of timetables, in any order
	named  map[int32]int32 // by place, the stop whose name it has
	edited map[int32]*POI  // corrected places
	err    error           // the first of reading rows
}

// entry is a record.
type entry struct {
	point      orb.Point
	categories set
	area       float64
	nameEnd    int64     // in names; it begins where that of the place before ends
	into       int32     // the place that it is merged into, or one of the states below
	brand      int32     // in brands; -1: none
	texts      [3]uint16 // of telephone, web and street address, a few bits; 0: none
	source     uint16    // in sources
	element    element
	stop       bool // Record.Stop
	unnamed    bool // its name is a label
	mall       bool // a shopping centre, which often shares its name with shops
	untagged   bool // its tags do not count
}

// States of records that are not merged.
const (
	kept    = -1 - iota // a place
	waiting             // a stop that may become one
	dropped             // by a correction
)

// source is where records are from.
type source struct {
	id       string
	priority int
}

// merged is a Merge by the numbers of the places.
type merged struct {
	kept, merged       int32
	metres, similarity float64
	reason             string
}

// element is the type of OpenStreetMap element in a key.
type element uint8

const (
	noElement element = iota
	node
	way
	relation
)

var elements = map[string]element{"node": node, "way": way, "relation": relation}

func elementOf(key string) element {
	rest, ok := strings.CutPrefix(key, "osm:")
	if !ok {
		return noElement
	}
	kind, _, _ := strings.Cut(rest, ":")
	return elements[kind]
}

// newPlaces takes encoded POIs in any order, sorted by list, with count of them and the bytes of their name keys. Of records with the
// same key in several sources the first by priority is kept, and duplicate is called with the others.
func newPlaces(dir string, list *sorter.Sorter, count, nameBytes int, duplicate func(*POI)) (*places, error) {
	file, err := newRows(dir)
	if err != nil {
		return nil, err
	}
	s := &places{rows: file, dir: dir, named: map[int32]int32{}, edited: map[int32]*POI{}, list: make([]entry, 0, count)}
	var names strings.Builder
	names.Grow(nameBytes)
	sources, brands := map[source]uint16{}, map[Brand]int32{}
	var last *POI
	var buffer []byte
	add := func() error {
		if last == nil {
			return nil
		}
		s.add(last, &names, sources, brands)
		buffer = last.encode(buffer[:0])
		return file.add(buffer)
	}
	err = list.Each(func(row []byte) error {
		p := decode(string(row))
		if last != nil && last.Key == p.Key {
			last.mergeFrom(p)
			duplicate(p)
			return nil
		}
		if err := add(); err != nil {
			return err
		}
		last = p
		return nil
	})
	if err == nil {
		err = add()
	}
	if err == nil {
		err = file.flush()
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	s.names = names.String()
	return s, nil
}

// Close removes the file.
func (s *places) Close() error { return s.rows.file.Close() }

// seed is of bits by which texts differ; texts with the same bits are compared.
var seed = maphash.MakeSeed()

func bitsOf(text string) uint16 {
	if text == "" {
		return 0
	}
	return uint16(maphash.String(seed, text)) | 1
}

func (s *places) add(p *POI, names *strings.Builder, sources map[source]uint16, brands map[Brand]int32) {
	names.WriteString(string(p.name))
	from := source{p.Source, p.priority}
	number, known := sources[from]
	if !known {
		number = uint16(len(s.sources))
		sources[from], s.sources = number, append(s.sources, from)
	}
	brand := int32(-1)
	if len(p.brands) > 0 {
		if brand, known = brands[p.brands[0]]; !known {
			brand = int32(len(s.brands))
			brands[p.brands[0]], s.brands = brand, append(s.brands, p.brands[0])
		}
	}
	state := int32(kept)
	if p.stop {
		state = waiting
	}
	s.list = append(s.list, entry{point: p.Point, categories: p.categories, area: p.area, nameEnd: int64(names.Len()), into: state,
		brand:  brand,
		texts:  [3]uint16{bitsOf(p.Phone), bitsOf(p.URL), bitsOf(normalize.Name(p.Address))},
		source: number, element: elementOf(p.Key), stop: p.stop, unnamed: p.unnamed, mall: slices.Contains(p.Tags, "shopping_centre")})
}

// name is the name key of a place.
func (s *places) name(i int32) nameKey {
	begin := int64(0)
	if i > 0 {
		begin = s.list[i-1].nameEnd
	}
	return nameKey(s.names[begin:s.list[i].nameEnd])
}

// record is the POI of a record, before it is merged; an empty one once rows cannot be read.
func (s *places) record(i int32) *POI {
	if s.err == nil {
		var row string
		if row, s.err = s.rows.encoded(i); s.err == nil {
			return decode(row)
		}
	}
	return &POI{}
}

// poi is the POI of a place.
func (s *places) poi(i int32) *POI {
	if p := s.edited[i]; p != nil {
		return p
	}
	p := s.record(i)
	first := sort.Search(len(s.merges), func(k int) bool { return s.merges[k].kept >= i })
	for _, m := range s.merges[first:] {
		if m.kept != i {
			break
		}
		p.mergeFrom(s.record(m.merged))
	}
	if p.categories = s.list[i].categories; s.list[i].untagged {
		p.Tags = nil
	}
	if stop, ok := s.named[i]; ok {
		p.Name = s.record(stop).Name
	}
	p.unnamed = s.list[i].unnamed
	p.finish()
	return p
}

// find is the place with a record of a key; false: there is none.
func (s *places) find(key string) (int32, bool) {
	at := sort.Search(len(s.list), func(k int) bool { return s.record(int32(k)).Key >= key })
	if at == len(s.list) || s.record(int32(at)).Key != key {
		return 0, false
	}
	i := int32(at)
	if into := s.list[i].into; into >= 0 {
		i = into
	}
	return i, s.list[i].into == kept
}

// each visits the places in the order of their keys.
func (s *places) each(visit func(i int32, p *entry) error) error {
	for i := range s.list {
		if p := &s.list[i]; p.into == kept {
			if err := visit(int32(i), p); err != nil {
				return err
			}
		}
	}
	return s.err
}

// isMerged reports whether a record was merged into a place.
func (s *places) isMerged(p *entry) bool { return p.into >= 0 && s.list[p.into].into == kept }

// eachMerge visits the merges into places in the order of the merged keys.
func (s *places) eachMerge(visit func(Merge) error) error {
	all := slices.Concat(s.merges, s.stops)
	slices.SortFunc(all, func(a, b merged) int { return cmp.Compare(a.merged, b.merged) })
	for _, m := range all {
		if s.list[m.kept].into != kept {
			continue // it was dropped
		}
		err := visit(Merge{KeptKey: s.record(m.kept).Key, MergedKey: s.record(m.merged).Key, DistanceM: m.metres, NameSimilarity: m.similarity,
			Reason: m.reason})
		if err != nil {
			return err
		}
	}
	return s.err
}

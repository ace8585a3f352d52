package addresses

import (
	"bytes"
	"errors"
	"math"
	"strings"

	"quartier/internal/address"
	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/internal/sorter"
)

// sortRoom is how many bytes of records are sorted in memory.
const sortRoom = 128 << 20

// SameM are the metres within which two records of one number, street and unit are the same address.
const SameM = 30

// Writer writes the table of the records that are added in any order. Of records of one address the one with the most
// accurate point is kept. Close must be called in the end.
type Writer struct {
	out     *pack.Writer
	sorter  *sorter.Sorter
	buffer  []byte
	keys    map[streetID][]byte
	columns struct {
		number   pack.Section[uint32]          `pack:"address.number"`
		suffix   pack.Section[uint16]          `pack:"address.suffix"`
		unit     pack.Section[uint32]          `pack:"address.unit"`
		source   pack.Section[uint8]           `pack:"address.source"`
		accuracy pack.Section[uint8]           `pack:"address.accuracy"`
		low      pack.Section[uint32]          `pack:"range.low"`
		high     pack.Section[uint32]          `pack:"range.high"`
		step     pack.Section[uint8]           `pack:"range.step"`
		from     pack.Section[uint8]           `pack:"range.source"`
		line     pack.ListsWriter[coord.Point] `pack:"range.line"`
	}
	text, suffix, unit, source, postal pack.Dictionary

	names      []string
	nameStreet []uint32
	streets    []street
	places     []place
	placeIndex map[placeKey]int
	added      int           // records of addresses
	postals    []uint32      // of each address
	points     []coord.Point // of each address
	ranges     uint32
	last       kept
	lastKey    []byte // of the last street
	aliases    map[alias]struct{}
}

// alias is another town that an address of a place has.
type alias struct {
	key   string
	place int
}

// streetID is a street as it is written.
type streetID struct {
	street, place string
	region        address.Region
}

// mostKeys is how many streets are remembered between records, which mostly come street by street.
const mostKeys = 1 << 16

type placeKey struct{ region, key string }

type place struct {
	placeKey
	text    int
	streets []uint32
	ranges  []coord.Point // of streets without addresses
}

// street is a row of the streets' sections.
type street struct {
	text, place            uint32
	firstAddress, firstRng uint32
	typ                    uint16
	way                    uint8
}

// kept is the address that was written last.
type kept struct {
	street       int
	number       uint32
	suffix, unit string
	points       []coord.Point // of the addresses with this number, suffix and unit
}

// NewWriter makes a writer of the sections of out. Its temporary file is in dir; "" for the system's folder.
func NewWriter(out *pack.Writer, dir string) *Writer {
	w := &Writer{out: out, sorter: sorter.New(dir, sortRoom, bytes.Compare), placeIndex: map[placeKey]int{},
		aliases: map[alias]struct{}{}, keys: map[streetID][]byte{}}
	pack.OpenSections(out, &w.columns, "")
	w.suffix.Number("")
	w.unit.Number("")
	return w
}

// Close removes the temporary file.
func (w *Writer) Close() error { return w.sorter.Close() }

// Add adds an address. It fails with ErrNoStreet for one that nobody can find.
func (w *Writer) Add(r *Record) error {
	n := address.ReadNumber(r.Number)
	key := w.streetKey(r.Street, r.Place, r.Region)
	if n == (address.Number{}) || key == nil {
		return ErrNoStreet
	}
	w.buffer = r.encode(key, n)
	w.added++
	return w.sorter.Add(w.buffer)
}

// streetKey begins the record of a street in the buffer; nil for one without a name.
func (w *Writer) streetKey(street, place string, region address.Region) []byte {
	id := streetID{street, place, region}
	key, known := w.keys[id]
	if !known {
		if len(w.keys) == mostKeys {
			clear(w.keys)
		}
		key = streetKey(nil, street, place, region)
		w.keys[streetID{strings.Clone(street), strings.Clone(place),
			address.Region{Country: strings.Clone(region.Country), Code: strings.Clone(region.Code)}}] = key
	}
	if key == nil {
		return nil
	}
	return append(w.buffer[:0], key...)
}

// AddRange adds a range of numbers. It fails with ErrNoStreet for one without a street, and for a line without a length.
func (w *Writer) AddRange(r *Range) error {
	key := w.streetKey(r.Street, r.Place, r.Region)
	if key == nil || r.Low > r.High || len(r.Line) < 2 {
		return ErrNoStreet
	}
	w.buffer = r.encode(key)
	return w.sorter.Add(w.buffer)
}

// Finish writes the table.
func (w *Writer) Finish() error {
	w.postals, w.points = make([]uint32, 0, w.added), make([]coord.Point, 0, w.added)
	if err := w.sorter.Each(w.write); err != nil {
		return err
	}
	w.nameStreet = append(w.nameStreet, uint32(len(w.streets)))
	w.putNames()
	regions, err := w.putPlaces()
	if err != nil {
		return err
	}
	w.putStreets()
	w.putPostal()
	w.putPoints()
	pack.PutTexts(w.out, "text", w.text.Texts)
	pack.PutTexts(w.out, "suffix", w.suffix.Texts)
	pack.PutTexts(w.out, "unit", w.unit.Texts)
	pack.PutTexts(w.out, "region", regions)
	pack.PutTexts(w.out, "source", w.source.Texts)
	if len(w.source.Texts) > math.MaxUint8+1 || len(w.suffix.Texts) > math.MaxUint16+1 || len(w.points) > math.MaxUint32 {
		return errors.New("too many sources, suffixes or addresses for the format")
	}
	return w.out.Err()
}

// write writes a record.
func (w *Writer) write(record []byte) error {
	f := fields(record)
	name, region, town := f.text(), f.text(), f.text()
	typ, way := f.short(), f.byte()
	key := record[:len(record)-len(f)]
	if tag := f.byte(); tag == rangeRecord {
		w.writeRange(f, key, name, placeKey{region, town}, int(typ), int(way))
	} else {
		w.writeAddress(f, key, name, placeKey{region, town}, int(typ), int(way))
	}
	return w.out.Err()
}

func (w *Writer) writeAddress(f fields, key []byte, name string, in placeKey, typ, way int) {
	number, suffix, unit, accuracy := f.number(), f.text(), f.text(), f.byte()
	source, code, street, town, also, at := f.text(), f.text(), f.text(), f.text(), f.text(), f.point()
	s := w.street(key, name, in, typ, way, street, town)
	if also != "" && also != in.key {
		w.aliases[alias{also, int(w.streets[s].place)}] = struct{}{}
	}
	if l := &w.last; l.street != s || l.number != number || l.suffix != suffix || l.unit != unit || l.points == nil {
		*l = kept{s, number, suffix, unit, l.points[:0]}
	}
	plane := coord.NewPlane(at)
	for _, p := range w.last.points {
		if plane.Square(p) <= SameM*SameM {
			return
		}
	}
	w.last.points = append(w.last.points, at)
	c := &w.columns
	c.number.Append(number)
	c.suffix.Append(uint16(w.suffix.Number(suffix)))
	c.unit.Append(uint32(w.unit.Number(unit)))
	c.source.Append(uint8(w.source.Number(source)))
	c.accuracy.Append(accuracy)
	postal := uint32(0)
	if code != "" {
		postal = uint32(w.postal.Number(code)) + 1
	}
	w.postals = append(w.postals, postal)
	w.points = append(w.points, at)
}

func (w *Writer) writeRange(f fields, key []byte, name string, in placeKey, typ, way int) {
	low, high, step := f.number(), f.number(), f.byte()
	source, street, town := f.text(), f.text(), f.text()
	s := w.street(key, name, in, typ, way, street, town)
	var line []coord.Point
	for len(f) > 0 {
		line = append(line, f.point())
	}
	if p := &w.places[w.streets[s].place]; int(w.streets[s].firstAddress) == len(w.points) {
		p.ranges = append(p.ranges, line[len(line)/2])
	}
	c := &w.columns
	c.low.Append(low)
	c.high.Append(high)
	c.step.Append(step)
	c.from.Append(uint8(w.source.Number(source)))
	c.line.Append(line)
	w.ranges++
}

// street is the number of the street of a record, which begins with its key.
func (w *Writer) street(key []byte, name string, in placeKey, typ, way int, text, town string) int {
	last := len(w.streets) - 1
	if last >= 0 && bytes.Equal(w.lastKey, key) {
		return last
	}
	w.lastKey = append(w.lastKey[:0], key...)
	if len(w.names) == 0 || w.names[len(w.names)-1] != name {
		w.names = append(w.names, name)
		w.nameStreet = append(w.nameStreet, uint32(last+1))
	}
	p, found := w.placeIndex[in]
	if !found {
		p = len(w.places)
		w.placeIndex[in] = p
		w.places = append(w.places, place{placeKey: in, text: w.text.Number(town)})
	}
	w.places[p].streets = append(w.places[p].streets, uint32(last+1))
	w.streets = append(w.streets, street{uint32(w.text.Number(text)), uint32(p), uint32(len(w.points)), w.ranges, uint16(typ), uint8(way)})
	return last + 1
}

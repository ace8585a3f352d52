package poi

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"os"

	"quartier/internal/sqlrow"
)

// blockRows is how many rows are read at once.
const blockRows = 32

// rows are POIs in a temporary file without a name, in the order of their keys. They are for one goroutine.
type rows struct {
	file   *os.File
	out    *bufio.Writer
	count  int32
	size   int64
	begins []int64 // of every blockRows-th row, and the size
	block  string  // that was read last, of a number
	number int32
}

func newRows(dir string) (*rows, error) {
	file, err := os.CreateTemp(dir, ".pois-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(file.Name()); err != nil {
		file.Close()
		return nil, err
	}
	return &rows{file: file, out: bufio.NewWriterSize(file, 1<<18), number: -1}, nil
}

// add appends an encoded row.
func (r *rows) add(row []byte) error {
	if r.count%blockRows == 0 {
		r.begins = append(r.begins, r.size)
	}
	var length [binary.MaxVarintLen64]byte
	n := binary.PutUvarint(length[:], uint64(len(row)))
	r.count, r.size = r.count+1, r.size+int64(n+len(row))
	if _, err := r.out.Write(length[:n]); err != nil {
		return err
	}
	_, err := r.out.Write(row)
	return err
}

// flush ends the writing.
func (r *rows) flush() error {
	r.begins = append(r.begins, r.size)
	return r.out.Flush()
}

// encoded is the row of a number.
func (r *rows) encoded(i int32) (string, error) {
	if number := i / blockRows; number != r.number {
		block := make([]byte, r.begins[number+1]-r.begins[number])
		if _, err := r.file.ReadAt(block, r.begins[number]); err != nil {
			return "", fmt.Errorf("read places: %w", err)
		}
		r.block, r.number = string(block), number
	}
	rest := decoder(r.block)
	for range i % blockRows {
		rest.text()
	}
	return rest.text(), nil
}

// encode appends a POI to data: its key, priority and source, by which rows are ordered, then the rest.
func (p *POI) encode(data []byte) []byte {
	text := func(s string) { data = append(binary.AppendUvarint(data, uint64(len(s))), s...) }
	text(p.Key)
	data = binary.AppendUvarint(data, uint64(p.priority))
	text(p.Source)
	for _, number := range []float64{p.Point[0], p.Point[1], p.area} {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(number))
	}
	data = binary.AppendUvarint(data, uint64(p.categories))
	for _, flag := range []bool{p.stop, p.unnamed, p.fastFood, p.brandsKnown} {
		data = append(data, bit(flag))
	}
	text(p.Name)
	text(string(p.name))
	data = binary.AppendUvarint(data, uint64(len(p.Tags)))
	for _, tag := range p.Tags {
		text(tag)
	}
	data = binary.AppendUvarint(data, uint64(len(p.brands)))
	for _, b := range p.brands {
		text(b.ID)
		text(b.Name)
		data = append(data, bit(b.fromRule))
	}
	sqlrow.Texts(&p.Details, func(_ string, s *string) { text(*s) })
	return data
}

func bit(flag bool) byte {
	if flag {
		return 1
	}
	return 0
}

// compareRows orders encoded POIs by key, priority and source.
func compareRows(a, b []byte) int {
	text := func(data []byte) (text, rest []byte) {
		length, n := binary.Uvarint(data)
		return data[n : n+int(length)], data[n+int(length):]
	}
	keyA, a := text(a)
	keyB, b := text(b)
	if order := bytes.Compare(keyA, keyB); order != 0 {
		return order
	}
	priorityA, n := binary.Uvarint(a)
	priorityB, m := binary.Uvarint(b)
	sourceA, _ := text(a[n:])
	sourceB, _ := text(b[m:])
	return cmp.Or(cmp.Compare(priorityA, priorityB), bytes.Compare(sourceA, sourceB))
}

// decode returns the POI of an encoded one, whose memory its texts are.
func decode(row string) *POI {
	d := decoder(row)
	p := &POI{Key: d.text(), priority: int(d.number()), Source: d.text()}
	for _, into := range []*float64{&p.Point[0], &p.Point[1], &p.area} {
		*into = math.Float64frombits(d.fixed())
	}
	p.categories = set(d.number())
	for _, into := range []*bool{&p.stop, &p.unnamed, &p.fastFood, &p.brandsKnown} {
		*into = d.number() == 1
	}
	p.Name, p.name = d.text(), nameKey(d.text())
	for range d.number() {
		p.Tags = append(p.Tags, d.text())
	}
	for range d.number() {
		p.brands = append(p.brands, Brand{ID: d.text(), Name: d.text(), fromRule: d.number() == 1})
	}
	sqlrow.Texts(&p.Details, func(_ string, s *string) { *s = d.text() })
	return p
}

// decoder is what is left of an encoded row.
type decoder string

func (d *decoder) number() (n uint64) {
	for i := range len(*d) {
		c := (*d)[i]
		n |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			*d = (*d)[i+1:]
			break
		}
	}
	return n
}

func (d *decoder) text() string {
	length := d.number()
	text := string((*d)[:length])
	*d = (*d)[length:]
	return text
}

func (d *decoder) fixed() uint64 {
	n := binary.LittleEndian.Uint64([]byte((*d)[:8]))
	*d = (*d)[8:]
	return n
}

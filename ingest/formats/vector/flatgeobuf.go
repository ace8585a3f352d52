package vector

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// flatGeobuf reads the features of a FlatGeobuf file (https://flatgeobuf.org), in their order, past its index.
type flatGeobuf struct {
	file    *os.File
	in      *bufio.Reader
	columns []fgbColumn
	kind    byte // of all geometries; 0: each has its own
	count   uint64
	row     int
	size    int64
	limits  source.Limits
}

type fgbColumn struct {
	name string
	kind byte
}

const (
	fgbMagic    = "fgb\x03fgb" // and a patch of the version
	maxFGBHead  = 16 << 20
	fgbNodeSize = 40 // bytes of a node of the index
)

// Types of columns with values of a length of their own; those before are numbers.
const (
	fgbBool, fgbFloat, fgbDouble, fgbString, fgbJSON, fgbTime, fgbBinary = 2, 9, 10, 11, 12, 13, 14
)

func (l *Layer) openFlatGeobuf(limits source.Limits) error {
	file, err := os.Open(l.path)
	if err != nil {
		return err
	}
	g := &flatGeobuf{file: file, in: bufio.NewReaderSize(file, 256<<10), limits: limits}
	info, err := file.Stat()
	if err == nil {
		g.size = info.Size()
		err = g.begin(l)
	}
	if err != nil {
		file.Close()
		return l.named(err)
	}
	l.reader, l.FieldsKnown = g, true
	return nil
}

// begin reads the header and skips the index.
func (g *flatGeobuf) begin(l *Layer) error {
	var magic [8]byte
	if _, err := io.ReadFull(g.in, magic[:]); err != nil || string(magic[:7]) != fgbMagic {
		return errors.New("it is no FlatGeobuf file of version 3")
	}
	data, err := g.buffer(maxFGBHead)
	if err != nil {
		return fmt.Errorf("its header: %w", err)
	}
	nodeSize := uint64(16)
	err = reading(func() {
		head := rootOf(data)
		g.kind = head.byte(2, 0)
		g.count = head.uint(8, 8, 0)
		nodeSize = head.uint(9, 2, 16)
		for _, column := range head.tables(7) {
			g.columns = append(g.columns, fgbColumn{column.text(0), column.byte(1, 0)})
			l.Fields = append(l.Fields, column.text(0))
		}
		if crs, ok := head.table(10); ok {
			l.CRS = crs.text(4)
			if code := crs.uint(1, 4, 0); code > 0 && crs.text(0) != "" {
				l.CRS = crs.text(0) + ":" + strconv.FormatUint(code, 10)
			}
		}
	})
	if err != nil {
		return fmt.Errorf("its header: %w", err)
	}
	if nodeSize > 0 && g.count > 0 {
		_, err = g.in.Discard(g.indexSize(nodeSize))
	}
	if err != nil {
		return fmt.Errorf("its index: %w", err)
	}
	return nil
}

// indexSize is how many bytes the index has: a node for each feature, and for each group of nodes one above.
func (g *flatGeobuf) indexSize(nodeSize uint64) int {
	if g.count > uint64(g.size) || nodeSize < 2 {
		return int(g.size) // more features than bytes: the end is met
	}
	nodes := g.count
	for n := g.count; n != 1; {
		n = (n + nodeSize - 1) / nodeSize
		nodes += n
	}
	return int(nodes * fgbNodeSize)
}

// buffer reads a buffer after its length; io.EOF where the file ends before it.
func (g *flatGeobuf) buffer(most int64) ([]byte, error) {
	var length [4]byte
	if _, err := io.ReadFull(g.in, length[:]); err != nil {
		return nil, err
	}
	n := int64(binary.LittleEndian.Uint32(length[:]))
	if n > most {
		return nil, source.TooLarge("a feature or the header", most, "bytes")
	}
	if n > g.size {
		return nil, io.ErrUnexpectedEOF
	}
	data := make([]byte, n)
	_, err := io.ReadFull(g.in, data)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return data, err
}

func (g *flatGeobuf) next() (f Feature, err error) {
	data, err := g.buffer(g.limits.Feature())
	if err == io.EOF {
		if g.count > 0 && uint64(g.row) != g.count {
			return f, bad("it ends after %d of %d features", g.row, g.count)
		}
		return f, io.EOF
	}
	if err != nil {
		return f, bad("after feature %d: %w", g.row, err)
	}
	g.row++
	f = Feature{Row: g.row, Attributes: map[string]string{}}
	err = reading(func() {
		feature := rootOf(data)
		if geometry, ok := feature.table(0); ok {
			f.Geometry, f.Fault = g.geometry(geometry, g.kind)
		}
		g.properties(feature.bytes(1), f.Attributes)
	})
	if err != nil {
		return f, bad("feature %d: %w", g.row, err)
	}
	return f, nil
}

// properties reads values after the numbers of their columns.
func (g *flatGeobuf) properties(data []byte, into map[string]string) {
	at := 0
	take := func(n int) []byte {
		if n < 0 || n > len(data)-at {
			panic(errFlat)
		}
		at += n
		return data[at-n : at]
	}
	for at < len(data) {
		n := int(binary.LittleEndian.Uint16(take(2)))
		if n >= len(g.columns) {
			panic(errFlat)
		}
		column := g.columns[n]
		var width int
		if column.kind >= fgbString {
			width = int(binary.LittleEndian.Uint32(take(4)))
		} else {
			width = []int{1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8}[column.kind]
		}
		setText(into, column.name, column.value(take(width)))
	}
}

// value is a value as text.
func (c fgbColumn) value(data []byte) string {
	switch c.kind {
	case fgbString, fgbJSON, fgbTime:
		return string(data)
	case fgbBinary:
		return ""
	case fgbBool:
		return strconv.FormatBool(data[0] != 0)
	case fgbFloat:
		return plainDecimal(strconv.FormatFloat(float64(math.Float32frombits(binary.LittleEndian.Uint32(data))), 'f', -1, 32))
	case fgbDouble:
		return plainDecimal(strconv.FormatFloat(math.Float64frombits(binary.LittleEndian.Uint64(data)), 'f', -1, 64))
	}
	var bits uint64
	for i, b := range data {
		bits |= uint64(b) << (8 * i)
	}
	if unsigned := c.kind == 1 || c.kind == 4 || c.kind == 6 || c.kind == 8; unsigned {
		return strconv.FormatUint(bits, 10)
	}
	shift := 64 - 8*len(data)
	return strconv.FormatInt(int64(bits<<shift)>>shift, 10)
}

// geometry reads a geometry of a type, or of its own type where that is 0.
func (g *flatGeobuf) geometry(t flatTable, kind byte) (orb.Geometry, reason.Reason) {
	if kind == 0 {
		kind = t.byte(6, 0)
	}
	points, lines := t.points(1), t.lines()
	switch kind {
	case 1:
		if len(points) != 1 {
			return nil, reason.Reason{}
		}
		return points[0], reason.Reason{}
	case 2:
		return orb.LineString(points), reason.Reason{}
	case 3:
		return ringsOf(lines), reason.Reason{}
	case 4:
		return orb.MultiPoint(points), reason.Reason{}
	case 5:
		return orb.MultiLineString(lines), reason.Reason{}
	case 6:
		var polygons orb.MultiPolygon
		bytes := 0
		for _, part := range t.tables(7) {
			polygon := ringsOf(part.lines())
			for _, ring := range polygon {
				bytes += 16 * len(ring)
			}
			if bytes > len(t.data) { // the same part again and again
				panic(errFlat)
			}
			polygons = append(polygons, polygon)
		}
		if polygons == nil && lines != nil {
			polygons = orb.MultiPolygon{ringsOf(lines)}
		}
		return polygons, reason.Reason{}
	}
	return nil, source.UnsupportedGeometryType
}

func ringsOf(lines []orb.LineString) (p orb.Polygon) {
	for _, line := range lines {
		p = append(p, orb.Ring(line))
	}
	return p
}

func (g *flatGeobuf) close() error { return g.file.Close() }

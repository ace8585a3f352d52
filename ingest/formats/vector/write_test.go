package vector

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/paulmach/orb"
)

const wgs84PRJ = `GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137,298.257223563]],PRIMEM["Greenwich",0],` +
	`UNIT["Degree",0.017453292519943295]]`

// Rings around (x, y), of a half width: outer ones clockwise and holes counter-clockwise, as shapefiles have them.
func outerRing(x, y, half float64) orb.Ring {
	return orb.Ring{{x - half, y - half}, {x - half, y + half}, {x + half, y + half}, {x + half, y - half}, {x - half, y - half}}
}

func holeRing(x, y, half float64) orb.Ring {
	ring := outerRing(x, y, half)
	ring.Reverse()
	return ring
}

// polygonShape is the content of a .shp record of a polygon type: 5, 15 (Z) or 25 (M).
func polygonShape(kind uint32, rings ...orb.Ring) []byte {
	points := 0
	for _, ring := range rings {
		points += len(ring)
	}
	out := binary.LittleEndian.AppendUint32(nil, kind)
	out = append(out, make([]byte, 32)...) // the box, which is not read
	out = binary.LittleEndian.AppendUint32(out, uint32(len(rings)))
	out = binary.LittleEndian.AppendUint32(out, uint32(points))
	start := 0
	for _, ring := range rings {
		out = binary.LittleEndian.AppendUint32(out, uint32(start))
		start += len(ring)
	}
	for _, ring := range rings {
		for _, p := range ring {
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(p[0]))
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(p[1]))
		}
	}
	if kind > 10 { // range and values of Z or M
		out = append(out, make([]byte, 16+8*points)...)
	}
	return out
}

var nullShape = []byte{0, 0, 0, 0}

// shpFile joins records to a .shp file.
func shpFile(shapes ...[]byte) []byte {
	var body []byte
	for i, shape := range shapes {
		body = binary.BigEndian.AppendUint32(body, uint32(i+1))
		body = binary.BigEndian.AppendUint32(body, uint32(len(shape)/2))
		body = append(body, shape...)
	}
	head := make([]byte, shpHeader)
	binary.BigEndian.PutUint32(head, 9994)
	binary.BigEndian.PutUint32(head[24:], uint32((shpHeader+len(body))/2))
	binary.LittleEndian.PutUint32(head[28:], 1000)
	return append(head, body...)
}

// dbfColumn is a column of dbfFile with its values, as bytes of its own encoding.
type dbfColumn struct {
	name   string
	kind   byte
	length int
	values []string
}

// dbfFile makes a .dbf file with a language byte.
func dbfFile(language byte, columns ...dbfColumn) []byte {
	head := make([]byte, 32)
	head[0], head[29] = 3, language
	length := 1
	for _, c := range columns {
		field := make([]byte, 32)
		copy(field, c.name)
		field[11], field[16], field[17] = c.kind, byte(c.length), byte(c.length>>8)
		head = append(head, field...)
		length += c.length
	}
	head = append(head, '\r')
	rows := len(columns[0].values)
	binary.LittleEndian.PutUint32(head[4:], uint32(rows))
	binary.LittleEndian.PutUint16(head[8:], uint16(len(head)))
	binary.LittleEndian.PutUint16(head[10:], uint16(length))
	for row := range rows {
		head = append(head, ' ')
		for _, c := range columns {
			head = append(head, fmt.Sprintf("%-*s", c.length, c.values[row])...)
		}
	}
	return append(head, 0x1a)
}

func nameColumn(values ...string) dbfColumn { return dbfColumn{"NAME", 'C', 20, values} }

// folder writes files and returns the path of the first.
func folder(t testing.TB, files ...any) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		var data []byte
		switch content := files[i+1].(type) {
		case []byte:
			data = content
		case string:
			data = []byte(content)
		}
		if err := os.WriteFile(filepath.Join(dir, files[i].(string)), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, files[0].(string))
}

// archive writes a .zip.
func archive(t testing.TB, files ...any) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i < len(files); i += 2 {
		f, err := w.Create(files[i].(string))
		if err != nil {
			t.Fatal(err)
		}
		switch content := files[i+1].(type) {
		case []byte:
			f.Write(content)
		case string:
			f.Write([]byte(content))
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

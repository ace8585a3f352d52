package explain

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/paulmach/orb"
)

// vertices are those of a point or a line as SpatiaLite keeps it: a header of 39 bytes, the type, the number of vertices
// of a line, pairs of numbers, and a mark.
func vertices(blob []byte) (orb.LineString, error) {
	const header, typePoint, typeLine = 39, 1, 2
	if len(blob) < header+4 || blob[0] != 0 || blob[1] != 1 {
		return nil, errors.New("no geometry of SpatiaLite in little-endian order")
	}
	kind, rest := binary.LittleEndian.Uint32(blob[header:]), blob[header+4:]
	count := 1
	switch {
	case kind == typeLine && len(rest) >= 4:
		count, rest = int(binary.LittleEndian.Uint32(rest)), rest[4:]
	case kind != typePoint:
		return nil, errors.New("neither a point nor a line")
	}
	if count < 1 || len(rest) != 16*count+1 {
		return nil, errors.New("a cut geometry")
	}
	line := make(orb.LineString, count)
	for i := range line {
		for axis := range 2 {
			line[i][axis] = math.Float64frombits(binary.LittleEndian.Uint64(rest[16*i+8*axis:]))
		}
	}
	return line, nil
}

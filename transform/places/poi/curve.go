package poi

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"

	"quartier/internal/geo"
	"quartier/internal/sorter"
)

// eachOnCurve visits the places by their positions on the Hilbert curve, then by key. They are sorted in a temporary file.
func (s *places) eachOnCurve(ctx context.Context, visit func(number int32, curve int64, p *POI) error) error {
	const prefix = 8 + 4 // the position and the number of the place, which rises with its key: by these bytes rows are sorted
	sorted := sorter.New(s.dir, sortRoom, func(a, b []byte) int { return bytes.Compare(a[:prefix], b[:prefix]) })
	defer sorted.Close()
	last := ""
	var row []byte
	err := s.each(func(i int32, _ *entry) error {
		p := s.poi(i)
		if p.Key <= last && i > 0 {
			return fmt.Errorf("%s is after %s", p.Key, last)
		}
		if !geo.Valid(p.Point) {
			return fmt.Errorf("%s is at %v, %v", p.Key, p.Point[0], p.Point[1])
		}
		last = p.Key
		row = binary.BigEndian.AppendUint64(row[:0], geo.Hilbert(p.Point))
		row = p.encode(binary.BigEndian.AppendUint32(row, uint32(i)))
		return cmp.Or(sorted.Add(row), ctx.Err())
	})
	if err != nil {
		return err
	}
	number := int32(0)
	return sorted.Each(func(row []byte) error {
		err := visit(number, int64(binary.BigEndian.Uint64(row)), decode(string(row[prefix:])))
		number++
		return err
	})
}

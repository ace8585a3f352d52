package listings

import (
	"encoding/binary"
	"fmt"
	"hash/crc64"
	"math"

	"quartier/internal/sqlrow"
	"quartier/schemas/staged"
)

// contentHash makes numbers of listings that distinguish them: of all columns but the place in their files.
type contentHash struct {
	buffer  *sqlrow.Buffer[staged.Listing]
	columns []int // of these
	bytes   []byte
}

func newContentHash() (*contentHash, error) {
	names := sqlrow.Names[staged.Listing]()
	buffer, err := sqlrow.NewBuffer[staged.Listing](names)
	h := &contentHash{buffer: buffer}
	for i, name := range names {
		if name != "file" && name != "row" {
			h.columns = append(h.columns, i)
		}
	}
	return h, err
}

var ecma = crc64.MakeTable(crc64.ECMA)

// of is the number of a listing.
func (h *contentHash) of(l *staged.Listing) int64 {
	h.buffer.Row, h.bytes = *l, h.bytes[:0]
	for _, i := range h.columns {
		h.bytes = append(h.bytes, byte(i))
		switch v := h.buffer.Value(i).(type) {
		case nil: // the next column follows at once
		case bool:
			h.bytes = append(h.bytes, map[bool]byte{false: 'f', true: 't'}[v])
		case string:
			h.bytes = append(binary.AppendUvarint(append(h.bytes, 's'), uint64(len(v))), v...)
		case float64:
			h.bytes = binary.LittleEndian.AppendUint64(append(h.bytes, 'd'), math.Float64bits(v))
		case int64:
			h.bytes = binary.AppendVarint(append(h.bytes, 'i'), v)
		case int32:
			h.bytes = binary.AppendVarint(append(h.bytes, 'i'), int64(v))
		case uint8:
			h.bytes = binary.AppendVarint(append(h.bytes, 'i'), int64(v))
		default:
			h.bytes = fmt.Appendf(h.bytes, "%T %v", v, v)
		}
	}
	return int64(crc64.Checksum(h.bytes, ecma))
}

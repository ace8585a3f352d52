package pbf_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"

	"github.com/klauspost/compress/zstd"
)

// message is a protocol buffer, for tests of files that no program writes.
type message []byte

func (m message) varint(field int, v int64) message {
	m = binary.AppendUvarint(m, uint64(field<<3))
	return binary.AppendUvarint(m, uint64(v))
}

func (m message) zigzag(field int, v int64) message {
	return m.varint(field, v<<1^v>>63)
}

func (m message) bytes(field int, data []byte) message {
	m = binary.AppendUvarint(m, uint64(field<<3|2))
	m = binary.AppendUvarint(m, uint64(len(data)))
	return append(m, data...)
}

func (m message) text(field int, s string) message { return m.bytes(field, []byte(s)) }

// packed writes numbers, deltas their differences in zigzag encoding.
func (m message) packed(field int, values ...int64) message {
	var list []byte
	for _, v := range values {
		list = binary.AppendUvarint(list, uint64(v))
	}
	return m.bytes(field, list)
}

func (m message) deltas(field int, values ...int64) message {
	var list []byte
	last := int64(0)
	for _, v := range values {
		list = binary.AppendVarint(list, v-last)
		last = v
	}
	return m.bytes(field, list)
}

// The packings of a blob.
const (
	rawBlob  = 1
	zlibBlob = 3
	zstdBlob = 7
)

// block returns a blob with its frame.
func block(kind string, packing int, content []byte) []byte {
	blob := message{}
	switch packing {
	case rawBlob:
		blob = blob.bytes(rawBlob, content)
	case zlibBlob:
		var b bytes.Buffer
		w := zlib.NewWriter(&b)
		w.Write(content)
		w.Close()
		blob = blob.varint(2, int64(len(content))).bytes(zlibBlob, b.Bytes())
	case zstdBlob:
		w, _ := zstd.NewWriter(nil)
		blob = blob.varint(2, int64(len(content))).bytes(zstdBlob, w.EncodeAll(content, nil))
		w.Close()
	default:
		blob = blob.varint(2, int64(len(content))).bytes(packing, content)
	}
	return frame(kind, blob)
}

func frame(kind string, blob []byte) []byte {
	head := message{}.text(1, kind).varint(3, int64(len(blob)))
	out := binary.BigEndian.AppendUint32(nil, uint32(len(head)))
	return append(append(out, head...), blob...)
}

// header is the first block of a file that requires features.
func header(features ...string) []byte {
	m := message{}
	for _, f := range features {
		m = m.text(4, f)
	}
	return block("OSMHeader", rawBlob, m.text(16, "pbf_test"))
}

// table is a string table; the first entry is always empty.
func table(names ...string) message {
	m := message{}.text(1, "")
	for _, n := range names {
		m = m.text(1, n)
	}
	return m
}

func file(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

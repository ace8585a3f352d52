package wellknown

import "github.com/paulmach/orb"

// Error is why binary cannot be read.
type Error struct {
	What   What
	Number int64 // the type of Type, the reference system of System, else how many bytes are left
	text   string
}

// What is wrong with binary.
type What int

// What can be wrong.
const (
	Short     What = iota // it ends within a geometry
	Order                 // unknown byte order
	Type                  // a type that is not read
	Depth                 // too many collections in collections
	Member                // a member of another type than its list
	System                // another reference system
	More                  // bytes after the geometry
	Header                // no header of a GeoPackage
	Extension             // a type that an extension of GeoPackages defines
)

// Error says what is wrong, such as "truncated" or "WKB type 8".
func (e *Error) Error() string { return e.text }

// Unsupported reports whether the geometry may be well written, but is of a type that is not read.
func (e *Error) Unsupported() bool { return e.What == Type || e.What == Depth || e.What == Extension }

func (r *reader) fault(what What, text string) *Error { return &Error{what, int64(len(r.data)), text} }

func (r *reader) short() *Error { return r.fault(Short, "truncated") }

// GeoPackage reads the geometry of a GeoPackage: a header with an optional envelope, then well-known binary. An empty geometry
// is nil. An error is an *Error.
func GeoPackage(blob []byte) (orb.Geometry, error) {
	r := reader{data: blob}
	if len(blob) < 8 || string(blob[:2]) != "GP" {
		return nil, r.fault(Header, "no GeoPackage header")
	}
	flags := blob[3]
	if flags&0x20 != 0 {
		return nil, r.fault(Extension, "GeoPackage extension")
	}
	envelopes := []int{0, 32, 48, 48, 64}
	kind := int(flags >> 1 & 7)
	if kind >= len(envelopes) || len(blob) < 8+envelopes[kind] {
		return nil, r.short()
	}
	if flags&0x10 != 0 {
		return nil, nil
	}
	return Read(blob[8+envelopes[kind]:])
}

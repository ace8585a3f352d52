// Package element defines the elements of OpenStreetMap files, nodes, ways and relations, in batches. The readers of PBF
// and XML fill these types.
package element

import (
	"context"
	"strconv"

	"github.com/paulmach/orb"
)

// Kinds is a set of element kinds.
type Kinds uint8

// The three kinds, and their union.
const (
	Nodes Kinds = 1 << iota
	Ways
	Relations
	All = Nodes | Ways | Relations
)

// String returns the name of a single kind, as in keys and links: "node", "way" or "relation".
func (k Kinds) String() string {
	switch k {
	case Nodes:
		return "node"
	case Ways:
		return "way"
	case Relations:
		return "relation"
	}
	return "element"
}

// Key returns the source key of an element of a single kind, e.g. osm:node:1. It is the same in every source.
func (k Kinds) Key(id int64) string { return "osm:" + k.String() + ":" + strconv.FormatInt(id, 10) }

// Info describes the last edit of an element; what the file does not have is zero.
type Info struct {
	Version   int32
	Time      int64 // milliseconds since 1970, UTC
	Changeset int64
	UID       int32
	User      uint32 // see Batch.User
}

// Node is a point. Ids may be negative: editors use negative ids for unsaved elements.
type Node struct {
	ID    int64
	Point orb.Point // degrees, EPSG:4326; not range-checked
	Tags  Tags
}

// Way is a line of nodes, or an outline if it ends at its first node.
type Way struct {
	ID     int64
	Refs   []int64     // node ids
	Points []orb.Point // one for each ref in files with locations on ways; otherwise nil
	Tags   Tags
}

// Closed reports whether the way ends at its first node and can enclose an area.
func (w *Way) Closed() bool {
	return len(w.Refs) >= 4 && w.Refs[0] == w.Refs[len(w.Refs)-1]
}

// Member is one part of a relation.
type Member struct {
	Kind Kinds // a single kind
	Ref  int64
	Role string
}

// Relation is a group of elements, e.g. of ways to the outline of a city.
type Relation struct {
	ID      int64
	Members []Member
	Tags    Tags
}

// Batch is a number of consecutive elements of a file. Its slices and tags are valid until visit returns. Strings stay
// valid, but keep all the names of the batch in memory: clone those to be kept.
type Batch struct {
	Nodes     []Node
	Ways      []Way
	Relations []Relation
	// The last edits, one for each element, or empty if not requested.
	NodeInfo, WayInfo, RelationInfo []Info
	Names                           []string // of users
}

// User returns the name of the user of an edit, or "" if the file does not have it.
func (b *Batch) User(info Info) string {
	if int(info.User) >= len(b.Names) {
		return ""
	}
	return b.Names[info.User]
}

// Want specifies what to read. Other parts of the file are not decoded.
type Want struct {
	Kinds Kinds
	Tags  bool
	Info  bool
}

// File is an open OpenStreetMap file that can be read several times.
type File interface {
	// Bound returns the extent in the file's header, if there is one.
	Bound() (orb.Bound, bool)
	// Read passes the requested elements to visit in file order and returns its first error unchanged. Errors of the
	// file wrap source.ErrBadFile and give the position; if ctx is cancelled, the error is ctx.Err().
	Read(ctx context.Context, want Want, visit func(*Batch) error) error
	Close() error
}

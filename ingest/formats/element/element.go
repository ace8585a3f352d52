// Package element is what OpenStreetMap files are made of: nodes, ways and relations, in batches as the readers of
// each file format hand them out. In goes nothing; the PBF and the XML reader fill these types, the places and
// boundaries (and whoever reads streets) take them.
package element

import (
	"context"
	"strconv"

	"github.com/paulmach/orb"
)

// Kinds is a set of element kinds.
type Kinds uint8

// The three kinds, and all of them.
const (
	Nodes Kinds = 1 << iota
	Ways
	Relations
	All = Nodes | Ways | Relations
)

// String names a single kind as keys and links do: "node", "way" or "relation".
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

// Key is the key of the staged row of an element of a single kind, e.g. osm:node:1: the same in every source.
func (k Kinds) Key(id int64) string { return "osm:" + k.String() + ":" + strconv.FormatInt(id, 10) }

// Info is what the file says of an element's last edit; parts that it does not say are zero.
type Info struct {
	Version   int32
	Time      int64 // milliseconds since 1970, UTC
	Changeset int64
	UID       int32
	User      uint32 // see Batch.User
}

// Node is a point. Ids may be negative: editors number unsaved elements so.
type Node struct {
	ID    int64
	Point orb.Point // degrees, EPSG:4326; not range-checked
	Tags  Tags
}

// Way is a line of nodes, or an outline where it ends at its first node.
type Way struct {
	ID     int64
	Refs   []int64     // node ids
	Points []orb.Point // one for each ref in files with locations on ways, else nil
	Tags   Tags
}

// Closed reports whether the way ends where it began and can enclose something.
func (w *Way) Closed() bool {
	return len(w.Refs) >= 4 && w.Refs[0] == w.Refs[len(w.Refs)-1]
}

// Member is one part of a relation.
type Member struct {
	Kind Kinds // a single kind
	Ref  int64
	Role string
}

// Relation ties elements together, e.g. ways to the outline of a city.
type Relation struct {
	ID      int64
	Members []Member
	Tags    Tags
}

// Batch is a run of neighbouring elements of a file. The slices and tags in it are valid until visit returns; strings
// may be kept, but a kept one holds the names of its whole batch in memory: clone those that stay.
type Batch struct {
	Nodes     []Node
	Ways      []Way
	Relations []Relation
	// The last edits, one for each element, or empty where they were not asked for.
	NodeInfo, WayInfo, RelationInfo []Info
	Names                           []string // that User looks among
}

// User is the name of whoever made an edit, "" where the file does not say.
func (b *Batch) User(info Info) string {
	if int(info.User) >= len(b.Names) {
		return ""
	}
	return b.Names[info.User]
}

// Want says which parts of a file a pass is for. What is not wanted is not decoded.
type Want struct {
	Kinds Kinds
	Tags  bool
	Info  bool
}

// File is an open OpenStreetMap file that can be gone through as often as needed.
type File interface {
	// Bound is the extent that the file itself claims, if it does.
	Bound() (orb.Bound, bool)
	// Read hands all wanted elements to visit in file order and returns its first error as it is. Errors of the file
	// wrap source.ErrBadFile and say where; a cancelled ctx returns ctx.Err().
	Read(ctx context.Context, want Want, visit func(*Batch) error) error
	Close() error
}

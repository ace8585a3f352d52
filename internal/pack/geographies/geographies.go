// Package geographies is the packed table of geographies: the build writes it, the server answers look-ups from it. A Table
// returns the geographies and regions at a point, finds a geography by its id, and returns its outline, hierarchy and
// prepared JSON. Geographies are numbered from 0 by level, smallest first, then area, then id.
//
// The sections of n geographies, superseded ones included:
//
//	geography.json      texts × n            JSON members "id":{…} with an empty geometry
//	geography.json.gap  uint32 × n           offset in the member of that geometry's []
//	geography.geometry  texts × n            JSON of the geometry; empty outside of Canada
//	geography.geometry.deflate texts × n     the same as pack.Deflate has it, of 16 KiB and more; else empty
//	geography.column    int64 × 6n           level, city, metro area (indexes or −1), population (or −1), superseded (0: no, 1: at an
//
// unknown date, else days since 1970), Canadian
//
//	geography.place     Point × 3n           southwest, northeast, centroid
//	geography.area      float64 × n          m²
//	geography.ring      lists of uint32 × n  ends of the outline's rings
//	geography.point     lists of Point × n   points of the rings
//	geography.region    lists of uint32 × n  indexes in geography.code, the largest share first
//	geography.code      texts                region codes, sorted
//	geography.id        texts × n            geog_ids
//	geography.name.en   texts × n            names, and .fr
//	geography.replaced  texts × n            id of the current version of a superseded geography
//	geography.hash      uint32 × 2^k         hash table of the ids: index + 1, or 0; FNV-1a with linear probing
//	geography.at.node   uint32 × 16 a node   locator of the current geographies; empty if Writer.Overlapping
//	geography.at.cell   int32
//	coverage.at.node    uint32 × 16 a node   locator of the outlines of regions
//	coverage.at.cell    int32
//	coverage.code       texts                region code of each of these outlines
//	coverage.outlines   uint32               number of the first ones, which are outlines of states; the others are extents
//	name.…                                   package names
//
// A locator is a tree over the square of all coordinates. Each node has 16 children, four rows of four from the south-west:
// the number of a node, or with the top bit set the position of a cell in at.cell:
//
//	covers c, parts p, c areas that cover the cell, p × (area, edges e, e × (lng, lat, lng, lat))
//
// An example: the cell 1 1 4 7 2 … is covered by area 4; area 7 has two edges in it. A point of the cell is in area 4, and
// in area 7 if the ray to the east crosses an odd number of those two edges.
package geographies

import (
	"github.com/paulmach/orb"

	"quartier/schemas"
)

// Record is a geography, the input of a Writer.
type Record struct {
	ID          string // geog_id, 1–36 bytes, unique
	Level       schemas.Level
	Name        schemas.Text
	AltNames    []string // further names for the search; never shown
	CountryCode string   // "CA" or "US"
	StateCodes  []string // "CA_QC", the largest share first; empty at level 70
	City        *Ref     // the municipality that contains it or is it; nil: none
	Metro       *Ref     // the metro area that contains it or is it; nil: none
	Parents     []string // geog_ids of what contains it by area, one of each higher level, the lowest first
	AreaM2      float64
	BBox        orb.Bound
	Centroid    orb.Point        // inside
	Population  *int64           // of the outline's source; nil: not known
	People      *int64           // by which names rank: Population, or that of the demographics; nil: not known
	Geometry    orb.MultiPolygon // polygons of closed rings, the outer one first
	Superseded  bool             // an old boundary version, found only by its id
	Since       string           // of a superseded one: the as-of date of the first release without it, YYYY-MM-DD; "": not known
	ReplacedBy  string           // of a superseded one: the geog_id of the current version; "": none
}

// Ref names another geography.
type Ref struct {
	ID   string
	Name schemas.Text
}

// Package schools is the packed table of schools: the build writes it, the server finds the nearest primary and high schools
// in a circle or a polygon, and those whose catchments hold a point, and copies each school's prepared JSON, with its catchments if asked
// for.
//
// Schools are in the order of package strips, those at one place by key; the catchments of a school follow each other, in
// order of level, program and grade. Catchments with the same outline share an area. The sections of n schools with c
// catchments of a areas:
//
//	school.point … .strip package strips        positions
//	school.lists          uint8 × n             1: a primary school, 2: a high school, 3: both, or unknown
//	school.region         uint16 × n            index in region.code
//	school.rank           uint32 × n            position in the order by name, then key
//	school.json           texts × n             JSON object up to the distance
//	school.json.fr        texts × n             the same in French; empty where it does not differ
//	school.catchment      uint32 × n+1          first catchment of each school, and c
//	catchment.area        uint32 × c            its area
//	catchment.text        uint32 × 2c           index in catchment.word, in English and in French
//	catchment.word        texts                 ends of JSON objects from the level on, sorted, each once
//	area.json             texts × a             JSON of the geometry
//	area.tree             Point × 2b            corners of the boxes of a coord.Tree, those of the areas first
//	area.school           lists of uint32 × a   schools with the area as a catchment, ascending
//	area.ring             lists of uint32 × a   ends of the rings
//	area.point            lists of Point × a    points of the rings
//	region.code           texts                 region codes, sorted
//
// An example: the school 7 with school.catchment 12 and 14 has the catchments 12 and 13. With catchments its object is
// school.json[7], the distance, `},"catchments":[`, then for each of the two `{"geometry":`, area.json, `,"inside":true` or
// false by area.point, and catchment.word; without them it ends after the distance.
package schools

import (
	"github.com/paulmach/orb"

	"quartier/internal/pack/strips"
	"quartier/schemas/derived"
)

// Record is a school, the input of a Writer.
type Record struct {
	Key      string  // unique and stable; orders schools of one name at one distance
	Lng, Lat float64 // degrees
	derived.SchoolDetails
	Catchments []Catchment // in any order
}

// Catchment is an outline of the addresses that a school serves.
type Catchment struct {
	Level    string           // of schemas.SchoolLevels
	Program  string           // "": not known
	Grade    string           // "": not known
	Geometry orb.MultiPolygon // polygons of closed rings, the outer one first
}

// The bits of school.lists.
const (
	primaryList = 1 << iota
	highList
)

// Query is a search for the nearest schools.
type Query struct {
	strips.Shape
	Regions []string // allowed region codes such as "US_DE" or "CA"; nil: all
	Limit   int      // maximum number of schools of each list
	Holding bool     // also, whatever radius and limit, the schools with a catchment that holds the point
}

// Result is the result of a Search: hits ascending by distance, name, key. It may be reused: its memory is kept for the
// next search.
type Result struct {
	Primary, High []strips.Hit

	plan    strips.Plan
	regions strips.Regions
	primary strips.Nearest
	high    strips.Nearest
	holding []uint32 // schools with a catchment that holds the point, ascending
	spare   []strips.Hit
}

// Form is how a school is shown.
type Form struct {
	French     bool    // in Canada
	Catchments bool    // with its catchments
	Lng, Lat   float64 // degrees: the point that catchments are compared with
}

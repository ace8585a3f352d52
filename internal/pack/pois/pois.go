// Package pois is the packed table of points of interest: the build writes it, the server finds the nearest POIs in a
// circle, a polygon or around a geography, counts all matches by category, and copies each POI's prepared JSON.
//
// POIs are in the order of package strips, those at one place by key; POIs of runs that are entirely inside are counted
// without being looked at. The sections of n POIs:
//
//	poi.point … .strip package strips        positions
//	poi.category       uint64 × n            bit sets of categories
//	poi.base           uint32 × n            bit sets of base categories
//	poi.region         uint16 × n            index in region.code
//	poi.rank           uint32 × n            position in the order by name, then key
//	poi.sum            uint32 × 41·(n/32+1)  for every 32nd POI: how many POIs before it have each category
//	brand.id, .en, .fr texts                 brands, sorted by id, with labels
//	poi.brand          lists of uint32 × n   brands of each POI
//	brand.poi          lists of uint32       POIs of each brand, ascending
//	tag.id … tag.poi                         the same for tags
//	region.code        texts                 region codes, sorted
//	poi.tail           texts                 ends of enhanced JSON objects, each once, in the order of the POIs
//	poi.json           texts × n             enhanced JSON objects from the name to what is before the distance
//	poi.tail.of        uint32 × n            index in poi.tail
//	poi.base.json      texts × n             base JSON objects to the distance, apart from what most searches copy
//	name.…             package names         the different names, each an entry with the number of its POIs as population
//	poi.named          lists of uint32       POIs of each name, ascending, by the index of its entry
//	known.category     uint64 × k            bit sets of the categories that are known in a part of the ground
//	known.base         uint64 × k            the same of base categories
//	known.outline      lists of points × k   its rings; parts may overlap
//	known.ring         lists of uint32 × k   their ends
//
// An example: POIs A (category 0), B (0 and 2) and C (2), A west of B west of C. A circle around B whose inner part
// reaches from A to B has the sure run [0,2), counted by category from bit sets (or from poi.sum if it were longer), and
// the run [2,3), where C's distance decides. Its answer for B is opening, poi.json[1], beforeDistance, the distance
// and poi.tail[poi.tail.of[1]].
package pois

import (
	"quartier/internal/pack/strips"
	"quartier/schemas"
	"quartier/schemas/place"
)

// Record is a POI, the input of a Writer. An empty string is absent.
type Record struct {
	Key            string  // unique and stable; orders POIs of one name at one distance
	Lng, Lat       float64 // degrees
	Name           string
	Address        string
	Suite          string
	City           string
	State          string // as shown
	PostalCode     string
	Country        string // as shown, never empty
	Phone          string
	URL            string
	RegionCode     string   // "US_DE", "CA_QC"; "" if not known: then only unrestricted searches find the POI
	Categories     []string // ids of schemas.Categories, at least one
	Brands         []string // ids
	Tags           []string // ids
	BaseCategories []string // ids of schemas.BaseCategories, possibly none
	place.Attributes
}

// Term is a brand or a tag of a POI in the table.
type Term struct {
	ID    string
	Label schemas.Text
}

// NumCategories and NumBaseCategories are the sizes of schemas.Categories and schemas.BaseCategories.
const (
	NumCategories     = 41
	NumBaseCategories = 21
)

// CategorySet is a set of categories: bit i is schemas.Categories[i], or schemas.BaseCategories[i] in a BaseQuery.
// The zero value is all of them.
type CategorySet uint64

// Has reports whether category i is in the set.
func (s CategorySet) Has(i int) bool { return s == 0 || s&(1<<i) != 0 }

// Shape is the area of a search and the point from which distances are measured.
type Shape = strips.Shape

// Filter restricts a search; the zero value does not.
type Filter struct {
	Brands  []string // ids, any of them
	Tags    []string // ids, any of them
	Regions []string // allowed region codes such as "US_DE" or "CA"; nil: all
}

// Query is a search of the enhanced endpoints.
type Query struct {
	Shape
	Filter
	Categories CategorySet // any of them
	Limit      int         // maximum number of Hits
}

// Hit is a POI in a result; those at the same distance are ordered by name, then key.
type Hit = strips.Hit

// Result is the result of a Search. It may be reused: its memory is kept for the next search.
type Result struct {
	Hits               []Hit // ascending by distance, name, key
	TotalCount         int   // all matches, returned or not
	TotalByCategory    [NumCategories]int
	ReturnedByCategory [NumCategories]int
	Known              uint64 // categories that are known at the shape's point: see Table.KnownAt

	scratch scratch
}

// BaseQuery is a search of /v3/pois.
type BaseQuery struct {
	Shape
	Filter
	Categories CategorySet // base categories to list
	Limit      int         // maximum number of Hits of a category
}

// BaseResult is the result of a SearchBase, by base category. It may be reused.
type BaseResult struct {
	Hits  [NumBaseCategories][]Hit // ascending by distance, name, key; empty if not requested
	Total [NumBaseCategories]int   // all matches
	Known uint64                   // base categories that are known at the shape's point: see Table.KnownAt

	scratch scratch
}

// Package pois is the packed table of points of interest: the build writes it, the server answers POI searches from it.
//
// What goes in: one Record a POI, in any order, through a Writer. What comes out: a Table over the mapped file that
// finds the nearest POIs in a circle, a polygon or around a geography, counts all that match by category, and appends
// each POI's ready-made JSON.
//
// POIs lie in strips of latitude, in each strip by longitude, so that a shape cuts every strip in a few runs that two
// binary searches find, and what lies wholly inside is counted without being looked at.
package pois

import (
	"quartier/internal/coord"
	"quartier/schemas"
)

// Record is one POI as the build hands it in. An empty string is absent.
type Record struct {
	Key            string  // unique and stable; decides the order of POIs of one name at one distance
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
	RegionCode     string   // "US_DE", "CA_QC"; "" where it is not known: then only unrestricted searches find the POI
	Categories     []string // ids of schemas.Categories, at least one
	Brands         []string // ids
	Tags           []string // ids
	BaseCategories []string // ids of schemas.BaseCategories, possibly none
}

// Term is a brand or a tag that a POI of the table carries.
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
// The zero value stands for all.
type CategorySet uint64

// Has reports whether category i is in the set.
func (s CategorySet) Has(i int) bool { return s == 0 || s&(1<<i) != 0 }

// Shape is where a search looks and what distances are measured from.
type Shape struct {
	Lng, Lat float64     // degrees: the point, the polygon's centre, the geography's centroid
	RadiusM  float64     // with no Area: metres around the point
	Area     *coord.Area // else the polygon or geography
	BufferM  float64     // metres beyond the border of Area that belong to the search
}

// Filter narrows a search; its zero value lets everything through.
type Filter struct {
	Brands  []string // ids, any of them
	Tags    []string // ids, any of them
	Regions []string // where the credential may look: codes such as "US_DE" or "CA"; nil: everywhere
}

// Query is a search of the enhanced endpoints.
type Query struct {
	Shape
	Filter
	Categories CategorySet // any of them
	Limit      int         // POIs returned at most
}

// Hit is a POI that was found.
type Hit struct {
	Index      uint32 // in the table
	Decimetres uint32 // distance; ties are told apart by name, then key
}

// Metres is the distance as it is answered, to 0.1 m.
func (h Hit) Metres() float64 { return float64(h.Decimetres) / 10 }

// Result is the outcome of a Search. It may be used again: its memory is kept for the next search.
type Result struct {
	Hits               []Hit // ascending by distance, name, key
	TotalCount         int   // all that match, returned or not
	TotalByCategory    [NumCategories]int
	ReturnedByCategory [NumCategories]int

	scratch scratch
}

// BaseQuery is a search of /v3/pois.
type BaseQuery struct {
	Shape
	Filter
	Categories CategorySet // which base categories to list
	Limit      int         // POIs a category at most
}

// BaseResult is the outcome of a SearchBase, by base category. It may be used again.
type BaseResult struct {
	Hits  [NumBaseCategories][]Hit // ascending by distance, name, key; empty where not asked for
	Total [NumBaseCategories]int   // all that match

	scratch scratch
}

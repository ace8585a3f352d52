// Package geographies is the packed table of geographies: the build writes it, the server answers look-ups from it.
//
// What goes in: one Record a geography and the outlines of the regions that a release covers, through a Writer. What
// comes out: a Table over the mapped file that tells the geographies and regions at a point, finds a geography by its
// id, hands out its outline and hierarchy, and appends its ready-made JSON. Geographies are numbered from 0 by level,
// smallest first, then area, then id.
package geographies

import (
	"github.com/paulmach/orb"

	"quartier/schemas"
)

// Record is one geography as the build hands it in.
type Record struct {
	ID          string // geog_id, 1–36 bytes, unique
	Level       schemas.Level
	Name        schemas.Text
	AltNames    []string // further names that it is found by; never shown
	CountryCode string   // "CA" or "US"
	StateCodes  []string // "CA_QC", the largest share first; empty at level 70
	City        *Ref     // the municipality that holds it, itself included; nil: none
	Metro       *Ref     // the metro area that holds it, itself included; nil: none
	AreaM2      float64
	BBox        orb.Bound
	Centroid    orb.Point        // inside
	Population  *int64           // nil: not known
	Geometry    orb.MultiPolygon // polygons of closed rings, the outer one first
	Superseded  bool             // an old boundary version: found by its id alone
	ReplacedBy  string           // of a superseded one: the geog_id of the current version; "": no successor
}

// Ref names another geography.
type Ref struct {
	ID   string
	Name schemas.Text
}

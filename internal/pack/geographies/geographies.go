// Package geographies is the packed table of geographies: the build writes it, the server answers look-ups from it.
//
// What goes in: one Record a geography and the outlines of the regions that a release covers, through a Writer. What
// comes out: a Table over the mapped file that tells the geographies and regions at a point, finds a geography by its
// id, hands out its outline and hierarchy, and appends its ready-made JSON. Geographies are numbered from 0 by level,
// smallest first, then area, then id.
package geographies

import (
	"github.com/paulmach/orb"

	"quartier/internal/pack"
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

// Writer makes the table and the index of its names (package names).
type Writer struct{}

// NewWriter makes a Writer whose temporary file is in dir ("" for the system's).
func NewWriter(dir string) (*Writer, error) { return &Writer{}, nil }

// Add takes a geography. It fails, naming the id, where the record cannot be stored.
func (w *Writer) Add(r *Record) error { return nil }

// AddCoverage says that a region, such as "US_DE", holds the places inside m. Where outlines overlap, the region that
// was added first comes first.
func (w *Writer) AddCoverage(regionCode string, m orb.MultiPolygon) error { return nil }

// Finish writes the sections of the table and of its names index, and removes the temporary file.
func (w *Writer) Finish(out *pack.Writer) error { return nil }

// Close removes the temporary file of a Writer that is not finished.
func (w *Writer) Close() error { return nil }

// Table answers look-ups from a mapped file. It is safe for concurrent use until the file is closed. Methods that
// take an index panic where it is not below Len. Strings are copies or live as long as the Table.
type Table struct{}

// Open finds the table in f.
func Open(f *pack.File) (*Table, error) { return &Table{}, nil }

// Len is the number of geographies, superseded ones included.
func (t *Table) Len() int { return 0 }

// ByID is the index of the geography with an id.
func (t *Table) ByID(id string) (int, bool) { return 0, false }

// At appends to dst the current geographies of the levels around a point, smallest level first.
func (t *Table) At(dst []int, lng, lat float64, levels pack.LevelSet) []int { return dst }

// RegionsAt appends to dst the codes of the covered regions around a point, in the order of Writer.AddCoverage.
func (t *Table) RegionsAt(dst []string, lng, lat float64) []string { return dst }

// AppendEntry appends the JSON of geography i, a schemas.Geography. The geometry is empty unless it is asked for and
// the geography is Canadian.
func (t *Table) AppendEntry(dst []byte, i int, withGeometry bool) []byte { return dst }

// AppendMember appends the JSON member of geography i: its quoted id, a colon and its entry.
func (t *Table) AppendMember(dst []byte, i int, withGeometry bool) []byte { return dst }

// AppendID appends the geog_id of geography i in quotes.
func (t *Table) AppendID(dst []byte, i int) []byte { return dst }

// ID is the geog_id of geography i.
func (t *Table) ID(i int) string { return "" }

// Level is the level of geography i.
func (t *Table) Level(i int) schemas.Level { return 0 }

// Name is the name of geography i in both languages.
func (t *Table) Name(i int) schemas.Text { return schemas.Text{} }

// Country is the country code of geography i, "CA" or "US".
func (t *Table) Country(i int) string { return "" }

// Regions are the state codes of geography i, such as "CA_QC", the largest share first; its country code alone where
// it has no state.
func (t *Table) Regions(i int) []string { return nil }

// City is the municipality that holds geography i, itself included.
func (t *Table) City(i int) (int, bool) { return 0, false }

// Metro is the metro area that holds geography i, itself included.
func (t *Table) Metro(i int) (int, bool) { return 0, false }

// AreaM2 is the area of geography i in square metres.
func (t *Table) AreaM2(i int) float64 { return 0 }

// BBox is the box around geography i in degrees.
func (t *Table) BBox(i int) orb.Bound { return orb.Bound{} }

// Centroid is a point inside geography i in degrees.
func (t *Table) Centroid(i int) orb.Point { return orb.Point{} }

// Population is how many people live in geography i; false where it is not known.
func (t *Table) Population(i int) (int64, bool) { return 0, false }

// Superseded reports whether geography i is an old boundary version, and the id of the current one, "" where the
// place has no successor.
func (t *Table) Superseded(i int) (replacedBy string, superseded bool) { return "", false }

// Area is the outline of geography i, straight from the mapped file.
func (t *Table) Area(i int) pack.Area { return pack.Area{} }

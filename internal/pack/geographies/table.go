package geographies

import (
	"strings"
	"time"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/schemas"
)

// Table answers look-ups from a mapped file. It is safe for concurrent use until the file is closed. Methods
// with an index panic if it is not below Len. Strings are copies; slices and an Area are the mapped file.
type Table struct {
	count    int
	text     pack.Lists[byte]        `pack:"geography.json n"`
	gaps     []uint32                `pack:"geography.json.gap n"`
	geometry pack.Lists[byte]        `pack:"geography.geometry n"`
	deflated pack.Lists[byte]        `pack:"geography.geometry.deflate n"`
	columns  []int64                 `pack:"geography.column columns n"`
	places   []coord.Point           `pack:"geography.place 3 n"`
	areas    []float64               `pack:"geography.area n"`
	ids      pack.Lists[byte]        `pack:"geography.id n"`
	nameEN   pack.Lists[byte]        `pack:"geography.name.en n"`
	nameFR   pack.Lists[byte]        `pack:"geography.name.fr n"`
	replaced pack.Lists[byte]        `pack:"geography.replaced n"`
	parents  pack.Lists[byte]        `pack:"geography.parents? n"`
	regions  pack.Lists[uint32]      `pack:"geography.region n"`
	codes    []string                `pack:"geography.code"`
	rings    pack.Lists[uint32]      `pack:"geography.ring n"`
	points   pack.Lists[coord.Point] `pack:"geography.point n"`
	hash     []uint32                `pack:"geography.hash"`
	locator  locator
	coverage locator
	covered  []string   `pack:"coverage.code"`       // region codes of the coverage's areas
	outlines []uint32   `pack:"coverage.outlines 1"` // number of areas that are no extents
	levels   []levelBit // of each geography
	boxes    overlapping
}

// levelBit is the level of a geography as a set of one level; 0 for an invalid level.
type levelBit = schemas.LevelSet

// Open opens the table in f. It copies the levels and the region codes; the rest stays in the mapped file.
func Open(f *pack.File) (*Table, error) {
	l := pack.NewLoader(f)
	n := len(pack.Load[uint32](l, "geography.json.gap", pack.Any))
	t := &Table{count: n, locator: openLocator(l, locatorName), coverage: openLocator(l, coverageName)}
	l.Fill(t, "", map[string]int{"n": n, "columns": numbersPerLine})
	if err := l.Err(); err != nil {
		return nil, err
	}
	t.levels = make([]levelBit, n)
	for i := range t.levels {
		t.levels[i] = schemas.NewLevelSet(t.Level(i))
	}
	return t, nil
}

// Len is the number of geographies, superseded ones included.
func (t *Table) Len() int { return t.count }

// column is a column of geography i.
func (t *Table) column(i, which int) int64 { return t.columns[numbersPerLine*i+which] }

// ID is the geog_id of geography i.
func (t *Table) ID(i int) string { return string(t.ids.At(i)) }

// Level is the level of geography i.
func (t *Table) Level(i int) schemas.Level { return schemas.Level(t.column(i, columnLevel)) }

// Name is the name of geography i in both languages.
func (t *Table) Name(i int) schemas.Text {
	return schemas.Text{EN: string(t.nameEN.At(i)), FR: string(t.nameFR.At(i))}
}

// Country is the country code of geography i, "CA" or "US".
func (t *Table) Country(i int) string {
	if t.column(i, columnCanadian) != 0 {
		return "CA"
	}
	return "US"
}

// Regions are the state codes of geography i, such as "CA_QC", the largest share first; only its country code if
// it has no state.
func (t *Table) Regions(i int) []string {
	var codes []string
	for _, n := range t.regions.At(i) {
		if uint64(n) < uint64(len(t.codes)) {
			codes = append(codes, t.codes[n])
		}
	}
	return codes
}

// Within reports whether geography i is, at least in part, in the allowed regions: codes such as "US_DE" or "CA"; nil
// allows all.
func (t *Table) Within(i int, allowed []string) bool {
	if allowed == nil {
		return true
	}
	for _, n := range t.regions.At(i) {
		for _, allowance := range allowed {
			if uint64(n) < uint64(len(t.codes)) && schemas.RegionMatches(t.codes[n], allowance) {
				return true
			}
		}
	}
	return false
}

// City is the municipality that contains geography i or is it.
func (t *Table) City(i int) (int, bool) { return t.other(i, columnCity) }

// Metro is the metro area that contains geography i or is it.
func (t *Table) Metro(i int) (int, bool) { return t.other(i, columnMetro) }

// Parents are the geog_ids of what contains geography i by area, one of each higher level, the lowest first. They are in the
// component places.
func (t *Table) Parents(i int) []string {
	return strings.FieldsFunc(string(t.parents.At(i)), func(r rune) bool { return r == ',' })
}

func (t *Table) other(i, which int) (int, bool) {
	v := t.column(i, which)
	if v < 0 || v >= int64(t.count) {
		return 0, false
	}
	return int(v), true
}

// AreaM2 is the area of geography i in square metres.
func (t *Table) AreaM2(i int) float64 { return t.areas[i] }

// BBox is the bounding box of geography i in degrees.
func (t *Table) BBox(i int) orb.Bound {
	return orb.Bound{Min: t.places[3*i].Orb(), Max: t.places[3*i+1].Orb()}
}

// Centroid is a point inside geography i in degrees.
func (t *Table) Centroid(i int) orb.Point { return t.places[3*i+2].Orb() }

// Population is the population of geography i; false if it is not known.
func (t *Table) Population(i int) (int64, bool) {
	v := t.column(i, columnPopulation)
	return max(v, 0), v >= 0
}

// Superseded reports whether geography i is an old boundary version, and the id of the current one, "" if there is none.
func (t *Table) Superseded(i int) (replacedBy string, superseded bool) {
	return string(t.replaced.At(i)), t.column(i, columnSuperseded) != 0
}

// SupersededSince is the day from which on geography i is superseded, as of the data; the zero time where that is not known, and of
// a current one.
func (t *Table) SupersededSince(i int) time.Time {
	day := t.column(i, columnSuperseded)
	if day <= 1 {
		return time.Time{}
	}
	return time.Unix(day*secondsPerDay, 0).UTC()
}

// Area is the outline of geography i, straight from the mapped file.
func (t *Table) Area(i int) coord.Area {
	return coord.Area{Points: t.points.At(i), Ends: t.rings.At(i)}
}

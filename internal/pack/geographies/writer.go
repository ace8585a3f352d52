package geographies

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/pack"
	"quartier/internal/pack/names"
	"quartier/schemas"
)

// maxID is the maximum length of a geog_id.
const maxID = 36

// Writer writes the table and the index of its names (package names). It keeps the outlines in memory, 8 bytes a vertex, of
// which Finish needs about 40 more; the JSON is in a temporary file.
type Writer struct {
	// Overlapping is for geographies of many owners, over each other without limit: a cell of a locator would list all that
	// cover it. There is no locator then, and names are within no other geography.
	Overlapping bool

	spool    *pack.Spool
	items    []item
	ids      map[string]int // indexes in items
	coverage []coord.Area
	codes    []string // region codes of coverage
	outlines int      // the first of coverage, which are no extents
}

// item is the data of a geography in memory.
type item struct {
	Record              // without its geometry
	area     coord.Area // the outline
	text     int64      // offset of its JSON in the spool
	textLen  int        // length of the JSON member
	gap      int        // offset of the geometry in it
	geometry int        // length of the geometry, which follows it in the spool; 0 for none
}

// NewWriter makes a Writer whose temporary file is in dir ("" for the system's).
func NewWriter(dir string) (*Writer, error) {
	spool, err := pack.NewSpool(dir)
	if err != nil {
		return nil, fmt.Errorf("write geographies: %w", err)
	}
	return &Writer{spool: spool, ids: map[string]int{}}, nil
}

// Close removes the temporary file of a Writer that is not finished.
func (w *Writer) Close() error { return w.spool.Close() }

// Add adds a geography. It fails, naming the id, if the record is invalid.
func (w *Writer) Add(r *Record) error {
	if err := w.add(r); err != nil {
		return fmt.Errorf("geography %q: %w", r.ID, err)
	}
	return nil
}

func (w *Writer) add(r *Record) error {
	if err := w.check(r); err != nil {
		return err
	}
	it := item{Record: *r}
	it.Geometry = nil
	polygons, err := coord.NewAreas(r.Geometry)
	if err != nil {
		return err
	}
	it.area = coord.Join(polygons)
	text, gap, err := member(r)
	if err != nil {
		return err
	}
	it.textLen, it.gap = len(text), gap
	if r.CountryCode == "CA" {
		outline := coord.AppendLatLng(nil, shown(polygons, r.AreaM2))
		it.geometry = len(outline)
		text = append(text, outline...)
	}
	if it.text, err = w.spool.Append(text); err != nil {
		return err
	}
	w.ids[r.ID] = len(w.items)
	w.items = append(w.items, it)
	return nil
}

// The precision of the geometry in answers. The outline by which points are found is not simplified.
const (
	shownScale     = 2000 // the tolerance is the side of a square of the geography's area by this
	leastTolerance = 50   // metres, below which nothing is left out: of geographies under 10,000 km²
)

// shown is the geometry of an answer: that of Canada, 10 million km², is right to 1.6 km, of Nova Scotia to 120 m.
func shown(polygons []coord.Area, areaM2 float64) []coord.Area {
	if tolerance := math.Sqrt(areaM2) / shownScale; tolerance >= leastTolerance {
		return coord.Simplify(polygons, tolerance)
	}
	return polygons
}

func (w *Writer) check(r *Record) error {
	_, taken := w.ids[r.ID]
	switch {
	case r.ID == "" || len(r.ID) > maxID:
		return fmt.Errorf("an id has 1 to %d bytes", maxID)
	case taken:
		return errors.New("duplicate id")
	case !r.Level.Valid():
		return fmt.Errorf("no level %d", r.Level)
	case r.Name.EN == "" || r.Name.FR == "":
		return errors.New("no name")
	case !geo.Valid(r.Centroid) || !geo.Valid(r.BBox.Min) || !geo.Valid(r.BBox.Max):
		return fmt.Errorf("invalid centroid %v or bounding box %v", r.Centroid, r.BBox)
	case !(r.AreaM2 >= 0) || math.IsInf(r.AreaM2, 0):
		return fmt.Errorf("area of %v m²", r.AreaM2)
	case r.Population != nil && *r.Population < 0:
		return fmt.Errorf("population %d", *r.Population)
	case !r.Superseded && (r.ReplacedBy != "" || r.Since != ""):
		return errors.New("replaced, but not superseded")
	case r.Since != "" && supersededDay(r) < 2:
		return fmt.Errorf("superseded as of %q, which is no date after 1970", r.Since)
	case schemas.CountryName(r.CountryCode) == schemas.Text{}:
		return fmt.Errorf("no country %q", r.CountryCode)
	}
	return nil
}

// AddCoverage adds an area of a region, such as "US_DE": its outline, or the extent of a source, which counts only at points
// outside of all outlines. Outlines are added first. At points in several areas the regions are in the order in which they
// were added.
func (w *Writer) AddCoverage(regionCode string, extent bool, m orb.MultiPolygon) error {
	area, err := coord.NewArea(m)
	if err != nil {
		return fmt.Errorf("coverage %q: %w", regionCode, err)
	}
	switch {
	case !extent && w.outlines < len(w.coverage):
		return fmt.Errorf("coverage %q: an outline after an extent", regionCode)
	case !extent:
		w.outlines++
	}
	w.coverage = append(w.coverage, area)
	w.codes = append(w.codes, regionCode)
	return nil
}

// Finish writes the sections of the table and of its names index, and removes the temporary file.
func (w *Writer) Finish(out *pack.Writer) error {
	defer w.Close()
	if err := w.spool.Flush(); err != nil {
		return fmt.Errorf("write geographies: %w", err)
	}
	slices.SortFunc(w.items, func(a, b item) int {
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.AreaM2, b.AreaM2), cmp.Compare(a.ID, b.ID))
	})
	for i := range w.items {
		w.ids[w.items[i].ID] = i
	}
	if err := w.writeText(out); err != nil {
		return fmt.Errorf("write geographies: %w", err)
	}
	w.writeColumns(out)
	w.writeIDs(out)
	current := make([]coord.Area, len(w.items))
	for i := range w.items {
		if !w.items[i].Superseded {
			current[i] = w.items[i].area
		}
	}
	if w.Overlapping {
		current = nil
	}
	places, err := writeLocator(out, locatorName, current)
	if err != nil {
		return err
	}
	if _, err := writeLocator(out, coverageName, append([]coord.Area{}, w.coverage...)); err != nil {
		return err
	}
	pack.PutTexts(out, "coverage.code", w.codes)
	pack.Put(out, "coverage.outlines", []uint32{uint32(w.outlines)})
	if err := w.writeNames(out, &places); err != nil {
		return err
	}
	return out.Err()
}

// writeLocator writes the locator of areas; an empty one for nil.
func writeLocator(out *pack.Writer, name string, areas []coord.Area) (l locator, err error) {
	if areas != nil {
		l.nodes, l.cells = buildLocator(areas)
	}
	if len(l.cells) >= cellBit {
		return l, fmt.Errorf("write geographies: %q: too many edges for the format", name)
	}
	pack.Put(out, name+".node", l.nodes)
	pack.Put(out, name+".cell", l.cells)
	return l, nil
}

// writeNames writes the index of names. A geography is within those of larger levels that contain its centroid.
func (w *Writer) writeNames(out *pack.Writer, places *locator) error {
	var containing []int32
	var index names.Writer
	for i := range w.items {
		it := &w.items[i]
		if it.Superseded {
			continue
		}
		e := names.Entry{
			Index: uint32(i), ID: it.ID, Level: it.Level, Regions: it.regions(),
			Name: it.Name, AltNames: it.AltNames, Population: orUnknown(it.People),
		}
		if p, ok := coord.NewPoint(it.Centroid[0], it.Centroid[1]); ok {
			containing = places.at(containing[:0], p)
		}
		for _, other := range containing {
			if w.items[other].Level > it.Level {
				e.Within = append(e.Within, uint32(other))
			}
		}
		if err := index.Add(&e); err != nil {
			return err
		}
	}
	return index.Finish(out)
}

// regions are the state codes, or the country code if there are none.
func (it *item) regions() []string {
	if len(it.StateCodes) == 0 {
		return []string{it.CountryCode}
	}
	return it.StateCodes
}

// orUnknown is a population, −1 if it is not known.
func orUnknown(population *int64) int64 {
	if population == nil {
		return -1
	}
	return *population
}

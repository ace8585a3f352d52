package smallareas

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"quartier/internal/areal"
	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/margin"
	"quartier/internal/pack"
	"quartier/schemas"
	"quartier/schemas/demographics"
)

// Writer writes the table. Areas are streamed to the pack; one node of each level of the tree is in memory.
type Writer struct {
	out       *pack.Writer
	codes     pack.Dictionary
	region    pack.Section[uint8]           `pack:"area.region"`
	boxes     pack.Section[coord.Point]     `pack:"area.box"`
	units     pack.Section[uint64]          `pack:"area.topic"`
	persons   pack.Section[float64]         `pack:"area.persons"`
	weights   pack.Section[float64]         `pack:"area.weight"`
	within    pack.Section[float32]         `pack:"area.within"`
	between   pack.Section[float32]         `pack:"area.between"`
	estimates pack.Section[float32]         `pack:"area.estimate"`
	margins   pack.Section[float32]         `pack:"area.margin"`
	parts     pack.Section[uint32]          `pack:"area.part"`
	partBoxes pack.Section[coord.Point]     `pack:"part.box"`
	partShare pack.Section[float32]         `pack:"part.weight"`
	outlines  pack.ListsWriter[coord.Point] `pack:"part.outline"`
	rings     pack.ListsWriter[uint32]      `pack:"part.ring"`
	ground    groundWriter
	levels    []*levelWriter
	pending   []storedPart // parts of the current area
}

// storedPart is a part as it is stored.
type storedPart struct {
	area    coord.Area
	box     coord.Box
	weights [universes]float32
}

// NewWriter opens the sections of the table in out.
func NewWriter(out *pack.Writer) *Writer {
	pack.PutVocabulary(out, sectionWords, words())
	w := &Writer{out: out}
	pack.OpenSections(out, w, "")
	pack.OpenSections(out, &w.ground, "ground.")
	return w
}

// AddArea adds the next area with its allocation error, its figures in any order and its parts, at least one. The table is quick if areas
// are
// added region by region along a Hilbert curve. A universe with zero weight in all parts gets the weights of another
// universe; if all are zero, the weights are the areas in m². It fails if the region's country does not publish a figure.
func (w *Writer) AddArea(region string, sigma Sigma, values []Value, parts []Part) error {
	if err := w.addArea(region, sigma, values, parts); err != nil {
		return fmt.Errorf("small area %d: %w", w.parts.Len(), err)
	}
	return w.out.Err()
}

func (w *Writer) addArea(region string, sigma Sigma, values []Value, parts []Part) error {
	number, err := w.number(region)
	if err != nil {
		return err
	}
	if !(sigma.Within >= 0 && sigma.Within <= maxSigma && sigma.Between >= 0 && sigma.Between <= maxSigma) {
		return fmt.Errorf("allocation error %v", sigma)
	}
	a := summary{region: number, sigma: sigma, box: coord.EmptyBox}
	if err := w.prepare(parts, &a); err != nil {
		return err
	}
	for cell := range a.margins {
		a.margins[cell] = noFigure
	}
	for _, v := range values {
		if err := a.set(v, region[:2]); err != nil {
			return err
		}
	}
	a.count()
	if uint64(w.partShare.Len()/universes+len(w.pending)) > math.MaxUint32 {
		return errors.New("too many parts for the format")
	}
	w.write(&a)
	w.addChild(1, a.node())
	return nil
}

// maxSigma is the plausible maximum of an allocation error; at 1 all people of an area may be on either side of a cut.
const maxSigma = 10

func (w *Writer) number(region string) (uint8, error) {
	if !schemas.RegionMatches(region, "CA") && !schemas.RegionMatches(region, "US") {
		return 0, fmt.Errorf("no region %q", region)
	}
	n := w.codes.Number(region)
	if n >= mixed {
		return 0, errors.New("too many regions for the format")
	}
	return uint8(n), nil
}

// prepare sets w.pending to the parts with a weight.
func (w *Writer) prepare(parts []Part, a *summary) error {
	if len(parts) == 0 {
		return errors.New("no parts")
	}
	weights, err := weightsOf(parts)
	if err != nil {
		return err
	}
	w.pending = w.pending[:0]
	for i := range parts {
		a.counted += parts[i].Weights[0]
		if weights[i] == [universes]float32{} {
			continue
		}
		area, err := areal.Oriented(parts[i].Outline)
		if err != nil {
			return fmt.Errorf("part %d: %w", i, err)
		}
		if len(area.Points) == 0 {
			return fmt.Errorf("part %d: no outline", i)
		}
		p := storedPart{area, coord.BoxAround(area.Points), weights[i]}
		w.pending = append(w.pending, p)
		a.box = a.box.Union(p.box)
		for u, weight := range p.weights {
			a.weights[u] += float64(weight)
		}
	}
	return nil
}

// substitutes are the universes whose weights are used if those of a universe are zero in all parts, by universe − 1.
var substitutes = [universes][2]demographics.Universe{
	demographics.Persons - 1:    {demographics.Dwellings - 1, demographics.Households - 1},
	demographics.Households - 1: {demographics.Dwellings - 1, demographics.Persons - 1},
	demographics.Dwellings - 1:  {demographics.Households - 1, demographics.Persons - 1},
}

// weightsOf are the weights of parts by universe − 1, of which each has a sum above zero.
func weightsOf(parts []Part) ([][universes]float32, error) {
	weights := make([][universes]float32, len(parts))
	var all [universes]float32
	for i := range parts {
		for u, v := range parts[i].Weights {
			if !(v >= 0 && v <= math.MaxFloat32) {
				return nil, fmt.Errorf("part %d: weights %v", i, parts[i].Weights)
			}
			weights[i][u] = float32(v)
			all[u] = max(all[u], weights[i][u])
		}
	}
	for u := range all {
		if all[u] > 0 {
			continue
		}
		from := slices.IndexFunc(substitutes[u][:], func(other demographics.Universe) bool { return all[other] > 0 })
		for i := range parts {
			switch {
			case from >= 0:
				weights[i][u] = weights[i][substitutes[u][from]]
			default:
				weights[i][u] = float32(max(geo.Area(parts[i].Outline), 1))
			}
		}
	}
	return weights, nil
}

func (w *Writer) write(a *summary) {
	w.region.Append(a.region)
	w.boxes.Append(a.box.Min, a.box.Max)
	w.units.Append(a.units)
	w.persons.Append(a.persons)
	w.weights.Append(a.weights[:]...)
	w.within.Append(float32(a.sigma.Within))
	w.between.Append(float32(a.sigma.Between))
	w.estimates.Append(a.estimates[:]...)
	w.margins.Append(a.margins[:]...)
	for _, p := range w.pending {
		w.partBoxes.Append(p.box.Min, p.box.Max)
		w.partShare.Append(p.weights[:]...)
		w.outlines.Append(p.area.Points)
		w.rings.Append(p.area.Ends)
	}
	w.parts.Append(uint32(w.partShare.Len() / universes))
}

// Finish writes the nodes that are not full and the region codes.
func (w *Writer) Finish() error {
	for i := 0; i < len(w.levels); i++ {
		if l := w.levels[i]; l.children > 0 && (i == 0 || w.levels[i-1].nodes > 1) {
			w.close(i + 1)
		}
	}
	pack.PutTexts(w.out, "region.code", w.codes.Texts)
	return w.out.Err()
}

// summary is the stored data of an area except its parts.
type summary struct {
	region    uint8
	sigma     Sigma
	box       coord.Box
	weights   [universes]float64
	counted   float64 // the given weights of the parts for persons
	estimates [cells]float32
	margins   [cells]float32
	units     uint64
	persons   float64
}

// set sets a figure of an area of a country.
func (a *summary) set(v Value, country string) error {
	if v.Cell < 0 || v.Cell >= cells {
		return fmt.Errorf("no cell %d", v.Cell)
	}
	cell := &demographics.Cells[v.Cell]
	switch {
	case !cell.Has(country):
		return fmt.Errorf("%s: %s has no such figure", cell.ID, country)
	case a.margins[v.Cell] != noFigure:
		return fmt.Errorf("%s: duplicate figure", cell.ID)
	case !(v.Estimate >= 0 && v.Estimate <= math.MaxFloat32) || v.MOE < 0 || v.MOE > math.MaxFloat32:
		return fmt.Errorf("%s: %v ± %v", cell.ID, v.Estimate, v.MOE)
	}
	a.estimates[v.Cell], a.margins[v.Cell] = float32(v.Estimate), float32(v.MOE)
	a.units |= 1<<cell.Table | 1<<cell.CoverageUnit
	return nil
}

var population, _ = demographics.CellOf("population.total")

// count sets the number of people of the area.
func (a *summary) count() {
	a.persons = a.counted
	if a.margins[population] != noFigure {
		a.persons = float64(a.estimates[population])
	}
}

// node is a node with this area only.
func (a *summary) node() *node {
	n := &node{region: a.region, box: a.box, persons: a.persons}
	for unit := range n.known {
		if a.units&(1<<unit) != 0 {
			n.known[unit] = a.persons
		}
	}
	for cell := range n.sums {
		if a.margins[cell] != noFigure && demographics.Cells[cell].Role != demographics.Scalar {
			n.sums[cell].Add(margin.Figure{Estimate: float64(a.estimates[cell]), MOE: float64(a.margins[cell])}, 1)
		}
	}
	return n
}

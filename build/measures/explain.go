package measures

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"quartier/internal/coord"
	"quartier/internal/pack/reach"
	"quartier/internal/sqlrow"
	"quartier/internal/travel"
	"quartier/internal/travel/streets"
	"quartier/schemas"
)

// ErrNoHomes is the error for a point from which no node with homes is reached on foot, and for a geography without homes.
var ErrNoHomes = errors.New("no homes are there")

// Explanation is what is behind a travel measure of a cell.
type Explanation struct {
	Measure    *schemas.TravelMeasure `json:"-"`
	Median     *Median                `json:"median,omitempty"` // of a geography; the cell is one that has it
	Home       *Node                  `json:"home,omitempty"`   // the node with homes that is nearest on foot to a point
	HomeWalkS  uint32                 `json:"home_walk_seconds,omitempty"`
	Cell       int64                  `json:"cell"`       // fid of travel_cell
	Origin     Node                   `json:"origin"`     // for which it is computed
	Value      *int64                 `json:"value"`      // of the release; null: not known
	Unknown    string                 `json:"unknown"`    // why it is not known; "": it is
	Recomputed float64                `json:"recomputed"` // what is reached, whether or not it is all that there is
	Nodes      int                    `json:"nodes"`      // of the streets that are reached
	RadiusM    float64                `json:"radius_m"`   // how far reach is taken to be
	Known      float64                `json:"known"`      // share of the ground within on which it is known what there is
	Places     []Place                `json:"places"`     // nodes where there is some, the nearest first

	Options travel.Options `json:"-"` // when and how one travels
}

// Node is a node of the streets on foot, or of those of cars.
type Node struct {
	FID int64   `json:"fid,omitempty"` // of street_node; 0: of cars
	Lat float64 `json:"lat"`
	Lng float64 `json:"lng"`
}

// Place is a node with some of what is counted.
type Place struct {
	Node
	Seconds int     `json:"seconds"`
	Number  float64 `json:"number"`
	Parts   []Part  `json:"parts"`
}

// Part is some of what is at a node, by the key of its block or zone, or the name of the place.
type Part struct {
	Key    string  `json:"key"`
	Number float64 `json:"number"`
}

// Explainer explains a measure of a release. It must not be used by several goroutines.
type Explainer struct {
	*World
	dir     string
	measure *schemas.TravelMeasure
	index   int // of it
	cells   []Cell
	of      map[uint32]uint32 // the cell of each node with homes
	close   func()
}

// OpenExplainer opens the release in a folder.
func OpenExplainer(ctx context.Context, dir string, measure int) (x *Explainer, err error) {
	x = &Explainer{dir: dir, measure: &schemas.TravelMeasures[measure], index: measure, of: map[uint32]uint32{}}
	if x.World, x.cells, x.close, err = reopen(ctx, dir, map[uint32][]Part{}, x.measure.Of); err != nil {
		return nil, err
	}
	err = each(ctx, dir, schemas.TravelFile, "SELECT node - 1, cell - 1 FROM travel_node", sqlrow.Visit2(func(node, cell uint32) error {
		if int(cell) >= len(x.cells) || int(node) >= len(x.places) {
			return fmt.Errorf("node %d is in cell %d of %d", node+1, cell+1, len(x.cells))
		}
		x.of[node] = cell
		return nil
	}))
	for i, c := range x.cells {
		if err == nil && (int(c.Node) >= len(x.places) || int(c.Car) >= len(x.cells)) {
			err = fmt.Errorf("cell %d is of node %d, and by car of cell %d", i+1, c.Node+1, c.Car+1)
		}
	}
	if err != nil {
		x.close()
		return nil, fmt.Errorf("%s: %w", schemas.TravelFile, err)
	}
	return x, nil
}

// Close closes the release.
func (x *Explainer) Close() { x.close() }

// farHome is how far from a point homes are looked for, in seconds on foot.
const farHome = 20 * 60

// At explains the measure at a point: at the node with homes that is nearest on foot.
func (x *Explainer) At(ctx context.Context, p coord.Point) (*Explanation, error) {
	place, ok := x.Snap(p, travel.Walk)
	if !ok {
		return nil, fmt.Errorf("%w: no street is within %d m", ErrNoHomes, travel.LinkM)
	}
	q := x.Network(travel.Walk).NewQuery()
	q.Start(streets.Walk, farHome)
	q.Add(place, 0)
	q.Run()
	home, walk := uint32(0), uint32(streets.Never)
	for _, node := range q.Reached() {
		if _, lived := x.of[node]; lived && (q.Node(node) < walk || q.Node(node) == walk && node < home) {
			home, walk = node, q.Node(node)
		}
	}
	if walk == streets.Never {
		return nil, fmt.Errorf("%w: none within %d minutes on foot", ErrNoHomes, farHome/60)
	}
	e, err := x.explain(ctx, x.of[home])
	if err == nil {
		at := nodeAt(home, x.World.At[home])
		e.Home, e.HomeWalkS = &at, walk
	}
	return e, err
}

func nodeAt(node uint32, at coord.Point) Node {
	lng, lat := at.Degrees()
	return Node{int64(node) + 1, lat, lng}
}

// explain computes the measure of a cell again.
func (x *Explainer) explain(ctx context.Context, cell uint32) (*Explanation, error) {
	mode, _ := travel.ParseMode(x.measure.Mode)
	e := &Explanation{Measure: x.measure, Cell: int64(cell) + 1, Options: x.options(mode), Places: []Place{}}
	node := x.cells[cell].Node
	if value := x.cells[cell].Values[x.index]; value != reach.Absent {
		known := int64(value)
		e.Value = &known
	}
	if mode == travel.Car {
		node = x.cells[x.cells[cell].Car].Node
	}
	e.Origin = nodeAt(node, x.World.At[node])
	from, ok := x.places[node], true
	if mode == travel.Car {
		from, ok = x.Snap(x.World.At[node], mode)
	}
	switch {
	case !x.Has(mode):
		e.Unknown = "the release has no travel times by " + x.measure.Mode
	case !ok:
		e.Unknown = "no street for cars is near"
	case mode == travel.Transit && !x.Cover(x.World.At[node], e.Options.Day).Known(mode):
		e.Unknown = "the origin is beyond the ground of the timetables, or they have some lines there only"
	}
	if e.Unknown != "" {
		return e, nil
	}
	r, err := x.ReachFrom(ctx, from, e.Options)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	c := x.counter(mode)()
	c.begin(r, node)
	s := c.sum(r, x.measure)
	e.Recomputed, e.Nodes, e.RadiusM, e.Known = float64(s.n)/1000, s.nodes, s.metres, s.known
	if s.known < leastKnown {
		e.Unknown = fmt.Sprintf("of the ground within %.1f km, %.0f %% is known; %.0f %% are needed", s.metres/1000, 100*s.known,
			100*leastKnown)
	}
	e.Places = x.reached(c, mode, r)
	return e, nil
}

// reached are the nodes with some of what is counted that are reached, the nearest first.
func (x *Explainer) reached(c *counter, mode travel.Mode, r *travel.Reached) []Place {
	keys := map[uint32][]Part{} // by node of the mode
	for _, foot := range slices.Sorted(maps.Keys(x.keys)) {
		if node, ok := x.nodeFor(mode, foot); ok {
			keys[node] = append(keys[node], x.keys[foot]...)
		}
	}
	list, n := []Place{}, c.n[slices.Index(schemas.TravelCounted, x.measure.Of)]
	for k, node := range r.Nodes() {
		if n[node] > 0 && within(r, k, x.measure) {
			slices.SortStableFunc(keys[node], func(a, b Part) int { return cmp.Compare(b.Number, a.Number) })
			at := nodeAt(node, c.at[node])
			if mode == travel.Car {
				at.FID = 0
			}
			list = append(list, Place{at, int(r.Seconds(k)[0]), float64(n[node]) / 1000, keys[node]})
		}
	}
	slices.SortFunc(list, func(a, b Place) int {
		return cmp.Or(cmp.Compare(a.Seconds, b.Seconds), cmp.Compare(a.FID, b.FID), cmp.Compare(a.Lat, b.Lat), cmp.Compare(a.Lng, b.Lng))
	})
	return list
}

// Package edges finds where the streets, places and stops of a region end, and how much of what a search would look at is
// beyond (docs/methods.md, 0.2). Input: staged sources with their declared extents, streets and destinations. Output: an
// Edges, by which searches that reach too far beyond have no value.
package edges

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/extent"
	"quartier/internal/geo"
	"quartier/internal/network"
	"quartier/internal/outline"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/staged"
	"quartier/transform/feature"
	"quartier/transform/network/destination"
	"quartier/transform/network/street"
)

// Edges is where the streets of a region and its places of each class end, as seen from every node. Nil has none.
type Edges struct {
	Streets *layer // nil: no search for streets reaches beyond

	classes map[string]*layer // of destinations and of schemas.HeardClasses; the streets end there too
	most    float64
	missed  float64
	unseen  float64
	spread  float64
	beyond  []uint32 // of each node, the greatest share of an absent value in millionths; atomic
}

// Land reports whether a source could have something at a point: it is in Canada or the United States, and not on water.
type Land func(orb.Point) bool

// Derive finds the edges of a region. It needs 30 bytes a node for each set of sources that have a class of places.
func Derive(ctx context.Context, db *duck.DB, net *street.Network, set *destination.Set, land Land,
	c *calibration.Calibration) (*Edges, error) {
	extents, err := Read(ctx, db, &c.Coverage.Hull)
	if err != nil {
		return nil, err
	}
	dry, err := withoutWater(ctx, db, land)
	if err != nil {
		return nil, err
	}
	namesakes, err := readNamesakes(ctx, db)
	if err != nil {
		return nil, err
	}
	streets := map[string]bool{}
	for i := range net.Streets {
		if s := &net.Streets[i]; s.Car != "no" {
			streets[s.Source] = true
		}
	}
	d := &deriver{ctx: ctx, graph: net.Walk, land: dry, extents: extents, made: map[string]*layer{}}
	e := &Edges{classes: map[string]*layer{}, most: c.Coverage.MaxBeyond, missed: c.Coverage.MaxMissed, unseen: c.Coverage.MaxUnseen,
		spread: c.Coverage.MaxSpread, beyond: make([]uint32, len(net.Walk.Nodes))}
	e.Streets = d.within(extents.of(streets))
	for _, class := range schemas.DestinationClasses {
		e.classes[class] = d.within(extents.of(streets), extents.of(namesakes.of(sourcesOf(set, class, c.Known.Survey.Kinds))))
	}
	heard, err := feature.ReadHeard(ctx, db)
	if err != nil {
		return nil, err
	}
	for _, class := range schemas.HeardClasses {
		e.classes[class] = d.within(extents.of(streets), extents.of(namesakes.of(heard[class].Sources)))
	}
	return e, d.err
}

// sourcesOf are the sources that have places of a class, and those of so many kinds that they are surveys, except for schools
// where they are those of lists. Where some kind of stop is
// known the others are too, so that all have the sources of all.
func sourcesOf(set *destination.Set, class string, kinds int) map[string]bool {
	sources := map[string]bool{}
	classes := []string{class}
	if slices.Contains(destination.Transport, class) {
		classes = destination.Transport
	}
	for _, class := range classes {
		for _, d := range set.Of(class) {
			sources[d.Source] = true
		}
	}
	for _, s := range set.Contents {
		if s.Kinds >= kinds && (set.SchoolLists == nil || !slices.Contains(destination.SchoolClasses, class)) {
			sources[s.Source] = true
		}
	}
	return sources
}

// namesakes are sources of neighbouring regions that have the id and kind of another one: extracts of the same. What one has
// in one region only, and none of near the border, it has looked for in the other too.
type namesakes map[string]string // kind and id in its own region, by source

func readNamesakes(ctx context.Context, db *duck.DB) (namesakes, error) {
	type source struct {
		SourceID string `col:"source_id"`
		Kind     string `col:"kind"`
	}
	n := namesakes{}
	for row, err := range sqlrow.Select[source](ctx, db, "SELECT source_id, kind FROM source") {
		if err != nil {
			return nil, fmt.Errorf("read sources: %w", err)
		}
		n[row.SourceID] = row.Kind + " " + staged.Original(row.SourceID)
	}
	return n, nil
}

// of are some sources and their namesakes.
func (n namesakes) of(sources map[string]bool) map[string]bool {
	names := map[string]bool{}
	for id := range sources {
		names[n[id]] = true
	}
	all := maps.Clone(sources)
	for id, name := range n {
		if names[name] {
			all[id] = true
		}
	}
	return all
}

// deriver makes edges, once for each set of extents.
type deriver struct {
	ctx     context.Context
	graph   *network.Graph
	land    Land
	extents *Extents
	made    map[string]*layer
	err     error
}

// within are the edges of the ground that is in one of the extents of each layer.
func (d *deriver) within(layers ...[]*Extent) *layer {
	if d.err != nil {
		return nil
	}
	layers = slices.DeleteFunc(layers, func(layer []*Extent) bool { return layer == nil })
	layers = slices.CompactFunc(layers, func(a, b []*Extent) bool { return key(a) == key(b) })
	var keys []string
	for _, layer := range layers {
		keys = append(keys, key(layer))
	}
	all := strings.Join(keys, " ")
	if l, made := d.made[all]; made {
		return l
	}
	outside := func(p orb.Point) bool {
		return slices.ContainsFunc(layers, func(layer []*Extent) bool {
			return !slices.ContainsFunc(layer, func(e *Extent) bool { return e.Contains(p) })
		})
	}
	unknown := func(p orb.Point) bool { return outside(p) && d.land(p) }
	ground, err := extent.NewGround(d.ctx, d.graph.Nodes, extent.MaxReachM, unknown)
	var e *extent.Edges
	if err == nil {
		e, err = extent.NewEdges(d.ctx, ground, d.graph.Nodes)
	}
	if d.err = err; e != nil {
		d.made[all] = d.exitsOf(e, unknown, outside)
	} else {
		d.made[all] = nil
	}
	return d.made[all]
}

// withoutWater is land without the lakes and rivers of the sources.
func withoutWater(ctx context.Context, db *duck.DB, land Land) (Land, error) {
	const leastM2 = 250 * 250 // of package extent's cells: smaller waters hide none
	var waters []*geo.Prepared
	var boxes []orb.Bound
	err := feature.Shapes(ctx, db, "land", func(f *feature.Feature, area orb.MultiPolygon) {
		if f.Class == "water" && geo.Area(area) >= leastM2 {
			waters, boxes = append(waters, geo.Prepare(area)), append(boxes, area.Bound())
		}
	})
	if err != nil {
		return nil, fmt.Errorf("water: %w", err)
	}
	index := coord.NewBoxIndex(boxes)
	return func(p orb.Point) bool {
		if outline.At(p) == "" || !land(p) {
			return false
		}
		dry := true
		index.At(p, func(i int) bool {
			dry = !waters[i].Contains(p)
			return dry
		})
		return dry
	}, nil
}

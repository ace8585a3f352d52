package tiles

import (
	"context"
	"fmt"
	"hash/maphash"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/schemas/ground"
	"quartier/schemas/staged"
)

// groundScan emits some layers of the ground: those of staged.ground, and in a region that has none of a kind there what its
// lists have.
type groundScan struct {
	*scan
	numbers map[layer]uint64
	seen    map[uint64]bool // hashes of wide rows, which every region may have
	seed    maphash.Seed
	exact   exact               // of all regions
	edges   map[string][2]int64 // first and last fid of the streets of each region, which follow each other; nil: not read
}

func (s *scan) newGround() *groundScan {
	return &groundScan{scan: s, numbers: map[layer]uint64{}, seen: map[uint64]bool{}, seed: maphash.MakeSeed()}
}

// groundStreets, groundBuildings and groundRest emit all layers of the ground, each layer by one of them.
func (s *scan) groundStreets(ctx context.Context) error {
	return s.newGround().read(ctx, "layer = 'streets'", list{"road", (*groundScan).listedStreets}, list{"rail", (*groundScan).listedRail})
}

func (s *scan) groundBuildings(ctx context.Context) error {
	return s.newGround().read(ctx, "layer = 'buildings'")
}

func (s *scan) groundRest(ctx context.Context) error {
	return s.newGround().read(ctx, "layer NOT IN ('streets', 'buildings')", list{"water", (*groundScan).listedWater},
		list{"land", (*groundScan).listedLand})
}

// list is what the lists of a region have of the ground: read emits it.
type list struct {
	name string
	read func(*groundScan, context.Context, Region) error
}

// listOf is the name of the list in the place of which a row is; "" for none.
func listOf(r *staged.Ground) string {
	switch {
	case isWide(r):
		return ""
	case r.Layer == "streets" && slices.Contains(rails, r.Kind):
		return "rail"
	case r.Layer == "streets" && r.Kind != "runway" && r.Kind != "taxiway":
		return "road"
	case r.Layer == "water_polygons" || r.Layer == "water_lines":
		return "water"
	case r.Layer == "land":
		return "land"
	}
	return ""
}

func (g *groundScan) read(ctx context.Context, where string, lists ...list) (err error) {
	if g.exact, err = readExact(ctx, g.in.Regions); err != nil {
		return err
	}
	for _, region := range g.in.Regions {
		has := map[string]bool{}
		query := "SELECT * FROM ground WHERE " + where + " ORDER BY layer, source_id, source_key"
		err := eachOf(ctx, region.Staged, query, func(r *staged.Ground) error {
			has[listOf(r)] = true
			return g.row(r)
		})
		for _, l := range lists {
			if err == nil && !has[l.name] {
				err = l.read(g, ctx, region)
			}
		}
		if err != nil {
			return fmt.Errorf("region %s: %w", region.Name, err)
		}
	}
	return nil
}

// row emits a row and its label.
func (g *groundScan) row(r *staged.Ground) error {
	_, kind, known := ground.Find(r.Layer, r.Kind)
	shape, err := geo.Geometry(r.Geom)
	if err != nil || !known {
		return fmt.Errorf("%s %s %s: a row that is unknown or has no geometry, %w", r.Layer, r.Kind, r.SourceKey, err)
	}
	f := feature{layer: layerNamed[r.Layer], min: lowestZoom(r, kind), wide: isWide(r)}
	if f.wide {
		hash := maphash.Bytes(g.seed, append(append([]byte(r.Layer), r.Geom...), r.Name...))
		if g.seen[hash] {
			return nil
		}
		g.seen[hash] = true
		f.max = g.exact.last(r, shape)
		if f.max < f.min && f.max > 0 {
			return nil
		}
	}
	g.describe(&f, r)
	switch shape := shape.(type) {
	case orb.Point:
		f.geometry = onGrid(shape)
		return g.emit(&f)
	case orb.LineString:
		if r.Layer == "streets" {
			f.number |= streetOrder(r) << 40
		}
		if err := g.line(&f, shape); err != nil {
			return err
		}
		if f.wide && f.max < lastWide { // it goes on elsewhere
			f.min, f.max = f.max+1, lastWide
			for _, part := range g.exact.outside(r.Layer, shape) {
				if err := g.line(&f, part); err != nil {
					return err
				}
			}
		}
		return g.labelLine(&f, r, shape)
	case orb.MultiPolygon:
		if err := g.area(&f, shape); err != nil {
			return err
		}
		return g.labelArea(&f, r, shape)
	}
	return fmt.Errorf("%s %s %s is a %T", r.Layer, r.Kind, r.SourceKey, shape)
}

// describe gives a feature its number and properties.
func (g *groundScan) describe(f *feature, r *staged.Ground) {
	g.numbers[f.layer]++
	f.number = g.numbers[f.layer]
	props := properties{}
	for i := range layers[f.layer].fields {
		if field := &layers[f.layer].fields[i]; field.name != lastField {
			props = append(props, valueOf(r, field))
		}
	}
	f.props = props.encode()
}

// labelLine emits the line along which the name of a street or of water is.
func (g *groundScan) labelLine(f *feature, r *staged.Ground, line orb.LineString) error {
	label, lowest := *r, uint8(0)
	switch {
	case r.Name == "" && r.Ref == "":
		return nil
	case r.Layer == "streets":
		label.Layer, lowest = "street_labels", labelZoom(r.Kind, r.Link)
	case r.Layer == "water_lines" && r.Name != "":
		label.Layer, lowest = "water_lines_labels", waterLabelZoom
	default:
		return nil
	}
	l := feature{layer: layerNamed[label.Layer], min: max(f.min, lowest), max: f.max, wide: f.wide}
	g.describe(&l, &label)
	return g.line(&l, line)
}

// mercatorMetres is a unit of the grid in metres of Mercator's map, those of the equator.
const mercatorMetres = 2 * math.Pi * 6378137 / world

// labelArea emits the point at which the name of an area is, from the zoom on at which there may be room for it.
func (g *groundScan) labelArea(f *feature, r *staged.Ground, area orb.MultiPolygon) error {
	label := *r
	switch {
	case r.Name == "":
		return nil
	case r.Layer == "water_polygons":
		label.Layer = "water_polygons_labels"
	case r.Layer == "street_polygons":
		label.Layer = "streets_polygons_labels"
	default:
		return nil
	}
	at, ok := geo.InteriorPoint(area)
	if !ok {
		return nil
	}
	size := sizeOf(f.geometry.(orb.MultiPolygon))
	l := feature{layer: layerNamed[label.Layer], max: f.max, wide: f.wide, geometry: onGrid(at)}
	l.min = max(f.min, areaZoom(size/labelRoom, 0), layers[l.layer].min)
	g.describe(&l, &label)
	if label.Layer == "water_polygons_labels" {
		metres := int64(math.Round(size * mercatorMetres * mercatorMetres))
		l.props = append(l.props[:len(l.props)-1], properties{metres}.encode()...) // in the place of none
	}
	return g.emit(&l)
}

// labelRoom is how many times the least area an area with a name in it has: 32 by 32 pixels of a tile at 512 pixels.
const labelRoom = 64

// isWide reports whether a row is of a source for low zooms that goes far beyond a region.
func isWide(r *staged.Ground) bool { return r.MinZoom != nil && layers[layerNamed[r.Layer]].min == 0 }

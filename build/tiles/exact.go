package tiles

import (
	"context"
	"math"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/schemas/staged"
)

// exact is where regions have rows of the ground that are more exact than those of a wide source: there a wide row is drawn at
// the zooms below theirs alone.
type exact struct {
	boxes  map[string][]orb.Bound // of rows, by layer and region
	places map[string][]exactPlace
}

type exactPlace struct {
	at  orb.Point
	min uint8
}

// lowestExact are the zooms from which on the rows of regions are drawn in place of wide ones, by layer.
var lowestExact = map[string]uint8{"water_polygons": 10, "water_lines": 9, "boundaries": 7}

func readExact(ctx context.Context, regions []Region) (exact, error) {
	e := exact{map[string][]orb.Bound{}, map[string][]exactPlace{}}
	for _, region := range regions {
		boxes := map[string]orb.Bound{}
		const query = "SELECT * FROM ground WHERE layer IN ('water_polygons', 'water_lines', 'boundaries', 'place_labels') AND min_zoom IS NULL"
		err := eachOf(ctx, region.Staged, query, func(r *staged.Ground) error {
			shape, err := geo.Geometry(r.Geom)
			if err != nil {
				return err
			}
			if at, isPoint := shape.(orb.Point); isPoint {
				name := strings.ToLower(r.Name)
				e.places[name] = append(e.places[name], exactPlace{at, placeZoom(r.Kind)})
				return nil
			}
			box, found := boxes[r.Layer]
			if !found {
				box = shape.Bound()
			}
			boxes[r.Layer] = box.Union(shape.Bound())
			return nil
		})
		if err != nil {
			return e, err
		}
		for layer, box := range boxes {
			e.boxes[layer] = append(e.boxes[layer], box)
		}
	}
	return e, nil
}

// nearPlace is how many degrees apart two sources may have a place.
const nearPlace = 0.15

// lastWide is the highest zoom of lines of wide sources: enlarged more, they are where nothing is.
const lastWide = WideZoom

// last is the highest zoom at which a wide row is drawn where it is; 0: all.
func (e *exact) last(r *staged.Ground, shape orb.Geometry) uint8 {
	if at, isPoint := shape.(orb.Point); isPoint {
		for _, p := range e.places[strings.ToLower(r.Name)] {
			if math.Abs(p.at[0]-at[0]) < nearPlace && math.Abs(p.at[1]-at[1]) < nearPlace {
				return p.min - 1
			}
		}
		return 0
	}
	for _, box := range e.boxes[r.Layer] {
		if box.Intersects(shape.Bound()) {
			return lowestExact[r.Layer] - 1
		}
	}
	if _, isLine := shape.(orb.LineString); isLine {
		return lastWide
	}
	return 0
}

// outside are the parts of a line that are in no box of its layer.
func (e *exact) outside(layer string, line orb.LineString) (parts []orb.LineString) {
	begun := 0
	for i := 1; i <= len(line); i++ {
		if i < len(line) && !e.meets(layer, line[i-1:i+1]) {
			continue
		}
		if i-begun >= 2 {
			parts = append(parts, line[begun:i])
		}
		begun = i
	}
	return parts
}

func (e *exact) meets(layer string, segment orb.LineString) bool {
	for _, box := range e.boxes[layer] {
		if box.Intersects(segment.Bound()) {
			return true
		}
	}
	return false
}

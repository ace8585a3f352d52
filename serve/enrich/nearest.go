package enrich

import (
	"encoding/json"
	"fmt"

	table "quartier/internal/pack/pois"
	"quartier/internal/pack/strips"
	"quartier/schemas"
	"quartier/schemas/column"
	"quartier/serve/product/pois"
	"quartier/serve/scope"
)

// nearestFiller fills the names and distances of the nearest POIs of categories.
type nearestFiller struct {
	nearest []nearestPOIs
	found   table.Result
	names   map[uint32]string // of POIs
	text    []byte
}

// nearestPOIs is a category whose nearest POIs are asked for.
type nearestPOIs struct{ category, count int }

// openNearest has the nearest POIs of the categories that were chosen.
func openNearest(e *Enricher) (part, error) {
	return e.openNearest(within(pois.MaxRadiusM))
}

// openShapeNearest has those in the shape that are nearest to its centroid.
func openShapeNearest(e *Enricher) (part, error) { return e.openNearest(inShape) }

func (e *Enricher) openNearest(where schemas.Text) (part, error) {
	ids := schemas.CategoryIDs(schemas.Categories)
	chosen, err := e.choice.nearest(ids)
	if err == nil && len(chosen) == 0 {
		err = badChoice("nearest: no category is given")
	}
	if err != nil {
		return part{}, err
	}
	var p part
	for _, n := range chosen {
		for k := range n.count {
			p.columns = append(p.columns, e.choice.nearestColumns(fmt.Sprintf("nearest_%s_%d", ids[n.category], k+1),
				schemas.Categories[n.category].Label, where)...)
		}
	}
	p.filler = func() filler { return &nearestFiller{nearest: chosen, names: map[uint32]string{}} }
	return p, nil
}

// nearestColumns are the name and the distance of something near.
func (c *Choice) nearestColumns(name string, what, where schemas.Text) (columns []Column) {
	for _, member := range []string{"name", "m"} {
		of := column.Of("pois.nearest_"+member).With("label", what).With("where", where)
		columns = append(columns, c.column(name+"_"+member, of))
	}
	return columns
}

func (f *nearestFiller) fill(at *place, k int, out []vector) bool {
	for _, n := range f.nearest {
		for i, hit := range f.search(at, n) {
			out[2*i].texts[k], out[2*i+1].numbers[k] = f.name(&at.release, hit), int64(hit.Decimetres)
		}
		out = out[2*n.count:]
	}
	return true
}

// The radius that a search of the nearest begins with, and by how much it grows until enough are found.
const (
	firstRadiusM = 500.0
	radiusGrowth = 2
)

// search finds the nearest POIs of a category. Those in a smaller circle are the nearest of all, unless others just beyond it
// are as far away.
func (f *nearestFiller) search(at *place, n nearestPOIs) []strips.Hit {
	if at.shape != nil {
		at.release.POIs(&table.Query{Shape: at.shape.search(), Categories: 1 << n.category, Limit: n.count}, &f.found)
		return f.found.Hits
	}
	for radius := firstRadiusM; ; radius *= radiusGrowth {
		radius = min(radius, pois.MaxRadiusM)
		at.release.POIs(&table.Query{
			Shape: table.Shape{Lng: at.lng, Lat: at.lat, RadiusM: radius}, Categories: 1 << n.category, Limit: n.count,
		}, &f.found)
		hits := f.found.Hits
		if radius == pois.MaxRadiusM || len(hits) == n.count && hits[n.count-1].Metres() < radius-0.1 {
			return hits
		}
	}
}

// maxNames is how many names of POIs are kept.
const maxNames = 1 << 17

// name is the name of a POI, from the JSON that the API answers with; "" if it has none.
func (f *nearestFiller) name(r *scope.Release, hit strips.Hit) string {
	name, known := f.names[hit.Index]
	if !known {
		if len(f.names) == maxNames {
			clear(f.names)
		}
		f.text = r.POITable().AppendPOI(f.text[:0], hit)
		name = nameIn(f.text)
		f.names[hit.Index] = name
	}
	return name
}

// nameIn is the member "name" of a JSON object; "" where there is none.
func nameIn(text []byte) string {
	var named struct{ Name string }
	if json.Unmarshal(text, &named) != nil {
		return "" // of a damaged file
	}
	return named.Name
}

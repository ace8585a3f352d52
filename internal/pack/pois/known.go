package pois

import (
	"fmt"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/pack"
	"quartier/schemas"
)

// Known is the categories that are known at a place: of which none found near means that none exists. Unlike in a
// CategorySet no bits are no categories.
type Known struct {
	Categories uint64 // by index in schemas.Categories
	Base       uint64 // by index in schemas.BaseCategories
}

// knownGround is ground on which some categories are known.
type knownGround struct {
	Known
	outline coord.Area    // of a Writer
	area    *geo.Prepared // of a Table
}

// KnownAt returns the categories that are known at a point.
func (t *Table) KnownAt(lng, lat float64) (k Known) {
	if t.ungrounded {
		return Known{1<<NumCategories - 1, 1<<NumBaseCategories - 1}
	}
	at := orb.Point{lng, lat}
	for i := range t.known {
		if g := &t.known[i]; (g.Categories&^k.Categories != 0 || g.Base&^k.Base != 0) && g.area.Contains(at) {
			k.Categories |= g.Categories
			k.Base |= g.Base
		}
	}
	return k
}

// AddKnown adds ground on which some categories and base categories are known, by their ids. Parts of the ground may overlap.
func (w *Writer) AddKnown(categories, baseCategories []string, outline orb.MultiPolygon) (err error) {
	var g knownGround
	for _, id := range categories {
		i, ok := schemas.CategoryIndex(id)
		if !ok {
			return fmt.Errorf("known ground: unknown category %q", id)
		}
		g.Categories |= 1 << i
	}
	for _, id := range baseCategories {
		i, ok := schemas.BaseCategoryIndex(id)
		if !ok {
			return fmt.Errorf("known ground: unknown base category %q", id)
		}
		g.Base |= 1 << i
	}
	if g.outline, err = coord.NewArea(outline); err != nil {
		return fmt.Errorf("known ground: %w", err)
	}
	w.known = append(w.known, g)
	return nil
}

func (w *Writer) writeKnown(out *pack.Writer) {
	categories, base := pack.NewSection[uint64](out, "known.category"), pack.NewSection[uint64](out, "known.base")
	outlines, rings := pack.NewLists[coord.Point](out, "known.outline"), pack.NewLists[uint32](out, "known.ring")
	for i := range w.known {
		g := &w.known[i]
		categories.Append(g.Categories)
		base.Append(g.Base)
		outlines.Append(g.outline.Points)
		rings.Append(g.outline.Ends)
	}
}

// loadKnown prepares the outlines: there are a few for each region.
func loadKnown(l *pack.Loader) []knownGround {
	categories := pack.Load[uint64](l, "known.category", pack.Any)
	base := pack.Load[uint64](l, "known.base", len(categories))
	outlines := pack.LoadLists[coord.Point](l, "known.outline", len(categories))
	rings := pack.LoadLists[uint32](l, "known.ring", len(categories))
	if l.Err() != nil {
		return nil
	}
	list := make([]knownGround, len(categories))
	for i := range list {
		area := coord.Area{Points: outlines.At(i), Ends: rings.At(i)}
		var polygon orb.Polygon // all rings: inside is decided by all of them together
		for n := range area.Ends {
			var ring orb.Ring
			for _, p := range area.Ring(n) {
				ring = append(ring, p.Orb())
			}
			if ring != nil {
				polygon = append(polygon, ring)
			}
		}
		list[i] = knownGround{Known: Known{categories[i], base[i]}, area: geo.Prepare(orb.MultiPolygon{polygon})}
	}
	return list
}

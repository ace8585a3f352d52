package poi

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/derived"
	"quartier/schemas/reason"
	"quartier/schemas/staged"
	"quartier/transform/issue"
	"quartier/transform/places/normalize"
)

var (
	correctionOutside = Reasons.Rejected("correction_outside_coverage",
		"The correction would move the place outside every state and province of the region's coverage.")
	correctionOverBorder = Reasons.Rejected("correction_over_border",
		"The correction would move the place into another state or province; drop it, and add it there by a source of places.")
)

// Corrections reads the staged corrections in the order of their sources and lines.
func Corrections(ctx context.Context, db *duck.DB) ([]staged.Correction, error) {
	var list []staged.Correction
	const query = "SELECT correction.* FROM correction LEFT JOIN source USING (source_id) ORDER BY priority, source_id, line"
	for row, err := range sqlrow.Select[staged.Correction](ctx, db, query) {
		if err != nil {
			return nil, fmt.Errorf("read corrections: %w", err)
		}
		list = append(list, *row)
	}
	return list, nil
}

// corrector applies corrections to POIs.
type corrector struct {
	result *Result
	places Places
	issues *issue.Counter
}

// Correct applies corrections in their order. It comes after duplicates are merged: a correction of a record is then one of
// the place, and a later record of the place cannot undo it. elsewhere are the indices of those whose place is not a POI: they
// are not missed.
func (r *Result) Correct(corrections []staged.Correction, elsewhere map[int]bool, places Places) error {
	if len(corrections) == 0 {
		return nil
	}
	c := &corrector{r, places, issue.NewCounter("poi")}
	for i := range corrections {
		c.apply(&corrections[i], elsewhere[i])
	}
	r.Brands = r.places.brandsOf()
	r.Issues = append(r.Issues, c.issues.Issues()...)
	return r.places.err
}

func (c *corrector) apply(fix *staged.Correction, elsewhere bool) {
	where := fmt.Sprintf("%s line %d: %s", fix.SourceID, fix.Line, cmp.Or(fix.PlaceKey, fix.Name))
	number, found := c.find(fix)
	if !found && elsewhere {
		return
	}
	if !found {
		c.issues.Add(issue.CorrectionWithoutPlace.With(fix.Action), where)
		return
	}
	all := c.result.places
	p, at := all.poi(number), &all.list[number]
	all.edited[number] = p
	done := derived.Correction{POIKey: p.Key, SourceID: fix.SourceID, Line: fix.Line, Action: fix.Action}
	switch fix.Action {
	case schemas.DropPlace:
		done.Was, at.into = p.Name, dropped
	case schemas.RenamePlace:
		done.Was, done.Became = p.Name, normalize.Space(fix.NewName)
		p.Name, p.unnamed = done.Became, false
	case schemas.RecategorisePlace:
		done.Was = p.categories.ids()
		c.recategorise(p, fix.Categories)
		at.categories = p.categories
		done.Became = p.categories.ids()
	case schemas.MovePlace:
		done.Was = latLng(p.Point)
		if why := c.move(p, orb.Point{*fix.NewLng, *fix.NewLat}); !why.OK() {
			c.issues.Add(why, where)
			return
		}
		at.point = p.Point
		done.Became = latLng(p.Point)
	}
	c.issues.Add(issue.CorrectionApplied.With(fix.Action), where)
	c.result.Corrections = append(c.result.Corrections, done)
}

// find returns the place of a correction; false where it is not there or was dropped.
func (c *corrector) find(fix *staged.Correction) (found int32, some bool) {
	all := c.result.places
	if fix.PlaceKey != "" {
		return all.find(fix.PlaceKey)
	}
	at, name := orb.Point{*fix.Lng, *fix.Lat}, normalize.Name(fix.Name)
	plane, nearest := geo.NewPlane(at), *fix.WithinM
	const metresPerDegree = 110_000          // of latitude, at least
	all.each(func(i int32, p *entry) error { // by key, so that of two at the same distance the first is taken
		if math.Abs(p.point[1]-at[1]) > nearest/metresPerDegree || normalize.Name(all.poi(i).Name) != name {
			return nil
		}
		if d := plane.Distance(p.point); d < nearest || d == nearest && !some {
			found, nearest, some = i, d, true
		}
		return nil
	})
	return found, some
}

// recategorise replaces the categories, and the tags that follow from them.
func (c *corrector) recategorise(p *POI, ids string) {
	set, err := parseSet(ids)
	if err != nil {
		panic(err) // ingest has checked them
	}
	p.categories = c.result.mapping.expand(set)
	p.Tags = slices.DeleteFunc(p.Tags, func(tag string) bool {
		return slices.Contains([]string{"unhealthy", "chain", "independent"}, tag)
	})
	p.finish()
}

// move gives a place another point of its state, with the city there if it had that of the old one, or returns why it stays.
func (c *corrector) move(p *POI, to orb.Point) reason.Reason {
	country, state, ok := c.places.StateAt(to)
	if !ok {
		return correctionOutside
	}
	if country != p.CountryCode || state != p.StateCode {
		return correctionOverBorder.With(p.StateCode + " to " + state)
	}
	if p.City == c.places.CityAt(p.Point) {
		p.City = c.places.CityAt(to)
	}
	p.Point = to
	return reason.Reason{}
}

func latLng(p orb.Point) string { return fmt.Sprintf("%.6f %.6f", p[1], p[0]) }

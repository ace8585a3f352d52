package facts

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/pointindex"
	"quartier/schemas"
	"quartier/schemas/profile"
)

// part is a neighbourhood that larger geographies may contain.
type part struct {
	id, name, nameFR string
	at               orb.Point
	people           int64 // 0: not known
	areaM2           float64
}

// whole is a county or region that smaller geographies may be in.
type whole struct {
	id, name, nameFR string
	level            schemas.Level
	country          string
	outline          *geo.Prepared
}

// hierarchy finds which current geographies contain each other.
type hierarchy struct {
	index  *pointindex.Index
	parts  []part
	wholes []whole
	boxes  *coord.BoxIndex
}

// partStripM is the height of a strip of the index in metres.
const partStripM = 5000

func readHierarchy(ctx context.Context, db *sql.DB) (*hierarchy, error) {
	x := &hierarchy{}
	parts, err := released.Collect(ctx, db, `SELECT geog_id, name_en, name_fr, centroid_lng, centroid_lat, coalesce(population, 0), area_m2
		FROM geography WHERE level = 10 ORDER BY geog_id`, func(rows *sql.Rows, p *part) error {
		return rows.Scan(&p.id, &p.name, &p.nameFR, &p.at[0], &p.at[1], &p.people, &p.areaM2)
	})
	if err != nil {
		return nil, fmt.Errorf("read neighbourhoods: %w", err)
	}
	points := make([]coord.Point, len(parts))
	for i := range parts {
		points[i], _ = coord.NewPoint(parts[i].at[0], parts[i].at[1])
	}
	index, order := pointindex.New(points, partStripM)
	x.index, x.parts = index, make([]part, len(parts))
	for i, from := range order {
		x.parts[i] = parts[from]
	}
	var boxes []orb.Bound
	x.wholes, err = released.Collect(ctx, db, `SELECT geog_id, name_en, name_fr, level, country_code, geometry
		FROM geography WHERE level IN (37, 38) ORDER BY level, geog_id`, func(rows *sql.Rows, w *whole) error {
		var blob sql.RawBytes
		if err := rows.Scan(&w.id, &w.name, &w.nameFR, &w.level, &w.country, &blob); err != nil {
			return err
		}
		m, err := released.ReadMultiPolygon(blob)
		w.outline = geo.Prepare(m)
		boxes = append(boxes, m.Bound())
		return err
	})
	x.boxes = coord.NewBoxIndex(boxes)
	return x, err
}

// overlapParallels is the number of parallels along which shares of areas are measured.
const overlapParallels = 64

// within gives the county or region that the geography is in, and how many neighbourhoods it contains.
func (c *collector) within() {
	x := c.world.hierarchy
	level := schemas.Level(c.place.Level)
	box := c.outline.Bound()
	x.boxes.At(box.Center(), func(item int) bool {
		w := &x.wholes[item]
		if w.level <= level || w.country != c.place.Country || w.name == c.place.NameEN || w.name == c.place.CityEN ||
			geo.Overlap(c.outline, w.outline, overlapParallels) < constants().Inside {
			return true
		}
		kind := "county"
		switch {
		case w.level == schemas.Region:
			kind = "region"
		case w.country == "CA":
			kind = "census_division"
		}
		c.add(profile.Fact{Section: profile.Intro, Code: profile.BoundedByFact, Subject: kind, Name: w.name, NameFR: french(w.name, w.nameFR),
			Value: float64(w.level), Source: "geography:" + w.id})
		return true
	})
	if level == schemas.Neighbourhood || level == schemas.PostalArea {
		return
	}
	count, areaM2, largest := 0, 0.0, (*part)(nil)
	x.index.SearchBox(box, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			p := &x.parts[i]
			if !c.outline.Contains(p.at) {
				continue
			}
			count, areaM2 = count+1, areaM2+p.areaM2
			if largest == nil || p.larger(largest) {
				largest = p
			}
		}
	})
	if count >= 2 && areaM2 >= constants().LeastParts*c.place.AreaM2 {
		c.add(profile.Fact{Section: profile.Intro, Code: profile.ContainsFact, Name: largest.name, NameFR: french(largest.name, largest.nameFR),
			Value: float64(count), Source: "geography:" + c.place.ID + " geography:" + largest.id})
	}
}

// larger reports whether a neighbourhood is larger than another: by people or, if they are not known of both, by area.
func (p *part) larger(than *part) bool {
	switch {
	case p.people > 0 && than.people > 0 && p.people != than.people:
		return p.people > than.people
	case p.areaM2 != than.areaM2:
		return p.areaM2 > than.areaM2
	}
	return p.id < than.id
}

// french is a French name, "" where it is the English one.
func french(en, fr string) string {
	if fr == en {
		return ""
	}
	return fr
}

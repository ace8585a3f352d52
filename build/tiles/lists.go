package tiles

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/ground"
	"quartier/schemas/staged"
)

// listedStreets emits the streets that are open to pedestrians, and then the others of the region.
func (g *groundScan) listedStreets(ctx context.Context, region Region) error {
	const query = "SELECT class, coalesce(name, ''), coalesce(name_fr, ''), geometry FROM street_edge WHERE fid BETWEEN ? AND ? ORDER BY fid"
	if err := g.readEdges(ctx); err != nil {
		return err
	}
	of := g.edges[region.Name]
	street := func(class, name, fr string, wkb []byte) error {
		r := staged.Ground{Layer: "streets", Name: name, NameFR: fr, Geom: wkb}
		r.Kind, r.Link, r.Service = kindOf(class)
		return g.row(&r)
	}
	err := g.eachRow(ctx, schemas.AccessFile, query, sqlrow.Visit4(func(class, name, fr string, blob sql.RawBytes) error {
		wkb, err := released.WKB(blob)
		if err != nil {
			return fmt.Errorf("street %s: %w", name, err)
		}
		return street(class, name, fr, wkb)
	}), of[0], of[1])
	if err != nil {
		return err
	}
	type row struct {
		Class  string `col:"class"`
		Name   string `col:"name,null"`
		NameFR string `col:"name_fr,null"`
		Geom   []byte `col:"geom"`
	}
	const roads = "SELECT class, name, name_fr, geom FROM street WHERE NOT foot AND car <> 'no' ORDER BY source_id, source_key"
	return eachOf(ctx, region.Staged, roads, func(r *row) error { return street(r.Class, r.Name, r.NameFR, r.Geom) })
}

// readEdges reads which streets are of which region.
func (g *groundScan) readEdges(ctx context.Context) error {
	if g.edges != nil {
		return nil
	}
	g.edges = map[string][2]int64{}
	return g.eachRow(ctx, schemas.AccessFile, "SELECT region, min(fid), max(fid) FROM street_edge GROUP BY region",
		sqlrow.Visit3(func(region string, first, last int64) error {
			g.edges[region] = [2]int64{first, last}
			return nil
		}))
}

// listed is a staged feature.
type listed struct {
	Class string `col:"class"`
	Name  string `col:"name,null"`
	Geom  []byte `col:"geom"`
}

// features calls visit for the staged features of a kind.
func (g *groundScan) features(ctx context.Context, region Region, kind string, visit func(*listed) error) error {
	query := "SELECT class, name, geom FROM feature WHERE kind = '" + kind + "' ORDER BY source_id, source_key"
	return eachOf(ctx, region.Staged, query, visit)
}

// listedRail emits tracks.
func (g *groundScan) listedRail(ctx context.Context, region Region) error {
	kinds := map[string][2]string{"main": {"rail"}, "branch": {"rail"}, "industrial": {"rail", "spur"}, "yard": {"rail", "yard"}}
	return g.features(ctx, region, "rail", func(r *listed) error {
		kind, found := kinds[r.Class]
		if !found {
			kind[0] = r.Class
		}
		return g.row(&staged.Ground{Layer: "streets", Kind: kind[0], Service: kind[1], Name: r.Name, Geom: r.Geom})
	})
}

// listedWater emits areas of water, rivers and canals.
func (g *groundScan) listedWater(ctx context.Context, region Region) error {
	type area struct {
		Geom []byte `col:"geom"`
	}
	err := eachOf(ctx, region.Derived, "SELECT geom FROM water ORDER BY water", func(r *area) error {
		return g.row(&staged.Ground{Layer: "water_polygons", Kind: "water", Geom: r.Geom})
	})
	if err != nil {
		return err
	}
	return g.features(ctx, region, "water", func(r *listed) error {
		if r.Class == "shore" {
			return nil // of an area
		}
		return g.row(&staged.Ground{Layer: "water_lines", Kind: r.Class, Name: r.Name, Geom: r.Geom})
	})
}

// listedLand emits land use, and the parks whose outlines are known.
func (g *groundScan) listedLand(ctx context.Context, region Region) error {
	err := g.features(ctx, region, "land", func(r *listed) error {
		if _, _, known := ground.Find("land", r.Class); !known {
			return nil
		}
		return g.row(&staged.Ground{Layer: "land", Kind: r.Class, Geom: r.Geom})
	})
	if err != nil {
		return err
	}
	if err := g.settled(ctx, region); err != nil {
		return err
	}
	const query = "SELECT geometry FROM landmark WHERE kind = 'park' AND region = ? ORDER BY fid"
	var blob sql.RawBytes
	return g.eachRow(ctx, schemas.ProfilesFile, query, func(rows *sql.Rows) error {
		if err := rows.Scan(&blob); err != nil {
			return err
		}
		wkb, err := released.WKB(blob)
		if err != nil {
			return fmt.Errorf("a park: %w", err)
		}
		shape, err := geo.Geometry(wkb)
		if _, isArea := shape.(orb.MultiPolygon); err != nil || !isArea {
			return err
		}
		return g.row(&staged.Ground{Layer: "land", Kind: "park", Geom: wkb})
	}, region.Name)
}

// builtUp is the people on a square kilometre from which a part of a small area is drawn as residential: 1,000 on a square mile, which
// the Census Bureau calls urban.
const builtUp = 386

// settled emits the parts of small areas where many live, as far as no map says what the ground is used for.
func (g *groundScan) settled(ctx context.Context, region Region) error {
	type part struct {
		People float64 `col:"people"`
		Geom   []byte  `col:"geom"`
	}
	const query = "SELECT v.estimate * p.persons / s.persons AS people, p.geom FROM small_area_part AS p " +
		"JOIN small_area_value AS v ON v.area = p.area AND v.cell = 'population.total' " +
		"JOIN (SELECT area, sum(persons) AS persons FROM small_area_part GROUP BY area) AS s ON s.area = p.area " +
		"WHERE p.persons > 0 ORDER BY p.part"
	return eachOf(ctx, region.Derived, query, func(r *part) error {
		shape, err := geo.MultiPolygon(r.Geom)
		if err != nil || r.People < builtUp*geo.Area(shape)/1e6 {
			return err
		}
		return g.row(&staged.Ground{Layer: "land", Kind: "residential", Geom: r.Geom})
	})
}

package measures

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/network"
	"quartier/internal/pack"
	"quartier/internal/pack/access"
	packed "quartier/internal/pack/travel"
	"quartier/internal/sqlrow"
	"quartier/internal/travel"
	"quartier/internal/travel/streets"
	"quartier/schemas"
	"quartier/schemas/release"
)

// hulls are grounds by region.
type hulls map[string]*geo.Hull

func (h hulls) add(region string, p orb.Point) {
	if h[region] == nil {
		h[region] = new(geo.Hull)
	}
	h[region].Add(p)
}

// Open opens the streets and timetables of a release of which a folder has the packs. They are mapped until close is called.
func Open(dir string) (w *World, close func(), err error) {
	var files []*pack.File
	close = func() {
		for _, f := range files {
			f.Close()
		}
	}
	for _, name := range []string{schemas.AccessPack, schemas.TravelPack} {
		f, err := pack.Open(filepath.Join(dir, name))
		if err != nil {
			close()
			return nil, nil, err
		}
		files = append(files, f)
	}
	table, err := access.Open(files[0])
	if err == nil {
		w = &World{}
		w.World, err = packed.OpenWorld(files[1], table)
	}
	if err != nil {
		close()
		return nil, nil, err
	}
	w.prepare()
	return w, close, nil
}

// prepare finds the places and positions of nodes.
func (w *World) prepare() {
	walk := w.Network(travel.Walk)
	if walk == nil {
		return
	}
	w.At, w.places = positions(walk), make([]network.Place, walk.Nodes())
	for e := range uint32(walk.Snapper().Edges()) {
		edge := walk.Snapper().Edge(e)
		w.places[edge.A], w.places[edge.B] = network.Place{Edge: e}, network.Place{Edge: e, Along: edge.Length}
	}
}

// positions are those of the nodes of a network.
func positions(n *streets.Network) []coord.Point {
	at := make([]coord.Point, n.Nodes())
	for e := range uint32(n.Snapper().Edges()) {
		edge := n.Snapper().Edge(e)
		at[edge.A] = n.Snapper().Point(network.Place{Edge: e})
		at[edge.B] = n.Snapper().Point(network.Place{Edge: e, Along: edge.Length})
	}
	return at
}

// degrees is a point in degrees.
func degrees(p coord.Point) orb.Point {
	lng, lat := p.Degrees()
	return orb.Point{lng, lat}
}

// each queries a file of the release in a folder.
func each(ctx context.Context, dir, name, query string, visit func(*sql.Rows) error) error {
	db, err := released.Open(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	defer db.Close()
	return released.Each(ctx, db, query, nil, visit)
}

// read reads what is counted in a release of which dir has the files of streets and of small areas, beside its jobs. ground has where
// people and groceries are known; known are the regions that know groceries.
func (w *World) read(ctx context.Context, dir string, jobs []release.JobPlace, known map[string]bool) (ground map[string]hulls, err error) {
	ground = map[string]hulls{"jobs": {}, "people": {}, "groceries": {}}
	w.Counted = map[string]*Counted{}
	for _, of := range schemas.TravelCounted {
		w.Counted[of] = new(Counted)
	}
	add := func(of string, node uint32, n uint64) {
		w.Counted[of].At = append(w.Counted[of].At, Amount{node, n})
	}
	for _, j := range jobs {
		at, err := released.ReadPoint(j.Geometry)
		if err != nil {
			return nil, fmt.Errorf("jobs of %s: %w", j.PlaceKey, err)
		}
		if ground["jobs"].add(j.Region, at); j.Node != nil {
			add("jobs", uint32(*j.Node-1), uint64(j.Jobs))
		}
	}
	err = each(ctx, dir, schemas.DemographicsFile, people, sqlrow.Visit3(func(region string, n float64, blob sql.RawBytes) error {
		outline, err := released.ReadMultiPolygon(blob)
		if err != nil {
			return err
		}
		at, ok := geo.InteriorPoint(outline)
		if !ok {
			at = outline.Bound().Center()
		}
		ground["people"].add(region, at)
		if node, ok := nearest(w.Network(travel.Walk), at); ok && n >= 0 {
			add("people", node, uint64(1000*n+.5))
		}
		return nil
	}))
	if err != nil {
		return nil, fmt.Errorf("read people: %w", err)
	}
	err = each(ctx, dir, schemas.AccessFile, groceries, sqlrow.Visit2(func(region string, fid int64) error {
		if known[region] {
			add("groceries", uint32(fid-1), 1000)
		}
		return nil
	}))
	if err != nil {
		return nil, fmt.Errorf("read groceries: %w", err)
	}
	err = each(ctx, dir, schemas.AccessFile, "SELECT region, geometry FROM street_node ORDER BY fid",
		sqlrow.Visit2(func(region string, blob sql.RawBytes) error {
			at, err := released.ReadPoint(blob)
			if err == nil && known[region] {
				ground["groceries"].add(region, at)
			}
			return err
		}))
	for _, c := range w.Counted {
		c.At = merged(c.At)
	}
	return ground, err
}

// people selects the parts of small areas by the people in them.
const people = `SELECT a.region, v.estimate * p.persons / t.persons, p.geometry
	FROM small_area_part AS p JOIN small_area AS a ON a.fid = p.area
	JOIN small_area_value AS v ON v.area = p.area AND v.cell = 'population.total'
	JOIN (SELECT area, sum(persons) AS persons FROM small_area_part GROUP BY area) AS t ON t.area = p.area
	WHERE t.persons > 0 ORDER BY p.fid`

// groceries selects places once, each with the nearer end of its street.
const groceries = `SELECT d.region, CASE WHEN 2 * d.along_m > e.length_m THEN e.b ELSE e.a END, min(d.fid)
	FROM destination AS d JOIN street_edge AS e ON e.fid = d.edge WHERE d.class = 'grocery' GROUP BY d.place_key ORDER BY 3`

// merged adds up the amounts of each node, by node.
func merged(list []Amount) []Amount {
	slices.SortFunc(list, func(a, b Amount) int { return cmp.Compare(a.Node, b.Node) })
	out := list[:0]
	for _, a := range list {
		if n := len(out); n > 0 && out[n-1].Node == a.Node {
			out[n-1].N += a.N
		} else {
			out = append(out, a)
		}
	}
	return out
}

// rows are the rows of grounds, by what is counted and region. A hull without area is no ground.
func rows(ground map[string]hulls, regions []string) (list []release.TravelGround) {
	for _, of := range schemas.TravelCounted {
		for _, region := range regions {
			if h := ground[of][region]; h != nil && h.Ring() != nil {
				list = append(list, release.TravelGround{FID: int64(len(list) + 1), Counted: of, Region: region,
					Geometry: released.MultiPolygonBlob(orb.MultiPolygon{{h.Ring()}})})
			}
		}
	}
	return list
}

// know sets where what is counted is known.
func (w *World) know(grounds []release.TravelGround) error {
	for _, g := range grounds {
		outline, err := released.ReadMultiPolygon(g.Geometry)
		if err != nil || w.Counted[g.Counted] == nil {
			return fmt.Errorf("ground of %s in region %s: %w", g.Counted, g.Region, err)
		}
		known := &w.Counted[g.Counted].Known
		*known = append(*known, geo.Prepare(outline))
	}
	return nil
}

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
		w = &World{homes: table}
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

// grounds are where something is counted, by what and region.
type grounds map[string]hulls

// read reads some of schemas.TravelCounted in a release of which dir has the files of streets and of small areas, beside its jobs, and
// returns where it is known; known are the regions that know groceries.
func (w *World) read(ctx context.Context, dir string, jobs []release.JobPlace, known map[string]bool, counted ...string) (grounds, error) {
	w.Counted = map[string]*Counted{}
	all := grounds{}
	for _, of := range counted {
		ground := hulls{}
		all[of], w.Counted[of] = ground, new(Counted)
		var err error
		switch of {
		case "jobs":
			err = w.readJobs(ground, jobs)
		case "people":
			err = w.readPeople(ctx, dir, ground)
		case "groceries":
			err = w.readGroceries(ctx, dir, ground, known)
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", of, err)
		}
		w.Counted[of].At = merged(w.Counted[of].At)
	}
	return all, nil
}

// add adds thousandths of something at a node, with the key of its source.
func (w *World) add(of string, node uint32, n uint64, key string) {
	w.Counted[of].At = append(w.Counted[of].At, Amount{node, n})
	if w.keys != nil {
		w.keys[node] = append(w.keys[node], Part{key, float64(n) / 1000})
	}
}

func (w *World) readJobs(ground hulls, jobs []release.JobPlace) error {
	for _, j := range jobs {
		at, err := released.ReadPoint(j.Geometry)
		if err != nil {
			return fmt.Errorf("%s: %w", j.PlaceKey, err)
		}
		if ground.add(j.Region, at); j.Node != nil {
			w.add("jobs", uint32(*j.Node-1), uint64(j.Jobs), j.PlaceKey)
		}
	}
	return nil
}

func (w *World) readPeople(ctx context.Context, dir string, ground hulls) error {
	visit := func(region string, n float64, key string, blob sql.RawBytes) error {
		outline, err := released.ReadMultiPolygon(blob)
		if err != nil {
			return err
		}
		at, ok := geo.InteriorPoint(outline)
		if !ok {
			at = outline.Bound().Center()
		}
		ground.add(region, at)
		if node, ok := nearest(w.Network(travel.Walk), at); ok && n >= 0 {
			w.add("people", node, uint64(1000*n+.5), key)
		}
		return nil
	}
	return each(ctx, dir, schemas.DemographicsFile, people, sqlrow.Visit4(visit))
}

func (w *World) readGroceries(ctx context.Context, dir string, ground hulls, known map[string]bool) error {
	err := each(ctx, dir, schemas.AccessFile, groceries, sqlrow.Visit3(func(region string, fid int64, key string) error {
		if known[region] {
			w.add("groceries", uint32(fid-1), 1000, key)
		}
		return nil
	}))
	if err != nil {
		return err
	}
	return each(ctx, dir, schemas.AccessFile, "SELECT region, geometry FROM street_node ORDER BY fid",
		sqlrow.Visit2(func(region string, blob sql.RawBytes) error {
			at, err := released.ReadPoint(blob)
			if err == nil && known[region] {
				ground.add(region, at)
			}
			return err
		}))
}

// people selects the parts of small areas by the people in them.
const people = `SELECT a.region, v.estimate * p.persons / t.persons, p.source_key, p.geometry
	FROM small_area_part AS p JOIN small_area AS a ON a.fid = p.area
	JOIN small_area_value AS v ON v.area = p.area AND v.cell = 'population.total'
	JOIN (SELECT area, sum(persons) AS persons FROM small_area_part GROUP BY area) AS t ON t.area = p.area
	WHERE t.persons > 0 ORDER BY p.fid`

// groceries selects places once, each with the nearer end of its street and its name or key.
const groceries = `SELECT region, node, name FROM (
	SELECT d.region AS region, CASE WHEN 2 * d.along_m > e.length_m THEN e.b ELSE e.a END AS node, coalesce(d.name, d.place_key) AS name,
		min(d.fid) AS first
	FROM destination AS d JOIN street_edge AS e ON e.fid = d.edge WHERE d.class = 'grocery' GROUP BY d.place_key) ORDER BY first`

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
func rows(ground grounds, regions []string) (list []release.TravelGround) {
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
		if err != nil || !slices.Contains(schemas.TravelCounted, g.Counted) {
			return fmt.Errorf("ground of %s in region %s: %w", g.Counted, g.Region, err)
		}
		if w.Counted[g.Counted] == nil {
			continue // it was not read
		}
		known := &w.Counted[g.Counted].Known
		*known = append(*known, geo.Prepare(outline))
	}
	return nil
}

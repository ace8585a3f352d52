package main

import (
	"container/heap"
	"context"
	"database/sql"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"
	orbgeo "github.com/paulmach/orb/geo"
	"github.com/paulmach/orb/planar"

	"quartier/build/released"
	"quartier/internal/spatialite"
	"quartier/schemas"
	"quartier/schemas/profile"
)

// TestProfilesOfTheTownsAreTrue recomputes the claims of all profiles of the synthetic world.
func TestProfilesOfTheTownsAreTrue(t *testing.T) {
	for _, name := range []string{"first", "next"} {
		checkProfiles(t, filepath.Join(townsDir(t), name), 40)
	}
}

// truth recomputes what sentences state from the SpatiaLite files of a release: containment by package planar, distances
// on the sphere, ways by Dijkstra's algorithm, shares of areas by GEOS. None of it is what the facts were computed with.
type truth struct {
	t      *testing.T
	people *sql.DB
	access *sql.DB
	kernel *spatialite.Kernel

	outlines  map[string]orb.MultiPolygon
	names     map[string]string
	pois      []truePOI
	stops     []trueStop
	edges     []trueEdge
	at        map[int64]orb.Point // of nodes
	roads     map[int64][]trueArc
	targets   map[string][]trueTarget // by class
	bounded   map[string]bool         // regions whose ways the straight line bounds
	landmarks []trueLandmark
	checked   map[profile.Code]int
}

type (
	truePOI struct {
		fid        int64
		at         orb.Point
		address    string
		brand      string // the first by its id
		categories []string
	}
	trueStop struct {
		at       orb.Point
		services []trueService
	}
	trueService struct {
		key, name, mode, basis string
		rapid                  bool
		direction              int
		trips                  float64
	}
	trueEdge struct {
		a, b         int64
		metres       float64
		region, name string
	}
	trueArc struct {
		to     int64
		metres float64
	}
	trueTarget struct {
		key    string
		edge   int64
		along  float64
		leg    float64
		at     orb.Point
		region string
	}
	trueLandmark struct {
		kind, class, key, name string
		lengthM                float64
		geometry               orb.Geometry
	}
)

// checkProfiles checks every fact that a sentence states. At least so many kinds of facts and sentences must have been checked.
func checkProfiles(t *testing.T, release string, least int) {
	t.Helper()
	c := &truth{t: t, outlines: map[string]orb.MultiPolygon{}, names: map[string]string{}, at: map[int64]orb.Point{},
		roads:   map[int64][]trueArc{},
		targets: map[string][]trueTarget{}, bounded: map[string]bool{}, checked: map[profile.Code]int{}}
	c.load(release)
	defer c.kernel.Close()
	db, err := released.Open(filepath.Join(release, schemas.ProfilesFile))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	sentences := 0
	err = released.Profiles(context.Background(), db, "", func(p *released.Profile) error {
		stated := map[int]bool{}
		for language, text := range p.Texts {
			for section := range text {
				for _, s := range text[section] {
					sentences++
					c.sentence(p, language, &s)
					for _, i := range s.Facts {
						stated[i] = true
					}
				}
			}
		}
		for i := range p.Facts {
			if stated[i] {
				c.fact(p, &p.Facts[i])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if t.Logf("%d sentences, facts by code: %v", sentences, c.checked); sentences < least {
		t.Errorf("%d sentences", sentences)
	}
}

func (c *truth) open(release, name string) *sql.DB {
	db, err := spatialite.Open(filepath.Join(release, name))
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { db.Close() })
	return db
}

func (c *truth) each(db *sql.DB, query string, visit func(*sql.Rows) error) {
	c.t.Helper()
	if err := released.Each(context.Background(), db, query, nil, visit); err != nil {
		c.t.Fatalf("%s: %v", query, err)
	}
}

func (c *truth) load(release string) {
	var err error
	if c.kernel, err = spatialite.NewKernel(); err != nil {
		c.t.Fatal(err)
	}
	c.people, c.access = c.open(release, schemas.DemographicsFile), c.open(release, schemas.AccessFile)
	c.each(c.open(release, schemas.GeographiesFile),
		"SELECT geog_id, name_en, geometry FROM geography UNION ALL SELECT geog_id, name_en, geometry FROM geography_superseded",
		func(r *sql.Rows) error {
			var id, name string
			var blob []byte
			if err := r.Scan(&id, &name, &blob); err != nil {
				return err
			}
			var err error
			c.names[id] = name
			c.outlines[id], err = released.ReadMultiPolygon(blob)
			return err
		})
	c.each(c.open(release, schemas.POIsFile), `SELECT fid, ST_X(geometry), ST_Y(geometry), coalesce(address, ''), (SELECT group_concat(category_id) FROM poi_category AS k WHERE k.fid = poi.fid),
		coalesce((SELECT brand_name FROM poi_brand JOIN brand USING (brand_id) WHERE poi_brand.fid = poi.fid ORDER BY brand_id LIMIT 1), '') FROM poi`, func(r *sql.Rows) error {
		var p truePOI
		var list string
		err := r.Scan(&p.fid, &p.at[0], &p.at[1], &p.address, &list, &p.brand)
		p.categories = strings.Split(list, ",")
		c.pois = append(c.pois, p)
		return err
	})
	c.each(c.open(release, schemas.SchoolsFile), "SELECT levels, ST_X(geometry), ST_Y(geometry) FROM school", func(r *sql.Rows) error {
		p := truePOI{categories: []string{"schools"}}
		var levels string
		err := r.Scan(&levels, &p.at[0], &p.at[1])
		if strings.Contains(levels, "elementary") {
			p.categories = append(p.categories, "primary_schools")
		}
		if strings.Contains(levels, "secondary") {
			p.categories = append(p.categories, "high_schools")
		}
		c.pois = append(c.pois, p)
		return err
	})
	c.loadStreets()
	c.each(c.open(release, schemas.ProfilesFile),
		"SELECT kind, class, source_key, coalesce(name, ''), coalesce(length_m, 0), AsBinary(geometry) FROM landmark", func(r *sql.Rows) error {
			var l trueLandmark
			var data []byte
			if err := r.Scan(&l.kind, &l.class, &l.key, &l.name, &l.lengthM, &data); err != nil {
				return err
			}
			var err error
			l.geometry, err = wkb.Unmarshal(data)
			c.landmarks = append(c.landmarks, l)
			return err
		})
}

func (c *truth) loadStreets() {
	c.each(c.access, "SELECT fid, ST_X(geometry), ST_Y(geometry) FROM street_node", func(r *sql.Rows) error {
		var fid int64
		var p orb.Point
		err := r.Scan(&fid, &p[0], &p[1])
		c.at[fid] = p
		return err
	})
	c.edges = append(c.edges, trueEdge{}) // fids are from 1
	c.each(c.access, "SELECT a, b, length_m, region, coalesce(name, '') FROM street_edge ORDER BY fid", func(r *sql.Rows) error {
		var e trueEdge
		err := r.Scan(&e.a, &e.b, &e.metres, &e.region, &e.name)
		c.edges = append(c.edges, e)
		c.roads[e.a] = append(c.roads[e.a], trueArc{e.b, e.metres})
		c.roads[e.b] = append(c.roads[e.b], trueArc{e.a, e.metres})
		return err
	})
	c.each(c.access, "SELECT DISTINCT region FROM source WHERE no_footpaths", func(r *sql.Rows) error {
		var region string
		err := r.Scan(&region)
		c.bounded[region] = true
		return err
	})
	stops := map[int64]int{}
	c.each(c.access, "SELECT fid, class, place_key, region, edge, along_m, leg_m, ST_X(geometry), ST_Y(geometry) FROM destination",
		func(r *sql.Rows) error {
			var fid int64
			var class string
			var d trueTarget
			err := r.Scan(&fid, &class, &d.key, &d.region, &d.edge, &d.along, &d.leg, &d.at[0], &d.at[1])
			c.targets[class] = append(c.targets[class], d)
			if class == "stop" {
				stops[fid] = len(c.stops)
				c.stops = append(c.stops, trueStop{at: d.at})
			}
			return err
		})
	c.each(c.access, "SELECT destination, route_key, route_name, mode, rapid, direction, trips_week, basis FROM transit_service",
		func(r *sql.Rows) error {
			var fid int64
			var v trueService
			err := r.Scan(&fid, &v.key, &v.name, &v.mode, &v.rapid, &v.direction, &v.trips, &v.basis)
			s := &c.stops[stops[fid]]
			s.services = append(s.services, v)
			return err
		})
}

// fact checks a fact of a profile.
func (c *truth) fact(p *released.Profile, f *profile.Fact) {
	c.checked[f.Code]++
	outline := c.outlines[p.Place.ID]
	bad := func(format string, args ...any) {
		c.t.Errorf("%s (%s): %s %s %q is %v, further %v, of %.120s: %s", p.Place.ID, p.Place.NameEN, f.Code, f.Subject, f.Name, f.Value,
			f.Further, f.Source, fmt.Sprintf(format, args...))
	}
	near := func(want, tolerance float64) {
		if math.Abs(f.Value-want) > tolerance {
			bad("found %v", want)
		}
	}
	switch f.Code {
	case profile.ScoreFact:
		var v float64
		if err := c.access.QueryRow("SELECT value / 10000.0 FROM geography_score WHERE geog_id = ? AND score = ?", p.Place.ID,
			f.Subject).Scan(&v); err != nil || v != f.Value || f.Low > v || f.High < v {
			bad("found %v, %v", v, err)
		}
	case profile.DwellingFact, profile.TenureFact, profile.PeriodFact, profile.BedroomsFact, profile.HomesFact:
		var v float64
		var low, high *float64
		keys := strings.Split(f.Source, "/")
		err := c.people.QueryRow("SELECT value, lower, upper FROM geography_variable WHERE geog_id = ? AND category = ? AND variable = ?",
			p.Place.ID, keys[1], keys[2]).Scan(&v, &low, &high)
		if err != nil || v != f.Value || !strings.HasSuffix(keys[2], f.Subject) || (low == nil) != math.IsNaN(f.Low) ||
			low != nil && (*low != f.Low || *high != f.High) {
			bad("found %v, %v", v, err)
		}
	case profile.BrandFact:
		n := 0
		for _, poi := range c.pois {
			if poi.brand != "" && "poi_brand:"+poi.brand+" geography:"+p.Place.ID == f.Source && c.away(outline, poi.at, 1) == 0 {
				n++
			}
		}
		near(float64(n), 0)
	case profile.CountFact, profile.ListedFact:
		if f.Subject == "parks" {
			c.landmark(f, outline, bad)
			break
		}
		in, least, most := 0, 0, 0
		for _, poi := range c.pois {
			if !slices.Contains(poi.categories, f.Subject) {
				continue
			}
			switch d := c.away(outline, poi.at, 850); {
			case d == 0:
				in, least, most = in+1, least+1, most+1
			case d < 796:
				least, most = least+1, most+1
			case d < 804:
				most++
			}
		}
		if near(float64(in), 0); f.Further < float64(least) || f.Further > float64(most) {
			bad("found %d to %d near", least, most)
		}
	case profile.StreetFact:
		c.street(p, f, outline, bad)
	case profile.StationFact, profile.WalkTimeFact:
		c.walked(f, bad)
	case profile.LineFact, profile.LinesFact:
		c.lines(f, outline, bad)
	case profile.ParksFact, profile.ParkFact, profile.HeritageFact, profile.BikewayFact, profile.WaterFact:
		c.landmark(f, outline, bad)
	case profile.HighwayFact, profile.AirportFact:
		edge, along := c.middle(f)
		at := c.pointOf(edge, along)
		best := math.Inf(1)
		for _, l := range c.landmarks {
			if strings.HasSuffix(f.Source, "landmark:"+l.kind+"/"+l.key) {
				best = min(best, toGeometry(at, l.geometry))
			}
		}
		near(best, 500) // the home is off the street on which it is counted
	case profile.ContainsFact:
		n := 0
		for id, m := range c.outlines {
			if strings.HasPrefix(id, "g10_") && overlapsAtAll(m, outline) {
				n++
			}
		}
		if f.Value > float64(n) {
			bad("found %d", n)
		}
	case profile.BoundedByFact:
		id := strings.TrimPrefix(f.Source, "geography:")
		if both, err := c.kernel.Intersection(outline, c.outlines[id]); err != nil || c.names[id] != f.Name ||
			orbgeo.Area(both) < 0.97*orbgeo.Area(outline) {
			bad("%s covers less, %v", c.names[id], err)
		}
	case profile.TypologyFact:
		if f.Value <= 0 || f.Value > 1 || !slices.Contains(schemas.Typologies, f.Subject) {
			bad("no such share")
		}
	case profile.TerrainFact:
		if f.Value < 0 || f.Value > 5 {
			bad("no such value")
		}
	default:
		bad("nothing checks it")
	}
}

// away is the distance in metres from a point to an outline, 0 in it; more than limit if it is farther.
func (c *truth) away(m orb.MultiPolygon, p orb.Point, limit float64) float64 {
	box := m.Bound()
	if !orbgeo.BoundPad(box, limit).Contains(p) {
		return math.Inf(1)
	}
	if planar.MultiPolygonContains(m, p) {
		return 0
	}
	best := math.Inf(1)
	for _, polygon := range m {
		for _, ring := range polygon {
			best = min(best, toGeometry(p, orb.LineString(ring)))
		}
	}
	return best
}

// toGeometry is the distance in metres from a point to a point, line or area, on a map around the point.
func toGeometry(p orb.Point, g orb.Geometry) float64 {
	k := math.Cos(p[1] * math.Pi / 180)
	flat := func(q orb.Point) orb.Point { return orb.Point{(q[0] - p[0]) * k * 111195, (q[1] - p[1]) * 111195} }
	best := math.Inf(1)
	switch g := g.(type) {
	case orb.Point:
		return math.Hypot(flat(g)[0], flat(g)[1])
	case orb.LineString:
		for i := 1; i < len(g); i++ {
			best = min(best, planar.DistanceFromSegment(flat(g[i-1]), flat(g[i]), orb.Point{}))
		}
	case orb.MultiPolygon:
		if planar.MultiPolygonContains(g, p) {
			return 0
		}
		for _, polygon := range g {
			for _, ring := range polygon {
				best = min(best, toGeometry(p, orb.LineString(ring)))
			}
		}
	}
	return best
}

// street checks the places that front on a street: they are in the geography, and on the street by their address or by
// where they are.
func (c *truth) street(p *released.Profile, f *profile.Fact, outline orb.MultiPolygon, bad func(string, ...any)) {
	keys := strings.Fields(f.Source)[1:]
	if float64(len(keys)) != f.Value {
		bad("found %d places", len(keys))
	}
	named := false
	for _, key := range keys {
		fid, _ := strconv.ParseInt(strings.TrimPrefix(key, "poi:"), 10, 64)
		at := slices.IndexFunc(c.pois, func(p truePOI) bool { return p.fid == fid })
		if at < 0 || c.away(outline, c.pois[at].at, 10) > 1 {
			bad("%s is not in it", key)
			continue
		}
		named = named || strings.Contains(letters(c.pois[at].address), letters(f.Name))
	}
	if !named && !slices.ContainsFunc(c.edges, func(e trueEdge) bool { return letters(e.name) == letters(f.Name) }) {
		// The type of a street may be abbreviated in addresses and written out in texts.
		first := strings.Fields(f.Name)[0]
		if !slices.ContainsFunc(keys, func(key string) bool {
			fid, _ := strconv.ParseInt(strings.TrimPrefix(key, "poi:"), 10, 64)
			return slices.ContainsFunc(c.pois, func(p truePOI) bool { return p.fid == fid && strings.Contains(letters(p.address), letters(first)) })
		}) {
			bad("no source has the name")
		}
	}
}

func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '.' || r == '-' || r == '\'' || r == '’' {
			return -1
		}
		return r
	}, strings.ToLower(s))
}

// middle is the street of the middle home of a geography, and how far along it is.
func (c *truth) middle(f *profile.Fact) (edge int64, along float64) {
	place, _, _ := strings.Cut(strings.TrimPrefix(f.Source, "street_edge:"), " ")
	fid, metres, _ := strings.Cut(place, "/")
	edge, _ = strconv.ParseInt(fid, 10, 64)
	along, _ = strconv.ParseFloat(metres, 64)
	return edge, along
}

func (c *truth) pointOf(edge int64, along float64) orb.Point {
	e := c.edges[edge]
	share := 0.0
	if e.metres > 0 {
		share = min(along/e.metres, 1)
	}
	a, b := c.at[e.a], c.at[e.b]
	return orb.Point{a[0] + share*(b[0]-a[0]), a[1] + share*(b[1]-a[1])}
}

// walked checks a way by Dijkstra's algorithm: nothing of the kind is nearer, and the place named is as near as stated.
func (c *truth) walked(f *profile.Fact, bad func(string, ...any)) {
	edge, along := c.middle(f)
	metres := f.Value
	if f.Code == profile.WalkTimeFact {
		metres *= 80
	}
	_, what, _ := strings.Cut(f.Source, " destination:")
	class, key, _ := strings.Cut(what, "/")
	ways := c.ways(edge, along, metres+200)
	stated := math.Inf(1)
	for _, d := range c.targets[class] {
		way := math.Inf(1)
		if d.edge == edge {
			way = math.Abs(d.along-along) + d.leg
		}
		e := c.edges[d.edge]
		if m, ok := ways[e.a]; ok {
			way = min(way, m+d.along+d.leg)
		}
		if m, ok := ways[e.b]; ok {
			way = min(way, m+e.metres-d.along+d.leg)
		}
		if d.key == key {
			stated = min(stated, way)
		}
		// Of stations, those of another mode may be nearer.
		if f.Code == profile.WalkTimeFact && way < metres-3 {
			bad("%s is %v metres away", d.key, way)
		}
	}
	switch region := c.edges[edge].region; {
	case !c.bounded[region] && math.Abs(stated-metres) > 3:
		bad("%s is %v metres away", key, stated)
	case c.bounded[region] && metres > stated+3:
		bad("%s is only %v metres away", key, stated)
	}
}

// ways are the metres to the nodes within reach of a place on a street.
func (c *truth) ways(edge int64, along, reach float64) map[int64]float64 {
	e := c.edges[edge]
	queue := &trueQueue{{e.a, along}, {e.b, e.metres - along}}
	heap.Init(queue)
	done := map[int64]float64{}
	for queue.Len() > 0 {
		next := heap.Pop(queue).(trueArc)
		if _, ok := done[next.to]; ok || next.metres > reach {
			continue
		}
		done[next.to] = next.metres
		for _, arc := range c.roads[next.to] {
			heap.Push(queue, trueArc{arc.to, next.metres + arc.metres})
		}
	}
	return done
}

type trueQueue []trueArc

func (q trueQueue) Len() int           { return len(q) }
func (q trueQueue) Less(i, j int) bool { return q[i].metres < q[j].metres }
func (q trueQueue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *trueQueue) Push(x any)        { *q = append(*q, x.(trueArc)) }
func (q *trueQueue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// lines checks the number of lines of a mode that stop in the geography, or the trips of one.
func (c *truth) lines(f *profile.Fact, outline orb.MultiPolygon, bad func(string, ...any)) {
	key := strings.TrimPrefix(strings.Fields(f.Source)[0], "transit_service:")
	names, trips := map[string]bool{}, map[string]map[int]float64{}
	for _, stop := range c.stops {
		if c.away(outline, stop.at, 10) > 0 {
			continue
		}
		for _, v := range stop.services {
			if v.basis == "stops" || trueMode(&v) != f.Subject {
				continue
			}
			names[v.name] = true
			if trips[v.name] == nil {
				trips[v.name] = map[int]float64{}
			}
			if v.basis == "timetable" {
				trips[v.name][v.direction] = max(trips[v.name][v.direction], v.trips)
			}
		}
	}
	if f.Code == profile.LinesFact {
		sum := 0.0
		for _, byDirection := range trips {
			sum += byDirection[0] + byDirection[1]
		}
		if float64(len(names)) != f.Value || f.Further != 0 && f.Further != sum {
			bad("found %d with %v trips", len(names), sum)
		}
		return
	}
	for name := range names {
		if name == f.Name || strings.HasPrefix(name, f.Name+"-") {
			if sum := trips[name][0] + trips[name][1]; sum != f.Value {
				bad("found %v trips", sum)
			}
			return
		}
	}
	bad("%s does not stop in it", key)
}

func trueMode(v *trueService) string {
	switch {
	case v.mode == "trolleybus":
		return "bus"
	case v.mode == "rail":
		return "train"
	case v.mode == "light_rail", v.mode == "monorail", v.mode == "tram" && v.rapid:
		return "rapid_transit"
	}
	return v.mode
}

// landmark checks parks, historic places, bikeways and water in the geography.
func (c *truth) landmark(f *profile.Fact, outline orb.MultiPolygon, bad func(string, ...any)) {
	kind := map[profile.Code]string{profile.ParksFact: "park", profile.ListedFact: "park", profile.ParkFact: "park",
		profile.HeritageFact: "heritage", profile.BikewayFact: "bikeway", profile.WaterFact: "water"}[f.Code]
	least, most, hectares, tracks, lanes, shore := 0, 0, 0.0, 0.0, 0.0, 0.0
	box := orbgeo.BoundPad(outline.Bound(), 200)
	for _, l := range c.landmarks {
		if l.kind != kind || !box.Intersects(l.geometry.Bound()) || f.Code == profile.ParkFact && !strings.HasSuffix(f.Source, "/"+l.key) ||
			f.Code == profile.WaterFact && l.name != f.Name {
			continue
		}
		switch g := l.geometry.(type) {
		case orb.Point:
			if planar.MultiPolygonContains(outline, g) {
				least, most = least+1, most+1
				tracks, lanes = addLength(&l, l.lengthM, tracks, lanes)
			}
		case orb.LineString:
			in, along := c.lengths(outline, g)
			tracks, lanes = addLength(&l, in, tracks, lanes)
			shore += along
		case orb.MultiPolygon:
			both, err := c.kernel.Intersection(g, outline)
			if err != nil {
				bad("%s: %v", l.key, err)
			}
			ha, share := orbgeo.Area(both)/1e4, orbgeo.Area(both)/orbgeo.Area(g)
			hectares += ha
			if share > 0.03 || ha > 0.15 {
				least++
			}
			if share > 0.002 || ha > 0.05 {
				most++
			}
		}
	}
	about := func(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance+0.04*want }
	switch f.Code {
	case profile.ParksFact, profile.ListedFact, profile.HeritageFact:
		if f.Value < float64(least) || f.Value > float64(most) ||
			f.Code == profile.ParksFact && f.Further > 0 && !about(f.Further, hectares, 0.1) {
			bad("found %d to %d with %v hectares", least, most, hectares)
		}
	case profile.ParkFact:
		if most == 0 || f.Value > 0 && !about(f.Value, hectares, 0.05) {
			bad("found %v hectares", hectares)
		}
	case profile.BikewayFact:
		if !about(f.Value, tracks/1000, 0.05) || !about(f.Further, lanes/1000, 0.05) {
			bad("found %v and %v km", tracks/1000, lanes/1000)
		}
	case profile.WaterFact:
		if shore < 280 || !about(f.Value, shore, 60) {
			bad("found %v metres", shore)
		}
	}
}

func addLength(l *trueLandmark, metres, tracks, lanes float64) (float64, float64) {
	if l.class == "lane" {
		return tracks, lanes + metres
	}
	return tracks + metres, lanes
}

// lengths are the metres of a line in an outline, and in or within 100 m of it, by pieces of 10 m.
func (c *truth) lengths(outline orb.MultiPolygon, line orb.LineString) (in, along float64) {
	for i := 1; i < len(line); i++ {
		length := orbgeo.DistanceHaversine(line[i-1], line[i])
		pieces := math.Ceil(length / 10)
		for k := 0.5; k < pieces; k++ {
			p := orb.Point{line[i-1][0] + k/pieces*(line[i][0]-line[i-1][0]), line[i-1][1] + k/pieces*(line[i][1]-line[i-1][1])}
			switch d := c.away(outline, p, 110); {
			case d == 0:
				in, along = in+length/pieces, along+length/pieces
			case d <= 100:
				along += length / pieces
			}
		}
	}
	return in, along
}

// overlapsAtAll reports whether a corner or the middle of an outline is in another.
func overlapsAtAll(m, in orb.MultiPolygon) bool {
	if !m.Bound().Intersects(in.Bound()) {
		return false
	}
	center, _ := planar.CentroidArea(m)
	for _, polygon := range m {
		for _, p := range append([]orb.Point{center}, polygon[0]...) {
			if planar.MultiPolygonContains(in, p) {
				return true
			}
		}
	}
	return false
}

package facts

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/build/assembly"
	"quartier/build/homes"
	"quartier/build/released"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/profile"
	"quartier/schemas/release"
)

// world is what facts are looked up in.
type world struct {
	places, access              *sql.DB // of the release
	geographies, scored, people *sql.DB // of the folder of the geographies
	outline                     *sql.Stmt
	subjects                    []subject // by geog_id
	scoreRows                   *cursor[release.GeographyScore]
	variableRows                *cursor[release.GeographyVariable]

	homes      *homes.Index
	typologies []uint8           // by home: position in schemas.Typologies, from 1; 0: none
	verdicts   map[string][]bool // by class: whether it is known in each region
	regions    []string
	refused    map[string][]bool // by class: whether a verdict rules out in each region that its sources list most of it
	listed     map[string][]bool // by class of stops: whether timetables or lists have all lines of the region
	pois       *poiIndex
	stops      *stopIndex
	hierarchy  *hierarchy
	landmarks  *landmarks
	firstEdge  []int64                    // by region: the streets of those before
	incomplete map[string]map[string]bool // by region: its sources of streets without all footpaths
	ways       ways
}

// subject is a geography whose facts are collected.
type subject struct {
	place  profile.Place
	region string
	facts  []profile.Fact
}

// rows are the rows of the release that belong to a geography alone.
type rows struct {
	outline   orb.MultiPolygon
	scores    []release.GeographyScore
	variables []release.GeographyVariable
}

func newWorld(ctx context.Context, in *Input) (w *world, err error) {
	w = &world{homes: in.Homes}
	defer func() {
		if err != nil {
			w.close()
		}
	}()
	for _, file := range []struct {
		db        **sql.DB
		dir, name string
	}{
		{&w.places, in.Dir, schemas.GeographiesFile}, {&w.access, in.Dir, schemas.AccessFile},
		{&w.geographies, in.own(), schemas.GeographiesFile}, {&w.scored, in.own(), schemas.AccessFile},
		{&w.people, in.own(), schemas.DemographicsFile},
	} {
		if *file.db, err = released.Open(filepath.Join(file.dir, file.name)); err != nil {
			return w, err
		}
	}
	if w.subjects, err = readSubjects(ctx, w.geographies, w.places); err != nil {
		return w, err
	}
	w.subjects = slices.DeleteFunc(w.subjects, func(s subject) bool { return in.Only != nil && !in.Only[s.place.ID] })
	if w.outline, err = w.geographies.Prepare(`SELECT geometry FROM geography WHERE geog_id = ?1
		UNION ALL SELECT geometry FROM geography_superseded WHERE geog_id = ?1`); err != nil {
		return w, err
	}
	w.scoreRows = newCursor(sqlrow.Select[release.GeographyScore](ctx, w.scored, "SELECT * FROM geography_score ORDER BY geog_id, score"),
		func(r *release.GeographyScore) string { return r.GeogID })
	w.variableRows = newCursor(sqlrow.Select[release.GeographyVariable](ctx, w.people,
		"SELECT * FROM geography_variable ORDER BY geog_id, category, variable"),
		func(r *release.GeographyVariable) string { return r.GeogID })
	if w.typologies, err = homeTypologies(ctx, w.access, in.Homes); err != nil {
		return w, err
	}
	if w.pois, err = readPOIs(ctx, in); err != nil {
		return w, err
	}
	if w.landmarks, err = readLandmarks(ctx, in.Assembly); err != nil {
		return w, err
	}
	if w.firstEdge, err = countEdges(ctx, in.Assembly); err != nil {
		return w, err
	}
	if w.hierarchy, err = readHierarchy(ctx, w.places); err != nil {
		return w, err
	}
	if w.stops, err = readStops(ctx, in.Assembly); err != nil {
		return w, err
	}
	w.incomplete = map[string]map[string]bool{}
	err = released.Each(ctx, w.access, "SELECT region, source_id FROM source WHERE no_footpaths", nil,
		sqlrow.Visit2(func(region, id string) error {
			if w.incomplete[region] == nil {
				w.incomplete[region] = map[string]bool{}
			}
			w.incomplete[region][id] = true
			return nil
		}))
	if err != nil {
		return w, err
	}
	return w, w.readVerdicts(ctx, in)
}

func (w *world) close() {
	for _, c := range []interface{ stop() }{w.scoreRows, w.variableRows} {
		c.stop()
	}
	if w.pois != nil {
		w.pois.file.close()
	}
	for _, db := range []*sql.DB{w.places, w.access, w.geographies, w.scored, w.people} {
		if db != nil {
			db.Close()
		}
	}
}

// read reads the rows of a geography. Geographies are read in the order of their ids.
func (w *world) read(id string) (r rows, err error) {
	if r.outline, err = w.readOutline(id); err != nil {
		return r, err
	}
	if r.scores, err = w.scoreRows.of(id); err == nil {
		r.variables, err = w.variableRows.of(id)
	}
	return r, err
}

func (w *world) readOutline(id string) (orb.MultiPolygon, error) {
	var blob []byte
	if err := w.outline.QueryRow(id).Scan(&blob); err != nil {
		return nil, fmt.Errorf("read outline of %s: %w", id, err)
	}
	outline, err := released.ReadMultiPolygon(blob)
	if err != nil {
		err = fmt.Errorf("outline of %s: %w", id, err)
	}
	return outline, err
}

// readSubjects reads the geographies of levels 10 to 38, by geog_id, with the names of the municipalities of the release that
// they are in.
func readSubjects(ctx context.Context, db, release *sql.DB) ([]subject, error) {
	const columns = "geog_id, level, region, name_en, name_fr, country_code, state_codes, coalesce(city_id, ''), area_m2"
	const query = "SELECT " + columns + " FROM geography WHERE level < 40 UNION ALL SELECT " + columns +
		" FROM geography_superseded WHERE level < 40"
	cityOf := map[string]string{}
	cities, err := readCities(ctx, release)
	if err != nil {
		return nil, err
	}
	list, err := released.Collect(ctx, db, query, func(rows *sql.Rows, s *subject) error {
		p := &s.place
		var states, city string
		if err := rows.Scan(&p.ID, &p.Level, &s.region, &p.NameEN, &p.NameFR, &p.Country, &states, &city, &p.AreaM2); err != nil {
			return err
		}
		p.NameFR = french(p.NameEN, p.NameFR)
		code, _, _ := strings.Cut(states, ",")
		if _, state, ok := strings.Cut(code, "_"); ok {
			p.State = state
		}
		p.Type = schemas.Level(p.Level).Label(p.Country, p.State).EN
		if city != p.ID {
			cityOf[p.ID] = city
		}
		return nil
	})
	for i := range list {
		p := &list[i].place
		city := cities[cityOf[p.ID]]
		p.CityEN, p.CityFR = city.en, city.fr
	}
	slices.SortFunc(list, func(a, b subject) int { return cmp.Compare(a.place.ID, b.place.ID) })
	return list, err
}

type cityName struct{ en, fr string }

// readCities reads the names of municipalities by geog_id.
func readCities(ctx context.Context, db *sql.DB) (map[string]cityName, error) {
	cities := map[string]cityName{}
	const query = "SELECT geog_id, name_en, name_fr FROM geography WHERE level = 30 UNION ALL SELECT geog_id, name_en, name_fr FROM " +
		"geography_superseded WHERE level = 30"
	err := released.Each(ctx, db, query, nil, sqlrow.Visit3(func(id, en, fr string) error {
		cities[id] = cityName{en, french(en, fr)}
		return nil
	}))
	return cities, err
}

// readVerdicts sets which classes of places are known in each region, by number, and of which classes of stops all lines.
// Lines of a map may be some of all.
func (w *world) readVerdicts(ctx context.Context, in *Input) error {
	regions := in.Assembly.Regions()
	classes, err := in.Assembly.Classes(ctx, &calibration.Standard().Known)
	w.verdicts, w.listed, w.refused = map[string][]bool{}, map[string][]bool{}, map[string][]bool{}
	for _, class := range schemas.KnownClasses {
		w.verdicts[class], w.listed[class], w.refused[class] = make([]bool, len(regions)), make([]bool, len(regions)), make([]bool, len(regions))
	}
	for i := range regions {
		w.regions = append(w.regions, regions[i].Name)
	}
	for _, c := range classes {
		for i := range regions {
			if regions[i].Name == c.Region {
				w.verdicts[c.Class][i], w.refused[c.Class][i] = c.Verdict.Known(), !c.Verdict.Somewhere()
				w.listed[c.Class][i] = c.Verdict == schemas.ClassTimetable || c.Verdict == schemas.ClassComplete
			}
		}
	}
	return err
}

// countEdges returns how many streets the regions before each have: fids of access.sqlite go on from one to the next.
func countEdges(ctx context.Context, a *assembly.Assembly) (first []int64, err error) {
	sum := int64(0)
	err = a.EachRegion(func(_ string, db *duck.DB) error {
		first = append(first, sum)
		var count int64
		err := db.QueryRowContext(ctx, "SELECT count(*) FROM street_edge").Scan(&count)
		sum += count
		return err
	})
	return first, err
}

// from is where a home is on its street: the fid of street_edge and the metres from its node a.
func (w *world) from(home int32) string {
	h := &w.homes.Homes[home]
	return fmt.Sprintf("street_edge:%d/%.1f", w.firstEdge[h.Region]+int64(h.Edge)+1, h.AlongM)
}

// homeTypologies returns the typology of each home.
func homeTypologies(ctx context.Context, db *sql.DB, index *homes.Index) ([]uint8, error) {
	number := map[string]uint8{}
	for i, id := range schemas.Typologies {
		number[id] = uint8(i + 1)
	}
	cells := map[string]uint8{}
	for row, err := range sqlrow.Select[release.Typology](ctx, db, "SELECT * FROM typology") {
		if err != nil {
			return nil, fmt.Errorf("read typologies: %w", err)
		}
		cells[row.Geohash] = number[row.Typology]
	}
	list := make([]uint8, len(index.Homes))
	for i := range index.Homes {
		list[i] = cells[geo.Geohash(index.Homes[i].Point, 7)]
	}
	return list, nil
}

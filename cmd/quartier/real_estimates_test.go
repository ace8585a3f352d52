package main

import (
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/rating"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/derived"
	"quartier/transform/network/destination"
	"quartier/transform/places/near"
)

var updateEstimates = flag.Bool("estimates", false, "write schemas/calibration/estimates.yaml")

// samples are the parts of a region at some places, by name; NaN where they are unknown.
type samples map[string][]float64

// straightDetour is a way by the straight line, of a city's streets.
const straightDetour = 1.3

// sampledRegions are the regions from which parts are estimated. The kinds of errand that each knows are listed: those of which
// its sources have a believable number.
var sampledRegions = []struct {
	name   string
	kinds  []string
	scores bool // whether it knows pedestrian_friendly
}{
	{"us-seattle", []string{"grocery", "restaurants and bars", "shopping", "coffee", "parks", "schools", "books", "entertainment",
		"daily needs"}, false},
	{"ca-ottawa", []string{"grocery", "restaurants and bars", "coffee", "parks", "schools", "books", "daily needs"}, true},
	{"us-pikesville", []string{"grocery", "banks", "parks", "schools"}, false},
	{"us-portland", nil, false},
	{"us-delaware", nil, false},
}

// TestEstimates computes the moments of estimates.yaml from the real regions and compares them; -estimates writes them. Kinds
// of errand are measured in a straight line times straightDetour, since Seattle has places and no streets.
func TestEstimates(t *testing.T) {
	t.Parallel()
	work := realRelease(t) + ".work"
	c := calibration.Standard()
	var all []samples
	for _, r := range sampledRegions {
		all = append(all, sampleRegion(t, c, filepath.Join(work, r.name+".derived.duckdb"), r.kinds, r.scores))
	}
	var kinds []string
	for _, s := range c.Access.Slots {
		kinds = append(kinds, s.Name)
	}
	e := &calibration.Estimates{MaxResidual: c.Estimates.MaxResidual, MaxCycling: c.Estimates.MaxCycling}
	for _, m := range []struct {
		of   **calibration.Moments
		mode string
	}{{&e.Walk, "walk"}, {&e.Bicycle, "bicycle"}, {&e.Drive, "drive"}} {
		*m.of = fitMoments(all, m.mode+" ", kinds, true)
		addErrands(all, c, *m.of, m.mode)
	}
	e.Cycling = fitMoments(all, "", []string{"lanes", "hills", "bicycle errands", "calm", "intersections"}, false)
	e.Car = fitMoments(all, "", []string{"drive errands", "ramp", "arterial"}, false)
	e.Wellness = fitMoments(all, "", rating.WellnessParts[:], false)
	text := estimatesYAML(e)
	if *updateEstimates {
		if err := os.WriteFile("../../schemas/calibration/estimates.yaml", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for name, pair := range map[string][2]*calibration.Moments{
		"walk": {e.Walk, c.Estimates.Walk}, "bicycle": {e.Bicycle, c.Estimates.Bicycle}, "drive": {e.Drive, c.Estimates.Drive},
		"cycling": {e.Cycling, c.Estimates.Cycling}, "car": {e.Car, c.Estimates.Car}, "wellness": {e.Wellness, c.Estimates.Wellness},
	} {
		for i, row := range pair[0].Products {
			for j, want := range row {
				// Scores of 0–5 depend on the estimates themselves.
				if got := pair[1].Products[i][j]; math.Abs(got-want) > 0.02*max(1, want) {
					t.Errorf("%s: %s × %s is %v, and %.4f by the regions", name, pair[0].Parts[i], pair[0].Parts[j], got, want)
				}
			}
		}
	}
	t.Log(residuals(c))
}

// sampleRegion measures the parts at one of so many nodes of a derived file, or on a grid where it has no streets.
func sampleRegion(t *testing.T, c *calibration.Calibration, file string, kinds []string, pedestrian bool) samples {
	t.Helper()
	db, err := duck.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s := samples{}
	points := sampleNodes(t, c, db, s, pedestrian)
	if points == nil {
		points = gridIn(t, db)
	}
	places := placesByClass(t, db)
	reach := 3 * c.Walking.NoCreditM
	w := rating.NewDecay(c.Walking)
	for _, slot := range c.Access.Slots {
		if !slices.Contains(kinds, slot.Name) {
			continue
		}
		for _, p := range points {
			var straight []float64
			for _, class := range slot.Classes {
				if list := places[class]; list != nil {
					list.Within(p, reach, func(i int) bool { straight = append(straight, geo.Distance(p, list.List[i])); return true })
				}
			}
			slices.Sort(straight)
			var walk, cycle float64
			for k, metres := range straight[:min(len(straight), len(slot.Weights))] {
				walk += slot.Weights[k] * w.At(straightDetour*metres)
				cycle += slot.Weights[k] * w.At(straightDetour*metres/c.Walking.BicycleFactor)
			}
			driven := 0.0
			if len(straight) > 0 {
				driven = rating.Driven(c.Scores.Drive.Errands, straight[0]/c.Scores.Drive.MinuteM)
			}
			total := rating.Total(slot.Weights)
			s.add("walk "+slot.Name, walk/total)
			s.add("bicycle "+slot.Name, cycle/total)
			s.add("drive "+slot.Name, driven)
		}
	}
	t.Logf("%s: %d places are measured", filepath.Base(file), len(points))
	return s
}

func (s samples) add(name string, v float64) { s[name] = append(s[name], v) }

// sampleNodes samples what derived files have at nodes; nil without streets.
func sampleNodes(t *testing.T, c *calibration.Calibration, db *duck.DB, s samples, pedestrian bool) (points []orb.Point) {
	t.Helper()
	const most = 8000
	rows, err := db.Query(`SELECT n.lng, n.lat, n.channels, p.steepest_pct, p.bike_lanes, p.low_stress, p.ramp_min, p.arterial_min
		FROM street_node AS n JOIN street_node_part AS p USING (node)
		WHERE n.node % greatest(1, (SELECT count(*) FROM street_node) // ?) = 0 ORDER BY n.node`, most)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var p orb.Point
		var channels []byte
		var parts [5]*int64
		if err := rows.Scan(&p[0], &p[1], &channels, &parts[0], &parts[1], &parts[2], &parts[3], &parts[4]); err != nil {
			t.Fatal(err)
		}
		part := func(i int) float64 {
			if parts[i] == nil {
				return math.NaN()
			}
			return float64(*parts[i]) / 1e4
		}
		channel := func(name string) float64 {
			v := binary.LittleEndian.Uint16(channels[2*schemas.MustChannel(name):])
			if v == schemas.AbsentValue {
				return math.NaN()
			}
			return float64(v) / schemas.UnitValue
		}
		hill, drive := c.Scores.Hill, &c.Scores.Drive
		points = append(points, p)
		s.add("hills", min(1, max(0, (hill.SteepPct-part(0))/(hill.SteepPct-hill.GentlePct))))
		s.add("lanes", part(1))
		s.add("calm", part(2))
		s.add("ramp", rating.Driven(drive.Ramp, part(3)))
		s.add("arterial", rating.Driven(drive.Arterial, part(4)))
		s.add("intersections", channel("intersection_density")/5)
		for _, name := range rating.WellnessParts {
			v := channel(name)
			if !pedestrian && slices.Contains([]string{"pedestrian_friendly", "cycling_friendly", "fitness_establishment_access",
				"healthy_restaurant_access"}, name) {
				v = math.NaN()
			}
			s.add(name, v)
		}
	}
	return points
}

// gridIn are points every 200 m in the city of a region without streets.
func gridIn(t *testing.T, db *duck.DB) (points []orb.Point) {
	t.Helper()
	var geom []byte
	if err := db.QueryRow("SELECT geom FROM geography WHERE level = 30 ORDER BY area_m2 DESC LIMIT 1").Scan(&geom); err != nil {
		t.Fatal(err)
	}
	g, err := wkb.Unmarshal(geom)
	if err != nil {
		t.Fatal(err)
	}
	city, box := geo.Prepare(g.(orb.MultiPolygon)), g.Bound()
	mLng, mLat := geo.MetresPerDegree(box.Center()[1])
	for lat := box.Min[1]; lat < box.Max[1]; lat += 200 / mLat {
		for lng := box.Min[0]; lng < box.Max[0]; lng += 200 / mLng {
			if p := (orb.Point{lng, lat}); city.Contains(p) {
				points = append(points, p)
			}
		}
	}
	return points
}

// placesByClass are the places of a region by class, parks by their centres and entrances.
func placesByClass(t *testing.T, db *duck.DB) map[string]*near.Points {
	t.Helper()
	places := map[string]*near.Points{}
	add := func(class string, p orb.Point) {
		if places[class] == nil {
			places[class] = &near.Points{}
		}
		places[class].List = append(places[class].List, p)
	}
	for row, err := range sqlrow.Select[derived.POI](context.Background(), db, "SELECT * FROM poi ORDER BY poi_key") {
		if err != nil {
			t.Fatal(err)
		}
		at := orb.Point{row.Lng, row.Lat}
		for _, class := range destination.ClassesOf(strings.Split(row.Categories, ","), strings.Split(row.Tags, ",")) {
			add(class, at)
		}
		if slices.Contains(strings.Split(row.Categories, ","), "parks") {
			add("park", at)
		}
	}
	for row, err := range sqlrow.Select[derived.School](context.Background(), db, "SELECT * FROM school ORDER BY school_key") {
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(row.Levels, "elementary") || strings.Contains(row.Levels, "middle") {
			add("primary_school", orb.Point{row.Lng, row.Lat})
		}
		if strings.Contains(row.Levels, "secondary") {
			add("high_school", orb.Point{row.Lng, row.Lat})
		}
	}
	for _, class := range []string{"primary_school", "high_school"} {
		if places[class] != nil {
			continue
		}
		for row, err := range sqlrow.Select[derived.Destination](context.Background(), db,
			"SELECT * FROM destination WHERE class = ? ORDER BY destination", class) {
			if err != nil {
				t.Fatal(err)
			}
			add(class, orb.Point{row.Lng, row.Lat})
		}
	}
	for _, list := range places {
		list.Build()
	}
	return places
}

// addErrands adds the share of all errands of a mode where most kinds are known.
func addErrands(all []samples, c *calibration.Calibration, m *calibration.Moments, mode string) {
	weights, total := make([]float64, len(c.Access.Slots)), 0.0
	for i, slot := range c.Access.Slots {
		if !slot.Evidence {
			weights[i] = rating.Total(slot.Weights)
			total += weights[i]
		}
	}
	for _, s := range all {
		known, n := uint(0), 0
		for i, slot := range c.Access.Slots {
			if values := s[mode+" "+slot.Name]; values != nil {
				known, n = known|1<<i, len(values)
			}
		}
		estimate := rating.NewEstimate(m, weights, known)
		if 5*estimate.Residual/total > c.Estimates.MaxResidual {
			continue
		}
		for at := range n {
			sum := 0.0
			for i, slot := range c.Access.Slots {
				if known>>i&1 != 0 {
					sum += estimate.Weights[i] * s[mode+" "+slot.Name][at]
				}
			}
			s.add(mode+" errands", min(1, sum/total))
		}
	}
}

// residuals are the errors of the scores where a part is unknown, in points.
func residuals(c *calibration.Calibration) string {
	var b strings.Builder
	s := &c.Scores
	table := func(name string, m *calibration.Moments, scale float64, weights ...float64) {
		total := rating.Total(weights)
		for i, part := range m.Parts {
			if weights[i] > 0 {
				e := rating.NewEstimate(m, weights, (1<<len(weights)-1)&^(1<<i))
				fmt.Fprintf(&b, "%-8s without %-30s %.2f points\n", name, part, scale*e.Residual/total)
			}
		}
	}
	var kinds []float64
	for _, slot := range c.Access.Slots {
		weight := rating.Total(slot.Weights)
		if slot.Evidence {
			weight = 0
		}
		kinds = append(kinds, weight)
	}
	table("walk", c.Estimates.Walk, 5, kinds...)
	table("bicycle", c.Estimates.Bicycle, 5, kinds...)
	table("drive", c.Estimates.Drive, 5, kinds...)
	table("cycling", c.Estimates.Cycling, 5, s.Cycling.Lanes, s.Cycling.Hills, s.Cycling.Errands, s.Cycling.LowStress, 0)
	table("car", c.Estimates.Car, 5, s.Car.Access.Errands, s.Car.Access.Ramp, s.Car.Access.Arterial)
	w := s.Wellness
	table("wellness", c.Estimates.Wellness, 1, w.Parks, w.Greenery, w.Quiet, w.Pedestrian, w.Cycling, w.Fitness, w.Healthy, w.Groceries)
	return "residuals where one part is unknown\n" + b.String()
}

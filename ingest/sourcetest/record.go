package sourcetest

import (
	"fmt"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// Record is a sink that keeps all rows as it receives them, for tests without a database.
type Record struct {
	Boundaries []source.Boundary
	Coverages  []source.Coverage
	POIs       []source.POI
	BrandRules []source.BrandRule
	Streets    []source.Street
	Features   []source.Feature
	Timetables []source.Timetable
	Stops      []source.Stop
	Routes     []source.Route
	Services   []source.StopService
	Tiles      []source.ElevationTile
	Blocks     []source.Block
	Homes      []source.Home
	Surveys    []source.Survey
	Statistics []source.Statistic
	Zones      []source.Zone
	HomeValues []source.HomeValue
	Issues     []string // "code @ where" or "code: detail @ where"
	Repaired   int      // issues of rows that are staged
	Count      int      // rows or features of the file
}

var _ source.Sink = (*Record)(nil)

// Boundary keeps b.
func (r *Record) Boundary(b source.Boundary) error {
	r.Boundaries = append(r.Boundaries, b)
	return nil
}

// Coverage keeps c.
func (r *Record) Coverage(c source.Coverage) error {
	r.Coverages = append(r.Coverages, c)
	return nil
}

// POI keeps p.
func (r *Record) POI(p source.POI) error {
	r.POIs = append(r.POIs, p)
	return nil
}

// BrandRule keeps b.
func (r *Record) BrandRule(b source.BrandRule) error {
	r.BrandRules = append(r.BrandRules, b)
	return nil
}

// Street keeps s.
func (r *Record) Street(s source.Street) error {
	r.Streets = append(r.Streets, s)
	return nil
}

// Feature keeps f.
func (r *Record) Feature(f source.Feature) error {
	r.Features = append(r.Features, f)
	return nil
}

// Timetable keeps t.
func (r *Record) Timetable(t source.Timetable) error {
	r.Timetables = append(r.Timetables, t)
	return nil
}

// Stop keeps s.
func (r *Record) Stop(s source.Stop) error {
	r.Stops = append(r.Stops, s)
	return nil
}

// Route keeps v.
func (r *Record) Route(v source.Route) error {
	r.Routes = append(r.Routes, v)
	return nil
}

// StopService keeps s.
func (r *Record) StopService(s source.StopService) error {
	r.Services = append(r.Services, s)
	return nil
}

// ElevationTile keeps e.
func (r *Record) ElevationTile(e source.ElevationTile) error {
	r.Tiles = append(r.Tiles, e)
	return nil
}

// Block keeps b.
func (r *Record) Block(b source.Block) error {
	r.Blocks = append(r.Blocks, b)
	return nil
}

// Home keeps h.
func (r *Record) Home(h source.Home) error {
	r.Homes = append(r.Homes, h)
	return nil
}

// Survey keeps s.
func (r *Record) Survey(s source.Survey) error {
	r.Surveys = append(r.Surveys, s)
	return nil
}

// Statistic keeps s.
func (r *Record) Statistic(s source.Statistic) error {
	r.Statistics = append(r.Statistics, s)
	return nil
}

// Zone keeps z.
func (r *Record) Zone(z source.Zone) error {
	r.Zones = append(r.Zones, z)
	return nil
}

// HomeValue keeps v.
func (r *Record) HomeValue(v source.HomeValue) error {
	r.HomeValues = append(r.HomeValues, v)
	return nil
}

// Read adds to Count.
func (r *Record) Read(n int) { r.Count += n }

// Issue keeps the issue as text.
func (r *Record) Issue(why reason.Reason, where string) {
	r.Issues = append(r.Issues, fmt.Sprintf("%s @ %s", why, where))
	if why.Severity == reason.Repaired {
		r.Repaired++
	}
}

// Reasons counts the issues as "code" or "code: detail"; nil if there are none.
func (r *Record) Reasons() map[string]int {
	var reasons map[string]int
	for _, issue := range r.Issues {
		if reasons == nil {
			reasons = map[string]int{}
		}
		reason, _, _ := strings.Cut(issue, " @ ")
		reasons[reason]++
	}
	return reasons
}

// Places returns the POIs as "key lng,lat name", followed by the size of areas, separated by |.
func (r *Record) Places() string {
	var places []string
	for _, p := range r.POIs {
		text := fmt.Sprintf("%s %.4f,%.4f %s", p.Key, p.Point[0], p.Point[1], p.Name)
		if p.AreaM2 != nil {
			text += fmt.Sprintf(" %.0f m²", *p.AreaM2)
		}
		places = append(places, text)
	}
	return strings.Join(places, "|")
}

// Options parses the options of a source, as under options: in a region file.
func Options(t testing.TB, text string) yaml.Node {
	t.Helper()
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		t.Fatalf("options %q: %v", text, err)
	}
	if len(document.Content) == 0 {
		return yaml.Node{}
	}
	return *document.Content[0]
}

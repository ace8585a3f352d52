package sourcetest

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"quartier/ingest/source"
	"quartier/schemas/reason"
	"quartier/schemas/staged"
)

// Record is a sink that keeps all rows as it receives them, for tests without a database.
type Record struct {
	Boundaries []source.Boundary
	Gazetteer  []source.GazetteerPlace
	POIs       []source.POI
	BrandRules []source.BrandRule
	Corrected  []source.Correction
	Streets    []source.Street
	Bikeways   []source.Bikeway
	Features   []source.Feature
	Ground     []source.Ground
	Counts     []source.TrafficCount
	Schools    []source.School
	Timetables []source.Timetable
	LineLists  []source.LineList
	Shapes     []source.RouteShape
	Stops      []source.Stop
	Routes     []source.Route
	Services   []source.StopService
	Schedules  []source.Schedule
	CallStops  []source.ScheduleStop
	Lines      []source.ScheduleRoute
	Days       []source.ScheduleService
	Patterns   []source.SchedulePattern
	Trips      []source.ScheduleTrip
	Headways   []source.ScheduleHeadway
	Transfers  []source.ScheduleTransfer
	Tiles      []source.ElevationTile
	Cover      []source.LandCoverTile
	Blocks     []source.Block
	Homes      []source.Home
	Jobs       []source.Job
	Surveys    []source.Survey
	Statistics []source.Statistic
	Zones      []source.Zone
	Catchments []source.Catchment
	HomeValues []source.HomeValue
	Listings   []staged.Listing
	Changes    []staged.ListingChange
	Issues     []string // "code @ where" or "code: detail @ where"
	Repaired   int      // issues of rows that are staged, or of the file
	Count      int      // rows or features of the file
}

var _ source.Sink = (*Record)(nil)

// Row appends the row to the field of its type.
func (r *Record) Row(row source.Row) error {
	for field, list := range reflect.ValueOf(r).Elem().Fields() {
		if field.Type == reflect.SliceOf(reflect.TypeOf(row)) {
			list.Set(reflect.Append(list, reflect.ValueOf(row)))
			return nil
		}
	}
	return fmt.Errorf("unknown row %T", row)
}

// Part begins nothing.
func (r *Record) Part(string) {}

// Read adds to Count.
func (r *Record) Read(n int) { r.Count += n }

// Issue keeps the issue as text.
func (r *Record) Issue(why reason.Reason, where string) {
	r.Issues = append(r.Issues, fmt.Sprintf("%s @ %s", why, where))
	if why.Severity == reason.Repaired || why.Severity == reason.Noted {
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

// File writes a file that exists until the end of the test and returns its path.
func File(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
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

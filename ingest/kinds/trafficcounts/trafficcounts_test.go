package trafficcounts

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/testenv"
	"quartier/schemas/calibration"
)

const loops = "file: loops.geojson\ncounts: counts.json\ncounts_key: L\ncounts_time: T\ncounts_value: N\nminutes: 60\nkey: LOOP\ngroup: " +
	"[AT, DIR]\nheading: DIR\nper_direction: true"

const surrey = "file: surreytrafficloops.geojson\ncounts: trafficloopcounts.json\ncounts_key: LOOP_ID\ncounts_time: DATETIME\n" +
	"counts_value: TRAFFIC_COUNT\n" +
	"key: LOOP_ID\ngroup: [INTERSECTION_ID, LANE_DIRECTION]\nheading: LANE_DIRECTION\nper_direction: true"

func TestConformance(t *testing.T) {
	const rows = "SELECT source_key, name, class, round(aadt, 1), round(heavy, 3), round(speed_kmh, 1), lanes, one_way, heading FROM " +
		"traffic_count ORDER BY source_key"
	sourcetest.Run(t, Kind,
		sourcetest.Case{
			Name: "HPMS sections", Path: "testdata/hpms.geojson", Options: "layout: hpms\nscheme: us", Read: 5,
			Rows: map[string]string{rows: "us:1|MAIN ST|secondary|12000|0.04|56.3|4|false|∅\nus:2|I 95|motorway|60000|∅|∅|∅|true|∅"},
			Issues: map[string]int64{"missing_volume": 1, "invalid_volume": 1, "missing_geometry": 1, "invalid_heavy_removed": 1,
				"invalid_lanes_removed":       1,
				"invalid_speed_limit_removed": 1},
		},
		sourcetest.Case{
			Name: "a table with decimal commas", Path: "testdata/midblock.csv",
			Options: "key: Id\nname: Rue\nlng: Lng\nlat: Lat\naadt: DJMA\nfactor: 2\nheavy_pct: Lourds %\nheading: Dir\ndecimal: \",\"",
			Read:    4, AnyLength: "rows of text",
			Rows: map[string]string{rows: "under-test:1|Rue Principale|∅|2469|0.055|∅|∅|false|0\nunder-test:2|Rue Bank|∅|1960|∅|∅|∅|false|∅"},
			Issues: map[string]int64{"missing_volume": 1, "invalid_coordinate": 1, "invalid_heavy_removed": 1, "unknown_heading_removed": 1,
				"decimal_comma_found": 2, "delimiter_found": 1},
		},
		sourcetest.Case{
			Name: "a table with decimal commas that are found", Path: "testdata/midblock.csv",
			Options: "key: Id\nname: Rue\nlng: Lng\nlat: Lat\naadt: DJMA\nheavy_pct: Lourds %",
			Read:    4, AnyLength: "rows of text",
			Rows: map[string]string{
				"SELECT source_key, aadt, heavy FROM traffic_count ORDER BY source_key": "under-test:1|1234.5|0.055\nunder-test:2|980|∅"},
			Issues: map[string]int64{"missing_volume": 1, "invalid_coordinate": 1, "invalid_heavy_removed": 1,
				"decimal_comma_found": 4, "thousands_separators_found": 1, "delimiter_found": 1},
		},
		sourcetest.Case{
			Name: "lanes with hourly counts", Path: "testdata/loops", Options: loops,
			// EB: the mean of days of 2,400 and 4,800, and 23 hours of 50, scaled to 24. WB has a lane with ten hours alone.
			Rows:   map[string]string{rows: "under-test:10 EB|∅|∅|4800|∅|∅|2|true|90"},
			Issues: map[string]int64{"no_full_day": 2, "lane_without_count": 1, "invalid_interval": 1, "counts_without_detector": 1},
		},
	)
}

func read(t *testing.T, path, options string) (*sourcetest.Record, error) {
	t.Helper()
	out := &sourcetest.Record{}
	err := Kind.Stage(t.Context(), source.Input{Source: "s", Path: path, Options: sourcetest.Options(t, options)}, out)
	return out, err
}

// Surrey's detectors calibrate the traffic of arterials: the streets of its signals with two through lanes each way. They
// have no class; as a primary and a secondary road of four lanes are assumed to have 36,000 and 18,000 vehicles a day, the
// median must lie about their mean. Detectors are numbered by lane: under 5 for turns to the left, 5 to 8 and from 21 on
// through.
func TestSurreyCalibratesArterials(t *testing.T) {
	path := testenv.NeedData(t, "ca-cities/traffic-surrey")
	out, err := read(t, path, surrey)
	if err != nil {
		t.Fatal(err)
	}
	ways := map[string][]source.TrafficCount{} // by intersection and axis
	for _, c := range out.Counts {
		at, direction, _ := strings.Cut(strings.TrimPrefix(c.Key, "s:"), " ")
		ways[at+map[string]string{"EB": "we", "WB": "we", "NB": "ns", "SB": "ns"}[direction]] = append(
			ways[at+map[string]string{"EB": "we", "WB": "we", "NB": "ns", "SB": "ns"}[direction]], c)
	}
	var four []float64
	for _, both := range ways {
		if len(both) == 2 && both[0].Lanes >= 3 && both[1].Lanes >= 3 { // a lane to turn and two through
			four = append(four, both[0].AADT+both[1].AADT)
		}
	}
	slices.Sort(four)
	if len(four) < 5 {
		t.Fatalf("%d roads of %d counts: %v", len(four), len(out.Counts), out.Reasons())
	}
	c := calibration.Standard().Traffic
	primary, _ := c.Of("primary", false, 4, 0)
	secondary, _ := c.Of("secondary", false, 4, 0)
	median := four[len(four)/2]
	t.Logf("%d roads of two through lanes each way: %.0f; assumed %.0f and %.0f", len(four), four, primary.AADT, secondary.AADT)
	if mean := (primary.AADT + secondary.AADT) / 2; math.Abs(median/mean-1) > .2 {
		t.Errorf("the median is %.0f vehicles a day, the mean of the classes %.0f", median, mean)
	}
	if four[0] < secondary.AADT*.8 || four[len(four)-1] > primary.AADT*1.2 {
		t.Errorf("%.0f to %.0f vehicles a day, classes have %.0f to %.0f", four[0], four[len(four)-1], secondary.AADT, primary.AADT)
	}
}

func TestHeading(t *testing.T) {
	for text, want := range map[string]float64{"NB": 0, "eastbound": 90, "South-West": 225, "Ouest": 270, "bound": -1, "45": 45, "360": 0,
		"NaN": -1, "b": -1, "North Bound": 0} {
		if got, ok := heading(text); ok != (want >= 0) || ok && got != want {
			t.Errorf("%s: %v, %v", text, got, ok)
		}
	}
}

func TestBadFilesAndOptions(t *testing.T) {
	folder := func(counts string) string {
		dir := t.TempDir()
		text, err := os.ReadFile("testdata/loops/loops.geojson")
		if err == nil {
			err = errors.Join(os.WriteFile(filepath.Join(dir, "loops.geojson"), text, 0o600),
				os.WriteFile(filepath.Join(dir, "counts.json"), []byte(counts), 0o600))
		}
		if err != nil {
			t.Fatal(err)
		}
		return dir
	}
	for name, c := range map[string]struct {
		path, options, want string
		err                 error
	}{
		"no volume": {"testdata/hpms.geojson", "key: ROUTE_NAME", "aadt: is missing", source.ErrBadOptions},
		"a column":  {"testdata/hpms.geojson", "aadt: VOLUME", "VOLUME", source.ErrBadFile},
		"both":      {"testdata/hpms.geojson", "aadt: AADT\nsum: [A, B]", "exclude each other", source.ErrBadOptions},
		"a class": {"testdata/hpms.geojson", "aadt: AADT\nclass: F_SYSTEM\nclasses: {1: highway}", `"highway" is none of`,
			source.ErrBadOptions},
		"outside": {"testdata/loops", strings.Replace(loops, "counts.json", "../hpms.geojson", 1), "is not a file of the folder",
			source.ErrBadOptions},
		"no coordinates": {"testdata/midblock.csv", "aadt: DJMA", "it is a table; set the option wkt", source.ErrBadFile},
		"a unit":         {"testdata/hpms.geojson", "aadt: AADT\nspeed_unit: knots", "neither kmh nor mph", source.ErrBadOptions},
		"an interval": {"testdata/loops", strings.Replace(loops, "minutes: 60", "minutes: 7", 1), "7 does not divide a day",
			source.ErrBadOptions},
		"counts cut":        {folder(`[{"L":"1-1","T":"20160322","N":4},{"L":`), loops, "the file is truncated", source.ErrBadFile},
		"counts other":      {folder(`{"L":1}`), loops, "not a JSON array", source.ErrBadFile},
		"counts' column":    {folder(`[{"L":"1-1","T":"20160322","C":4}]`), loops, "no N; there are: C, L, T", source.ErrBadFile},
		"counts of nothing": {folder(`[]`), loops, "it has no counts", source.ErrBadFile},
	} {
		if _, err := read(t, c.path, c.options); !errors.Is(err, c.err) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		in := source.Input{Source: "s", Path: c.path, Options: sourcetest.Options(t, c.options)}
		if err := Kind.Check(t.Context(), in); name != "counts cut" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: the check finds %v", name, err)
		}
	}
}

// FuzzCounts: counts of any text are read or refused, and volumes are finite.
func FuzzCounts(f *testing.F) {
	f.Add(`[{"L":"1-1","T":"201603220100","N":43}]`)
	f.Add(`[{"L":1,"T":20160322,"N":"4,3"},{"L":"1-1"}]`)
	loopText, err := os.ReadFile("testdata/loops/loops.geojson")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		if err := errors.Join(os.WriteFile(filepath.Join(dir, "loops.geojson"), loopText, 0o600),
			os.WriteFile(filepath.Join(dir, "counts.json"), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
		out, err := read(t, dir, strings.Replace(loops, "minutes: 60", "minutes: 1440", 1))
		if err != nil && !errors.Is(err, source.ErrBadFile) {
			t.Error(err)
		}
		for _, c := range out.Counts {
			if !(c.AADT > 0 && c.AADT <= 2*maxVolume) {
				t.Errorf("%v vehicles a day", c.AADT)
			}
		}
	})
}

// FuzzTable: every row of a table is staged or counted.
func FuzzTable(f *testing.F) {
	f.Add("Id,Lng,Lat,N\n1,-75,45,100\n2,x,45,\n")
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "counts.csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := read(t, path, "key: Id\nlng: Lng\nlat: Lat\naadt: N")
		if err != nil {
			if !errors.Is(err, source.ErrBadFile) {
				t.Error(err)
			}
			return
		}
		if got := len(out.Counts) + len(out.Issues) - out.Repaired; got != out.Count {
			t.Errorf("%d read, %d staged or counted: %v", out.Count, got, out.Issues)
		}
	})
}

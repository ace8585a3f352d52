package trafficcounts

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
)

// file writes a file of a test, with the detectors beside it.
func file(t *testing.T, name, text string) (path string) {
	t.Helper()
	dir := t.TempDir()
	detectors, err := os.ReadFile("testdata/loops/loops.geojson")
	if err == nil {
		err = errors.Join(os.WriteFile(filepath.Join(dir, "loops.geojson"), detectors, 0o600),
			os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, name)
}

// TestColumnsDecideHowNumbersAreWritten: a separator is never deleted.
func TestColumnsDecideHowNumbersAreWritten(t *testing.T) {
	for name, c := range map[string]struct {
		volumes, options, want string
	}{
		"comma":            {"1 234,5|900", "", "[1234.5 900]"},
		"thousands":        {"12,345|900", "", "[12345 900]"},
		"mixed":            {"1234.5|12,5", "", "the decimal mark is the point in line 2"},
		"not thousands":    {"12,34|900.5", "decimal: \".\"", "[900.5] [invalid_volume @ line 2 \"1\"]"},
		"spaces":           {"1 2 3|900", "", "[900] [invalid_volume @ line 2 \"1\"]"},
		"counts are whole": {"12.345|1.234", "", "[12345 1234]"},
		"points":           {"12.000|1.000", "", "a thousand or a whole number with decimals"},
		"points, by hand":  {"12.000|1.000", "decimal: \",\"", "[12000 1000]"},
	} {
		text := "id;lng;lat;n\n"
		for i, volume := range strings.Split(c.volumes, "|") {
			text += fmt.Sprintf("%d;-75.7;45.4;%s\n", i+1, volume)
		}
		out, err := read(t, file(t, "counts.csv", text), "key: id\nlng: lng\nlat: lat\naadt: n\n"+c.options)
		var volumes []float64
		for _, count := range out.Counts {
			volumes = append(volumes, count.AADT)
		}
		issues := slices.DeleteFunc(out.Issues, func(issue string) bool { return strings.Contains(issue, "_found") })
		got := fmt.Sprint(volumes, issues)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, strings.TrimPrefix(c.want, "the ")) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// series are counts of detector 1-1 at some times, as JSON.
func series(times ...string) string {
	var rows []string
	for _, at := range times {
		rows = append(rows, fmt.Sprintf(`{"L":"1-1","T":%q,"N":10}`, at))
	}
	return "[" + strings.Join(rows, ",\n") + "]"
}

func TestIntervalsOfAnotherLength(t *testing.T) {
	var times []string
	for minute := 0; minute < 1440; minute += 5 {
		times = append(times, fmt.Sprintf("2016-03-22T%02d:%02d:00", minute/60, minute%60))
	}
	five := filepath.Dir(file(t, "counts.json", series(times...)))
	_, err := read(t, five, strings.Replace(loops, "minutes: 60\n", "", 1))
	if want := "object 2: detector 1-1, 2016-03-22: no interval of 15 minutes begins at 00:05:00; set the option minutes"; !errors.Is(err,
		source.ErrBadFile) || !strings.Contains(err.Error(), want) {
		t.Errorf("5 minutes for 15: %v", err)
	}
	out, err := read(t, five, strings.Replace(loops, "minutes: 60", "minutes: 5", 1)+"\nwhere: {LOOP: 1-1}")
	if err != nil || len(out.Counts) != 1 || out.Counts[0].AADT != 2880 {
		t.Errorf("5 minutes: %v %v", out.Counts, err)
	}
}

func TestTimesOfIntervals(t *testing.T) {
	for at, good := range map[string]bool{
		"20160322": true, "201603220000": true, "20160322000000": true, "2016-03-22": true, "2016-03-22 00:00": true, "2016/03/22 0:00": true,
		"2016-03-22T00:00:00.000": true,
		" 2016-03-22T00:00 ":      true, "1/5/2024 7:15": false, "11/15/2024 07:15": false, "1458604800": false, "1458604800000": false,
		"2016-03-22 12:00:00 AM": false,
		"20163122":               false, "20160230": false, "201603222400": false, "201603220060": false, "2016-03-22T00:00:00Z": false,
		"20160322x":  false,
		"2016032200": false, "": false,
	} {
		out, err := read(t, filepath.Dir(file(t, "counts.json", series("20160321", at))),
			strings.Replace(loops, "minutes: 60", "minutes: 1440", 1)+"\nwhere: {LOOP: 1-1}")
		invalid := slices.Contains(out.Issues, fmt.Sprintf("invalid_interval @ counts.json object 2: T %q", at))
		if err != nil || invalid == good {
			t.Errorf("%q: %v %v", at, out.Issues, err)
		}
	}
}

// TestRepeatedIntervals: the first of two rows of a time counts.
func TestRepeatedIntervals(t *testing.T) {
	out, err := read(t, filepath.Dir(file(t, "counts.json", "\ufeff"+series("20160322", "20160322", "20160323"))),
		strings.Replace(loops, "minutes: 60", "minutes: 1440", 1)+"\nwhere: {LOOP: 1-1}")
	if err != nil || !slices.Contains(out.Issues, "duplicate_interval @ counts.json object 2") || len(out.Counts) != 1 ||
		out.Counts[0].AADT != 10 {
		t.Errorf("%v %v %v", out.Counts, out.Issues, err)
	}
}

func TestLimitsOfCounts(t *testing.T) {
	path := filepath.Dir(file(t, "counts.json", `[{"L":"1-1","T":"20160322","N":1,"X":"`+strings.Repeat("x", 5000)+`"}]`))
	in := source.Input{Source: "s", Path: path, Options: sourcetest.Options(t, loops), Limits: source.Limits{FeatureBytes: 2000}}
	if err := Kind.Stage(t.Context(), in, &sourcetest.Record{}); !errors.Is(err, source.ErrTooLarge) || !errors.Is(err, source.ErrBadFile) {
		t.Errorf("a large object: %v", err)
	}
	d := newDays(&Options{Minutes: 15})
	d.most = 2
	for i, date := range []string{"20160322", "20160323", "20160323", "20160324"} {
		if _, err := d.add("1", date, 1, true); (err != nil) != (i == 3) || i == 3 && !errors.Is(err, source.ErrTooLarge) {
			t.Errorf("%s: %v", date, err)
		}
	}
}

// TestMissingColumnsOfCounts: preflight finds the line of the option by the names of the columns.
func TestMissingColumnsOfCounts(t *testing.T) {
	for _, c := range []struct{ name, text string }{{"counts.json", `[{"L":"1-1","T":"20160322"}]`}, {"counts.csv", "L,T,C\n1,2,3\n"}} {
		in := source.Input{Source: "s", Path: filepath.Dir(file(t, c.name, c.text)),
			Options: sourcetest.Options(t, strings.Replace(loops, "counts.json", c.name, 1))}
		var columns *source.NoColumns
		if err := Kind.Check(t.Context(), in); !errors.Is(err, source.ErrBadFile) || !errors.As(err, &columns) ||
			!slices.Equal(columns.Names, []string{"N"}) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

const lanes = "group: [a, b]\naadt: n\nheavy_pct: h\nlanes: l\nspeed: s\nheading: d\nlng: lng\nlat: lat\nname: street\n"

func TestGroupsOfLanes(t *testing.T) {
	const head = "a,b,street,n,h,l,s,d,lng,lat\n"
	for name, c := range map[string]struct{ rows, want string }{
		"added up": {"x,N,,9000,10,2,50,N,-75,45\nx,N,Main,1000,50,1,50,N,-75,45\n", "s:x N Main 10000 0.14 3 50 0 []"},
		"differ": {"x,N,Main,9000,10,2,50,N,-75,45\nx,N,Main,1000,,1,60,S,-75,45\n",
			"s:x N Main 10000 - 3 0 - [differing_lanes_removed @ lanes of x N]"},
		"without lanes": {"x,N,Main,9000,,,,,-75,45\nx,N,Main,1000,,,,,-75,45\n", "s:x N Main 10000 - 2 0 - []"},
		"too much":      {"x,N,Main,400000,,,,,-75,45\nx,N,Main,300000,,,,,-75,45\n", "[invalid_volume @ lanes of x N: 700000]"},
		"one not placed": {"x,N,Main,9000,,,,,-75,45\nx,N,Main,1000,,,,,75° W,45\n",
			"[coordinate_in_minutes @ line 3 \"2\" lane_without_count @ lanes of x N: 1 of 2]"},
		"alike when glued": {"x y,z,Main,10,,,,,-75,45\nx,y z,Main,20,,,,,-75,45\n", "s:x y z Main 10 - 1 0 - s:x y z Main 20 - 1 0 - []"},
	} {
		out, err := read(t, file(t, "lanes.csv", head+c.rows), lanes)
		var got []string
		for _, count := range out.Counts {
			optional := func(v *float64) string {
				if v == nil {
					return "-"
				}
				return fmt.Sprintf("%.4g", *v)
			}
			got = append(got, fmt.Sprint(count.Key, " ", count.Name, " ", count.AADT, " ", optional(count.Heavy), " ", count.Lanes, " ",
				count.SpeedKMH, " ", optional(count.Heading)))
		}
		got = append(got, fmt.Sprint(out.Issues))
		if all := strings.Join(got, " "); err != nil || all != c.want {
			t.Errorf("%s: %s %v", name, all, err)
		}
	}
}

// TestLongestLine: a line of many points is not a long one.
func TestLongestLine(t *testing.T) {
	const text = `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"n":100},"geometry":{"type":"MultiLineString",` +
		`"coordinates":[[[-75,45],[-75,45.0001],[-75,45.0002]],[[-75,45.1],[-75,45.2]]]}}]}`
	out, err := read(t, file(t, "lines.geojson", text), "aadt: n")
	if err != nil || len(out.Counts) != 1 || out.Counts[0].Geometry.Bound().Min[1] != 45.1 ||
		!slices.Equal(out.Issues, []string{"other_lines_removed @ feature 1 \"1\": 1 of 2 lines"}) {
		t.Errorf("%v %v %v", out.Counts, out.Issues, err)
	}
}

// TestLayoutsGiveWay: options take the place of a layout's that exclude them.
func TestLayoutsGiveWay(t *testing.T) {
	out, err := read(t, "testdata/hpms.geojson", "layout: hpms\nsum: [AADT_SINGLE_UNIT, AADT_COMBINATION]\nheavy_pct: THROUGH_LANES")
	if err != nil || len(out.Counts) == 0 || out.Counts[0].AADT != 480 || out.Counts[0].Heavy == nil || *out.Counts[0].Heavy != .04 {
		t.Errorf("%v %v", out.Counts, err)
	}
	if _, err := read(t, "testdata/loops", loops+"\nlayout: hpms"); err != nil {
		t.Error(err)
	}
	if _, err := read(t, "testdata/hpms.geojson", "layout: hpms\naadt: AADT\nsum: [AADT]"); !errors.Is(err, source.ErrBadOptions) {
		t.Errorf("both given: %v", err)
	}
}

// TestFaultsHaveAnOrder: messages and columns are those of every run.
func TestFaultsHaveAnOrder(t *testing.T) {
	for range 20 {
		_, err := read(t, "testdata/loops", "file: loops.geojson\ncounts: counts.json")
		if want := "counts_key: is missing; the option counts needs it; counts_time: is missing; the option counts needs it; counts_value: " +
			"is"; err == nil || !strings.Contains(err.Error(), want) {
			t.Fatal(err)
		}
		o := Options{Key: source.List{"@row"}, AADT: source.List{"n"}, TableOptions: vector.TableOptions{FileOptions: vector.FileOptions{
			Where: map[string]source.List{"c": {"1"}, "a": {"1"}, "b": {"1"}}, Unless: map[string]source.List{"e": {"1"}, "d": {"1"}}}}}
		if got := o.file(source.Input{}).Columns.Wanted; !slices.Equal(got, []string{"a", "b", "c", "d", "e", "n"}) {
			t.Fatal(got)
		}
	}
}

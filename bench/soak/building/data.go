package building

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"quartier/internal/drill"
	"quartier/schemas"
)

// DataFault is a fault of a file of the synthetic sources, as files of publishers have them.
type DataFault struct {
	Name  string
	File  string                   // below the sources
	Plant func(text string) string // nil: the file is removed
	Gate  bool                     // a gate holds the release back; otherwise a source is refused
	Says  []string                 // what the message has
}

const (
	childCare = "opendata/port-hollis_licensed-child-care.csv"
	portYAML  = "regions/us-port-hollis.yaml"
)

// DataFaults are the faults that a build must refuse by reason, or hold back by a gate.
var DataFaults = []DataFault{
	{"missing file", childCare, nil, false, []string{"source child-care", "port-hollis_licensed-child-care.csv"}},
	{"wrong reference system", childCare,
		coordinates(func(lat, lng float64) (string, string) { return decimal(lat * 111200), decimal(lng * 78800) }),
		false, []string{"14 of 16 rows rejected", "coordinate_out_of_range"}},
	{"latitude and longitude swapped", childCare, coordinates(func(lat, lng float64) (string, string) { return decimal(lng), decimal(lat) }),
		false, []string{"outside Canada and the United States", "with longitude and latitude swapped, 14 of 14"}},
	{"duplicate keys", childCare, func(text string) string {
		lines := strings.SplitAfter(text, "\n")
		return lines[0] + strings.Repeat(lines[1], 12) + strings.Join(lines[2:], "")
	}, false, []string{"11× duplicate_key"}},
	{"negative counts", "acs/acsdt5y2023-b01001.dat",
		func(text string) string { return regexp.MustCompile(`\|(\d)`).ReplaceAllString(text, "|-$1") },
		false, []string{"source acs-vt", "negative_count", `"-19080"`}},
	{"shares over 1", "opendata/vermont_assessments.csv",
		func(text string) string { return regexp.MustCompile(`,(\d+\.\d)`).ReplaceAllString(text, ",1$1") },
		false, []string{"source assessments", "invalid_mark", `"192.4"`}},
	{"no UTF-8", "osm/port-hollis.osm", func(text string) string { return strings.ReplaceAll(text, `v="`, "v=\"\xff\xfe") },
		false, []string{"port-hollis.osm", "line 5", "invalid UTF-8"}},
	{"half of the rows gone", childCare, EverySecondLine, true, []string{"rows.us-port-hollis/child-care: 50.0 %, limit 30.0 %: 14 → 7"}},
	{"a source gone from the region file", portYAML, func(text string) string {
		from := strings.Index(text, "  - id: child-care\n")
		next := strings.Index(text[from+4:], "  - id: ")
		return text[:from] + text[from+4+next:]
	}, true, []string{"rows.us-port-hollis/child-care: 100.0 %, limit 30.0 %: 14 → 0", "licences: 1, limit 0"}},
}

// EverySecondLine is a text with its first and then every second line.
func EverySecondLine(text string) string {
	var kept []string
	for i, line := range strings.Split(text, "\n") {
		if i == 0 || i%2 == 1 {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// coordinates rewrites the last two columns of a CSV file, latitude and longitude.
func coordinates(change func(lat, lng float64) (string, string)) func(string) string {
	return func(text string) string {
		lines := strings.Split(text, "\n")
		for i, line := range lines[1:] {
			fields := strings.Split(strings.TrimSuffix(line, "\r"), ",")
			if len(fields) < 3 {
				continue
			}
			n := len(fields)
			lat, _ := strconv.ParseFloat(fields[n-2], 64)
			lng, _ := strconv.ParseFloat(fields[n-1], 64)
			fields[n-2], fields[n-1] = change(lat, lng)
			lines[i+1] = strings.Join(fields, ",")
		}
		return strings.Join(lines, "\n")
	}
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// PlantIn plants the fault in the sources in a folder, whose region files must not have digests of files.
func (f *DataFault) PlantIn(sources string) error {
	path := filepath.Join(sources, filepath.FromSlash(f.File))
	if f.Plant == nil {
		return os.Remove(path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(f.Plant(string(data))), 0o644)
}

// Exit is the exit code of the build.
func (f *DataFault) Exit() int {
	if f.Gate {
		return 6
	}
	return 4
}

// undeclared removes the digests of files from the region files, so that the fault is found and not that the file changed.
func undeclared(sources string) error {
	paths, err := filepath.Glob(filepath.Join(sources, "regions", "*.yaml"))
	for _, path := range paths {
		data, other := os.ReadFile(path)
		if other == nil {
			other = os.WriteFile(path, regexp.MustCompile(`(?m)^\s*sha256:.*\n`).ReplaceAll(data, nil), 0o644)
		}
		if other != nil {
			return other
		}
	}
	return err
}

// Faulty builds the synthetic release, and again with one of DataFaults after the other: each is refused for its reason, and the
// release of before stays. harmless is a planted fault of the check: nothing is planted. It returns the number of builds.
func Faulty(r *drill.Run, program func(args ...string) *exec.Cmd, sources string, harmless bool) int {
	dir := r.TempDir()
	out, work := filepath.Join(dir, "release"), filepath.Join(dir, "work")
	run(r, program("build", "--release", filepath.Join(sources, "release.yaml"), "--out", out, "--work", work))
	before, err := schemas.ReadManifest(out)
	r.Must(err)
	n := 0
	for ; n == 0 || r.More(n); n++ {
		fault := DataFaults[(n+r.Random.IntN(2))%len(DataFaults)]
		faulty := filepath.Join(dir, "sources")
		r.Must(os.CopyFS(faulty, os.DirFS(sources)))
		r.Must(undeclared(faulty))
		if !harmless {
			r.Must(fault.PlantIn(faulty))
		}
		text, err := program("build", "--release", filepath.Join(faulty, "release.yaml"), "--previous", out, "--out", out, "--force", "--work",
			work).CombinedOutput()
		code := 0
		if exit, ok := err.(*exec.ExitError); ok {
			code = exit.ExitCode()
		}
		if code != fault.Exit() {
			r.Fatalf("%s: exit code %d, want %d\n%s", fault.Name, code, fault.Exit(), text)
		}
		for _, says := range fault.Says {
			if !bytes.Contains(text, []byte(says)) {
				r.Fatalf("%s: %q is not said:\n%s", fault.Name, says, text)
			}
		}
		if after, err := schemas.ReadManifest(out); err != nil || after.Digest != before.Digest {
			r.Fatalf("%s: the release of before was touched: %v", fault.Name, err)
		}
		r.Must(os.RemoveAll(faulty))
	}
	return n
}

// Twins builds the same inputs again and again: in other folders and time zones, on one processor and on two. The releases are
// equal byte for byte. plant is what is done to a release before it is compared; nil: nothing. It returns the number of builds.
func Twins(r *drill.Run, b Builds, plant func(out string) error) int {
	dir, n := r.TempDir(), 0
	first := filepath.Join(dir, "first")
	run(r, b.to(first))
	for ; n == 0 || r.More(n); n++ {
		again := filepath.Join(dir, fmt.Sprint("another folder ", n), "release")
		cmd := b.to(again)
		zone := drill.Pick(r.Random, []string{"Asia/Tokyo", "America/St_Johns", "Pacific/Kiritimati", "UTC"})
		cmd.Env = append(os.Environ(), "TZ="+zone, fmt.Sprint("GOMAXPROCS=", 1+n%2))
		run(r, cmd)
		if plant != nil {
			r.Must(plant(again))
		}
		if err := SameFiles(first, again); err != nil {
			r.Fatalf("%s, %s: %v", zone, cmd.Env[len(cmd.Env)-1], err)
		}
		r.Must(os.RemoveAll(filepath.Dir(again)))
	}
	return n
}

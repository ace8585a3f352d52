package main

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quartier/build/explain"
	"quartier/schemas"
)

// inferred are the channels that are computed from what a release does not have.
var inferred = []string{
	"pedestrian_oriented_street_access", "nearest_highway_proximity", "airport_noise", "interchange_noise", "railway_noise", "traffic_noise",
	"terrain_steepness", "street_steepness", "intersection_density", "local_street_proportion", "infrastructure_unpleasant_for_pedestrians",
	"historic", "greenery",
}

// checkExplained checks at a number of nodes of the walking network that recomputed values are those of the build.
func checkExplained(t *testing.T, release string, nodes int) {
	t.Helper()
	points := rows(t, filepath.Join(release, schemas.AccessFile), "SELECT fid, hex(geometry) FROM street_node ORDER BY fid")
	random := rand.New(rand.NewPCG(3, 6))
	var some [][]string
	for range nodes {
		some = append(some, points[random.IntN(len(points))])
	}
	checkExplainedAt(t, release, some, func(*explain.Report) {})
}

// checkExplainedAt checks nodes, given by number and point, and visits what explains them.
func checkExplainedAt(t *testing.T, release string, nodes [][]string, visit func(*explain.Report)) {
	t.Helper()
	reader, err := explain.Open(release)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	channels, err := channelsNamed([]string{"all"})
	if err != nil {
		t.Fatal(err)
	}
	compared := map[string]int{}
	for _, row := range nodes {
		lng, lat := pointOf(t, row[1])
		report, err := reader.Explain(context.Background(), lng, lat, channels)
		if err != nil {
			t.Fatalf("node %s: %v", row[0], err)
		}
		end := slices.IndexFunc(report.Street.Nodes[:], func(n explain.Node) bool { return strconv.FormatInt(n.FID, 10) == row[0] })
		if end < 0 || report.Street.Nodes[end].Share != 1 {
			continue // a bridge: two nodes at one place
		}
		visit(report)
		// At a node without a value the other node's is served, and counts for what is made of it.
		borrowed := func(name string) bool {
			return slices.ContainsFunc(report.Values,
				func(v explain.Explanation) bool { return v.Name == name && v.Served != nil && v.Nodes[end] == nil })
		}
		for _, x := range report.Values {
			own := x.Nodes[end]
			if own == nil || slices.Contains(inferred, x.Name) ||
				slices.ContainsFunc(x.Parts, func(p explain.Part) bool { return borrowed(p.Name) }) {
				continue
			}
			compared[x.Name]++
			if x.Recomputed == nil && strings.Contains(x.NotRecomputed, "the release lists lent places") {
				continue
			}
			if x.Recomputed == nil {
				t.Errorf("node %s: %s is %v and not recomputed", row[0], x.Name, *own)
			} else if math.Abs(x.Recomputed.Street-*own) > 1e-3 {
				t.Errorf("node %s at %v, %v: %s is %v, recomputed %v (%s)", row[0], lat, lng, x.Name, *own, x.Recomputed.Street, x.Worked)
			}
		}
	}
	for _, c := range channels {
		t.Logf("%-50s %d", schemas.ChannelName(c), compared[schemas.ChannelName(c)])
	}
}

// pointOf reads a point from a SpatiaLite blob.
func pointOf(t *testing.T, text string) (lng, lat float64) {
	t.Helper()
	blob, err := hex.DecodeString(text)
	if err != nil || len(blob) != 60 {
		t.Fatalf("not a point: %s", text)
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(blob[43:])), math.Float64frombits(binary.LittleEndian.Uint64(blob[51:]))
}

func TestRecomputedIsWhatIsServed(t *testing.T) {
	t.Parallel()
	checkExplained(t, filepath.Join(townsDir(t), "first"), 150)
	checkNamesExplained(t, filepath.Join(townsDir(t), "first"))
}

func TestExplainCommand(t *testing.T) {
	release := filepath.Join(townsDir(t), "first")
	lng, lat := pointOf(t,
		rows(t, filepath.Join(release, schemas.AccessFile), "SELECT hex(geometry) FROM street_node ORDER BY restaurants DESC, fid LIMIT 1")[0][0])
	at := []string{"explain", "--release", release, "--lat", strconv.FormatFloat(lat, 'f', -1, 64), "--lng",
		strconv.FormatFloat(lng, 'f', -1, 64)}
	out, _ := mustRun(t, append(at, "--score", "restaurants", "--score", "quiet")...)
	for _, part := range []string{
		"restaurants  ", "served as", "recomputed", "formula    5 (1 − exp(−G/G0))", "λ 0.9 [A]", "metres", "vehicles/day", "Sources",
		"formula    5 clamp((loud − L)/(loud − quiet))", "known: roads, railways, aircraft", "railway_noise  ", "nightlife  ", "heard at night",
	} {
		if !strings.Contains(out, part) {
			t.Errorf("%q is missing from\n%s", part, out)
		}
	}
	out, _ = mustRun(t, append(at, "--json")...)
	var report explain.Report
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	if len(report.Values) != len(schemas.Scores) || len(report.Values[7].Places) == 0 || len(report.Sources) == 0 {
		t.Errorf("%d values, %d sources", len(report.Values), len(report.Sources))
	}
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{append(at, "--score", "restaurant"), exitUsage, "restaurant_access"},
		{[]string{"explain", "--release", release, "--lat", "91", "--lng", "0"}, exitUsage, "latitude 91"},
		{append(at, "--to", "45.4,-75.7,x"), exitUsage, `--to "45.4,-75.7,x" is no point`},
		{append(at, "--to", "45.4"), exitUsage, `--to "45.4" is no point`},
		{append(at, "--to", "45.4,"), exitUsage, `--to "45.4," is no point`},
		{append(at, "--to", "95.4,-75.7"), exitUsage, `--to "95.4,-75.7" is no point`},
		{[]string{"explain", "--release", release, "--lat", "10", "--lng", "10"}, exitFailure, "outside the release"},
		{[]string{"explain", "--release", t.TempDir(), "--lat", "10", "--lng", "10"}, exitFailure, "manifest.json"},
	} {
		if code, _, errs := quartier(c.args...); code != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("%v: exit code %d, %s", c.args, code, errs)
		}
	}
}

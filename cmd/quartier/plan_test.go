package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	module "quartier"
	"quartier/cmd/quartier/pipeline"
	"quartier/internal/spatialite/spatialitetest"
)

// changeCode changes the text of a file of the program's sources until the test ends; a new one is added.
func changeCode(t *testing.T, name string) {
	t.Helper()
	changed := fstest.MapFS{}
	err := fs.WalkDir(module.Sources, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(module.Sources, name)
		changed[name] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if changed[name] == nil {
		changed[name] = &fstest.MapFile{Data: []byte("package changed\n")}
	}
	changed[name].Data = append(slices.Clone(changed[name].Data), "\n// changed\n"...)
	pipeline.Sources = changed
	t.Cleanup(func() { pipeline.Sources = module.Sources })
}

// planned is a step of a printed plan, or of the report of a run.
type planned struct {
	name, why string
	reused    bool
}

var planLine = regexp.MustCompile(`(?m)^ *(\S+ (?:ingest|lend|transform)|build: [a-z ]*[a-z])  +(.*)$`)

// printedPlan reads the steps of a plan, of which those that run have estimates.
func printedPlan(t *testing.T, text string) (list []planned) {
	t.Helper()
	for _, m := range planLine.FindAllStringSubmatch(text, -1) {
		p := planned{name: m[1], reused: strings.TrimSpace(m[2]) == "reused"}
		needs := regexp.MustCompile(`(?:^| )\d[\d.]* [kMG]?B +\d+\.\d  (.+)$`).FindStringSubmatch(m[2])
		switch {
		case p.reused:
		case needs == nil:
			t.Errorf("no estimate of disk and minutes, and no reason, in %q", m[0])
		default:
			p.why = strings.TrimSpace(needs[1])
		}
		list = append(list, p)
	}
	return list
}

// lastRun reads the steps of the last run in a work folder.
func lastRun(t *testing.T, work string) (list []planned) {
	t.Helper()
	var report pipeline.Report
	if err := json.Unmarshal([]byte(readText(t, filepath.Join(work, "report.json"))), &report); err != nil {
		t.Fatal(err)
	}
	for _, s := range report.Steps {
		list = append(list, planned{name: s.Name, reused: s.Reused})
	}
	return list
}

// stepNames lists the steps of a plan that are reused, or those that run.
func stepNames(steps []planned, reused bool) string {
	var found []string
	for _, p := range steps {
		if p.reused == reused {
			found = append(found, p.name)
		}
	}
	return strings.Join(found, ", ")
}

// stopAt cancels a run when its log has a text.
type stopAt struct {
	bytes.Buffer
	text string
	stop context.CancelFunc
}

func (s *stopAt) Write(text []byte) (int, error) {
	if strings.Contains(string(text), s.text) {
		s.stop()
	}
	return s.Buffer.Write(text)
}

// nearPlan compares what a plan says of disk with what the run after it measured. The highest memory that the system reports of a
// process is at least that of the tests that started it, so that internal/estimate alone tries the plan of memory.
func nearPlan(t *testing.T, text, work string) {
	t.Helper()
	var report pipeline.Report
	if err := json.Unmarshal([]byte(readText(t, filepath.Join(work, "report.json"))), &report); err != nil {
		t.Fatal(err)
	}
	disk := int64(0)
	for name, m := range report.Measured {
		disk += m.Bytes
		if strings.HasPrefix(name, pipeline.BuildStep("pack ")) { // verify makes them again
			disk += m.Bytes
		}
	}
	m := regexp.MustCompile(`(?m)^ *total .*  ([\d.]+) MB  `).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("no total in\n%s", text)
	}
	planned, err := strconv.ParseFloat(m[1], 64)
	if ratio := planned * (1 << 20) / float64(disk); err != nil || ratio < 0.75 || ratio > 1.25 {
		t.Errorf("planned %s MB, measured %d bytes, %v", m[0], disk, err)
	}
}

// TestPlanIsWhatRuns compares the plan with the steps of the run after it: in a new work folder, after changes of code, of
// a source, of a file in the work folder, and after a build that was stopped.
func TestPlanIsWhatRuns(t *testing.T) { // not beside others: it changes what the code of the program is
	spatialitetest.Need(t)
	world, dir := worldCopy(t), t.TempDir()
	undeclare(t, world)
	work := filepath.Join(dir, "work")
	flags := []string{"--release", filepath.Join(world, "release.yaml"), "--out", filepath.Join(dir, "r"), "--work", work, "--force"}
	const ca, us = "ca-saint-aubin ingest, ca-saint-aubin lend", "us-port-hollis ingest, us-port-hollis lend"
	const all = ca + ", ca-saint-aubin transform, " + us + ", us-port-hollis transform"
	for _, tt := range []struct {
		name, reused, why, basis string // why: step: reason
		change                   func(t *testing.T)
	}{
		{"new", "", "us-port-hollis ingest: not done yet", "estimated from rates by kind of source", func(*testing.T) {}},
		{"server changed", all, "build: write pois: not done yet", "estimated from the last run in the work folder",
			func(t *testing.T) { changeCode(t, "serve/serve.go") }},
		{"transform changed", ca + ", " + us, "us-port-hollis transform: code of transform/measures/noise changed",
			"estimated from the last run in the work folder", func(t *testing.T) {
				changeCode(t, "transform/measures/noise/trains.sql")
			}},
		{"transform changed back, and a source", "ca-saint-aubin ingest", "us-port-hollis ingest: file of source osm changed",
			"estimated from the last run in the work folder", func(t *testing.T) {
				appendText(t, filepath.Join(world, "osm", "port-hollis.osm"), "\n")
			}},
		{"damaged, and stopped", strings.Replace(all, "us-port-hollis lend, ", "", 1) +
			", build: assemble regions, build: survey scores, build: write geographies, build: write pois",
			"us-port-hollis lend: us-port-hollis.lent.duckdb is damaged: its digest is not the one that it was written with",
			"estimated from the last run in the work folder", func(t *testing.T) {
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				out := &stopAt{text: "write pois  release=", stop: cancel}
				if code := run(ctx, append([]string{"quartier", "build", "--jobs", "1"}, flags...), out, out); code != exitInterrupted {
					t.Fatalf("exit code %d\n%s", code, out.String())
				}
				appendText(t, filepath.Join(work, "us-port-hollis.lent.duckdb"), "x")
			}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.change(t)
			_, text := mustRun(t, append([]string{"plan"}, flags...)...)
			mustRun(t, append([]string{"build"}, flags...)...)
			if tt.name == "new" {
				nearPlan(t, text, work)
			}
			plan, ran := printedPlan(t, text), lastRun(t, work)
			if len(plan) != len(ran) || len(plan) < 6 {
				t.Fatalf("%d steps are planned, and %d ran\n%s", len(plan), len(ran), text)
			}
			found := false
			for i, p := range plan {
				if p.name != ran[i].name || p.reused != ran[i].reused && p.why != pipeline.WhyLent {
					t.Errorf("planned %+v, ran %+v", p, ran[i])
				}
				found = found || p.name+": "+p.why == tt.why
			}
			if got := stepNames(ran, true); got != tt.reused || !found {
				t.Errorf("reused %s\nwant %s\nand %s in\n%s", got, tt.reused, tt.why, text)
			}
			if !strings.Contains(text, tt.basis) || !strings.Contains(text, "Memory: about ") {
				t.Errorf("no %q in\n%s", tt.basis, text)
			}
		})
	}
}

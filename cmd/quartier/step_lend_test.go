package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quartier/internal/spatialite/spatialitetest"
	"quartier/internal/store"
)

// threeTowns writes a release of regions with a few places each, and returns its file: near is 4 km from own, far 80 km.
func threeTowns(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	release := "release: towns\nregions:\n"
	for i, name := range []string{"far", "own", "near"} {
		west := []float64{-75, -76, -75.95}[i]
		rows := "KEY,NAME,TYPE,LATITUDE,LONGITUDE\n"
		for k := range 20 {
			rows += fmt.Sprintf("%s-%d,Cafe %d,cafes,%.4f,%.4f\n", name, k, k, 42.5+float64(k%4)/1000, west+float64(k%5)/1000)
		}
		write(name+".csv", rows)
		write(name+".yaml", `region: `+name+`
title: Town
country: US
sources:
  - id: places
    kind: places
    path: `+name+`.csv
    as_of: "2025-03-01"
    licence: CC-BY-4.0
    attribution: Towns (invented)
    options: {key: KEY, name: NAME, category_of: TYPE, lat: LATITUDE, lng: LONGITUDE, categories: {cafes: cafes}}
`)
		release += "  - " + name + ".yaml\n"
	}
	write("release.yaml", release)
	return filepath.Join(dir, "release.yaml")
}

// TestLendStepFetchesNearRegions runs steps in a folder and in a bucket that has lost the staged database of another region: of one that is
// near it is missed, of one that is far away it is not.
func TestLendStepFetchesNearRegions(t *testing.T) {
	spatialitetest.Need(t)
	release := threeTowns(t)
	for name, address := range map[string]string{"folder": filepath.Join(t.TempDir(), "work"), "bucket": bucket(t)} {
		t.Run(name, func(t *testing.T) {
			s, err := store.Open(t.Context(), address)
			if err != nil {
				t.Fatal(err)
			}
			run := func(id string) (int, string) {
				code, _, errs := quartier("step", "run", id, "--release", release, "--work", address)
				return code, errs
			}
			mustRun(t, "step", "plan", "--release", release, "--work", address)
			for _, region := range []string{"own", "near", "far"} {
				if code, errs := run("ingest." + region); code != exitOK {
					t.Fatalf("exit code %d\n%s", code, errs)
				}
			}
			for _, region := range []string{"near", "far"} {
				lose(t, s, "ingest."+region, region+".staged.duckdb")
			}
			if code, errs := run("lend.own"); code != exitFailure || !strings.Contains(errs, "fetch near.staged.duckdb: no such object") {
				t.Errorf("exit code %d\n%s", code, errs)
			}
			for _, id := range []string{"ingest.near", "lend.own", "ingest.far"} {
				if code, errs := run(id); code != exitOK {
					t.Errorf("%s: exit code %d\n%s", id, code, errs)
				}
			}
			lose(t, s, "ingest.near", "near.bounds.json")
			if code, errs := run("lend.far"); code != exitFailure || !strings.Contains(errs, "fetch near.bounds.json: no such object") {
				t.Errorf("exit code %d\n%s", code, errs)
			}
		})
	}
}

// lose deletes the object of a file that a step wrote.
func lose(t *testing.T, s store.Store, id, file string) {
	t.Helper()
	for record, err := range s.List(t.Context(), "steps/"+id+"/") {
		if err != nil {
			t.Fatal(err)
		}
		from, err := s.Open(t.Context(), record.Name, 0, -1)
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(from)
		from.Close()
		var of struct {
			Outputs []struct{ Name, SHA256 string }
		}
		if err != nil || json.Unmarshal(data, &of) != nil {
			t.Fatalf("%s, %v", data, err)
		}
		for _, o := range of.Outputs {
			if o.Name == file {
				if err := s.Delete(t.Context(), store.Blob(o.SHA256)); err != nil {
					t.Fatal(err)
				}
				return
			}
		}
	}
	t.Fatalf("%s wrote no %s", id, file)
}

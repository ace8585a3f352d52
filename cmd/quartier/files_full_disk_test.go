package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"quartier/build/export"
	"quartier/internal/testenv"
)

// TestFullDiskKeepsParts fills the disk while parts are written, and while they are joined: the run ends with what it made, and
// is continued on a larger disk with the bytes of a run that was not interrupted.
func TestFullDiskKeepsParts(t *testing.T) {
	release, dir := filepath.Join(townsDir(t), "first"), t.TempDir()
	in, whole := filepath.Join(dir, "in.csv"), filepath.Join(dir, "whole.parquet")
	pointsFile(t, release, in)
	first, rest, _ := strings.Cut(readText(t, in), "\n")
	if err := os.WriteFile(in, []byte(first+"\n"+strings.Repeat(strings.TrimSuffix(rest, "\n")+"\n", 120)), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"enrich", "--release", release, "--in", in, "--add", "scores,measures,geographies,demographics", "--jobs", "1"}
	mustRun(t, append(args, "--out", whole)...)
	info, err := os.Stat(whole)
	if err != nil {
		t.Fatal(err)
	}
	for name, size := range map[string]int64{"parts": info.Size() / 2, "joined": info.Size() * 3 / 2} {
		t.Run(name, func(t *testing.T) {
			disk, resize := testenv.SmallDisk(t, strconv.FormatInt(size, 10))
			out := filepath.Join(disk, "out.parquet")
			code, _, errs := quartier(append(args, "--out", out)...)
			if code != exitFailure || !strings.Contains(errs, "--resume continues with it") ||
				!strings.Contains(errs, "hint: the disk is full: free some space and run the command again with --resume") {
				t.Fatalf("exit code %d\n%s", code, errs)
			}
			parts, err := filepath.Glob(out + ".parts/part-*.rows.json")
			if err != nil || len(parts) == 0 {
				t.Fatalf("%d parts, %v", len(parts), err)
			}
			if _, err := os.Stat(out); err == nil {
				t.Error("there is an output")
			}
			resize("100m")
			mustRun(t, append(args, "--out", out, "--resume")...)
			if readText(t, out) != readText(t, whole) {
				t.Error("the bytes differ")
			}
		})
	}
}

// TestExportThatFails ends without files, and the next export begins cleanly without --force; as after one that was killed.
func TestExportThatFails(t *testing.T) {
	next := filepath.Join(townsDir(t), "next")
	disk, resize := testenv.SmallDisk(t, "300k")
	args := []string{"export", "--release", next, "--tables", "schools,pois,geographies,street_nodes", "--out", filepath.Join(disk, "out")}
	empty := func() {
		t.Helper()
		left, err := filepath.Glob(filepath.Join(disk, "out", "*"))
		if err != nil || len(left) > 0 {
			t.Errorf("%v is left, %v", left, err)
		}
	}
	code, _, errs := quartier(args...)
	if code != exitFailure || !strings.Contains(errs, "nothing of the export is left") || strings.Contains(errs, "release was not touched") {
		t.Errorf("exit code %d\n%s", code, errs)
	}
	empty()
	resize("100m")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr bytes.Buffer
	if code := run(ctx, append([]string{"quartier"}, args...), &stdout, &stderr); code != exitInterrupted ||
		!strings.Contains(stderr.String(), "nothing of the export is left") {
		t.Errorf("exit code %d\n%s", code, stderr.String())
	}
	empty()
	mustRun(t, args...)
	if code, _, errs := quartier(args...); code != exitFailure || !strings.Contains(errs, "the export is there already") {
		t.Errorf("exit code %d\n%s", code, errs)
	}
	// One that was killed before its catalog has its list, and files of others beside.
	if err := os.Remove(filepath.Join(disk, "out", export.CatalogFile)); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"unfinished.txt": "schools.parquet\npois.parquet\nstreet_nodes.parquet\ngeographies.parquet\n",
		"notes.txt": "ours"} {
		if err := os.WriteFile(filepath.Join(disk, "out", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	mustRun(t, args...)
	if readText(t, filepath.Join(disk, "out", "notes.txt")) != "ours" {
		t.Error("another file was changed")
	}
	if _, err := os.Stat(filepath.Join(disk, "out", "unfinished.txt")); err == nil {
		t.Error("the list of unfinished files is left")
	}
}

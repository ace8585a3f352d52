package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/uber/h3-go/v4"

	"quartier/cmd/quartier/journeys"
	"quartier/schemas"
)

// streetPoints are points of streets of a release, as rows of a CSV file with an id.
func streetPoints(t *testing.T, release string, n int) (list [][2]string, text string) {
	t.Helper()
	text = "id,lat,lng\n"
	for i, node := range rows(t, filepath.Join(release, schemas.AccessFile),
		"SELECT ymin, xmin FROM idx_street_edge_geometry ORDER BY pkid % 97, pkid LIMIT ?", n) {
		list = append(list, [2]string{node[0], node[1]})
		text += fmt.Sprintf("p%d,%s,%s\n", i, node[0], node[1])
	}
	return list, text
}

// TestMatrix computes minutes by all modes, of files of several formats, and compares them with what explain says.
func TestMatrix(t *testing.T) {
	release, dir := filepath.Join(townsDir(t), "first"), t.TempDir()
	points, text := streetPoints(t, release, 30)
	from := writeText(t, filepath.Join(dir, "from.csv"), text)
	to := filepath.Join(dir, "to.parquet")
	mustRun(t, "enrich", "--release", release, "--in", from, "--out", to, "--add", "geographies")
	reached := map[string]int{}
	for _, mode := range []string{"walk", "bicycle", "car", "transit"} {
		out, parquet := filepath.Join(dir, mode+".csv"), filepath.Join(dir, mode+".parquet")
		ask := []string{"matrix", "--release", release, "--from", from, "--to", to, "--mode", mode, "--percentiles", "25,50,75", "--out"}
		_, says := mustRun(t, append(ask, out)...)
		if !strings.Contains(says, "matrix: 30 × 30 points") || !strings.Contains(says, "all  900") {
			t.Errorf("%s says\n%s", mode, says)
		}
		mustRun(t, append(ask, parquet)...)
		list := csvRows(t, out)
		if len(list) != 900 || list[31]["from_id"] != "p1" || list[31]["to_id"] != "p1" || list[31]["minutes_p50"] != "0" {
			t.Fatalf("%s: %d rows, %v", mode, len(list), list[31])
		}
		mustRun(t, "matrix", "--release", release, "--from", from, "--mode", mode, "--percentiles", "25,50,75", "--out", out, "--force")
		for i, row := range csvRows(t, out) {
			if fmt.Sprint(row) != fmt.Sprint(list[i]) {
				t.Errorf("%s: to itself %v, to a file with the same points %v", mode, row, list[i])
			}
			if row["minutes_p50"] != "" {
				reached[mode]++
			}
		}
		for _, i := range []int{7, 410, 893} { // from i/30 to i%30
			says, _ := mustRun(t, "explain", "--json", "--release", release, "--lat", points[i/30][0], "--lng="+points[i/30][1],
				"--to="+strings.Join(points[i%30][:], ","), "--mode", mode, "--percentiles", "25,50,75")
			plain, _ := mustRun(t, "explain", "--release", release, "--lat", points[i/30][0], "--lng="+points[i/30][1],
				"--to="+strings.Join(points[i%30][:], ","), "--mode", mode)
			checkJourneys(t, list[i], says, plain)
		}
	}
	t.Logf("reached of 900: %v", reached)
	if reached["walk"] == 0 || reached["car"] < reached["walk"] || reached["transit"] < reached["walk"]/3 { // by transit walks are shorter
		t.Errorf("reached %v", reached)
	}
}

// checkJourneys compares a row of a matrix with what explain says of the pair.
func checkJourneys(t *testing.T, row map[string]string, says, plain string) {
	t.Helper()
	var report journeys.Report
	require.NoError(t, json.Unmarshal([]byte(says), &report))
	for _, n := range report.Numbers {
		want := ""
		if n.Minutes != nil {
			want = strconv.Itoa(*n.Minutes)
		}
		if got := row[fmt.Sprintf("minutes_p%d", n.Percentile)]; got != want {
			t.Errorf("%v, explain has %q:\n%s", row, want, plain)
		}
		if n.Minutes == nil && (report.Reason == "" || !strings.Contains(plain, report.Reason)) || n.Minutes != nil && len(n.Legs) == 0 {
			t.Errorf("%s\n%s", says, plain)
		}
	}
}

// TestMatrixOfCells takes cells of H3 as ids, and those of a release.
func TestMatrixOfCells(t *testing.T) {
	release, dir := filepath.Join(townsDir(t), "first"), t.TempDir()
	points, _ := streetPoints(t, release, 3)
	cells, same := "id\n", "id,lat,lng\n"
	for _, p := range points {
		lat, _ := strconv.ParseFloat(p[0], 64)
		lng, _ := strconv.ParseFloat(p[1], 64)
		cell := h3.LatLngToCell(h3.NewLatLng(lat, lng), 9)
		cells += cell.String() + "\n"
		same += fmt.Sprintf("%s,%v,%v\n", cell, cell.LatLng().Lat, cell.LatLng().Lng)
	}
	ask := []string{"matrix", "--release", release, "--mode", "walk", "--out", "-", "--from"}
	out, _ := mustRun(t, append(ask, writeText(t, filepath.Join(dir, "cells.csv"), cells))...)
	if want, _ := mustRun(t, append(ask, writeText(t, filepath.Join(dir, "same.csv"), same))...); out != want {
		t.Errorf("cells\n%s\ntheir centres\n%s", out, want)
	}
	if all, _ := mustRun(t, append(ask, "h3:6")...); strings.Count(all, "\n") < 5 {
		t.Errorf("the cells of the release:\n%s", all)
	}
}

// TestKilledMatrixContinues kills a run in the middle and continues it: the bytes are those of a run that was not killed.
func TestKilledMatrixContinues(t *testing.T) {
	release, dir := filepath.Join(townsDir(t), "first"), t.TempDir()
	_, text := streetPoints(t, release, 1200)
	from := writeText(t, filepath.Join(dir, "from.csv"), text)
	args := []string{"matrix", "--release", release, "--from", from, "--window", "120", "--percentiles", "25,50,75"}
	whole, out := filepath.Join(dir, "whole.parquet"), filepath.Join(dir, "out.parquet")
	mustRun(t, append(args, "--out", whole)...)
	killAfterPart(t, out, append(args, "--out", out)...)
	if code, _, errs := quartier(append(args, "--out", out, "--resume", "--force", "--max-rides", "2")...); code != exitBadInput ||
		!strings.Contains(errs, "the parts that are there are of another run: another reading") {
		t.Errorf("with other options: %d %s", code, errs)
	}
	mustRun(t, append(args, "--out", out, "--resume", "--force")...)
	if readText(t, out) != readText(t, whole) {
		t.Error("the bytes differ")
	}
}

// TestMatrixBadInput gives the program each kind of bad input, and reads what it says as a user would.
func TestMatrixBadInput(t *testing.T) {
	release, dir := filepath.Join(townsDir(t), "first"), t.TempDir()
	points, text := streetPoints(t, release, 2)
	good := writeText(t, filepath.Join(dir, "good.csv"), text)
	row := "a," + points[0][0] + "," + points[0][1] + "\n"
	for name, c := range map[string]struct {
		in   string // of --to
		more []string
		code int
		says string
	}{
		"out of range": {in: "id,lat,lng\n" + row + "b,95,12\n", code: exitBadInput,
			says: `bad.csv: the input cannot be used: row 2: out of range: latitude ±90, longitude ±180: "95, 12"`},
		"no coordinates": {in: "id,lat,lng\n" + row + "b,,\n", code: exitBadInput, says: `row 2: no coordinates: ", "`},
		"no number":      {in: "id,lat,lng\nb,x,1\n", code: exitBadInput, says: `row 1: not a number: "x, 1"`},
		"twice":          {in: "id,lat,lng\n" + row + row, code: exitBadInput, says: `row 2: the id "a" is that of row 1, too`},
		"no id":          {in: "id,lat,lng\n" + row + "," + points[1][0] + "," + points[1][1] + "\n", code: exitBadInput, says: "row 2: no id"},
		"no column id":   {in: "name,lat,lng\n" + row, code: exitBadInput, says: `0 columns are called "id"; --id names that of the ids`},
		"no column lat":  {in: "id,a,b\n" + row, code: exitBadInput, says: "no columns are called like coordinates"},
		"no cell": {in: "id\n89a901291abffff\nx\n", code: exitBadInput,
			says: `row 2: no coordinates, and the id is not a cell of H3: "x"`},
		"empty":      {in: "id,lat,lng\n", code: exitBadInput, says: "it has no rows"},
		"not a file": {more: []string{"--to", filepath.Join(dir, "none.csv")}, code: exitBadInput, says: "none.csv"},
		"far away": {in: "id,lat,lng\nb,10,10\n",
			says: "1 row of 1 beyond the streets of the release; the first is row 1, b"},
		"no such mode":   {more: []string{"--mode", "boat"}, code: exitUsage, says: `--mode "boat" is none of walk, bicycle, car, transit`},
		"no such day":    {more: []string{"--date", "monday"}, code: exitUsage, says: "neither tuesday, saturday nor sunday"},
		"no timetable":   {more: []string{"--date", "1999-03-04"}, code: exitBadInput, says: "a timetable of 1999-03-04; it has those of "},
		"no time":        {more: []string{"--depart", "8"}, code: exitUsage, says: `--depart "8" is not a time such as 08:00`},
		"percentiles":    {more: []string{"--percentiles", "25,x"}, code: exitUsage, says: "is not a list of numbers"},
		"unordered":      {more: []string{"--percentiles", "50,25"}, code: exitUsage, says: "not in order"},
		"rules":          {more: []string{"--rules", "otp"}, code: exitUsage, says: `--rules "otp" is none of ours, r5`},
		"a window":       {more: []string{"--window", "500"}, code: exitUsage, says: "a window of 500 minutes"},
		"a format":       {more: []string{"--out", filepath.Join(dir, "m.xls")}, code: exitUsage, says: "the extension names no format"},
		"the same file":  {more: []string{"--out", good}, code: exitFailure, says: "the output exists"},
		"standard again": {more: []string{"--resume"}, code: exitUsage, says: "cannot be resumed"},
	} {
		t.Run(name, func(t *testing.T) {
			ask := []string{"matrix", "--release", release, "--from", good, "--out", "-"}
			if c.in != "" {
				ask = append(ask, "--to", writeText(t, filepath.Join(dir, "bad.csv"), c.in))
			}
			code, _, errs := quartier(append(ask, c.more...)...)
			if code != c.code || !strings.Contains(errs, c.says) {
				t.Errorf("exit code %d, says\n%s", code, errs)
			}
		})
	}
}

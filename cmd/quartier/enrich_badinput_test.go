package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"quartier/internal/xlsx/xlsxtest"
	"quartier/schemas"
)

// TestEnrichBadInput gives the program each kind of bad input, and reads what it says as a user would.
func TestEnrichBadInput(t *testing.T) {
	release, dir := filepath.Join(townsDir(t), "first"), t.TempDir()
	node := rows(t, filepath.Join(release, schemas.AccessFile), "SELECT ymin, xmin FROM idx_street_edge_geometry ORDER BY pkid LIMIT 1")[0]
	lat, lng := node[0], node[1]
	good := lat + "," + lng
	lines := func(head string, n int, row string) string { return head + "\n" + strings.Repeat(row+"\n", n) }
	utf16le := func(text string) string {
		b := []byte{0xFF, 0xFE}
		for _, unit := range utf16.Encode([]rune(text)) {
			b = binary.LittleEndian.AppendUint16(b, unit)
		}
		return string(b)
	}
	var wide []string
	for i := range 5000 {
		wide = append(wide, fmt.Sprintf("c%d", i))
	}
	parquet := filepath.Join(dir, "good.parquet")
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	mustRun(t, "enrich", "--release", release, "--in", write("good.csv", lines("lat,lng", 50, good)), "--out", parquet, "--add", "geographies")
	for name, c := range map[string]struct {
		in   string // text of a CSV file
		file string // in place of it
		more []string
		code int
		says []string
	}{
		"exchanged": {in: lines("lat,lng", 4, lng+","+lat) + good + "\n", code: exitBadInput,
			says: []string{"80 % of the rows would be in the release with latitude and longitude exchanged: check which column is which",
				"hint: check the columns of the points"}},
		"a row exchanged": {in: lines("lat,lng", 40, good) + lng + "," + lat + "\n",
			says: []string{"1 row would be in the release with latitude and longitude exchanged"}},
		"decimal commas": {in: lines("lat;lng", 3, strings.ReplaceAll(lat+";"+lng, ".", ",")), says: []string{"100.00 %"}},
		"commas that are none": {in: lines("lat;lng", 3, strings.ReplaceAll(lat+";"+lng, ".", ",")), more: []string{"--decimal", "."},
			code: exitBadInput, says: []string{"3 rows: a comma; if it is a decimal comma, say --decimal ,; the first is row 1:"}},
		"Windows-1252": {in: lines("lat,lng,name", 3, good+",\xc9cole"), more: []string{"--encoding", "cp1252"}, says: []string{"100.00 %"}},
		"a workbook":   {in: string(xlsxtest.Book(t, "lat|lng")), code: exitBadInput, says: []string{"it is an Excel workbook (.xlsx)"}},
		"a page": {in: "<!DOCTYPE html><html><body>denied</body></html>", code: exitBadInput,
			says: []string{"it is a page (HTML), not a table"}},
		"a sheet that is not there": {file: write("book.xlsx", string(xlsxtest.Book(t, "lat|lng\n#1|#2"))), more: []string{"--sheet", "Data"},
			code: exitBadInput, says: []string{`no such sheet "Data"; there are: Sheet1`}},
		"some empty cells": {in: lines("lat,lng", 40, good) + ",\n", says: []string{"1 row: no coordinates; the first is row 41: \", \""}},
		"0, 0": {in: lines("lat,lng", 40, good) + "0,0\n",
			says: []string{"1 row at 0, 0, which is often what missing coordinates have become"}},
		"NaN": {in: lines("lat,lng", 40, good) + "NaN,NaN\n",
			says: []string{"1 row: no coordinates; the first is row 41: \"NaN, NaN\""}},
		"a byte order mark": {in: "\uFEFF" + lines("lat,lng", 3, good), says: []string{`latitude from column "lat"`}},
		"CRLF":              {in: strings.ReplaceAll(lines("lat,lng", 3, good), "\n", "\r\n"), says: []string{"100.00 %"}},
		"semicolons":        {in: lines("lat;lng", 3, lat+";"+lng), says: []string{"100.00 %"}},
		"UTF-16":            {in: utf16le(lines("lat,lng", 3, good)), says: []string{"100.00 %"}},
		"a quote that is open": {in: "lat,lng,name\n" + good + ",a\n" + good + ",\"b\n" + good + ",c\n", code: exitBadInput,
			says: []string{"row 2: the quote in line 3, column 3 is not closed"}},
		"a row that is short": {in: "lat,lng\n" + good + "\n45\n", code: exitBadInput,
			says: []string{"row 2 (line 3) has 1 cells, the line of names has 2"}},
		"5,000 columns": {in: "lat,lng," + strings.Join(wide, ",") + "\n" + good + strings.Repeat(",x", 5000) + "\n",
			says: []string{"plan: about 1 rows, 5002 columns and"}},
		"5,000 unknown columns": {in: strings.Join(wide, ",") + "\n" + strings.Repeat("x,", 4999) + "x\n", code: exitBadInput,
			says: []string{"no columns are called like coordinates", "and 4970 more"}},
		"a column that is there": {in: lines("lat,lng,geog_10_id", 3, good+",x"), code: exitBadInput,
			says: []string{"it has columns that are added: geog_10_id; with --overwrite-columns"}},
		"one that is replaced": {in: lines("lat,lng,geog_10_id", 3, good+",x"), more: []string{"--overwrite-columns"},
			says: []string{"100.00 %"}},
		"a Parquet cut short": {file: write("cut.parquet", readText(t, parquet)[:len(readText(t, parquet))-100]), code: exitBadInput,
			says: []string{"cut.parquet", "it is no complete Parquet file"}},
		"text called Parquet": {file: write("text.parquet", "lat,lng\n"), code: exitBadInput,
			says: []string{"it is no complete Parquet file"}},
		"a damaged page": {file: write("page.parquet", damaged(readText(t, parquet))), code: exitBadInput,
			says: []string{"page.parquet"}},
		"another system": {in: lines("lat,lng", 3, good), more: []string{"--crs", "EPSG:26918"}, code: exitBadInput,
			says: []string{"coordinates look like degrees, but the reference system is projected"}},
		"no rows": {in: "lat,lng\n", says: []string{"plan: no rows"}},
		"nothing": {in: "", code: exitBadInput, says: []string{"no line of names"}},
		"shapes": {in: lines("shape", 2, "\"POLYGON((0 0,1 1,1 0,0 1,0 0))\""),
			more: []string{"--polygons", "shape", "--add", "pois"}, code: exitBadInput,
			says: []string{
				"2 rows: a ring that touches or crosses itself, or has no area; the first is row 1 (the ring touches or crosses itself near"}},
		"scores of shapes": {in: lines("shape", 2, "x"), more: []string{"--polygons", "shape", "--add", "scores"}, code: exitUsage,
			says: []string{"scores cannot be had for a shape, only for a point; shapes have medians, pois, nearest, demographics"}},
	} {
		t.Run(name, func(t *testing.T) {
			in := c.file
			if in == "" {
				in = filepath.Join(t.TempDir(), "in.csv")
				if err := os.WriteFile(in, []byte(c.in), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			args := append([]string{"enrich", "--release", release, "--in", in, "--out", filepath.Join(t.TempDir(), "out.csv")}, c.more...)
			if c.file != "" {
				args = append(args, "--overwrite-columns")
			}
			code, _, errs := quartier(args...)
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			for _, want := range c.says {
				if strings.Count(errs, want) != 1 {
					t.Errorf("%q is there %d times", want, strings.Count(errs, want))
				}
			}
			t.Logf("exit code %d\n%s", code, errs)
		})
	}
}

// damaged is a file with other bytes after its first ones.
func damaged(text string) string {
	data := []byte(text)
	copy(data[4:], bytes.Repeat([]byte{0xEE}, 60))
	return string(data)
}

// The columns are listed without an input, and the plan, a share and a limit are as they were asked for.
func TestEnrichPlans(t *testing.T) {
	release, dir := filepath.Join(townsDir(t), "first"), t.TempDir()
	in := filepath.Join(dir, "in.csv")
	pointsFile(t, release, in)
	out, _ := mustRun(t, "enrich", "--release", release, "--columns", "--add", "scores,pois")
	if !strings.Contains(out, "score_quiet") || !strings.Contains(out, "decimal(5,4)") || !strings.Contains(out, "pois_cafes_5000m") {
		t.Errorf("columns\n%s", out)
	}
	out, _ = mustRun(t, "enrich", "--release", release, "--columns", "--polygons", "shape")
	if !strings.Contains(out, "median_quiet") || !strings.Contains(out, "demographics_coverage") || strings.Contains(out, "score_quiet") {
		t.Errorf("columns of shapes\n%s", out)
	}
	for _, c := range []struct {
		more     []string
		plan     string
		from, to int
	}{
		{nil, "plan: about 1000 rows, 3 columns and", 1000, 1000},
		{[]string{"--limit", "7"}, "plan: about 7 rows", 7, 7},
		{[]string{"--sample", "0.2"}, "plan: about 1", 150, 250},
	} {
		path := filepath.Join(t.TempDir(), "out.csv")
		_, errs := mustRun(t, append([]string{"enrich", "--release", release, "--in", in, "--out", path}, c.more...)...)
		n := strings.Count(readText(t, path), "\n") - 1
		if n < c.from || n > c.to || c.more != nil && c.more[0] == "--limit" && !strings.Contains(errs, c.plan) {
			t.Errorf("%v: %d rows\n%s", c.more, n, errs)
		}
		_, errs = mustRun(t, append([]string{"enrich", "--release", release, "--in", in, "--out", filepath.Join(t.TempDir(), "none.csv"),
			"--plan"}, c.more...)...)
		if !strings.Contains(errs, "plan: about ") || strings.Contains(errs, "quartier_status") {
			t.Errorf("%v: %s", c.more, errs)
		}
		t.Logf("%v: %s", c.more, errs)
	}
}

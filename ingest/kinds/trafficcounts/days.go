package trafficcounts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quartier/ingest/formats/geojson"
	"quartier/ingest/formats/table"
	"quartier/ingest/source"
)

// days are the counts of detectors by day.
type days struct {
	intervals int     // of a day
	share     float64 // that a day must have
	detectors map[string]*detector
}

// detector is what a detector counted.
type detector struct {
	days map[string]*day // by date, YYYYMMDD
	used bool
}

type day struct {
	vehicles  float64
	intervals map[string]bool // by time
}

// mean is the mean of the days that count, each scaled to all of its intervals; false if none does. A day of 95 of 96
// intervals with 9,500 vehicles has 9,600.
func (d *days) mean(key string) (vehicles float64, ok bool) {
	of := d.detectors[key]
	if of == nil {
		return 0, false
	}
	of.used = true
	n := 0.0
	for _, date := range slices.Sorted(maps.Keys(of.days)) {
		if on := of.days[date]; float64(len(on.intervals)) >= d.share*float64(d.intervals) {
			vehicles += on.vehicles * float64(d.intervals) / float64(len(on.intervals))
			n++
		}
	}
	return vehicles / n, n > 0
}

// unused are the keys that no detector of the other file has.
func (d *days) unused() (keys []string) {
	if d != nil {
		for _, key := range slices.Sorted(maps.Keys(d.detectors)) {
			if !d.detectors[key].used {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// add adds the vehicles of an interval; false if the row is not one. An interval that occurs twice counts once.
func (d *days) add(key, time string, vehicles float64, isNumber bool) bool {
	digits := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, time)
	if key == "" || len(digits) < len("YYYYMMDD") || !isNumber || !(vehicles >= 0 && vehicles <= maxVolume) {
		return false
	}
	of := d.detectors[key]
	if of == nil {
		of = &detector{days: map[string]*day{}}
		d.detectors[key] = of
	}
	on := of.days[digits[:8]]
	if on == nil {
		on = &day{intervals: map[string]bool{}}
		of.days[digits[:8]] = on
	}
	if !on.intervals[digits] && len(on.intervals) < d.intervals {
		on.intervals[digits] = true
		on.vehicles += vehicles
	}
	return true
}

// readDays reads the file of intervals. out is nil where it is only checked; then the first rows are enough.
func readDays(ctx context.Context, in source.Input, o *Options, out source.Sink) (*days, error) {
	d := &days{intervals: 24 * 60 / max(1, o.Minutes), share: o.DayShare, detectors: map[string]*detector{}}
	path := filepath.Join(in.Path, o.Counts)
	read := d.readTable
	if strings.HasSuffix(strings.ToLower(path), ".json") {
		read = d.readJSON
	}
	if out != nil {
		out.Part(o.Counts)
	}
	rows, err := read(ctx, path, o, out)
	if err == nil && rows == 0 {
		err = source.BadFile(path, "it has no counts")
	}
	return d, err
}

// readJSON reads an array of flat objects.
func (d *days) readJSON(ctx context.Context, path string, o *Options, out source.Sink) (rows int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	decoder := json.NewDecoder(file)
	decoder.UseNumber()
	if open, err := decoder.Token(); err != nil || open != json.Delim('[') {
		return 0, source.BadFile(path, "it is not a JSON array of objects")
	}
	for decoder.More() {
		if err := ctx.Err(); err != nil {
			return rows, err
		}
		var row map[string]any
		if err := decoder.Decode(&row); err != nil {
			return rows, source.BadFile(path, "object %d: %v", rows+1, unexpected(err))
		}
		rows++
		if rows == 1 {
			if err := hasColumns(row, o); err != nil {
				return rows, source.BadFile(path, "%v", err)
			}
			if out == nil {
				return rows, nil
			}
		}
		vehicles, ok := table.ParseNumber([]byte(geojson.Text(row[o.CountsValue])), '.')
		out.Read(1)
		if !d.add(geojson.Text(row[o.CountsKey]), geojson.Text(row[o.CountsTime]), vehicles, ok) {
			out.Issue(badInterval, fmt.Sprintf("%s object %d", o.Counts, rows))
		}
	}
	if _, err := decoder.Token(); err != nil {
		return rows, source.BadFile(path, "after object %d: %v", rows, unexpected(err))
	}
	return rows, nil
}

// unexpected replaces the end of a file within an object.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the file is truncated")
	}
	return err
}

// hasColumns returns an error if an object lacks a column of the options.
func hasColumns(row map[string]any, o *Options) error {
	for _, name := range []string{o.CountsKey, o.CountsTime, o.CountsValue} {
		if _, there := row[name]; !there {
			return fmt.Errorf("no %s; there are: %s", name, strings.Join(slices.Sorted(maps.Keys(row)), ", "))
		}
	}
	return nil
}

// readTable reads a table with a row for each interval.
func (d *days) readTable(ctx context.Context, path string, o *Options, out source.Sink) (rows int, err error) {
	columns := []string{o.CountsKey, o.CountsTime, o.CountsValue}
	t, err := table.Open(path, table.Dialect{Header: columns})
	if err != nil {
		return 0, err
	}
	defer t.Close()
	if err := t.Require(columns...); err != nil {
		return 0, source.BadFile(path, "%v", err)
	}
	value := t.Column(o.CountsValue)
	if err := t.FindNumbers(ctx, map[int]table.Meaning{value: table.AnyNumber}, o.Decimal); err != nil {
		return 0, err
	}
	if out == nil {
		return 1, nil
	}
	key, time := t.Column(o.CountsKey), t.Column(o.CountsTime)
	for {
		if err := ctx.Err(); err != nil {
			return rows, err
		}
		switch err := t.Next(); {
		case err == io.EOF:
			t.Report(out)
			return rows, nil
		case err != nil:
			return rows, err
		}
		rows++
		out.Read(1)
		vehicles, ok := t.Number(value)
		if !d.add(t.Text(key), t.Text(time), vehicles, ok) {
			out.Issue(badInterval, t.Here())
		}
	}
}

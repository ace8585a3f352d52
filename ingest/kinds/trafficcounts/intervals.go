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

// intervals is the reader of a file of counts by interval.
type intervals struct {
	*days
	options *Options
	path    string
	limits  source.Limits
	out     source.Sink // nil where the file is only checked; then the first rows are enough
	rows    int
}

// readDays reads the file of intervals; out is nil where it is only checked.
func readDays(ctx context.Context, in source.Input, o *Options, out source.Sink) (*days, error) {
	r := &intervals{days: newDays(o), options: o, path: filepath.Join(in.Path, o.Counts), limits: in.Limits, out: out}
	read := r.table
	if strings.HasSuffix(strings.ToLower(r.path), ".json") {
		read = r.json
	}
	if out != nil {
		out.Part(o.Counts)
	}
	err := read(ctx)
	if err == nil && r.rows == 0 {
		err = source.BadFile(r.path, "it has no counts")
	}
	return r.days, err
}

// take adds a row.
func (r *intervals) take(where, key, time string, vehicles float64, isNumber bool) error {
	r.out.Read(1)
	why, err := r.add(key, time, vehicles, isNumber)
	switch {
	case err != nil:
		return source.BadFile(r.path, "%s: %w", where, err)
	case why == badInterval:
		where += fmt.Sprintf(": %s %s", r.options.CountsTime, table.Shorten(time))
	}
	if !why.OK() {
		r.out.Issue(why, where)
	}
	return nil
}

// json reads an array of flat objects.
func (r *intervals) json(ctx context.Context) error {
	file, err := os.Open(r.path)
	if err != nil {
		return err
	}
	defer file.Close()
	decoder := geojson.NewDecoder(file, r.limits)
	decoder.UseNumber()
	if open, err := decoder.Token(); err != nil || open != json.Delim('[') {
		return source.BadFile(r.path, "it is not a JSON array of objects")
	}
	for decoder.More() {
		if err := ctx.Err(); err != nil {
			return err
		}
		var row map[string]any
		if err := decoder.Decode(&row); err != nil {
			return source.BadFile(r.path, "object %d: %w", r.rows+1, unexpected(err))
		}
		if r.rows++; r.rows == 1 {
			if err := hasColumns(row, r.options); err != nil {
				return source.BadFile(r.path, "%w", err)
			}
		}
		if r.out == nil {
			return nil
		}
		if err := r.object(row); err != nil {
			return err
		}
	}
	if _, err := decoder.Token(); err != nil {
		return source.BadFile(r.path, "after object %d: %w", r.rows, unexpected(err))
	}
	if _, err := decoder.Token(); err != io.EOF {
		return source.BadFile(r.path, "there is more after the array")
	}
	return nil
}

// object adds an object of the array. The option decimal is for numbers that are texts.
func (r *intervals) object(row map[string]any) error {
	o := r.options
	decimal := byte('.')
	if _, isText := row[o.CountsValue].(string); isText && o.Decimal != "" {
		decimal = o.Decimal[0]
	}
	vehicles, ok := table.ParseNumber([]byte(geojson.Text(row[o.CountsValue])), decimal)
	return r.take(fmt.Sprintf("%s object %d", o.Counts, r.rows), geojson.Text(row[o.CountsKey]), geojson.Text(row[o.CountsTime]), vehicles, ok)
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
	var missing []string
	for _, name := range []string{o.CountsKey, o.CountsTime, o.CountsValue} {
		if _, there := row[name]; !there {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return &source.NoColumns{Names: missing,
		Text: fmt.Sprintf("no %s; there are: %s", strings.Join(missing, ", nor "), strings.Join(slices.Sorted(maps.Keys(row)), ", "))}
}

// table reads a table with a row for each interval.
func (r *intervals) table(ctx context.Context) error {
	o := r.options
	columns := []string{o.CountsKey, o.CountsTime, o.CountsValue}
	t, err := table.Open(r.path, table.Dialect{Header: columns})
	if err != nil {
		return err
	}
	defer t.Close()
	if err := t.Require(columns...); err != nil {
		return source.BadFile(r.path, "%w", err)
	}
	value := t.Column(o.CountsValue)
	if err := t.FindNumbers(ctx, map[int]table.Meaning{value: table.WholeNumber}, o.Decimal); err != nil {
		return err
	}
	key, time := t.Column(o.CountsKey), t.Column(o.CountsTime)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		switch err := t.Next(); {
		case err == io.EOF:
			if r.out != nil {
				t.Report(r.out)
			}
			return nil
		case err != nil:
			return err
		}
		if r.rows++; r.out == nil {
			return nil
		}
		vehicles, ok := t.Number(value)
		if err := r.take(t.Here(), t.Text(key), t.Text(time), vehicles, ok); err != nil {
			return err
		}
	}
}

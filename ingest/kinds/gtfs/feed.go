package gtfs

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"quartier/ingest/formats/table"
	"quartier/ingest/source"
)

// The files of a feed.
const (
	agencyFile       = "agency.txt"
	calendarFile     = "calendar.txt"
	datesFile        = "calendar_dates.txt"
	feedInfoFile     = "feed_info.txt"
	frequenciesFile  = "frequencies.txt"
	routesFile       = "routes.txt"
	stopsFile        = "stops.txt"
	stopTimesFile    = "stop_times.txt"
	transfersFile    = "transfers.txt"
	translationsFile = "translations.txt"
	tripsFile        = "trips.txt"
)

// columns are those that a file must have if it exists.
var columns = map[string][]string{
	agencyFile:       {"agency_name"},
	calendarFile:     slices.Concat([]string{"service_id"}, weekdayNames, []string{"start_date", "end_date"}),
	datesFile:        {"service_id", "date", "exception_type"},
	feedInfoFile:     nil,
	frequenciesFile:  {"trip_id", "start_time", "end_time", "headway_secs"},
	routesFile:       {"route_id", "route_type"},
	stopsFile:        {"stop_id", "stop_lat", "stop_lon"},
	stopTimesFile:    {"trip_id", "stop_id", "stop_sequence"},
	transfersFile:    nil,
	translationsFile: {"translation"},
	tripsFile:        {"trip_id", "route_id", "service_id"},
}

// necessary are the files without which there is no feed.
var necessary = []string{stopsFile, routesFile, tripsFile, stopTimesFile}

// check finds missing files and columns.
func (f *feed) check() error {
	var faults source.Faults
	there := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(columns)) {
		open := f.table
		if slices.Contains(necessary, name) {
			open = f.required
		}
		t, err := open(source.Discard{}, name)
		if t != nil {
			there[name] = true
			err = t.close()
		}
		faults.Add(err)
		there[name] = there[name] || err != nil
	}
	if !there[calendarFile] && !there[datesFile] {
		faults.Add(f.withoutCalendar())
	}
	return faults.Err()
}

func (f *feed) withoutCalendar() error {
	return source.BadFile(f.path, "it has neither %s nor %s", calendarFile, datesFile)
}

// table opens a file of the feed; nil where it is missing or empty. A file that exists must have its columns.
func (f *feed) table(out source.Sink, name string) (*tableReader, error) {
	file, err := f.files.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, source.BadFile(f.path, "%s: %v", name, err)
	}
	t, err := table.New(file, table.Dialect{Comma: ','})
	if errors.Is(err, table.ErrEmpty) {
		return nil, file.Close()
	}
	if err == nil {
		err = missing(t, columns[name])
	}
	if err != nil {
		file.Close()
		return nil, source.BadFile(f.path, "%s: %v", name, err)
	}
	t.Name = name
	t.Report(out)
	return &tableReader{Table: t, name: name, out: out, path: f.path, close: file.Close}, nil
}

// required opens a file that every feed must have.
func (f *feed) required(out source.Sink, name string) (*tableReader, error) {
	r, err := f.table(out, name)
	if r == nil && err == nil {
		err = source.BadFile(f.path, "%s is missing or empty", name)
	}
	return r, err
}

func missing(t *table.Table, columns []string) error {
	lacking := slices.DeleteFunc(slices.Clone(columns), func(name string) bool { return t.Column(name) >= 0 })
	if len(lacking) == 0 {
		return nil
	}
	return fmt.Errorf("it has no column %s; there are: %s", strings.Join(lacking, ", nor "), strings.Join(t.Columns, ", "))
}

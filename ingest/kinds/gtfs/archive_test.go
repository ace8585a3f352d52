package gtfs

import (
	"archive/zip"
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quartier/ingest/source"
)

// zipped returns an archive of files by path.
func zipped(t testing.TB, files map[string]string) string {
	t.Helper()
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, err := archive.Create(name)
		if err == nil {
			_, err = w.Write([]byte(files[name]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// under returns files with another path.
func under(folder string, files map[string]string) map[string]string {
	moved := map[string]string{}
	for name, text := range files {
		moved[folder+name] = text
	}
	return moved
}

func join(sets ...map[string]string) map[string]string {
	all := map[string]string{}
	for _, set := range sets {
		maps.Copy(all, set)
	}
	return all
}

// TestArchives finds the feed of the town in archives of all kinds, or says why not.
func TestArchives(t *testing.T) {
	inner := zipped(t, town())
	for name, c := range map[string]struct {
		files map[string]string
		err   string
	}{
		"flat":                   {town(), ""},
		"flat, with a subfolder": {join(town(), under("old/", town())), ""},
		"folder":                 {under("gtfs/", town()), ""},
		"folders":                {under("a/b/", town()), ""},
		"folder and junk":        {join(under("gtfs/", town()), under("__MACOSX/gtfs/", town()), under("gtfs/.git/", town())), ""},
		"archive in an archive":  {map[string]string{"gtfs/feed.ZIP": inner, "__MACOSX/._feed.zip": "x", "readme.txt": "x"}, ""},
		"archive with a folder":  {map[string]string{"feed.zip": zipped(t, under("gtfs/", town()))}, ""},
		"archives in archives":   {map[string]string{"a.zip": zipped(t, map[string]string{"b.zip": inner})}, "it has archives in archives"},
		"two feeds": {join(under("bus/", town()), under("rail/", town())),
			"it has 2 feeds, in the folders bus, rail; make a source of each"},
		"two archives": {map[string]string{"a.zip": inner, "b.zip": inner},
			"it has no stops.txt and several archives, a.zip, b.zip; make a source of each"},
		"archive that is none":     {map[string]string{"a.zip": "x"}, "a.zip: it is not a valid .zip"},
		"neither feed nor archive": {map[string]string{"a.txt": "x"}, "it has no stops.txt, in no folder"},
	} {
		path := filepath.Join(t.TempDir(), "feed.zip")
		if err := os.WriteFile(path, []byte(zipped(t, c.files)), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := read(t, path, "")
		switch {
		case c.err == "" && (err != nil || len(out.Stops) != 3):
			t.Errorf("%s: %d stops, %v", name, len(out.Stops), err)
		case c.err != "" && (!errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s: %v, want %s", name, err, c.err)
		}
	}
}

// TestOnDemand skips stop times in windows and zones, and trips of them alone, in the spelling of each year.
func TestOnDemand(t *testing.T) {
	for _, column := range demandColumns {
		out, err := read(t, folder(t, with(tripsFile, "trip_id,route_id,service_id\n1,R,W\n2,R,W\n3,R,W\n",
			stopTimesFile, "trip_id,stop_id,stop_sequence,arrival_time,departure_time,"+column+"\n"+
				"1,A,1,08:00:00,08:00:00,\n1,B,2,08:10:00,08:10:00,\n2,A,1,25:30:00,25:30:00,\n2,zone,2,,,x\n3,A,1,,,x\n3,zone,2,,,x\n")), "")
		if err != nil {
			t.Fatal(err)
		}
		if got := out.Reasons(); got["demand_responsive_service"] != 1 || got["stop_time_of_skipped_trip"] != 2 ||
			got["demand_responsive_trip"] != 1 || got["trip_with_one_call"] != 1 || len(got) != 4 {
			t.Errorf("%s: %v", column, got)
		}
		if got := services(out); got != "A R 0 10;B R 0 5" {
			t.Errorf("%s: %s", column, got)
		}
	}
}

// TestNestedArchiveThatExpands refuses an archive in an archive by the sizes that it declares.
func TestNestedArchiveThatExpands(t *testing.T) {
	large := zipped(t, join(town(), map[string]string{"shapes.txt": strings.Repeat("\n", 40<<20)}))
	path := filepath.Join(t.TempDir(), "feed.zip")
	if err := os.WriteFile(path, []byte(zipped(t, map[string]string{"gtfs/inner.zip": large})), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := read(t, path, "")
	if !errors.Is(err, source.ErrTooLarge) || !strings.Contains(err.Error(), "inner.zip") || !strings.Contains(err.Error(), "shapes.txt") {
		t.Errorf("%v", err)
	}
}

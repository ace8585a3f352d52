package lend

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"quartier/internal/duck"
	"quartier/schemas/staged"
	"quartier/transform/regiontest"
)

// TestPartsAreTheWhole lends the rows of tables in parts: the same rows in the same order as at once, each once.
func TestPartsAreTheWhole(t *testing.T) {
	const rows = 20
	served := func(name string, x float64) string {
		return region(t, name, x, func(db *duck.DB) {
			for i := range rows {
				at := regiontest.At(x+50, 50+float64(i))
				stop, line := fmt.Sprint("osm:node:", i, name), fmt.Sprint("line ", i/5)
				if i < 3 {
					stop = fmt.Sprint("osm:node:", i) // both regions have it
				}
				insert(t, db, "stop", staged.Stop{SourceID: "osm", SourceKey: stop, Lng: at[0], Lat: at[1]})
				insert(t, db, "stop_service", staged.StopService{SourceID: "osm", StopKey: stop, RouteKey: line})
				insert(t, db, "poi", staged.POI{SourceID: "osm", SourceKey: fmt.Sprint("place", i, name), Lng: at[0], Lat: at[1], Scheme: "osm",
					Classes: "{}"})
				if i%5 == 0 {
					insert(t, db, "route", staged.Route{SourceID: "osm", SourceKey: line, Mode: "bus"})
				}
			}
		})
	}
	own, neighbours := served("own", 0), []Neighbour{{Name: "next", Staged: served("next", 10_000)}}
	want := map[string]int{"stop": rows - 3, "stop_service": rows - 3, "poi": rows, "route": rows / 5}
	var contents []string
	for _, atOnce := range []int64{rowsAtOnce, 7, 1} {
		path := filepath.Join(t.TempDir(), "lent.duckdb")
		content, err := "", inParts(t.Context(), own, neighbours, path, atOnce)
		if err == nil {
			content, err = duck.Content(t.Context(), path)
		}
		db, openErr := duck.Open(path)
		if err := errors.Join(err, openErr); err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		for table, n := range want {
			var got int
			if err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM "+table).Scan(&got); err != nil || got != n {
				t.Errorf("%d at once: %d rows of %s, want %d: %v", atOnce, got, table, n, err)
			}
		}
		if contents = append(contents, content); content != contents[0] {
			t.Errorf("%d at once: other content than at once", atOnce)
		}
	}
}

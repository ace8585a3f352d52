package serve_test

import (
	"log/slog"
	"path/filepath"
	"slices"
	"testing"

	"quartier/serve/explore"
	"quartier/serve/release"
	"quartier/serve/servetest"
)

// TestExplorerSaysWhereListingsAre compares the states of release.json with what market-stats answers of their cities.
func TestExplorerSaysWhereListingsAre(t *testing.T) {
	for customer, want := range map[string][]string{"globex": {servetest.Vermont}, "quebec": {}, "quiet": {}} {
		x := explorerOf(t, customer)
		x.enter()
		if got := decode[explore.ReleaseBody](t, x.ask("GET", "/explore/release.json").body).Listings; got == nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", customer, got, want)
		}
		for state, city := range map[string]string{servetest.Vermont: servetest.SouthCity, servetest.Quebec: servetest.NorthCity} {
			status := x.ask("GET", "/explore/api/market-stats/"+city).status
			if slices.Contains(want, state) != (status == 200) {
				t.Errorf("%s: the market of %s is %d", customer, city, status)
			}
		}
	}
	dir := filepath.Join(t.TempDir(), "places")
	_, err := servetest.Write(dir, servetest.Release{})
	must(t, err)
	holder, err := release.NewHolder(dir, slog.New(slog.DiscardHandler))
	must(t, err)
	defer holder.Close()
	none := explorerOf(t, "globex", func(o *explore.Options) { o.Releases = holder })
	none.enter()
	if got := decode[explore.ReleaseBody](t, none.ask("GET", "/explore/release.json").body).Listings; got == nil || len(got) != 0 {
		t.Errorf("a release without market statistics: %v", got)
	}
}

package batch

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"quartier/serve/enrich"
	"quartier/serve/release"
	"quartier/serve/servetest"
)

// A customer gets its own custom geographies, never those of another, and nothing beyond its regions; the operator gets none.
func TestCustomersAreApart(t *testing.T) {
	root := t.TempDir()
	_, err := servetest.Write(filepath.Join(root, "places"), servetest.Release{})
	must(t, err)
	places := append(servetest.PrivatePlaces("acme", "aaa"), servetest.PrivatePlaces("bell", "bbb")...)
	_, err = servetest.WritePrivate(filepath.Join(root, "private"), filepath.Join(root, "places"), places)
	must(t, err)
	must(t, servetest.Publish(root, 1, "places", "private"))
	r, err := release.Open(root)
	must(t, err)
	t.Cleanup(r.Done)
	text := fmt.Sprintf("lat,lng\n%v,%v\n%v,%v\n", servetest.StreetLat, servetest.Lng, servetest.SouthStreetLat, servetest.Lng)
	identities := map[string]bool{}
	for name, c := range map[string]struct {
		client       enrich.Client
		own, foreign string
		north, south string // statuses
	}{
		"the operator": {client: enrich.Client{}, foreign: "aaa", north: "ok", south: "ok"},
		"acme":         {client: enrich.Client{Customer: "acme"}, own: "aaa", foreign: "bbb", north: "ok", south: "ok"},
		"bell, Canada": {client: enrich.Client{Customer: "bell", Regions: []string{"CA"}}, own: "bbb", foreign: "aaa", north: "ok",
			south: "not_agreed"},
	} {
		e, err := enrich.New(r, enrich.Choice{Add: []string{"geographies"}}, c.client)
		must(t, err)
		identities[fmt.Sprint(e.Digests(), e.Client())] = true
		out := filepath.Join(t.TempDir(), "out.csv")
		_, _, err = run(t, e, text, Options{Out: out, MaxBad: 1})
		must(t, err)
		lines := strings.Split(strings.TrimSpace(read(t, out)), "\n")
		has := func(line, tag string) bool { return strings.Contains(line, "_"+tag) }
		if !strings.HasSuffix(lines[1], ","+c.north) || !strings.HasSuffix(lines[2], ","+c.south) {
			t.Errorf("%s: %q", name, lines[1:])
		}
		if c.own != "" && !has(lines[1], c.own) || has(lines[1], c.foreign) || has(lines[2], c.foreign) || c.own == "" && has(lines[1], "bbb") {
			t.Errorf("%s: %q", name, lines[1:])
		}
		if c.south == "not_agreed" && has(lines[2], c.own) {
			t.Errorf("%s has %q", name, lines[2])
		}
	}
	if len(identities) != 3 {
		t.Error("parts of one customer would be continued for another")
	}
}

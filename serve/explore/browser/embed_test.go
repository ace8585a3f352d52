package browser_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"
	"github.com/paulmach/orb/geojson"
	"github.com/paulmach/orb/maptile"

	"quartier/internal/testenv"
	"quartier/serve/account"
	"quartier/serve/explore/page"
	"quartier/serve/servetest"
)

// strict is the policy of a portal that allows nothing but what the components need.
const strict = "default-src 'none'; script-src %[1]s; connect-src %[1]s; img-src 'self'"

// TestEmbed shows the components on pages of other origins: one that the key is for, and one that it is not for. /map allows what a
// map needs besides, /frame is the page in a frame without an origin.
func TestEmbed(t *testing.T) {
	chromium := needChromium(t)
	if !page.HasMap() {
		testenv.NotInstalled(t, "MapLibre GL (make docs)")
	}
	api := start(t, servetest.Release{}, false, account.Agreement{Rate: 1_000_000})
	portal := func() string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/icon" {
				return
			}
			policy := fmt.Sprintf(strict, api.url)
			body := r.FormValue("body")
			switch r.URL.Path {
			case "/map":
				policy += "; worker-src blob:"
			case "/frame":
				policy += "; frame-src 'self'"
				body = `<iframe title="Listing" sandbox="allow-scripts" src="/?` + r.URL.RawQuery + `"></iframe>`
			}
			w.Header().Set("Content-Security-Policy", policy)
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, `<!DOCTYPE html><html lang="en"><meta name="viewport" content="width=device-width"><title>Listing</title>`+
				`<link rel="icon" href="/icon"><main><h1>Listing</h1>%s<p id="after">after</p></main>`, body)
		}))
		t.Cleanup(server.Close)
		return server.URL
	}
	allowed, other := portal(), portal()
	key := func(rate int, origins ...string) string {
		_, made, err := api.store.CreateKey("Acme", api.client, account.AccessKey{Kind: account.Publishable, Origins: origins, Rate: rate})
		must(t, err)
		return made.Key
	}
	keys := map[string]string{"portal": key(1000, allowed, api.url), "slow": key(1, allowed)}
	must(t, api.live.Refresh(context.Background()))
	tile := filepath.Join(t.TempDir(), "tile")
	must(t, os.WriteFile(tile, groundTile(t, servetest.Lng, servetest.NorthLat), 0o644))
	settings, err := json.Marshal(map[string]any{"api": api.url, "portal": allowed, "other": other, "keys": keys, "tile": tile,
		"lat": servetest.NorthLat, "lng": servetest.Lng, "hostile": servetest.HostileName})
	must(t, err)
	run(t, "embed.mjs", chromium, "QUARTIER_EMBED="+string(settings))
}

// groundTile is a tile of the ground around a place at zoom 14: a street, a lake, a house and the name of a town.
func groundTile(t *testing.T, lng, lat float64) []byte {
	t.Helper()
	square := func(x, y, size float64) orb.Polygon {
		return orb.Polygon{{{x, y}, {x + size, y}, {x + size, y + size}, {x, y + size}, {x, y}}}
	}
	tile := maptile.At(orb.Point{lng, lat}, 14)
	var layers mvt.Layers
	for name, feature := range map[string]struct {
		kind string
		orb.Geometry
	}{
		"streets":        {"primary", orb.LineString{{lng - 0.02, lat - 0.001}, {lng + 0.02, lat + 0.002}}},
		"water_polygons": {"water", square(lng+0.002, lat+0.001, 0.004)},
		"buildings":      {"", square(lng-0.001, lat+0.0005, 0.0005)},
		"place_labels":   {"town", orb.Point{lng - 0.003, lat + 0.002}},
	} {
		one := geojson.NewFeature(feature.Geometry)
		one.Properties = geojson.Properties{"kind": feature.kind, "name": "Port Hollis"}
		layer := mvt.NewLayer(name, geojson.NewFeatureCollection().Append(one))
		layer.Version = 2
		layer.ProjectToTile(tile)
		layers = append(layers, layer)
	}
	body, err := mvt.Marshal(layers)
	must(t, err)
	return body
}

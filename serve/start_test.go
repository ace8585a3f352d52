package serve_test

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"quartier/internal/pack/packtest"
	"quartier/schemas"
	"quartier/serve"
	"quartier/serve/release"
	"quartier/serve/servetest"
)

// askedAtStart are requests that read all packs of a release.
var askedAtStart = []string{
	"/v3/geographies?" + north, "/v3/geographies?" + south + "&outlines=true", "/v3/geographies?name=nord",
	"/v3/geographies/" + servetest.NorthCity,
	"/v3/enhanced-pois?" + north, "/v3/enhanced-pois?" + south + "&radius=5", "/v3/pois?" + north, "/v3/enhanced-pois/brands",
	"/v3/location_scores?" + north,
	"/v3/demographics?" + north, "/v3/schools?" + north, "/v3/profiles?" + north, "/v3/market_stats/" + servetest.NorthCity,
	"/v3/typologies?" + north,
}

// TestNoWrongAnswerAfterStart starts servers on damaged releases and asks at once, until each has made up its mind: every answer
// is the right one, or 503.
func TestNoWrongAnswerAfterStart(t *testing.T) {
	var options serve.Options
	a := newAPI(t, func(o *serve.Options) { options = *o })
	right := map[string]answer{}
	found := 0
	for _, target := range askedAtStart {
		right[target] = a.get("full", target)
		if right[target].status == 200 {
			found++
		}
	}
	if found < len(askedAtStart)*2/3 {
		t.Fatalf("%d of %d requests are answered: %v", found, len(askedAtStart), right)
	}
	var files []string
	for _, name := range []string{schemas.GeographiesPack, schemas.POIsPack, schemas.AccessPack, schemas.SmallAreasPack,
		schemas.DemographicsPack, schemas.SchoolsPack, schemas.ProfilesPack} {
		files = append(files, filepath.Join(a.dir, name))
	}
	files = append(files, filepath.Join(a.root, "market", schemas.MarketPack),
		filepath.Join(a.root, "market", schemas.MarketYear(schemas.MarketPack, 2023)))
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 1))
	unavailable := 0
	for range 60 {
		what, restore := packtest.Harm(t, random, files)
		releases, err := release.Hold(release.Options{Dir: a.root, Log: slog.New(slog.DiscardHandler), Patience: 1})
		if err == nil {
			unavailable += a.askAtStart(t, options, releases, right, what)
		}
		releases.Close()
		restore()
	}
	if unavailable == 0 {
		t.Error("no request was refused")
	}
}

// askAtStart asks a server that has just begun to verify its release, and returns the number of requests that it refused.
func (a *api) askAtStart(t *testing.T, options serve.Options, releases *release.Holder, right map[string]answer,
	what string) (unavailable int) {
	options.Releases = releases
	server, err := serve.New(options)
	must(t, err)
	damaged := api{t: t, handler: server, tokens: a.tokens}
	ctx, stop := context.WithCancel(t.Context())
	var following sync.WaitGroup
	following.Go(func() { releases.Follow(ctx, time.Hour, make(chan os.Signal)) })
	defer following.Wait()
	defer stop()
	for decided := false; !decided; {
		decided = !releases.Status().Verifying
		for _, target := range askedAtStart {
			switch got := damaged.get("full", target); {
			case got.status == 503 && strings.Contains(got.body, "Service Unavailable") && got.header.Get("Retry-After") != "":
				unavailable++
			case got.status != right[target].status || got.body != right[target].body:
				t.Errorf("%s: %s: %d %.200s", what, target, got.status, got.body)
			}
		}
	}
	return unavailable
}

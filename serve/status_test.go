package serve_test

import (
	"slices"
	"testing"
	"time"

	"quartier/schemas"
	"quartier/schemas/attributions"
	"quartier/schemas/feeds"
	"quartier/serve"
)

// TestStatus compares the data that the status names with the manifests, as far as each agreement has them.
func TestStatus(t *testing.T) {
	now := time.Date(2027, 1, 30, 12, 0, 0, 0, time.UTC)
	a := newAPI(t, func(o *serve.Options) {
		o.NextUpdate, o.Now = time.Date(2027, 1, 31, 0, 0, 0, 0, time.UTC), func() time.Time { return now }
	})
	release := a.releases.Acquire()
	defer release.Done()
	places, market := release.Manifest, release.Market.Manifest
	all := []schemas.StatusComponent{{Name: "places", Digest: places.Digest, AsOf: places.AsOf},
		{Name: "market", Digest: market.Digest, AsOf: market.AsOf}}
	for _, c := range []struct {
		who        string
		asOf       string
		components []schemas.StatusComponent
		sources    []schemas.ReleaseSource
	}{
		{"full", max(places.AsOf, market.AsOf), all, slices.Concat(places.Sources, market.Sources)},
		{"acme quebec", max(places.AsOf, market.AsOf), all, slices.Concat(places.Sources, market.Sources)},
		{"pois", places.AsOf, all[:1], feeds.Of(places.Sources, "pois")},
		{"quiet", places.AsOf, all[:1], feeds.Of(places.Sources, "scores")},
	} {
		want := schemas.Status{
			Type: "status", Release: places.Release, AsOf: c.asOf, NextUpdate: "2027-01-31", Components: c.components,
			Attributions: attributions.Of(c.sources),
		}
		got := answerOf[schemas.StatusAnswer](t, a, c.who, "/v3/status").Data
		if !slices.Equal(got.Components, want.Components) || !slices.Equal(got.Attributions, want.Attributions) ||
			got.Type != want.Type || got.Release != want.Release || got.AsOf != want.AsOf || got.NextUpdate != want.NextUpdate {
			t.Errorf("%s: %+v, want %+v", c.who, got, want)
		}
	}
	before := a.get("full", "/v3/status")
	for _, c := range []struct {
		now  time.Time
		want string
	}{{time.Date(2027, 1, 31, 23, 59, 59, 0, time.UTC), "2027-01-31"}, {time.Date(2027, 2, 1, 0, 0, 0, 0, time.UTC), ""}} {
		now = c.now
		after := a.get("full", "/v3/status")
		if got := answerOf[schemas.StatusAnswer](t, a, "full", "/v3/status").Data.NextUpdate; got != c.want ||
			(after.header.Get("Etag") == before.header.Get("Etag")) != (c.want != "") {
			t.Errorf("at %v: %q, want %q, ETags %s and %s", c.now, got, c.want, before.header.Get("Etag"), after.header.Get("Etag"))
		}
	}
	alone := answerOf[schemas.StatusAnswer](t, newPlacesAPI(t), "full", "/v3/status").Data
	if len(alone.Components) != 1 || alone.Components[0].Name != "places" || alone.NextUpdate != "" ||
		len(alone.Attributions) != len(attributions.Of(places.Sources)) {
		t.Errorf("places alone: %+v", alone)
	}
}

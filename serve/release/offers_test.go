package release_test

import (
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"quartier/schemas"
	"quartier/serve/release"
	"quartier/serve/servetest"
)

// offer is a folder of releases: generation 1 is served, and generation 2 with the components of "2" is to be damaged.
type offer struct {
	t    *testing.T
	root string
}

func (o offer) path(name string) string { return filepath.Join(o.root, name) }

// publish changes the pointer to generation 2.
func (o offer) publish(change func(*schemas.Pointer)) {
	o.t.Helper()
	must(o.t, servetest.Publish(o.root, 2, componentsOf("2")...))
	p, err := schemas.ReadPointer(o.root)
	must(o.t, err)
	change(p)
	must(o.t, servetest.WritePointer(o.root, p))
}

// manifest changes the manifest of the places, whose digest and pointer follow.
func (o offer) manifest(change func(*schemas.Manifest)) {
	o.t.Helper()
	m, err := schemas.ReadManifest(o.path("2"))
	must(o.t, err)
	change(m)
	must(o.t, servetest.WriteManifest(o.path("2"), m))
	must(o.t, servetest.Publish(o.root, 2, "2"))
}

// replace puts something else in the place of a file or folder.
func (o offer) replace(name string, with func(path string) error) {
	o.t.Helper()
	must(o.t, os.RemoveAll(o.path(name)))
	must(o.t, with(o.path(name)))
}

// badOffers make generation 2 one that must be refused, with a part of the reason.
var badOffers = map[string]struct {
	damage func(o offer)
	reason string
}{
	"newer schema": {func(o offer) { o.manifest(func(m *schemas.Manifest) { m.Schema++ }) }, "newer program"},
	"older schema": {func(o offer) { o.manifest(func(m *schemas.Manifest) { m.Schema-- }) }, "rebuild"},
	"incomplete":   {func(o offer) { o.replace("2/profiles.pack", func(string) error { return nil }) }, "profiles.pack"},
	"no manifest":  {func(o offer) { o.replace("2m/manifest.json", func(string) error { return nil }) }, "manifest"},
	"wrong digest": {func(o offer) {
		o.publish(func(p *schemas.Pointer) { p.Components[0].Digest = strings.Repeat("0", 64) })
	}, "publish it again"},
	"wrong date":        {func(o offer) { o.publish(func(p *schemas.Pointer) { p.Components[1].AsOf = "2020-01-01" }) }, "publish it again"},
	"unknown component": {func(o offer) { o.publish(func(p *schemas.Pointer) { p.Components[2].Name = "weather" }) }, "weather"},
	"components swapped": {func(o offer) {
		o.publish(func(p *schemas.Pointer) { p.Components[0].Name, p.Components[2].Name = "market", "places" })
	}, "not in order"},
	"places as market": {func(o offer) {
		o.publish(func(p *schemas.Pointer) { p.Components[2].Folder = "2" })
	}, `"places", not "market"`},
	"market beside other places": {func(o offer) {
		must(o.t, servetest.Publish(o.root, 2, "2", "1m"))
	}, "another one than that of the release"},
	"private beside other places": {func(o offer) {
		must(o.t, servetest.Publish(o.root, 2, "2", "1p", "2m"))
	}, "another one than that of the release"},
	"private market beside another private": {func(o offer) {
		must(o.t, servetest.Publish(o.root, 2, "2", "2p", "2m", "1q"))
	}, "another one than that of the release"},
	"private market as market": {func(o offer) {
		o.publish(func(p *schemas.Pointer) { p.Components[2].Folder = "2q" })
	}, "private-market, not market"},
	"other places beside a market that is open": {func(o offer) {
		must(o.t, servetest.Publish(o.root, 2, "2", "1m"))
		must(o.t, os.RemoveAll(o.path("1m")))
	}, "another one than that of the release"},
	"truncated":    {func(o offer) { must(o.t, os.Truncate(o.path("2/geographies.pack"), 4096)) }, "incomplete"},
	"longer":       {func(o offer) { grow(o.t, o.path("2"), schemas.POIsPack) }, "longer"},
	"files of two": {func(o offer) { must(o.t, os.Rename(o.path("1/pois.pack"), o.path("2/pois.pack"))) }, "pois.pack"},
	"files exchanged": {func(o offer) {
		must(o.t, os.Rename(o.path("2/schools.pack"), o.path("2/x")))
		must(o.t, os.Rename(o.path("2/access.pack"), o.path("2/schools.pack")))
		must(o.t, os.Rename(o.path("2/x"), o.path("2/access.pack")))
	}, "access.pack"},
	"empty folder":   {func(o offer) { o.replace("2", func(path string) error { return os.Mkdir(path, 0o755) }) }, "manifest"},
	"empty manifest": {func(o offer) { must(o.t, os.Truncate(o.path("2/manifest.json"), 0)) }, "manifest"},
	"empty pack":     {func(o offer) { must(o.t, os.Truncate(o.path("2m/market.pack"), 0)) }, "market.pack"},
	"empty pointer":  {func(o offer) { must(o.t, os.Truncate(o.path("current.json"), 0)) }, "pointer"},
	"pointer cut":    {func(o offer) { must(o.t, os.Truncate(o.path("current.json"), 200)) }, "pointer"},
	"no pointer":     {func(o offer) { must(o.t, os.Remove(o.path("current.json"))) }, "neither"},
	"endless pointer": {func(o offer) {
		o.replace("current.json", func(path string) error { return os.Symlink("/dev/zero", path) })
	}, "regular"},
	"pointer elsewhere": {func(o offer) { o.publish(func(p *schemas.Pointer) { p.Components[0].Folder = "../2" }) }, "below"},
	"pointer to nothing": {func(o offer) {
		o.publish(func(p *schemas.Pointer) { p.Components[0].Folder = "nothing" })
	}, "no such file"},
	"pointer in another form": {func(o offer) {
		data, err := os.ReadFile(o.path("current.json"))
		must(o.t, err)
		must(o.t, os.WriteFile(o.path("current.json"), append(data, '\n'), 0o644))
	}, "canonical"},
	"symbolic links in a circle": {func(o offer) { o.replace("2", func(path string) error { return os.Symlink("2", path) }) }, "too many"},
	"pack is a folder":           {func(o offer) { o.replace("2/pois.pack", func(path string) error { return os.Mkdir(path, 0o755) }) }, "regular"},
	"pack is a pipe": {func(o offer) {
		o.replace("2/pois.pack", func(path string) error { return syscall.Mkfifo(path, 0o644) })
	}, "regular"},
	"manifest is a pipe": {func(o offer) {
		o.replace("2/manifest.json", func(path string) error { return syscall.Mkfifo(path, 0o644) })
	}, "regular"},
	"an earlier generation": {func(o offer) { must(o.t, servetest.Publish(o.root, 0, componentsOf("2")...)) }, "generation"},
	"the same generation":   {func(o offer) { must(o.t, servetest.Publish(o.root, 1, componentsOf("2")...)) }, "generation"},
}

// packsOf are the packs of generation 2.
var packsOf = []string{
	"2/access.pack", "2/demographics.pack", "2/geographies.pack", "2/pois.pack", "2/profiles.pack", "2/schools.pack", "2/small_areas.pack",
	"2p/access.pack", "2p/demographics.pack", "2p/geographies.pack", "2p/owners.pack", "2p/profiles.pack", "2m/market.pack", "2q/market.pack",
}

// TestBadOffers offers bad releases to a server of a good one: each is refused with a reason, the good one answers, and the
// state says so until another good one is served.
func TestBadOffers(t *testing.T) {
	offers := badOffers
	for _, name := range packsOf {
		offers["a byte of "+name] = struct {
			damage func(o offer)
			reason string
		}{func(o offer) { flip(o.t, filepath.Dir(o.path(name)), filepath.Base(name)) }, filepath.Base(name)}
	}
	template := t.TempDir()
	writeAll(t, template, "1", servetest.Release{}, "2024-01-15")
	writeAll(t, template, "2", servetest.Release{POIs: 402}, "2024-01-15")
	writeAll(t, template, "3", servetest.Release{POIs: 404}, "2024-01-15")
	for name, bad := range offers {
		t.Run(name, func(t *testing.T) {
			o := offer{t, filepath.Join(t.TempDir(), "releases")}
			must(t, os.CopyFS(o.root, os.DirFS(template)))
			must(t, servetest.Publish(o.root, 1, componentsOf("1")...))
			log := new(lockedBuffer)
			h, err := release.NewHolder(o.root, slog.New(slog.NewJSONHandler(log, nil)))
			must(t, err)
			defer h.Close()
			must(t, servetest.Publish(o.root, 2, componentsOf("2")...))
			bad.damage(o)
			for range 2 {
				if err := h.Reload(t.Context()); !errors.Is(err, release.ErrRejected) || !strings.Contains(err.Error(), bad.reason) {
					t.Fatalf("error %v, want one with %q", err, bad.reason)
				}
			}
			status := h.Status()
			if status.Generation != 1 || len(status.Components) != 4 || !status.Refused || status.Rejected != 1 || status.Loaded != 1 {
				t.Errorf("%+v", status)
			}
			answers(t, h, 400)
			must(t, servetest.Publish(o.root, 3, componentsOf("3")...))
			must(t, h.Reload(t.Context()))
			if status := h.Status(); status.Generation != 3 || status.Refused || !status.Verified {
				t.Errorf("%+v", status)
			}
			answers(t, h, 404)
			var line struct{ Components []schemas.ComponentRef }
			loaded := log.lines("release loaded")
			must(t, json.Unmarshal([]byte(loaded[len(loaded)-1]), &line))
			if len(line.Components) != 4 || line.Components[2].Name != schemas.Market {
				t.Errorf("%s", loaded)
			}
		})
	}
}

// answers checks that the current release has a number of places, and one in the market that is made for it.
func answers(t *testing.T, h *release.Holder, places int) {
	t.Helper()
	r := h.Acquire()
	defer r.Done()
	if r.POIs.Len() != places || len(r.Geographies.At(nil, servetest.Lng, servetest.NorthLat, 0)) != 9 {
		t.Errorf("%d places", r.POIs.Len())
	}
	if r.Market == nil || r.Market.Manifest.Places != r.Digest() || r.Market.Table.Len() != r.Geographies.Len() {
		t.Error("a market of other places")
	}
	if r.Private == nil || r.Private.Manifest.Places != r.Digest() || r.PrivateMarket == nil || r.PrivateMarket.Manifest.Places != r.Private.Manifest.Digest {
		t.Error("private geographies of other places, or a market of others")
	}
}

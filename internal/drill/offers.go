package drill

import (
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"quartier/schemas"
	"quartier/serve/release"
	"quartier/serve/servetest"
)

// offer is a folder of releases: generation 1 is served, and generation 2 with the components of "2" is to be damaged.
type offer struct {
	*Run
	root string
}

func (o offer) path(name string) string { return filepath.Join(o.root, name) }

// publish changes the pointer to generation 2.
func (o offer) publish(change func(*schemas.Pointer)) {
	o.Helper()
	o.Must(servetest.Publish(o.root, 2, Components("2")...))
	p, err := schemas.ReadPointer(o.root)
	o.Must(err)
	change(p)
	o.Must(servetest.WritePointer(o.root, p))
}

// manifest changes the manifest of the places, whose digest and pointer follow.
func (o offer) manifest(change func(*schemas.Manifest)) {
	o.Helper()
	m, err := schemas.ReadManifest(o.path("2"))
	o.Must(err)
	change(m)
	o.Must(servetest.WriteManifest(o.path("2"), m))
	o.Must(servetest.Publish(o.root, 2, "2"))
}

// replace puts something else in the place of a file or folder.
func (o offer) replace(name string, with func(path string) error) {
	o.Helper()
	o.Must(os.RemoveAll(o.path(name)))
	o.Must(with(o.path(name)))
}

// badOffers make generation 2 one that must be refused, with a part of the reason.
var badOffers = map[string]badOffer{
	"newer schema": {func(o offer) { o.manifest(func(m *schemas.Manifest) { m.Schema++ }) }, "newer program"},
	"older schema": {func(o offer) { o.manifest(func(m *schemas.Manifest) { m.Schema = schemas.ServedFrom - 1 }) }, "rebuild"},
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
		o.Must(servetest.Publish(o.root, 2, "2", "1m"))
	}, "another one than that of the release"},
	"private beside other places": {func(o offer) {
		o.Must(servetest.Publish(o.root, 2, "2", "1p", "2m"))
	}, "another one than that of the release"},
	"private market beside another private": {func(o offer) {
		o.Must(servetest.Publish(o.root, 2, "2", "2p", "2m", "1q"))
	}, "another one than that of the release"},
	"private market as market": {func(o offer) {
		o.publish(func(p *schemas.Pointer) { p.Components[2].Folder = "2q" })
	}, `"private-market", not "market"`},
	"other places beside a market that is open": {func(o offer) {
		o.Must(servetest.Publish(o.root, 2, "2", "1m"))
		o.Must(os.RemoveAll(o.path("1m")))
	}, "another one than that of the release"},
	"truncated":    {func(o offer) { o.Must(os.Truncate(o.path("2/geographies.pack"), 4096)) }, "incomplete"},
	"longer":       {func(o offer) { o.Must(grow(o.path("2/pois.pack"))) }, "longer"},
	"files of two": {func(o offer) { o.Must(os.Rename(o.path("1/pois.pack"), o.path("2/pois.pack"))) }, "pois.pack"},
	"files exchanged": {func(o offer) {
		o.Must(os.Rename(o.path("2/schools.pack"), o.path("2/x")))
		o.Must(os.Rename(o.path("2/access.pack"), o.path("2/schools.pack")))
		o.Must(os.Rename(o.path("2/x"), o.path("2/access.pack")))
	}, "access.pack"},
	"empty folder":   {func(o offer) { o.replace("2", func(path string) error { return os.Mkdir(path, 0o755) }) }, "manifest"},
	"empty manifest": {func(o offer) { o.Must(os.Truncate(o.path("2/manifest.json"), 0)) }, "manifest"},
	"empty pack":     {func(o offer) { o.Must(os.Truncate(o.path("2m/market.pack"), 0)) }, "market.pack"},
	"empty pointer":  {func(o offer) { o.Must(os.Truncate(o.path("current.json"), 0)) }, "pointer"},
	"pointer cut":    {func(o offer) { o.Must(os.Truncate(o.path("current.json"), 200)) }, "pointer"},
	"no pointer":     {func(o offer) { o.Must(os.Remove(o.path("current.json"))) }, "neither"},
	"endless pointer": {func(o offer) {
		o.replace("current.json", func(path string) error { return os.Symlink("/dev/zero", path) })
	}, "regular"},
	"pointer elsewhere": {func(o offer) { o.publish(func(p *schemas.Pointer) { p.Components[0].Folder = "../2" }) }, "below"},
	"pointer to nothing": {func(o offer) {
		o.publish(func(p *schemas.Pointer) { p.Components[0].Folder = "nothing" })
	}, "no such file"},
	"pointer in another form": {func(o offer) {
		data, err := os.ReadFile(o.path("current.json"))
		o.Must(err)
		o.Must(os.WriteFile(o.path("current.json"), append(data, '\n'), 0o644))
	}, "canonical"},
	"symbolic links in a circle": {func(o offer) { o.replace("2", func(path string) error { return os.Symlink("2", path) }) }, "too many"},
	"pack is a folder": {func(o offer) { o.replace("2/pois.pack", func(path string) error { return os.Mkdir(path, 0o755) }) },
		"regular"},
	"pack is a pipe": {func(o offer) {
		o.replace("2/pois.pack", func(path string) error { return syscall.Mkfifo(path, 0o644) })
	}, "regular"},
	"manifest is a pipe": {func(o offer) {
		o.replace("2/manifest.json", func(path string) error { return syscall.Mkfifo(path, 0o644) })
	}, "regular"},
	"an earlier generation": {func(o offer) { o.Must(servetest.Publish(o.root, 0, Components("2")...)) }, "generation"},
	"the same generation":   {func(o offer) { o.Must(servetest.Publish(o.root, 1, Components("2")...)) }, "generation"},
}

// grow appends a byte to a file.
func grow(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return os.Truncate(path, info.Size()+1)
}

// Flip changes a bit in the middle of a file.
func Flip(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	data[len(data)/2] ^= 0x10
	return os.WriteFile(path, data, 0o644)
}

// badOffer makes generation 2 one that must be refused, with a part of the reason.
type badOffer struct {
	damage func(o offer)
	reason string
}

// allOffers are badOffers and a changed byte of each pack.
func allOffers() map[string]badOffer {
	all := map[string]badOffer{}
	for name, bad := range badOffers {
		all[name] = bad
	}
	for _, name := range Packs {
		all["a byte of "+name] = badOffer{func(o offer) { o.Must(Flip(o.path(name))) }, filepath.Base(name)}
	}
	return all
}

// Offers offers bad releases of every kind to servers of a good one, in a drawn order and again as long as there is time: each is
// refused with a reason, the good one answers, and the state says so until another good one is served. harmless is a planted
// fault: one of the kinds does nothing.
func Offers(r *Run, harmless bool) (n, kinds int) {
	offers := allOffers()
	names := slices.Sorted(maps.Keys(offers))
	if harmless {
		offers[Pick(r.Random, names)] = badOffer{func(offer) {}, "nothing"}
	}
	template := r.TempDir()
	r.Must(WriteAll(template, "1", servetest.Release{}, "2024-01-15"))
	r.Must(WriteAll(template, "2", servetest.Release{POIs: 402}, "2024-01-15"))
	r.Must(WriteAll(template, "3", servetest.Release{POIs: 404}, "2024-01-15"))
	for n < len(names) || r.More(n) {
		if n%len(names) == 0 {
			r.Random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		}
		name := names[n%len(names)]
		r.offer(name, offers[name], template)
		n++
	}
	return n, len(names)
}

// offer makes one offer.
func (r *Run) offer(name string, bad badOffer, template string) {
	r.Helper()
	dir, err := os.MkdirTemp(template, "..offer-")
	r.Must(err)
	defer os.RemoveAll(dir)
	o := offer{r, filepath.Join(dir, "releases")}
	for _, generation := range []string{"1", "2", "3"} {
		for _, folder := range Components(generation) {
			r.Must(os.CopyFS(o.path(folder), os.DirFS(filepath.Join(template, folder))))
		}
	}
	r.Must(servetest.Publish(o.root, 1, Components("1")...))
	log := new(lines)
	h, err := release.NewHolder(o.root, slog.New(slog.NewJSONHandler(log, nil)))
	r.Must(err)
	defer h.Close()
	r.Must(servetest.Publish(o.root, 2, Components("2")...))
	bad.damage(o)
	for range 2 {
		if err := h.Reload(r.Context()); !errors.Is(err, release.ErrRejected) || !strings.Contains(err.Error(), bad.reason) {
			r.Fatalf("%s: error %v, want one with %q", name, err, bad.reason)
		}
	}
	status := h.Status()
	if status.Generation != 1 || len(status.Components) != 4 || !status.Refused || status.Rejected != 1 || status.Loaded != 1 {
		r.Errorf("%s: %+v", name, status)
	}
	answers(r, h, 400)
	r.Must(servetest.Publish(o.root, 3, Components("3")...))
	r.Must(h.Reload(r.Context()))
	if status := h.Status(); status.Generation != 3 || status.Refused || !status.Verified {
		r.Errorf("%s: %+v", name, status)
	}
	answers(r, h, 404)
	var line struct{ Components []schemas.ComponentRef }
	loaded := log.with("release loaded")
	r.Must(json.Unmarshal([]byte(loaded[len(loaded)-1]), &line))
	if len(line.Components) != 4 || line.Components[2].Name != schemas.Market {
		r.Errorf("%s: %s", name, loaded)
	}
}

// lines is what was logged.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(text)
}

// with lists the lines with a text.
func (l *lines) with(text string) (found []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(l.text.String()) {
		if strings.Contains(line, text) {
			found = append(found, line)
		}
	}
	return found
}

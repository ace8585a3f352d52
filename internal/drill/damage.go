package drill

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"

	"quartier/internal/pack/packtest"
	"quartier/schemas"
	"quartier/serve/release"
	"quartier/serve/servetest"
)

// Components are the folders of a release of WriteAll.
func Components(name string) []string { return []string{name, name + "p", name + "m", name + "q"} }

// WriteAll writes all components of a release in folders of root.
func WriteAll(root, name string, content servetest.Release, day string) error {
	folder := func(kind string) string { return filepath.Join(root, name+kind) }
	if _, err := servetest.Write(folder(""), content); err != nil {
		return err
	}
	if _, err := servetest.WritePrivate(folder("p"), folder(""), servetest.PrivatePlaces("globex", "a")); err != nil {
		return err
	}
	for kind, beside := range map[string]string{"m": "", "q": "p"} {
		if _, err := servetest.WriteMarket(folder(kind), folder(beside), servetest.Market{AsOf: day}); err != nil {
			return err
		}
	}
	return nil
}

// Packs are those of release 2.
var Packs = []string{
	"2/access.pack", "2/addresses.pack", "2/demographics.pack", "2/geographies.pack", "2/pois.pack", "2/profiles.pack", "2/reach.pack",
	"2/schools.pack", "2/small_areas.pack", "2/travel.pack", "2p/access.pack", "2p/demographics.pack", "2p/geographies.pack", "2p/owners.pack",
	"2p/profiles.pack", "2m/market.pack", "2m/market-2022.pack", "2q/market.pack",
}

// Damage offers releases of which one file is damaged at random. Each is refused, without a panic, and what was served before
// answers as before. repaired is a planted fault: one of so many is repaired before it is read, so that it is taken; 0: none.
func Damage(r *Run, repaired int) (n int) {
	root := r.TempDir()
	r.Must(WriteAll(root, "1", servetest.Release{}, "2024-01-15"))
	r.Must(WriteAll(root, "2", servetest.Release{POIs: 402}, "2024-01-15"))
	r.Must(servetest.Publish(root, 1, Components("1")...))
	h, err := release.NewHolder(root, slog.New(slog.DiscardHandler))
	r.Must(err)
	defer h.Close()
	r.Must(servetest.Publish(root, 2, Components("2")...))
	var files []string
	for _, folder := range Components("2") {
		files = append(files, filepath.Join(root, folder, schemas.ManifestFile))
	}
	for _, name := range Packs {
		files = append(files, filepath.Join(root, name))
	}
	before := contentOf(h)
	for ; n == 0 || r.More(n); n++ {
		what, restore := packtest.Harm(r, r.Random, files)
		if repaired > 0 && r.Random.IntN(repaired) == 0 {
			restore()
		}
		if err := h.Reload(r.Context()); !errors.Is(err, release.ErrRejected) {
			r.Fatalf("damage %d, %s: the release is not refused: %v", n+1, what, err)
		}
		if status := h.Status(); status.Generation != 1 || !status.Refused {
			r.Fatalf("damage %d, %s: %+v", n+1, what, status)
		}
		restore()
	}
	if !bytes.Equal(contentOf(h), before) {
		r.Error("the release that is served has other content")
	}
	r.Must(h.Reload(r.Context()))
	answers(r, h, 402)
	return n
}

// contentOf describes what look-ups of the current release find.
func contentOf(h *release.Holder) []byte {
	r := h.Acquire()
	defer r.Done()
	out := fmt.Appendf(nil, "%s %d %d\n", r.Digest(), r.POIs.Len(), r.Market.Table.Len())
	return append(out, lookUps(r)...)
}

// lookUps describes what look-ups of a release find.
func lookUps(r *release.Release) (out []byte) {
	for i := range r.Geographies.Len() {
		values, ok := r.Access.Geography(r.Geographies.ID(i))
		record, described := r.People.Find(r.Geographies.ID(i))
		out = fmt.Appendln(out, r.Geographies.ID(i), r.Geographies.Centroid(i), slices.Sorted(slices.Values(r.Regions(i))), values, ok, described)
		if described {
			out = fmt.Appendln(out, record)
		}
	}
	return out
}

// answers checks that the current release has a number of places, and one in the market that is made for it.
func answers(r *Run, h *release.Holder, places int) {
	r.Helper()
	got := h.Acquire()
	defer got.Done()
	if got.POIs.Len() != places || len(got.Geographies.At(nil, servetest.Lng, servetest.NorthLat, 0)) != 9 {
		r.Errorf("%d places", got.POIs.Len())
	}
	if got.Market == nil || got.Market.Manifest.Places != got.Digest() || got.Market.Table.Len() != got.Geographies.Len() {
		r.Error("a market of other places")
	}
	if got.Private == nil || got.Private.Manifest.Places != got.Digest() || got.PrivateMarket == nil ||
		got.PrivateMarket.Manifest.Places != got.Private.Manifest.Digest {
		r.Error("private geographies of other places, or a market of others")
	}
}

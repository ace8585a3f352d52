package release_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"quartier/internal/pack/packtest"
	"quartier/schemas"
	"quartier/serve/release"
	"quartier/serve/servetest"
)

var (
	damages    = flag.Int("damages", 2000, "`number` of damaged releases that are offered")
	damageSeed = flag.Uint64("damageseed", 0, "seed of the damages; 0: another one each time")
)

// TestDamageIsFound offers releases of which one file is damaged at random. Each is refused, without a panic, and what was
// served before answers as before.
func TestDamageIsFound(t *testing.T) {
	root := t.TempDir()
	writeAll(t, root, "1", servetest.Release{}, "2024-01-15")
	writeAll(t, root, "2", servetest.Release{POIs: 402}, "2024-01-15")
	must(t, servetest.Publish(root, 1, componentsOf("1")...))
	h, err := release.NewHolder(root, quiet)
	must(t, err)
	defer h.Close()
	must(t, servetest.Publish(root, 2, componentsOf("2")...))
	var files []string
	for _, folder := range componentsOf("2") {
		files = append(files, filepath.Join(root, folder, schemas.ManifestFile))
	}
	for _, name := range packsOf {
		files = append(files, filepath.Join(root, name))
	}
	seed := *damageSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("%d damages, seed %d", *damages, seed)
	random := rand.New(rand.NewPCG(seed, 1))
	before := contentOf(h)
	for range *damages {
		what, restore := packtest.Harm(t, random, files)
		if err := h.Reload(t.Context()); !errors.Is(err, release.ErrRejected) {
			t.Fatalf("seed %d: %s: %v", seed, what, err)
		}
		if status := h.Status(); status.Generation != 1 || !status.Refused {
			t.Fatalf("seed %d: %s: %+v", seed, what, status)
		}
		restore()
	}
	if !bytes.Equal(contentOf(h), before) {
		t.Error("the release that is served has other content")
	}
	must(t, h.Reload(t.Context()))
	answers(t, h, 402)
}

// contentOf describes what look-ups of the current release find.
func contentOf(h *release.Holder) []byte {
	r := h.Acquire()
	defer r.Done()
	out := fmt.Appendf(nil, "%s %d %d\n", r.Digest(), r.POIs.Len(), r.Market.Table.Len())
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

package main

import (
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"quartier/build/publish"
	"quartier/schemas"
	"quartier/serve/release"
	"quartier/serve/servetest"
)

// bucket serves an empty bucket in memory, and sets the variables of it.
func bucket(t *testing.T) (address string) {
	t.Helper()
	memory := s3mem.New()
	if err := memory.CreateBucket("releases"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(memory).Server())
	t.Cleanup(server.Close)
	t.Setenv("AWS_ENDPOINT_URL", server.URL)
	t.Setenv("AWS_ACCESS_KEY_ID", "theKeyId")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "theSecret")
	return "s3://releases/north/america"
}

// TestReleasesInAStore pushes releases to a folder and to a bucket, pulls them elsewhere and serves what was pulled.
func TestReleasesInAStore(t *testing.T) {
	for name, address := range map[string]string{"folder": filepath.Join(t.TempDir(), "store"), "bucket": bucket(t)} {
		t.Run(name, func(t *testing.T) { releasesInAStore(t, address) })
	}
}

func releasesInAStore(t *testing.T, address string) {
	expect := func(want int, args ...string) string {
		t.Helper()
		code, out, errs := quartier(args...)
		if code != want || strings.Contains(out+errs, "theSecret") || strings.Contains(out+errs, "theKeyId") {
			t.Errorf("quartier %s: exit code %d, want %d\n%s%s", strings.Join(args, " "), code, want, out, errs)
		}
		return out + errs
	}
	root, into := t.TempDir(), filepath.Join(t.TempDir(), "cache")
	months := []string{filepath.Join(root, "2026-10"), filepath.Join(root, "2026-11")}
	for i, folder := range months {
		if _, err := servetest.Write(folder, servetest.Release{POIs: 400 + i}); err != nil {
			t.Fatal(err)
		}
	}
	market := filepath.Join(root, "market", "2026-11-22")
	if _, err := servetest.WriteMarket(market, months[0], servetest.Market{}); err != nil {
		t.Fatal(err)
	}
	expect(exitBadInput, "pull", address, into)
	var holder *release.Holder
	var digests []string
	for i, set := range []publish.Set{{Places: months[0], Market: market}, {Places: months[1]}} {
		if _, err := publish.Pointer(root, set); err != nil {
			t.Fatal(err)
		}
		out := expect(exitOK, "push", root, address, "--publish")
		digests = append(digests, regexp.MustCompile("[0-9a-f]{64}").FindString(out))
		if again := expect(exitOK, "push", "--publish", root, address); !strings.Contains(again, "sent 0 files, 0 B;") {
			t.Errorf("sent again: %s", again)
		}
		expect(exitOK, "pull", address, into)
		var err error
		if holder == nil {
			holder, err = release.NewHolder(into, slog.New(slog.DiscardHandler))
		} else {
			err = holder.Reload(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		if s := holder.Status(); s.Generation != int64(i+1) || len(s.Components) != 2-i || !s.Verified {
			t.Errorf("serves %+v", s)
		}
	}
	defer holder.Close()
	if out := expect(exitOK, "push", months[0], address); !strings.Contains(out, "sent 0 files") || strings.Contains(out, "Generation") {
		t.Errorf("one component: %s", out)
	}
	other := t.TempDir()
	expect(exitOK, "pull", "--release", digests[0], address, other)
	if p, err := schemas.ReadPointer(other); p != nil || err != nil {
		t.Errorf("published: %+v %v", p, err)
	}
	expect(exitBadInput, "pull", address, other, "--release", strings.Repeat("0", 64))
	expect(exitUsage, "pull", address, other, "--release", "x")
	expect(exitUsage, "pull", address)
	expect(exitUsage, "push", root, address, "more")
	expect(exitUsage, "push", root, "s3://theKeyId:theSecret@releases/x")
	expect(exitUsage, "retain", "--keep", "1")
	expect(exitUsage, "retain", "--keep", "1", "--releases", root, "--store", address)
	expect(exitBadInput, "push", t.TempDir(), address)
	if out := expect(exitOK, "retain", "--store", address, "--keep", "1", "--dry-run"); !strings.Contains(out, "remove  "+digests[0]) ||
		!strings.Contains(out, "keep    "+digests[1]) || !strings.Contains(out, "Would remove ") {
		t.Errorf("retain: %s", out)
	}
	expect(exitOK, "retain", "--store", address, "--keep", "1", "--unpublished")
	expect(exitBadInput, "pull", "--release", digests[0], address, other)
	pack := filepath.Join(months[0], schemas.POIsPack)
	if err := os.Truncate(pack, 100); err != nil {
		t.Fatal(err)
	}
	expect(exitNotVerified, "push", months[0], address)
	if err := os.Remove(pack); err != nil {
		t.Fatal(err)
	}
	expect(exitNotVerified, "push", months[0], address)
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	expect(exitUsage, "push", root, "s3://releases/x")
}

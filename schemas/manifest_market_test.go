package schemas

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func sampleMarket(t testing.TB) *MarketManifest {
	t.Helper()
	digest := strings.Repeat("ab", 32)
	m := &MarketManifest{
		Schema: ManifestSchema, Component: Market, AsOf: "2026-11-22", ToolVersion: "v1", Places: digest, States: []string{"US_NY", "US_VT"},
		Sources: []ReleaseSource{
			{ID: "mls", Kind: "reso", Path: "listings", SHA256: digest, Bytes: 10, RowsRead: 5, RowsStaged: 4,
				Issues: []ReleaseIssue{{"rejected", "bad_price", "The price is not a number.", 1, "a.csv:7", nil}}},
			{ID: "sales", Kind: "reso", Path: "sales.csv", SHA256: digest, AsOf: "2026-11-30", Licence: "public domain"},
		},
		Files:  []ReleaseFile{{Name: MarketPack, SHA256: digest, Bytes: 64}},
		Counts: MarketCounts{Listings: 3, Geographies: 2, Cells: 9},
		Notes:  []string{"sales alone in US_NY"},
	}
	digestMarket(t, m)
	return m
}

func digestMarket(t testing.TB, m *MarketManifest) {
	t.Helper()
	var err error
	if m.Digest, err = m.ComputeDigest(); err != nil {
		t.Fatal(err)
	}
}

func TestMarketManifestComesBack(t *testing.T) {
	m, dir := sampleMarket(t), t.TempDir()
	data, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ManifestFile), data, 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := ReadMarketManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := got.Encode()
	if diff := cmp.Diff(string(data), string(again)); diff != "" {
		t.Error(diff)
	}
	if component, err := ComponentOf(dir); component != Market || err != nil {
		t.Errorf("%q %v", component, err)
	}
	if _, err := ReadManifest(dir); err == nil || !strings.Contains(err.Error(), `of the component "market", not "places"`) {
		t.Errorf("read as places: %v", err)
	}
}

func TestMarketManifestsThatAreRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*MarketManifest)
		want   string
	}{
		{"an older schema", func(m *MarketManifest) { m.Schema = 7 }, "schema 7"},
		{"places", func(m *MarketManifest) { m.Component = Places }, "not \"market\""},
		{"no date", func(m *MarketManifest) { m.AsOf = "" }, "as_of"},
		{"beside nothing", func(m *MarketManifest) { m.Places = "" }, "places"},
		{"states", func(m *MarketManifest) { m.States = []string{"US_VT", "US_NY"} }, "states"},
		{"counts", func(m *MarketManifest) { m.Counts.Cells = -1 }, "negative"},
		{"region", func(m *MarketManifest) { m.Sources[0].Region = "x" }, "region"},
		{"source path", func(m *MarketManifest) { m.Sources[0].Path = "../x" }, "base name"},
		{"files", func(m *MarketManifest) { m.Files = nil }, "no files"},
		{"digest", func(m *MarketManifest) { m.Counts.Cells++; m.Digest = strings.Repeat("0", 64) }, "does not match"},
	} {
		m := sampleMarket(t)
		c.change(m)
		if c.name != "digest" {
			digestMarket(t, m)
		}
		data, err := m.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := DecodeMarketManifest(data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func FuzzDecodeMarketManifest(f *testing.F) {
	data, err := sampleMarket(f).Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := DecodeMarketManifest(data)
		if err != nil {
			return
		}
		if again, err := m.Encode(); err != nil || !bytes.Equal(again, data) {
			t.Errorf("%s became %s", data, again)
		}
	})
}

package schemas

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// otherLayout is a manifest of another layout, with members that this one does not know, and its digest.
func otherLayout(schema int, members, file string) []byte {
	text := fmt.Sprintf(`{
 "schema": %d,%s
 "digest": "",
 "as_of": "2025-09-01",
 "shapes": [],
 "files": [{"name": %q, "sha256": %q, "bytes": 4096, "rows": 7}]
}
`, schema, members, file, strings.Repeat("ab", 32))
	return []byte(strings.Replace(text, `"digest": ""`, `"digest": "`+sumOf([]byte(text))+`"`, 1))
}

func TestHeadsOfOtherLayouts(t *testing.T) {
	for _, c := range []struct {
		name, component string
		data            []byte
	}{
		{"the first", Places, otherLayout(FirstLayout, "", GeographiesFile)},
		{"before histories had versions", Private, otherLayout(14, ` "component": "private",`, GeographiesFile)},
		{"a later one", Places, otherLayout(ManifestSchema+5, fmt.Sprintf(` "component": "places", "history": %d,`, HistorySchema), "new.pack")},
	} {
		h, err := decodeHead(c.data)
		if err != nil || h.Component != c.component || h.AsOf != "2025-09-01" || len(h.Files) != 1 || h.Files[0].Bytes != 4096 {
			t.Errorf("%s: %+v, %v", c.name, h, err)
		}
	}
}

func TestHeadsThatAreRefused(t *testing.T) {
	good := otherLayout(14, ` "component": "places",`, GeographiesFile)
	for _, c := range []struct {
		name   string
		data   []byte
		want   string
		layout bool
	}{
		{"before the first layout", otherLayout(FirstLayout-1, "", GeographiesFile), "the earliest that is read is 3", true},
		{"a later history", otherLayout(ManifestSchema+1, fmt.Sprintf(` "history": %d,`, HistorySchema+1), GeographiesFile),
			"a newer program is required", true},
		{"another byte", bytes.Replace(good, []byte("2025"), []byte("2026"), 1), "wrong digest", false},
		{"a file beside the folder", otherLayout(14, "", "../geographies.sqlite"), `file "../geographies.sqlite"`, false},
		{"this layout, in another form", otherLayout(ManifestSchema, ` "component": "places",`, GeographiesFile), "unknown field", false},
	} {
		_, err := decodeHead(c.data)
		if err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, ErrLayout) != c.layout {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := decodeAnyManifest(otherLayout(14, ` "component": "market",`, "market.pack")); err == nil ||
		!strings.Contains(err.Error(), `not "places"`) {
		t.Errorf("market statistics as places: %v", err)
	}
}

// TestReadServed reads manifests of the layouts that are served, and refuses others.
func TestReadServed(t *testing.T) {
	dir := t.TempDir()
	read := func(data []byte, components ...string) (*MarketManifest, error) {
		if err := os.WriteFile(filepath.Join(dir, ManifestFile), data, 0o644); err != nil {
			t.Fatal(err)
		}
		m := new(MarketManifest)
		return m, ReadServed(dir, m, components...)
	}
	for schema := FirstLayout; schema <= ManifestSchema+1; schema++ {
		m, err := read(otherLayout(schema, ` "component": "market", "states": ["US_VT"],`, MarketPack), Market, PrivateMarket)
		switch {
		case schema == ManifestSchema: // not in its form
			if err == nil || errors.Is(err, ErrLayout) {
				t.Errorf("schema %d: %v", schema, err)
			}
		case schema < ServedFrom || schema > ManifestSchema:
			want := fmt.Sprintf("schema %d, this program reads %d to %d", schema, ServedFrom, ManifestSchema)
			if !errors.Is(err, ErrLayout) || !strings.Contains(err.Error(), want) {
				t.Errorf("schema %d: %v", schema, err)
			}
		case err != nil || m.AsOf != "2025-09-01" || m.States[0] != "US_VT" || m.Files[0].Name != MarketPack:
			t.Errorf("schema %d: %+v, %v", schema, m, err)
		}
	}
	good := otherLayout(ServedFrom, ` "component": "market",`, MarketPack)
	if _, err := read(good, Places); err == nil || !strings.Contains(err.Error(), `of the component "market", not "places"`) {
		t.Errorf("market statistics as places: %v", err)
	}
	changed := bytes.Replace(good, []byte("2025"), []byte("2026"), 1)
	if _, err := read(changed, Market); err == nil || !strings.Contains(err.Error(), "wrong digest") {
		t.Errorf("another byte: %v", err)
	}
}

func FuzzHead(f *testing.F) {
	f.Add(otherLayout(14, ` "component": "places",`, GeographiesFile))
	f.Add(encoded(f, sample(f)))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := decodeHead(data)
		if err != nil {
			return
		}
		for _, file := range h.Files {
			if strings.ContainsAny(file.Name, `/\`) || file.Bytes < 0 {
				t.Errorf("file %+v", file)
			}
		}
	})
}

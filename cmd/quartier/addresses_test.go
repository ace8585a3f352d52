package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"quartier/fixtures"
	"quartier/fixtures/fixturetest"
	"quartier/fixtures/registers"
	"quartier/fixtures/world"
	"quartier/fixtures/world/boundary"
	"quartier/internal/address"
	packed "quartier/internal/pack/addresses"
	"quartier/internal/spatialite/spatialitetest"
	"quartier/schemas"
	"quartier/serve/release"
)

// addressRegion is a region of the towns' addresses alone, in which Overture has them again some metres away.
const addressRegion = `region: towns
title: Addresses of two towns
sources:
  - {id: nad, kind: addresses, path: "%[1]s/nad/NAD_towns.txt", as_of: 2025-03-01, licence: public domain, attribution: NAD,
     options: {layout: nad}}
  - {id: nar, kind: addresses, path: "%[1]s/nar", as_of: 2025-03-01, licence: OGL, attribution: Statistics Canada, options: {layout: nar}}
  - {id: overture, kind: addresses, path: "%[1]s/overture/addresses.geojsonl", as_of: 2025-03-01, licence: CDLA, attribution: Overture,
     options: {layout: overture}}
`

// addressRelease builds a release of the addresses of the towns and returns its folder.
func addressRelease(t *testing.T) (dir string) {
	t.Helper()
	spatialitetest.Need(t)
	dir = t.TempDir()
	sources := filepath.Join(dir, "sources")
	_, err := fixtures.Write(t.Context(), sources, fixtures.Options{})
	require.NoError(t, err)
	for name, text := range map[string]string{"towns.yaml": fmt.Sprintf(addressRegion, sources),
		"release.yaml": "release: towns\nregions: [towns.yaml]\n"} {
		writeText(t, filepath.Join(dir, name), text)
	}
	mustRun(t, "build", "--release", filepath.Join(dir, "release.yaml"), "--out", filepath.Join(dir, "out"), "--work",
		filepath.Join(dir, "work"))
	return dir
}

// TestAddressesOfARelease builds a region of addresses alone: every address of the towns is found where it is, once, in the words of the
// first source, and is exported.
func TestAddressesOfARelease(t *testing.T) {
	dir := addressRelease(t)
	out := filepath.Join(dir, "out")
	mustRun(t, "verify", out)
	r, err := release.Open(out)
	require.NoError(t, err)
	defer r.Done()
	all := slices.DeleteFunc(registers.Addresses(world.New(0, boundary.First)),
		func(a registers.Address) bool { return a.NotCivic || a.NoPoint || a.Copy })
	if r.Addresses.Len() != len(all) || r.Manifest.Counts.Addresses != int64(len(all)) {
		t.Errorf("%d addresses, the manifest counts %d, want %d", r.Addresses.Len(), r.Manifest.Counts.Addresses, len(all))
	}
	var found packed.Found
	for _, a := range all {
		line := a.Text()
		r.Addresses.Find(&packed.Query{Address: address.Read(line), Level: packed.Exact}, &found)
		if len(found.Matches) == 0 {
			t.Errorf("%s is not found", line)
			continue
		}
		m, moved := found.Matches[0], 1e-6
		if m.Source == "towns/overture" && a.Country == "CA" { // its point is better than the side of a street
			moved = 2e-4
		} else if m.Source != map[string]string{"US": "towns/nad", "CA": "towns/nar"}[a.Country] {
			t.Errorf("%s is of %s", line, m.Source)
		}
		if d := max(abs(m.Lng-a.Point[0]), abs(m.Lat-a.Point[1])); d > moved {
			t.Errorf("%s: %s at %v %v, want %v", line, m.Text, m.Lng, m.Lat, a.Point)
		}
	}
	for _, typed := range fixturetest.TypedAddresses {
		r.Addresses.Find(&packed.Query{Address: address.Read(typed.Line), Level: packed.Exact}, &found)
		got := ""
		if len(found.Matches) == 1 {
			got = found.Matches[0].Text
		}
		if want := inTable(all, typed.Means); !strings.EqualFold(got, want) {
			t.Errorf("%q: %q, want %q", typed.Line, got, want)
		}
	}
	exported := filepath.Join(dir, "exported")
	mustRun(t, "export", "--release", out, "--out", exported, "--tables", "addresses", "--partition", "state")
	for _, state := range []string{"CA_QC", "US_NY", "US_VT"} {
		if _, err := os.Stat(filepath.Join(exported, "addresses", "state="+state, "addresses.parquet")); err != nil {
			t.Error(err)
		}
	}
	// damaged anywhere, it is refused
	edit(t, filepath.Join(out, schemas.AddressesPack), flipped)
	if code, _, errs := quartier("verify", out); code == exitOK || !strings.Contains(errs, schemas.AddressesPack) {
		t.Errorf("exit code %d: %s", code, errs)
	}
}

// inTable is an address of the towns, given by its line, as a table of addresses writes it.
func inTable(all []registers.Address, line string) string {
	for _, a := range all {
		if a.Text() == line {
			text := strings.ToUpper(strings.TrimSuffix(line[:strings.Index(line, a.Street())], " ")) + " " + a.Street()
			if a.Unit != "" {
				text = a.Unit + "-" + text
			}
			postal := a.Postal
			if len(postal) == 6 {
				postal = postal[:3] + " " + postal[3:]
			}
			return text + ", " + a.City + ", " + a.State + " " + postal
		}
	}
	return line // no address of the towns: the test fails
}

func abs(x float64) float64 { return max(x, -x) }

// A release without sources of addresses has none, and says so where they are asked for.
func TestReleaseWithoutAddresses(t *testing.T) {
	out := filepath.Join(townsDir(t), "first")
	if _, err := os.Stat(filepath.Join(out, schemas.AddressesPack)); !os.IsNotExist(err) {
		t.Error(err)
	}
	r, err := release.Open(out)
	if err != nil || r.Addresses.Len() != 0 {
		t.Fatal(r, err)
	}
	r.Done()
	code, _, errs := quartier("export", "--release", out, "--out", t.TempDir(), "--tables", "addresses")
	if code == exitOK || !strings.Contains(errs, "no region of the release has a source of addresses") {
		t.Errorf("exit code %d: %s", code, errs)
	}
}

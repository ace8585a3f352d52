package explore_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"quartier/schemas"
	"quartier/serve/account"
	"quartier/serve/explore"
	"quartier/serve/release"
	"quartier/serve/servetest"
)

// regionsOf writes a release that names regions, and returns them as an account of some regions sees them.
func regionsOf(t *testing.T, named, allowed []string, products ...string) map[string]explore.Region {
	t.Helper()
	dir := t.TempDir()
	manifest, err := servetest.Write(dir, servetest.Release{Regions: named})
	if err != nil {
		t.Fatal(err)
	}
	dates := map[string]string{"brands": "2023-12-01", "osm": "2023-05-01"}
	for _, kind := range []string{"osm", "brands"} {
		manifest.Sources = append(manifest.Sources, schemas.ReleaseSource{Region: named[len(named)-1], ID: kind, Kind: kind, Path: kind,
			SHA256: strings.Repeat("0", 64), AsOf: dates[kind], Issues: []schemas.ReleaseIssue{}})
	}
	if err := servetest.WriteManifest(dir, manifest); err != nil {
		t.Fatal(err)
	}
	r, err := release.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Done)
	if len(products) == 0 {
		products = account.Products
	}
	all := map[string]explore.Region{}
	for _, g := range explore.RegionsOf(r, &account.Agreement{Products: products, Regions: allowed}) {
		all[g.Name] = g
	}
	return all
}

// TestRegionsAreFound finds the regions of a release among its geographies by their names: a city, a state beside it, and one that no
// geography is called like.
func TestRegionsAreFound(t *testing.T) {
	all := regionsOf(t, []string{"us-vermont", "ca-elsewhere", "ca-northville"}, nil)
	for name, want := range map[string]struct {
		title string
		bbox  [4]float64
		start string
	}{
		"us-vermont":    {"Vermont / Vermont", [4]float64{-73.1, 44.6, -72.5, 44.95}, servetest.SouthCity},
		"ca-northville": {"Northville, Quebec / Villenord, Québec", [4]float64{-73, 45.05, -72.6, 45.35}, servetest.NorthCity},
		"ca-elsewhere":  {"Elsewhere, Quebec / Elsewhere, Québec", [4]float64{-78, 45.7, -71.7, 48}, servetest.FarAway},
	} {
		g, found := all[name]
		if title := g.Title.EN + " / " + g.Title.FR; !found || title != want.title {
			t.Errorf("%s is called %q, want %q", name, title, want.title)
		}
		for i, x := range want.bbox {
			if math.Abs(g.BBox[i]-x) > 1e-6 {
				t.Errorf("%s is in %v, want %v", name, g.BBox, want.bbox)
				break
			}
		}
		if len(g.Starts) == 0 || g.Starts[0].GeogID != want.start || g.Starts[0].Role != "city" {
			t.Errorf("%s begins at %+v, want %s", name, g.Starts, want.start)
		}
	}
	if len(all) != 3 {
		t.Errorf("%d regions, want 3", len(all))
	}
	north := all["ca-northville"]
	if got := fmt.Sprint(north.Known); !strings.Contains(got, "{scores 2023-05-01 ") || north.AsOf != "2023-05-01" {
		t.Errorf("of Northville %s is known as of %s: dates are those of the sources that give something", got, north.AsOf)
	}
	if market := north.Unknown; len(market) != 2 || market[0].What != "market" || market[0].Reason != "american" {
		t.Errorf("of Northville is unknown: %+v", market)
	}
	far := all["ca-elsewhere"]
	scores := slices.IndexFunc(far.Unknown, func(u explore.Subject) bool { return u.What == "scores" })
	if scores < 0 || far.Unknown[scores].Reason != "no_streets" || !slices.Contains(far.Unknown[scores].Kinds, "osm") {
		t.Errorf("of what has no streets is unknown: %+v", far.Unknown)
	}
}

// TestRegionsOfAnAgreement leaves out regions of which an account may see nothing, and products that it has not.
func TestRegionsOfAnAgreement(t *testing.T) {
	all := regionsOf(t, []string{"us-vermont", "ca-elsewhere", "ca-northville"}, []string{"US_VT"}, "scores")
	if _, found := all["us-vermont"]; !found || len(all) != 1 {
		t.Fatalf("an account of Vermont sees %v", all)
	}
	g := all["us-vermont"]
	if len(g.Known)+len(g.Unknown) != 6 {
		t.Errorf("known %v, unknown %v", g.Known, g.Unknown)
	}
	for _, u := range g.Unknown {
		if u.Reason != "agreement" || u.Kinds != nil {
			t.Errorf("%s is unknown for %q", u.What, u.Reason)
		}
	}
	if len(regionsOf(t, []string{"us-vermont"}, []string{"US_NY"})) != 0 {
		t.Error("an account without a region of the release sees some")
	}
}

// TestRegionsWithoutNames has groups where several regions have names that no geography has.
func TestRegionsWithoutNames(t *testing.T) {
	all := regionsOf(t, []string{"us-one", "us-two", "ca-one", "ca-two"}, nil)
	g := all[""]
	if len(g.Starts) == 0 || g.Title.EN == "" || len(all) != 1 {
		t.Errorf("%+v", all)
	}
	border := regionsOf(t, []string{"border"}, nil)
	if g := border["border"]; g.Title.EN != "Borderland, Vermont" && g.Title.EN != "Borderland, Quebec" {
		t.Errorf("a region that is called by the beginning of a name: %+v", g.Title)
	}
}

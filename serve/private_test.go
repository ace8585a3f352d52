package serve_test

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quartier/schemas"
	"quartier/serve/monitor"
	"quartier/serve/servetest"
)

// acmes is the geography of acme with a name, current or not.
func acmes(t *testing.T, en string) servetest.PrivatePlace {
	t.Helper()
	all := servetest.PrivatePlaces("acme", "a")
	i := slices.IndexFunc(all, func(p servetest.PrivatePlace) bool { return p.EN == en })
	if i < 0 {
		t.Fatalf("no %s", en)
	}
	return all[i]
}

// TestPrivateGeography asks for every product of a private geography by its id.
func TestPrivateGeography(t *testing.T) {
	a := newAPI(t)
	for _, p := range servetest.PrivatePlaces("acme", "a") {
		entry := answerOf[schemas.GeographiesAnswer](t, a, "acme", "/v3/geographies/"+p.ID+"?include=geometry")
		g := entry.Data.Geographies[p.ID]
		if g.Name.EN != p.EN || g.Name.FR != p.FR || g.Level != p.Level || len(g.Geometry) > 0 != (p.State == "CA_QC") ||
			!slices.Equal(entry.Meta.Order, []string{p.ID}) {
			t.Errorf("%s: %+v", p.EN, entry)
		}
		checkDeprecation(t, &p, entry.Meta.Deprecation)
		if (g.Meta != nil) != (entry.Meta.Deprecation != nil) {
			t.Errorf("%s: the entry has %v, the meta %v", p.EN, g.Meta, entry.Meta.Deprecation)
		}
		checkPrivateProducts(t, a, &p)
		bound := p.Outline.Bound()
		square := fmt.Sprintf("POLYGON((%[1]v %[2]v,%[3]v %[2]v,%[3]v %[4]v,%[1]v %[4]v,%[1]v %[2]v))", bound.Min[0], bound.Min[1], bound.Max[0],
			bound.Max[1])
		inside := answerOf[schemas.EnhancedPOIsAnswer](t, a, "acme", "/v3/enhanced-pois/"+p.ID)
		if drawn := answerOf[schemas.EnhancedPOIsAnswer](t, a, "acme",
			"/v3/enhanced-pois?polygon="+url.QueryEscape(square)); inside.Meta.Counts.TotalCount == 0 ||
			inside.Meta.Counts.TotalCount != drawn.Meta.Counts.TotalCount {
			t.Errorf("%s: %d POIs, %d in its outline", p.EN, inside.Meta.Counts.TotalCount, drawn.Meta.Counts.TotalCount)
		}
		checkDeprecation(t, &p, inside.Meta.Deprecation)
	}
}

// checkPrivateProducts checks scores, demographics, profile and market statistics.
func checkPrivateProducts(t *testing.T, a *api, p *servetest.PrivatePlace) {
	t.Helper()
	market := a.get("acme", "/v3/market-stats/"+p.ID+"?intervals=30d&property_types=single_family")
	if want := map[string]int{"CA_QC": 404, "US_VT": 200}[p.State]; market.status != want {
		t.Errorf("%s: market statistics %d %s", p.EN, market.status, market.body)
	}
	if p.State == "US_VT" {
		got := decode[schemas.MarketStatsAnswer](t, market.body)
		if got.Data.PropertyTypes["single_family"]["30d"].IntervalWide.HomesSoldCount != servetest.Sold("2024-01-15") {
			t.Errorf("%s: %s", p.EN, market.body)
		}
		checkDeprecation(t, p, got.Meta.Deprecation)
	}
	if p.Bare {
		for _, product := range []string{"scores", "demographics"} {
			if got := a.get("acme", "/v3/"+product+"/"+p.ID); got.status != 204 {
				t.Errorf("%s: %s %d", p.EN, product, got.status)
			}
		}
		return
	}
	scores := answerOf[schemas.GeographyScoresAnswer](t, a, "acme", "/v3/scores/"+p.ID)
	for s, score := range schemas.Scores {
		want, known := servetest.PrivateScore(p.ID, s), scores.Data.Scores[score.ID]
		if text := strings.TrimRight(fmt.Sprintf("%d.%04d", want/10000, want%10000), "0"); want != schemas.AbsentValue &&
			strings.TrimRight(known.Value, "0") != text {
			t.Errorf("%s: %s is %s, want %s", p.EN, score.ID, known.Value, text)
		}
	}
	checkDeprecation(t, p, scores.Meta.Deprecation)
	people := a.get("acme", "/v3/demographics/"+p.ID).body
	if !strings.Contains(people, fmt.Sprintf(`"variable":"total_individuals","value":%d`, servetest.PrivatePopulation(p.ID))) {
		t.Errorf("%s: %.300s", p.EN, people)
	}
	profile := answerOf[schemas.ProfileAnswer](t, a, "acme", "/v3/profiles/"+p.ID)
	if !strings.Contains(profile.Data.Intro, p.EN+" is private.") || profile.Data.ID != p.ID {
		t.Errorf("%s: %+v", p.EN, profile)
	}
	checkDeprecation(t, p, profile.Meta.Deprecation)
}

// checkDeprecation checks the note about a geography.
func checkDeprecation(t *testing.T, p *servetest.PrivatePlace, got *schemas.Deprecation) {
	t.Helper()
	switch {
	case (got != nil) != (p.Superseded || p.Deprecated):
		t.Errorf("%s: deprecation %v", p.EN, got)
	case got != nil && (got.ReplacedBy != nil) != (p.ReplacedBy != "") ||
		got != nil && got.ReplacedBy != nil && got.ReplacedBy.GeogID != p.ReplacedBy:
		t.Errorf("%s: deprecation %v", p.EN, got.ReplacedBy)
	}
}

// TestPrivateGeographiesAreFound looks for them by point, name and level, among those of places.
func TestPrivateGeographiesAreFound(t *testing.T) {
	a := newAPI(t)
	old, secret, hidden := acmes(t, "Old North"), acmes(t, "Secret a"), acmes(t, "Hidden Borough a")
	at := answerOf[schemas.GeographiesAnswer](t, a, "acme", "/v3/geographies?"+north)
	last, of := schemas.Level(0), map[string]bool{}
	var area float64
	for _, id := range at.Meta.Order {
		g := at.Data.Geographies[id]
		if g.Level < last || g.Level == last && g.AreaM2 < area {
			t.Errorf("%s of level %d and %v m² comes after level %d and %v m²", id, g.Level, g.AreaM2, last, area)
		}
		last, area, of[id] = g.Level, g.AreaM2, true
	}
	for _, p := range servetest.PrivatePlaces("acme", "a") {
		if want := p.State == "CA_QC" && !p.Superseded && !p.Deprecated; of[p.ID] != want {
			t.Errorf("%s is there: %v", p.EN, of[p.ID])
		}
	}
	if !of[servetest.NorthOld] || !of[servetest.NorthCity] || len(at.Meta.Order) != len(a.names("full", "/v3/geographies?"+north))+7 {
		t.Errorf("at the point: %v", at.Meta.Order)
	}
	for target, want := range map[string][]string{
		"/v3/geographies?name=secret&limit=3":               {secret.ID, acmes(t, "Secret South a").ID},
		"/v3/geographies?name=hiden+borough+a&limit=1":      {hidden.ID},
		"/v3/geographies?name=former&limit=50":              {},
		"/v3/geographies?name=secret+a,+northville&limit=1": {secret.ID}, // one of places
		"/v3/geographies?name=secret+a,+hidden+borough+a":   {secret.ID}, // and one of its own
		"/v3/geographies?name=secret,+vermont&limit=1":      {acmes(t, "Secret South a").ID},
		"/v3/geographies?" + north + "&levels=20":           {hidden.ID, servetest.Borough},
	} {
		if got := a.names("acme", target); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", target, got, want)
		}
	}
	ranked := a.names("acme", "/v3/geographies?name=old+north&limit=2")
	population := map[string]int64{old.ID: servetest.PrivatePopulation(old.ID), servetest.NorthOld: 0}
	if len(ranked) != 2 || !slices.Contains(ranked, old.ID) || !slices.Contains(ranked, servetest.NorthOld) ||
		population[ranked[0]] < population[ranked[1]] {
		t.Errorf("of the same name: %v", ranked)
	}
	scores := answerOf[schemas.ScoresAnswer](t, a, "acme",
		"/v3/scores?"+north+"&geography_levels=20&geography_ids="+old.ID+","+servetest.NorthOld)
	var order []string
	for _, g := range scores.Data.Geographies {
		order = append(order, g.GeogID)
	}
	if want := []string{old.ID, servetest.NorthOld, hidden.ID, servetest.Borough}; !slices.Equal(order, want) {
		t.Errorf("scores of %v, want %v", order, want)
	}
	profile := answerOf[schemas.ProfileAnswer](t, a, "acme", "/v3/profiles?"+north)
	if first := at.Meta.Order[slices.IndexFunc(at.Meta.Order, func(id string) bool { return id != acmes(t, "Bare a").ID })]; profile.Data.ID !=
		first {
		t.Errorf("profile of %s, the smallest with one is %s", profile.Data.ID, first)
	}
}

// names are the ids in the order of an answer of /v3/geographies.
func (a *api) names(who, target string) []string {
	a.t.Helper()
	return answerOf[schemas.GeographiesAnswer](a.t, a, who, target).Meta.Order
}

// TestPrivateGeographiesObeyTheAgreement asks with credentials of the customer for a region and for a product.
func TestPrivateGeographiesObeyTheAgreement(t *testing.T) {
	a := newAPI(t)
	inside, outside := acmes(t, "Old North").ID, acmes(t, "Secret South a").ID
	for _, tt := range []struct {
		who, target string
		want        int
	}{
		{"acme quebec", "/v3/geographies/" + inside, 200},
		{"acme quebec", "/v3/geographies/" + outside, 401},
		{"acme quebec", "/v3/scores?geography_ids=" + inside + "," + outside, 401},
		{"acme quebec", "/v3/market-stats/" + outside, 401},
		{"acme pois", "/v3/enhanced-pois/" + inside, 200},
		{"acme pois", "/v3/geographies/" + inside, 401},
		{"acme pois", "/v3/scores/" + inside, 401},
		{"acme", "/v3/profiles/g40_" + inside[4:], 404},
	} {
		if got := a.get(tt.who, tt.target); got.status != tt.want {
			t.Errorf("%s as %s: %d %s", tt.target, tt.who, got.status, got.body)
		}
	}
	if got := a.names("acme quebec", "/v3/geographies?name=secret&limit=50"); !slices.Equal(got[:1], []string{acmes(t, "Secret a").ID}) ||
		slices.Contains(got, outside) {
		t.Errorf("by name: %v", got)
	}
}

// TestDamagedPrivateGeographies damages a pack of the component: it is withdrawn, ids that may be its own answer 503, all others
// go on, and a good one is served again.
func TestDamagedPrivateGeographies(t *testing.T) {
	a := newAPI(t)
	id := acmes(t, "Old North").ID
	places, before := a.get("acme", "/v3/geographies/"+servetest.NorthOld).body, a.get("acme", "/v3/geographies/"+id).body
	path := filepath.Join(a.root, "private", schemas.ProfilesPack)
	good, err := os.ReadFile(path)
	must(t, err)
	must(t, os.Truncate(path, 0))
	if got := a.get("acme", "/v3/profiles/"+id); got.status != 500 { // reads beyond the end
		t.Errorf("from a truncated pack: %d %s", got.status, got.body)
	}
	ready := decode[monitor.Readiness](t, a.get("", "/readyz").body)
	served := map[string]string{}
	for _, c := range ready.Components {
		served[c.Name] = c.Status
	}
	if served[schemas.Private] == "served" || served[schemas.PrivateMarket] == "served" || served[schemas.Places] != "served" ||
		served[schemas.Market] != "served" {
		t.Errorf("components %v", served)
	}
	for target, want := range map[string]int{
		"/v3/geographies/" + id: 503, "/v3/scores/g10_unknown000": 503, "/v3/geographies/x": 404, "/v3/geographies?" + north: 200,
		"/v3/market-stats/" + id:                 503,
		"/v3/market-stats/" + servetest.SouthOld: 200,
	} {
		for _, who := range []string{"acme", "full"} {
			if got := a.get(who, target); got.status != want {
				t.Errorf("%s as %s: %d %s", target, who, got.status, got.body)
			}
		}
	}
	if got := a.get("acme", "/v3/geographies/"+servetest.NorthOld).body; got != places {
		t.Errorf("a geography of places: %s", got)
	}
	must(t, os.WriteFile(path+".new", good, 0o644))
	must(t, os.Rename(path+".new", path))
	must(t, a.releases.Reload(t.Context()))
	if got := a.get("acme", "/v3/geographies/"+id).body; got != before {
		t.Errorf("after the repair: %s", got)
	}
}

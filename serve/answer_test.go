package serve_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"quartier/schemas"
	"quartier/serve/servetest"
)

func (a *api) geographies(who, url string) schemas.GeographiesAnswer {
	a.t.Helper()
	body := answerOf[schemas.GeographiesAnswer](a.t, a, who, url)
	if len(body.Data.Geographies) != len(body.Meta.Order) || body.Data.Type != "geographies" ||
		body.Meta.Meta != schemas.NewMeta("geographies", 200) {
		a.t.Errorf("%s: %+v", url, body)
	}
	return body
}

func (a *api) enhanced(who, url string) schemas.EnhancedPOIsAnswer {
	a.t.Helper()
	return answerOf[schemas.EnhancedPOIsAnswer](a.t, a, who, url)
}

func TestGeographiesAtAPoint(t *testing.T) {
	a := newAPI(t)
	for _, c := range []struct {
		who, url string
		want     []string
	}{
		{"full", "?" + north, []string{servetest.NorthOld, "g20_nordest000", servetest.NorthCity, "g32_j0j0000000", "g37_missisquoi",
			"g38_estrie0000", servetest.Metro, servetest.Quebec, servetest.Canada}},
		{"full", "?" + north + "&levels=30,10", []string{servetest.NorthOld, servetest.NorthCity}},
		{"full", "?" + north + "&levels=35", []string{}},
		{"full", "?" + north + "&levels=&limit=1", []string{servetest.NorthOld, "g20_nordest000", servetest.NorthCity, "g32_j0j0000000",
			"g37_missisquoi", "g38_estrie0000", servetest.Metro, servetest.Quebec, servetest.Canada}},
		// Canada is more than Quebec
		{"quebec", "?" + north, []string{servetest.NorthOld, "g20_nordest000", servetest.NorthCity, "g32_j0j0000000", "g37_missisquoi",
			"g38_estrie0000", servetest.Metro, servetest.Quebec}},
		{"us", "?" + south + "&levels=30,40", []string{servetest.SouthCity}}, // the centroid of the metro area is in Quebec
		{"full", "?lat=45.8&lng=-71.8", []string{servetest.Unpopulated, servetest.Quebec, servetest.Canada}},
	} {
		if got := a.geographies(c.who, "/v3/geographies"+c.url).Meta.Order; !slices.Equal(got, c.want) {
			t.Errorf("%s as %s: %v, want %v", c.url, c.who, got, c.want)
		}
	}
}

// TestVisibility looks up every geography by id, by name and at its centroid: a client sees it in all of them or in none.
func TestVisibility(t *testing.T) {
	a := newAPI(t)
	all := map[string]schemas.Geography{}
	for _, url := range []string{"?" + north, "?" + south, "?lat=45.8&lng=-71.8"} {
		maps.Copy(all, a.geographies("full", "/v3/geographies"+url).Data.Geographies)
	}
	seen := map[string]int{}
	for id, g := range all {
		for _, who := range []string{"full", "quebec", "us", "elsewhere"} {
			byID := a.get(who, "/v3/geographies/"+id).status
			if byID != 200 && byID != 401 {
				t.Fatalf("%s as %s: %d", id, who, byID)
			}
			named := a.geographies(who, "/v3/geographies?limit=50&name="+url.QueryEscape(g.Name.EN))
			if _, ok := named.Data.Geographies[id]; ok != (byID == 200) {
				t.Errorf("%s as %s: %d by id, found by name: %v", id, who, byID, ok)
			}
			at := a.get(who, fmt.Sprintf("/v3/geographies?lat=%v&lng=%v", g.Centroid.Lat, g.Centroid.Lng))
			if at.status == 200 && strings.Contains(at.body, `"`+id+`":`) != (byID == 200) {
				t.Errorf("%s as %s: %d by id, at its centroid %s", id, who, byID, at.body)
			}
			if byID == 200 {
				seen[who]++
			}
		}
	}
	if seen["full"] != len(all) || seen["quebec"] == 0 || seen["us"] == 0 || seen["elsewhere"] != 0 {
		t.Errorf("of %d geographies each sees %v", len(all), seen)
	}
	for who, want := range map[string]int{"full": 200, "quebec": 401, "us": 401} {
		if got := a.get(who, "/v3/geographies/"+servetest.Canada).status; got != want {
			t.Errorf("Canada as %s: %d, want %d", who, got, want)
		}
	}
	if got := a.get("us", "/v3/geographies/g70_unitedstat").status; got != 200 {
		t.Errorf("the United States, whose centroid is not covered, as us: %d", got)
	}
}

func TestGeographyFields(t *testing.T) {
	a := newAPI(t)
	got := a.geographies("full", "/v3/geographies/"+servetest.NorthCity+"?include=geometry").Data.Geographies[servetest.NorthCity]
	switch {
	case got.Name != schemas.Text{EN: "Northville", FR: "Villenord"}, got.LevelType != schemas.Text{EN: "municipality", FR: "municipalité"},
		got.Level != 30, got.Country.EN != "Canada", got.SubCountry.FR != "Québec", got.MetroArea.GeogID != servetest.Metro,
		got.Centroid.Lat != 45.2, got.BoundingBox.West != -73, got.AreaM2 < 6.9e8:
		t.Errorf("%+v", got)
	}
	if len(got.Geometry) != 1 || len(got.Geometry[0][0]) != 5 || got.Geometry[0][0][0][0] < 45 {
		t.Errorf("geometry %v, want one ring of lat, lng", got.Geometry)
	}
	if us := a.geographies("full", "/v3/geographies/"+servetest.SouthCity+"?include=geometry").Data.Geographies[servetest.SouthCity]; len(
		us.Geometry) != 0 {
		t.Errorf("geometry of a US geography: %v", us.Geometry)
	}
	if bare := a.geographies("full", "/v3/geographies/"+servetest.NorthCity).Data.Geographies[servetest.NorthCity]; len(bare.Geometry) != 0 {
		t.Errorf("geometry that was not requested: %v", bare.Geometry)
	}
}

func TestSuperseded(t *testing.T) {
	a := newAPI(t)
	for _, path := range []string{"/v3/geographies/", "/v3/enhanced-pois/"} {
		replaced, gone := a.get("full", path+servetest.Replaced), a.get("full", path+servetest.Gone)
		if replaced.status != 200 || !strings.Contains(replaced.body, `"deprecation":{"replaced_by":{"geog_id":"`+servetest.NorthOld+`"}}}}`) {
			t.Errorf("%s: %d %s", path, replaced.status, replaced.body)
		}
		if gone.status != 200 || !strings.HasSuffix(gone.body, `"deprecation":{}}}`) {
			t.Errorf("%s without successor: %d %s", path, gone.status, gone.body)
		}
		if current := a.get("full", path+servetest.NorthOld); strings.Contains(current.body, "deprecation") {
			t.Errorf("%s current: %s", path, current.body)
		}
	}
	if at := a.geographies("full", "/v3/geographies?lat=45.12&lng=-72.85").Meta.Order; slices.Contains(at, servetest.Gone) {
		t.Errorf("a superseded geography is found at a point: %v", at)
	}
}

func TestGeographiesByName(t *testing.T) {
	a := newAPI(t)
	for _, c := range []struct {
		who, url string
		first    string
	}{
		{"full", "?name=northville", servetest.NorthCity},
		{"full", "?name=Nortville&limit=1", servetest.NorthCity},
		{"full", "?name=quebec&language=fr", servetest.Quebec},
		{"full", "?name=Qu%C3%A9bec", servetest.Quebec},
		{"full", "?name=old&levels=10&location_codes=US_VT", servetest.SouthOld},
		{"full", "?name=canada", servetest.Canada},
		{"quebec", "?name=northville", servetest.NorthCity},
		{"us", "?name=southville", servetest.SouthCity},
		{"us", "?name=northville", servetest.SouthCity}, // the most similar name in its region
		{"full", "?name=nowhere+at+all", ""},
		{"full", "?name=canada&levels=60", ""},
	} {
		got := a.geographies(c.who, "/v3/geographies"+c.url).Meta.Order
		if c.first == "" && len(got) != 0 || c.first != "" && (len(got) == 0 || got[0] != c.first) {
			t.Errorf("%s as %s: %v, want %q first", c.url, c.who, got, c.first)
		}
	}
}

func TestEnhancedPOIs(t *testing.T) {
	a := newAPI(t)
	all := a.enhanced("full", "/v3/enhanced-pois?"+north+"&radius=20000")
	if all.Meta.Counts.TotalCount != 200 || all.Meta.Counts.ReturnedCount != 200 || len(all.Data.Results) != 200 ||
		len(all.Meta.Counts.TotalByCategory) != 41 {
		t.Errorf("counts %+v with %d results", all.Meta.Counts, len(all.Data.Results))
	}
	if !slices.IsSortedFunc(all.Data.Results, func(p, q schemas.EnhancedPOI) int {
		return int(10*p.Proximity.LinearDistanceM) - int(10*q.Proximity.LinearDistanceM)
	}) {
		t.Error("not ascending by distance")
	}
	if all.Data.Results[0].Name != servetest.HostileName {
		t.Errorf("the nearest is %q", all.Data.Results[0].Name)
	}
	some := a.enhanced("full", "/v3/enhanced-pois?"+north+"&radius=20000&limit=3&categories=banks,common_needs")
	if c := some.Meta.Counts; c.ReturnedCount != 3 || len(some.Data.Results) != 3 || len(c.TotalByCategory) != 2 || c.TotalCount <= 3 ||
		c.TotalByCategory["banks"]+c.TotalByCategory["common_needs"] < c.TotalCount {
		t.Errorf("counts %+v", c)
	}
	for url, want := range map[string]func(int) bool{
		"&brands=maple_cup":                 func(n int) bool { return n == 40 },
		"&brands=maple_cup,no_such_brand":   func(n int) bool { return n == 40 },
		"&brands=no_such_brand":             func(n int) bool { return n == 0 },
		"&brands=":                          func(n int) bool { return n == 200 },
		"&tags=chain&brands=maple_cup":      func(n int) bool { return n == 40 },
		"&tags=coffee":                      func(n int) bool { return n > 0 && n < 40 },
		"&tags=coffee&categories=banks":     func(n int) bool { return n < 5 },
		"&radius=1":                         func(n int) bool { return n >= 1 && n < 10 },
		"&tags=coffee,chain&brands=nothing": func(n int) bool { return n == 0 },
	} {
		base := "/v3/enhanced-pois?" + north
		if !strings.Contains(url, "radius") {
			base += "&radius=20000"
		}
		if got := a.enhanced("full", base+url).Meta.Counts.TotalCount; !want(got) {
			t.Errorf("%s: %d", url, got)
		}
	}
}

// A category that is not known where the answer is about has no count and is listed; its places are results as before.
func TestUnknownCategories(t *testing.T) {
	a := newAPI(t)
	unknown := []string{servetest.UnknownSouth}
	if all := a.enhanced("full", "/v3/enhanced-pois?"+north); all.Meta.Unknown != nil || len(all.Meta.Counts.TotalByCategory) != 41 {
		t.Errorf("in the north %v is unknown, and %d categories have counts", all.Meta.Unknown, len(all.Meta.Counts.TotalByCategory))
	}
	for _, path := range []string{"/v3/enhanced-pois?" + south, "/v3/enhanced-pois/" + servetest.SouthOld + "?"} {
		got := a.enhanced("full", path)
		_, counted := got.Meta.Counts.TotalByCategory[servetest.UnknownSouth]
		_, returned := got.Meta.Counts.ReturnedByCategory[servetest.UnknownSouth]
		if !slices.Equal(got.Meta.Unknown, unknown) || counted || returned || len(got.Meta.Counts.TotalByCategory) != 40 {
			t.Errorf("%s: %v is unknown, counts %+v", path, got.Meta.Unknown, got.Meta.Counts)
		}
		if !slices.ContainsFunc(got.Data.Results,
			func(p schemas.EnhancedPOI) bool { return slices.Contains(p.Categories, servetest.UnknownSouth) }) {
			t.Errorf("%s: the places of the unknown category are no results", path)
		}
		if some := a.enhanced("full", path+"&categories=cafes,parks"); some.Meta.Unknown != nil || len(some.Meta.Counts.TotalByCategory) != 2 {
			t.Errorf("%s: of categories that are known %v is unknown", path, some.Meta.Unknown)
		}
		if one := a.enhanced("full", path+"&categories="+servetest.UnknownSouth); len(one.Meta.Counts.TotalByCategory) != 0 ||
			one.Meta.Counts.TotalCount == 0 {
			t.Errorf("%s: counts %+v of the unknown category alone", path, one.Meta.Counts)
		}
	}
	snapshot := answerOf[schemas.SnapshotAnswer](t, a, "full", "/v3/data?include=pois_count&"+south)
	if p := snapshot.Data.POIs; !slices.Equal(p.Unknown, unknown) || len(p.Counts.TotalByCategory) != 40 {
		t.Errorf("the snapshot has %+v", p)
	}
	for radius, lists := range map[string]int{"5000": 2, "1": 1} { // none of the unknown category is within a metre
		got := answerOf[schemas.BasePOIsAnswer](t, a, "full", "/v3/pois?"+south+"&radius="+radius+"&include=cafes,"+servetest.UnknownSouth)
		if !slices.Equal(got.Meta.Unknown, unknown) || len(got.Meta.Counts) != 1 || len(got.Data) != lists {
			t.Errorf("base within %s m: %v is unknown, counts %v, %d lists", radius, got.Meta.Unknown, got.Meta.Counts, len(got.Data))
		}
	}
}

// TestRegionsAreRemovedBeforeCounting searches across the border as clients of both sides.
func TestRegionsAreRemovedBeforeCounting(t *testing.T) {
	a := newAPI(t)
	around := "&" + polygon("POLYGON((-72.9 44.7,-72.7 44.7,-72.7 45.3,-72.9 45.3,-72.9 44.7))") // centroid on the border
	both := a.enhanced("full", "/v3/enhanced-pois?"+around[1:]).Meta.Counts
	only := a.enhanced("quebec", "/v3/enhanced-pois?"+around[1:])
	if both.TotalCount <= only.Meta.Counts.TotalCount || only.Meta.Counts.TotalCount == 0 {
		t.Errorf("%d for all, %d for Quebec", both.TotalCount, only.Meta.Counts.TotalCount)
	}
	sum := 0
	for _, n := range only.Meta.Counts.TotalByCategory {
		sum += n
	}
	for _, p := range only.Data.Results {
		if p.State != "QC" {
			t.Errorf("%s of %s", p.Name, p.State)
		}
	}
	if sum < only.Meta.Counts.TotalCount || only.Meta.Counts.ReturnedCount != len(only.Data.Results) {
		t.Errorf("counts %+v", only.Meta.Counts)
	}
}

func TestEnhancedPOIsOfAGeography(t *testing.T) {
	a := newAPI(t)
	inside := a.enhanced("full", "/v3/enhanced-pois/"+servetest.SouthOld).Meta.Counts.TotalCount
	metres := a.enhanced("full", "/v3/enhanced-pois/"+servetest.SouthOld+"?buffer=1609.344").Meta.Counts.TotalCount
	mile := a.enhanced("full", "/v3/enhanced-pois/"+servetest.SouthOld+"?buffer=1&buffer_unit=mile").Meta.Counts.TotalCount
	if inside == 0 || mile != metres || mile < inside {
		t.Errorf("%d inside, %d within 1609.344 m, %d within a mile", inside, metres, mile)
	}
	if none := a.enhanced("full", "/v3/enhanced-pois/"+servetest.Unpopulated); none.Meta.Counts.TotalCount != 0 || none.Data.Results == nil {
		t.Errorf("%+v", none)
	}
}

func TestBasePOIs(t *testing.T) {
	a := newAPI(t)
	got := a.get("full", "/v3/pois?"+north+"&radius=20000&include=cafes,parks,shopping&limit=2")
	body := decode[schemas.BasePOIsAnswer](t, got.body)
	if got.status != 200 || len(body.Data) != 3 || len(body.Data["cafes"]) != 2 || len(body.Data["parks"]) != 2 ||
		body.Data["shopping"] == nil || len(body.Meta.Counts) != 3 {
		t.Errorf("%d %s", got.status, got.body)
	}
	if one := a.get("full", "/v3/pois?"+north+"&include=cafes&limit=500"); one.status != 200 {
		t.Errorf("500 of one category: %d %s", one.status, one.body)
	}
	if area := a.get("full", "/v3/pois?include=parks&"+
		polygon("POLYGON((-72.9 45.1,-72.7 45.1,-72.7 45.3,-72.9 45.3,-72.9 45.1))")); area.status != 200 {
		t.Errorf("polygon: %d %s", area.status, area.body)
	}
}

func TestTerms(t *testing.T) {
	a := newAPI(t)
	for kind, want := range map[string]int{"categories": 41, "brands": 1, "tags": 2} {
		got := decode[schemas.TermsAnswer](t, a.get("full", "/v3/enhanced-pois/"+kind+"?language=fr").body)
		sorted := slices.IsSortedFunc(got.Data.Results, func(p, q schemas.Term) int { return strings.Compare(p.ID, q.ID) })
		if len(got.Data.Results) != want || got.Meta.Counts.TotalCount != want || !sorted ||
			got.Meta.Meta != schemas.NewMeta("enhanced-pois/"+kind, 200) {
			t.Errorf("%s: %+v", kind, got)
		}
	}
	if got := a.get("full", "/v3/enhanced-pois/brands?language=fr").body; !strings.Contains(got, `"Tasse d'érable"`) {
		t.Errorf("%s", got)
	}
}

func TestHeaders(t *testing.T) {
	a := newAPI(t)
	url := "/v3/geographies?" + north
	got := a.get("full", url, "X-Request-Id: abc-123")
	for name, want := range map[string]string{
		"X-Request-Id": "abc-123", "Content-Type": "application/json", "Cache-Control": "private, max-age=300",
		"Vary": "Authorization, Accept, Accept-Encoding",
	} {
		if got.header.Get(name) != want {
			t.Errorf("%s is %q, want %q", name, got.header.Get(name), want)
		}
	}
	for _, invalid := range []string{"a b", "é", strings.Repeat("x", 129), "<script>", ""} {
		if id := a.get("full", url, "X-Request-Id: "+invalid).header.Get("X-Request-Id"); id == invalid || len(id) != 32 {
			t.Errorf("request id %q for %q", id, invalid)
		}
	}
	head := a.do("full", http.MethodHead, url)
	if head.status != 200 || head.header.Get("Content-Length") != got.header.Get("Content-Length") ||
		head.header.Get("ETag") != got.header.Get("ETag") || head.body != "" {
		t.Errorf("HEAD: %d %v", head.status, head.header)
	}
	for _, accept := range []string{"application/json", "*/*", "application/*", "text/html, application/json;q=0.1", "APPLICATION/JSON",
		"text/html;q=1, */*;q=0.5", ""} {
		if got := a.get("full", url, "Accept: "+accept); got.status != 200 {
			t.Errorf("Accept %q: %d", accept, got.status)
		}
	}
}

func TestETag(t *testing.T) {
	a := newPlacesAPI(t)
	url := "/v3/geographies?" + north
	tag := a.get("full", url).header.Get("ETag")
	if !strings.HasPrefix(tag, `"`) || !strings.HasSuffix(tag, `"`) || len(tag) < 20 {
		t.Fatalf("ETag %q", tag)
	}
	for _, match := range []string{tag, "*", `"x", ` + tag, "W/" + tag} {
		got := a.get("full", url, "If-None-Match: "+match)
		if got.status != 304 || got.body != "" || got.header.Get("ETag") != tag || got.header.Get("Cache-Control") == "" ||
			got.header.Get("Vary") == "" {
			t.Errorf("If-None-Match %s: %d %v", match, got.status, got.header)
		}
	}
	if got := a.get("full", "/v3/geographies?lng=-72.8&x=1&l%61t=45.2").header.Get("ETag"); got != tag {
		t.Errorf("an equivalent request has %s", got)
	}
	different := map[string]string{"this answer": tag}
	for name, got := range map[string]answer{
		"another point":     a.get("full", "/v3/geographies?lat=45.21&lng=-72.8"),
		"another parameter": a.get("full", url+"&levels=10"),
		"another agreement": a.get("quebec", url),
		"another coding":    a.get("full", url, "Accept-Encoding: gzip"),
	} {
		for other, seen := range different {
			if got.header.Get("ETag") == seen {
				t.Errorf("%s and %s share %s", name, other, seen)
			}
		}
		different[name] = got.header.Get("ETag")
	}
	grow(t, a, 402)
	if got := a.get("full", url, "If-None-Match: "+tag); got.status != 200 || got.header.Get("ETag") == tag {
		t.Errorf("another release: %d %v", got.status, got.header)
	}
	if got := a.get("full", "/v3/geographies?lat=10&lng=10", "If-None-Match: *"); got.status != 404 {
		t.Errorf("If-None-Match of a 404: %d", got.status)
	}
}

func TestCompression(t *testing.T) {
	a := newAPI(t)
	url := "/v3/enhanced-pois?" + north
	want := a.get("full", url).body
	for accept, coding := range map[string]string{
		"": "", "identity": "", "gzip": "gzip", "gzip, zstd": "zstd", "GZIP": "gzip", "zstd;q=0.5, gzip": "gzip", "zstd;q=0, gzip;q=0": "",
		"*":  "zstd",
		"br": "", "gzip;q=0.001": "gzip", "identity, gzip;q=0.5": "", "gzip;q=2": "", "*;q=0": "", "x-gzip, deflate": "", ";;q=,": "",
	} {
		got := a.get("full", url, "Accept-Encoding: "+accept)
		if got.header.Get("Content-Encoding") != coding {
			t.Errorf("Accept-Encoding %q: Content-Encoding %q, want %q", accept, got.header.Get("Content-Encoding"), coding)
			continue
		}
		if plain := unpack(t, coding, got.body); plain != want {
			t.Errorf("Accept-Encoding %q: another body of %d bytes", accept, len(plain))
		}
	}
	plain := a.get("", "/openapi.json").body
	if document := a.get("", "/openapi.json", "Accept-Encoding: gzip"); document.header.Get("Content-Encoding") != "gzip" ||
		len(document.body) > len(plain)/5 || unpack(t, "gzip", document.body) != plain {
		t.Errorf("the document has %d bytes in coding %q", len(document.body), document.header.Get("Content-Encoding"))
	}
	small := a.get("full", "/v3/geographies?name=nowhere+at+all", "Accept-Encoding: gzip")
	if small.header.Get("Content-Encoding") != "" {
		t.Errorf("%d bytes are compressed", len(small.body))
	}
}

func unpack(t *testing.T, coding, body string) string {
	t.Helper()
	var in io.Reader = strings.NewReader(body)
	switch coding {
	case "gzip":
		r, err := gzip.NewReader(in)
		must(t, err)
		in = r
	case "zstd":
		r, err := zstd.NewReader(in)
		must(t, err)
		defer r.Close()
		in = r
	}
	var out bytes.Buffer
	_, err := io.Copy(&out, in)
	must(t, err)
	return out.String()
}

package serve_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"quartier/serve/servetest"
)

// members is an answer with geographies, its members as they are written.
type members struct {
	Data struct{ Geographies map[string]json.RawMessage }
	Meta struct{ Order []string }
}

func membersOf(t testing.TB, body string) (m members) {
	t.Helper()
	must(t, json.Unmarshal([]byte(body), &m))
	return m
}

// TestExplorerParents asks for what contains each geography, as accounts of several agreements. An account gets what the API
// answers it of the same parents, in their order, and is refused where the API refuses the geography.
func TestExplorerParents(t *testing.T) {
	ids := []string{servetest.NorthOld, servetest.SouthOld, servetest.Replaced, servetest.Gone, servetest.NorthCity, servetest.Metro,
		servetest.FarAway, servetest.Canada, "g10_nowhere000"}
	for _, place := range privatePlaces() {
		ids = append(ids, place.ID)
	}
	for _, customer := range []string{"globex", "quebec", "us", "elsewhere", "acme", "bell", "pois", "quiet"} {
		x := explorerOf(t, customer)
		x.enter()
		for _, id := range ids {
			got, api := x.ask("GET", "/explore/parents/"+id), x.ask("GET", "/explore/api/geographies/"+id)
			checkGuards(t, id, got.header)
			if got.status != api.status || got.status != 200 && got.body != api.body || got.header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s as %s: %d %.200s, and the API %d %.200s", id, customer, got.status, got.body, api.status, api.body)
			}
			if got.status == 200 {
				x.checkParents(id, customer, got.body)
			}
		}
	}
}

// checkParents compares parents of a geography with what the API answers of them.
func (x *exploring) checkParents(id, customer, body string) {
	x.t.Helper()
	got := membersOf(x.t, body)
	var want []string
	for _, parent := range x.parentsOf(id) {
		one := x.ask("GET", "/explore/api/geographies/"+parent)
		if one.status != 200 {
			continue
		}
		want = append(want, parent)
		if member := membersOf(x.t, one.body).Data.Geographies[parent]; string(got.Data.Geographies[parent]) != string(member) {
			x.t.Errorf("%s above %s as %s: %s, and the API %s", parent, id, customer, got.Data.Geographies[parent], member)
		}
	}
	if !slices.Equal(got.Meta.Order, want) || len(got.Data.Geographies) != len(want) {
		x.t.Errorf("%s as %s is in %v, of %v, want %v", id, customer, got.Meta.Order, slices.Collect(maps.Keys(got.Data.Geographies)), want)
	}
}

// parentsOf is what servetest says contains a geography.
func (x *exploring) parentsOf(id string) []string {
	state := "CA_QC"
	switch at := slices.IndexFunc(privatePlaces(), func(p servetest.PrivatePlace) bool { return p.ID == id }); {
	case at >= 0:
		state = privatePlaces()[at].State
	case id == servetest.SouthOld:
		state = "US_VT"
	case id == servetest.Metro, id == servetest.FarAway, id == servetest.Canada:
		return nil
	}
	return slices.DeleteFunc(slices.Clone(servetest.Above[state]), func(parent string) bool { return parent[:3] <= id[:3] })
}

// TestExplorerParentsAreKnown checks what TestExplorerParents compares with: a neighbourhood is in its city, and an account of
// Quebec sees nothing of Vermont.
func TestExplorerParentsAreKnown(t *testing.T) {
	x := explorerOf(t, "quebec")
	x.enter()
	got := membersOf(t, x.ask("GET", "/explore/parents/"+servetest.NorthOld).body)
	if !slices.Contains(got.Meta.Order, servetest.NorthCity) || slices.Contains(got.Meta.Order, servetest.NorthOld) {
		t.Errorf("%s is in %v", servetest.NorthOld, got.Meta.Order)
	}
	for path, want := range map[string]int{"/explore/parents/" + servetest.SouthOld: 401,
		"/explore/parents/" + servetest.NorthOld + "?include=geometry": 200} {
		if got := x.ask("GET", path); got.status != want || strings.Contains(got.body, "coordinates") {
			t.Errorf("%s: %d %.200s", path, got.status, got.body)
		}
	}
	if head := x.ask("HEAD", "/explore/parents/"+servetest.NorthOld); head.status != 200 || head.body != "" {
		t.Errorf("HEAD: %d %.200s", head.status, head.body)
	}
	if post := x.ask("POST", "/explore/parents/"+servetest.NorthOld, "Origin: "+origin); post.status != 405 ||
		post.header.Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d %v", post.status, post.header)
	}
	if x.cookie = ""; x.ask("GET", "/explore/parents/"+servetest.NorthOld).status != 401 {
		t.Error("parents without a session")
	}
}

// TestExplorerHostileParents asks for parents of what is no geography.
func TestExplorerHostileParents(t *testing.T) {
	x := explorerOf(t, "globex")
	x.enter()
	web := x.servers()["customers"]
	for kind, value := range hostileValues {
		for _, id := range []string{value, "g30_" + value, "g99_" + value, servetest.NorthOld + value} {
			id = strings.ReplaceAll(id, " ", "%20")
			got := x.raw(web, "GET /explore/parents/"+id+" HTTP/1.1\r\nHost: %H\r\nCookie: %C\r\n\r\n")
			if got == nil {
				t.Fatalf("%s as %.60q: no answer", kind, id)
			}
			if !slices.Contains([]int{400, 404, 431}, got.status) || got.header.Get("X-Injected") != "" {
				t.Errorf("%s as %.60q: %d %v %.200s", kind, id, got.status, got.header, got.body)
			}
		}
	}
}

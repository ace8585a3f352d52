package serve_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"quartier/serve/account"
	"quartier/serve/explore"
	"quartier/serve/servetest"
)

// inQuebec and inVermont are views of the two towns.
const (
	inQuebec  = "&lat=45.2&lng=-72.8&zoom=12"
	inVermont = "&lat=44.8&lng=-72.8&zoom=12"
)

func (x *exploring) search(text, more string) (found explore.SearchBody, got answer) {
	x.t.Helper()
	got = x.ask("GET", "/explore/search?q="+url.QueryEscape(text)+more)
	if got.status == 200 {
		must(x.t, json.Unmarshal([]byte(got.body), &found))
	}
	return found, got
}

// inShort is results in short: their kinds, names and where they are.
func inShort(list []explore.Found) (all []string) {
	for _, f := range list {
		all = append(all, strings.TrimSuffix(f.Kind+" "+f.Name+" in "+f.Within, " in "))
	}
	return all
}

// TestExplorerSearch types names, postal codes and coordinates, and nearly such.
func TestExplorerSearch(t *testing.T) {
	x := explorerOf(t, "quebec")
	x.enter()
	all := explorerOf(t, "globex")
	all.enter()
	const oldNorth = "geography Old North in Northville, Borderland, Quebec"
	const oldSouth = "geography Old South in Southville, Borderland, Vermont"
	const north = "geography Northville in Borderland, Quebec, Canada"
	for _, c := range []struct {
		text, more  string
		first       string // result; "": none
		meant       string // the first that may have been meant
		onlyInFirst bool   // only the first is looked at by an account of everywhere
	}{
		{"northville", "", north, "", false},
		{"Villenord", "&language=fr", "geography Villenord in Frontière, Québec, Canada", "", false},
		{"north ville", "", north, "", false},
		{"old", inQuebec, oldNorth, "", false},
		{"old", inVermont, oldSouth, "", true},
		{"old north northville", "", oldNorth, "", false},
		{"northv", inQuebec, north, "", false},
		{"northv", "&lat=33&lng=-100&zoom=12", "", north, false},
		{"northv", "&lat=33&lng=-100&zoom=3", north, "", false},
		{"nortvhille", inQuebec, "", north, false},
		{"j0j 1j0", "", "postal_area J0J in Quebec, Canada", "", false},
		{"J0J1", "", "postal_area J0J in Quebec, Canada", "", false},
		{"05001-1234", "", "postal_area 05001 in Vermont, United States", "", true},
		{"05001", "", "postal_area 05001 in Vermont, United States", "", true},
		{" 45,0341; -72,6168 ", "", "point 45,0341; -72,6168", "", false},
		{"place 12", inQuebec, "poi Place 12 in Old North, Northville, Quebec", "", false},
		{"14 main st", inQuebec, "address 14 Main St in Southville, VT 05001", "", true},
		{"14 main", inVermont, "address 14 Main St in Southville, VT 05001", "", true},
		{"14 mai", inVermont, "address 14 Main St in Southville, VT 05001", "", true},
		{"14 mai", inQuebec, "", "address 14 Main St in Southville, VT 05001", true},
		{"14 mian st, southville vt", inQuebec, "", "address 14 Main St in Southville, VT 05001", true},
		{"zzqx", "", "", "", false},
	} {
		got, answer := all.search(c.text, c.more)
		if answer.status != 200 {
			t.Fatalf("%s: %d %s", c.text, answer.status, answer.body)
		}
		checkGuards(t, c.text, answer.header)
		for what, list := range map[string][]explore.Found{c.first: got.Results, c.meant: got.DidYouMean} {
			if names := inShort(list); what == "" && len(list) > 0 && c.first != c.meant || what != "" && (len(list) == 0 || names[0] != what) {
				t.Errorf("%s%s: %q, or did you mean %q", c.text, c.more, inShort(got.Results), inShort(got.DidYouMean))
			}
		}
		if of, _ := x.search(c.text, c.more); c.onlyInFirst && strings.Contains(fmt.Sprint(of), "Vermont") {
			t.Errorf("%s: an account of Quebec finds %v", c.text, of)
		}
	}
}

// narrowed are accounts that have geographies, and no POIs.
type narrowed struct{ explore.Accounts }

func (n narrowed) Client(id string) *account.Client {
	c := *n.Accounts.Client(id)
	c.Agreement.Products = []string{"geographies"}
	return &c
}

// TestExplorerSearchRights searches as accounts of several agreements: what an account finds, the API answers it.
func TestExplorerSearchRights(t *testing.T) {
	for _, customer := range []string{"globex", "quebec", "us", "elsewhere", "acme", "bell"} {
		x := explorerOf(t, customer)
		x.enter()
		for _, text := range []string{"old", "north", "south", "ville", "vieux", "place", "place 7", "j0j", "05001", "canada", "private",
			"old nort", "main", "7 border rd", "12 rue de l'eglise"} {
			for _, view := range []string{"", inQuebec, inVermont} {
				got, answer := x.search(text, view+"&limit=20")
				if answer.status != 200 {
					t.Fatalf("%s as %s: %d %s", text, customer, answer.status, answer.body)
				}
				for _, f := range slices.Concat(got.Results, got.DidYouMean) {
					x.checkFound(f, customer)
				}
			}
		}
	}
	x := explorerOf(t, "globex", func(o *explore.Options) { o.Accounts = narrowed{o.Accounts} })
	x.enter()
	if got, _ := x.search("place 12", inQuebec); len(got.Results)+len(got.DidYouMean) > 0 {
		t.Errorf("without the product pois: %v", got)
	}
	for _, customer := range []string{"pois", "quiet", "profiles"} { // who may not search geographies
		x := explorerOf(t, customer)
		x.enter()
		api := x.ask("GET", "/explore/api/geographies?name=old&limit=1")
		if _, got := x.search("old", ""); got.status != 401 || got.status != api.status || got.body != api.body {
			t.Errorf("%s: %d %s, and the API %d %s", customer, got.status, got.body, api.status, api.body)
		}
	}
}

// checkFound asks the API for what was found.
func (x *exploring) checkFound(f explore.Found, customer string) {
	x.t.Helper()
	switch f.Kind {
	case "geography", "postal_area":
		if api := x.ask("GET", "/explore/api/geographies/"+f.ID); api.status != 200 {
			x.t.Errorf("%v as %s: the API %d %s", f, customer, api.status, api.body)
		}
	case "address":
		api := x.ask("GET", "/explore/api/addresses?limit=20&q="+url.QueryEscape(f.Name+", "+f.Within))
		if api.status != 200 || !strings.Contains(api.body, f.Name+", "+f.Within) {
			x.t.Errorf("%v as %s: the API %d %.300s", f, customer, api.status, api.body)
		}
	case "poi":
		api := x.ask("GET", fmt.Sprintf("/explore/api/enhanced-pois?lat=%v&lng=%v&radius=20&limit=500", f.Lat, f.Lng))
		if api.status != 200 || !strings.Contains(api.body, `"name":"`+f.Name+`"`) {
			x.t.Errorf("%v as %s: the API %d %.300s", f, customer, api.status, api.body)
		}
	default:
		x.t.Errorf("%v as %s", f, customer)
	}
}

// TestExplorerSearchRefuses asks what is no search, and as nobody.
func TestExplorerSearchRefuses(t *testing.T) {
	x := explorerOf(t, "globex")
	x.enter()
	for _, query := range []string{"", "q=", "q=%20", "q=" + strings.Repeat("a", 257), "q=" + strings.Repeat("%C3%A9", 257),
		"q=a%00b", "q=%FF",
		"q=a&q=b", "q=a&lat=45", "q=a&lng=-72", "q=a&lat=91&lng=0", "q=a&lat=NaN&lng=0", "q=a&zoom=-1", "q=a&zoom=x",
		"q=a&limit=0", "q=a&limit=21",
		"q=a&language=de"} {
		if got := x.ask("GET", "/explore/search?"+query); got.status != 400 || !strings.Contains(got.body, `"bad_request"`) {
			t.Errorf("%.60s: %d %.200s", query, got.status, got.body)
		}
	}
	if head := x.ask("HEAD", "/explore/search?q=old"); head.status != 200 || head.body != "" {
		t.Errorf("HEAD: %d %s", head.status, head.body)
	}
	for path, want := range map[string]int{"/explore/search/x?q=old": 404, "/explore/search": 400} {
		if got := x.ask("GET", path); got.status != want {
			t.Errorf("%s: %d, want %d", path, got.status, want)
		}
	}
	if got := x.ask("POST", "/explore/search?q=old", "Origin: "+origin); got.status != 405 {
		t.Errorf("POST: %d", got.status)
	}
	if x.cookie = ""; x.ask("GET", "/explore/search?q=old").status != 401 {
		t.Error("a search without a session")
	}
	slow := explorerOf(t, "slow")
	slow.enter()
	last := 0
	for range 5 {
		_, got := slow.search("old", "")
		last = got.status
	}
	if last != 429 {
		t.Errorf("five searches at two a second: %d", last)
	}
}

// TestExplorerHostileSearch types what is hostile, into every parameter.
func TestExplorerHostileSearch(t *testing.T) {
	x := explorerOf(t, "globex")
	x.enter()
	web := x.servers()["customers"]
	for _, parameter := range []string{"q=", "q=old&lat=", "q=old&lat=45&lng=", "q=old&zoom=", "q=old&limit=", "q=old&language="} {
		for kind, value := range some(hostileValues) {
			value = strings.ReplaceAll(value, " ", "%20")
			got := x.raw(web, "GET /explore/search?"+parameter+value+" HTTP/1.1\r\nHost: %H\r\nCookie: %C\r\n\r\n")
			if got == nil {
				t.Fatalf("%s%s: no answer", parameter, kind)
			}
			if !slices.Contains([]int{200, 400, 414, 431}, got.status) || got.header.Get("X-Injected") != "" {
				t.Errorf("%s%s: %d %.200s", parameter, kind, got.status, got.body)
			}
		}
	}
	for _, text := range []string{"😀😀", "<script>alert(1)</script>", "\u202eold", "'; DROP TABLE poi; --", "${7*7}",
		strings.Repeat("old ", 64), "a\u0300\u0301\u0302", strings.Repeat("a,", 100), servetest.NorthOld, "45.2,-72.8,12",
		"999999999999 0", "1e400, 0"} {
		if _, got := x.search(text, inQuebec); got.status != 200 {
			t.Errorf("%.40q: %d %.200s", text, got.status, got.body)
		}
	}
}

package serve_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"quartier/internal/drill"
	"quartier/serve"
	"quartier/serve/product/tiles"
	"quartier/serve/servetest"
)

// example is a request whose answer is checked against the OpenAPI document.
type example struct {
	client string // account; "": no token
	method string
	target string // path and query
	header string // "Name: value"
	body   string // JSON
}

// targets are the requests that are sent to each operation, by "METHOD /path". The client is "full", or is given before
// a space. Each request is sent to a full and to a sparse release, in both languages if the operation has a parameter
// for them. refused adds requests that every product refuses.
var targets = map[string][]string{
	"POST /oauth/token":          {"/oauth/token"},
	"GET /.well-known/jwks.json": {"/.well-known/jwks.json"},
	"GET /openapi.json":          {"/openapi.json"},
	"GET /healthz":               {"/healthz"},
	"GET /readyz":                {"/readyz"},

	"GET /v3/geographies": {
		"/v3/geographies?" + north, "/v3/geographies?" + north + "&include=geometry", "/v3/geographies?" + north + "&levels=35",
		"/v3/geographies?name=old", "/v3/geographies?name=nowhere+at+all", "/v3/geographies?lat=91&lng=0", "/v3/geographies?lat=10&lng=10",
		"us /v3/geographies?" + north,
		"acme /v3/geographies?" + north + "&include=geometry", "acme /v3/geographies?name=old+north",
	},
	"GET /v3/geographies/{geog_id}": {
		"/v3/geographies/" + servetest.NorthOld, "/v3/geographies/" + servetest.NorthOld + "?include=geometry",
		"/v3/geographies/" + servetest.Canada,
		"/v3/geographies/" + servetest.Replaced, "/v3/geographies/" + servetest.Gone, "/v3/geographies/" + servetest.FarAway,
		"/v3/geographies/nonsense",
		"acme /v3/geographies/g10_a000000000", "acme /v3/geographies/g10_a000000006", "acme /v3/geographies/g10_a000000008",
		"acme /v3/geographies/g10_a000000009", "acme /v3/geographies/g10_a000000010", "acme /v3/geographies/g10_a000000012",
	},
	"GET /v3/enhanced-pois": {
		"/v3/enhanced-pois?" + north, "/v3/enhanced-pois?" + north + "&brands=none", "/v3/enhanced-pois?" + north + "&categories=cafes&limit=1",
		"/v3/enhanced-pois?" + south, "/v3/enhanced-pois?lat=91&lng=0", "/v3/enhanced-pois?lat=10&lng=10",
	},
	"GET /v3/enhanced-pois/{geog_id}": {
		"/v3/enhanced-pois/" + servetest.NorthOld, "/v3/enhanced-pois/" + servetest.Replaced, "/v3/enhanced-pois/" + servetest.Gone,
		"/v3/enhanced-pois/" + servetest.Unpopulated, "/v3/enhanced-pois/nonsense",
		"acme /v3/enhanced-pois/g10_a000000000", "acme /v3/enhanced-pois/g10_a000000006", "acme /v3/enhanced-pois/g10_a000000008",
		"acme /v3/enhanced-pois/g10_a000000009", "acme /v3/enhanced-pois/g10_a000000010", "acme /v3/enhanced-pois/g10_a000000012",
	},
	"GET /v3/enhanced-pois/categories": {"/v3/enhanced-pois/categories"},
	"GET /v3/enhanced-pois/brands":     {"/v3/enhanced-pois/brands"},
	"GET /v3/enhanced-pois/tags":       {"/v3/enhanced-pois/tags"},
	"GET /v3/pois": {
		"/v3/pois?include=cafes,parks&" + north, "/v3/pois?include=parks&" + north, "/v3/pois?include=cafes&lat=91&lng=0",
		"/v3/pois?include=cafes,pet_care&radius=1&" + south, "/v3/pois?include=cafes&lat=10&lng=10",
	},
	"GET /v3/scores": {
		"/v3/scores?" + north, "/v3/scores?" + north + "&location_scores_rounding=none&geography_levels=10,30",
		"/v3/scores?geography_ids=" + servetest.NorthOld, "/v3/scores?geography_ids=" + servetest.NorthOld + "," + servetest.Replaced,
		"/v3/scores?include=quiet&" + north, "/v3/scores?include=historic&" + north, "/v3/scores", "/v3/scores?lat=10&lng=10",
		"quiet /v3/scores?include=cafes&" + north,
		"acme /v3/scores?" + north + "&geography_levels=10,30&geography_ids=g10_a000000010,g10_a000000008",
	},
	"GET /v3/scores/{geog_id}": {
		"/v3/scores/" + servetest.NorthOld, "/v3/scores/" + servetest.Replaced, "/v3/scores/" + servetest.NorthOld + "?include=historic",
		"/v3/scores/nonsense", "quiet /v3/scores/" + servetest.NorthOld + "?include=cafes",
		"acme /v3/scores/g10_a000000000", "acme /v3/scores/g10_a000000006", "acme /v3/scores/g10_a000000008", "acme /v3/scores/g10_a000000009",
		"acme /v3/scores/g10_a000000010", "acme /v3/scores/g10_a000000012",
	},
	"GET /v3/typologies": {
		"/v3/typologies?" + north, "/v3/typologies?lat=45.9&lng=-72", "/v3/typologies?lat=91&lng=0", "/v3/typologies?lat=10&lng=10",
	},
	"GET /v3/typologies/{geohash}": {
		"/v3/typologies/" + servetest.NorthCell, "/v3/typologies/" + servetest.SouthCell, "/v3/typologies/" + servetest.WildCell,
		"/v3/typologies/s000000",
	},
	"GET /v3/demographics": {
		"/v3/demographics?" + north, "/v3/demographics?" + south, "/v3/demographics?lat=45.9&lng=-72", "/v3/demographics?lat=91&lng=0",
		"/v3/demographics?lat=10&lng=10",
	},
	"GET /v3/demographics/{geog_id}": {
		"/v3/demographics/" + servetest.NorthOld, "/v3/demographics/" + servetest.SouthCity, "/v3/demographics/" + servetest.Replaced,
		"/v3/demographics/" + servetest.SouthOld, "/v3/demographics/" + servetest.Metro, "/v3/demographics/nonsense",
		"acme /v3/demographics/g10_a000000000", "acme /v3/demographics/g10_a000000006", "acme /v3/demographics/g10_a000000008",
		"acme /v3/demographics/g10_a000000009", "acme /v3/demographics/g10_a000000010", "acme /v3/demographics/g10_a000000012",
	},
	"GET /v3/profiles": {
		"/v3/profiles?" + north, "/v3/profiles?" + south + "&level=10", "/v3/profiles?" + north + "&level=35", "/v3/profiles?lat=45.9&lng=-72",
		"/v3/profiles?lat=91&lng=0", "/v3/profiles?lat=10&lng=10", "us /v3/profiles?" + north,
		"acme /v3/profiles?" + north,
	},
	"GET /v3/profiles/{geog_id}": {
		"/v3/profiles/" + servetest.NorthOld, "/v3/profiles/" + servetest.Replaced, "/v3/profiles/" + servetest.Borough,
		"/v3/profiles/" + servetest.SouthOld,
		"/v3/profiles/" + servetest.Unpopulated, "/v3/profiles/" + servetest.SouthCity, "/v3/profiles/" + servetest.Metro,
		"/v3/profiles/nonsense",
		"acme /v3/profiles/g10_a000000000", "acme /v3/profiles/g10_a000000006", "acme /v3/profiles/g10_a000000008",
		"acme /v3/profiles/g10_a000000009", "acme /v3/profiles/g10_a000000010", "acme /v3/profiles/g10_a000000012",
	},
	"GET /v3/market-stats/{geog_id}": {
		"/v3/market-stats/" + servetest.SouthOld, "/v3/market-stats/" + servetest.OldSouth,
		"/v3/market-stats/" + servetest.SouthCity + "?property_types=commercial,single_family&intervals=12m,2023Q4",
		"/v3/market-stats/" + servetest.SouthOld + "?intervals=2024-01", "/v3/market-stats/" + servetest.NorthOld,
		"us /v3/market-stats/" + servetest.NorthOld, "/v3/market-stats/nonsense",
		"acme /v3/market-stats/g10_a000000000", "acme /v3/market-stats/g10_a000000006", "acme /v3/market-stats/g10_a000000008",
		"acme /v3/market-stats/g10_a000000009", "acme /v3/market-stats/g10_a000000010", "acme /v3/market-stats/g10_a000000012",
	},
	"GET /v3/market-stats/status": {"/v3/market-stats/status"},
	"GET /v3/travel-times": {
		"/v3/travel-times?mode=walk&from=45.2,-72.8005&to=45.2,-72.7995%3B45.2006,-72.8%3B45.8,-71.8",
		"/v3/travel-times?mode=transit&legs=true&from=45.2,-72.8005&to=45.2006,-72.8%3B44.8,-72.8",
		"/v3/travel-times?mode=car&legs=true&from=45.2,-72.8&to=44.8,-72.8", "/v3/travel-times?mode=walk&from=10,10&to=10,10",
		"/v3/travel-times?mode=walk&from=47.5,-77.5&to=45.2,-72.8", "us /v3/travel-times?mode=walk&from=45.2,-72.8&to=45.2,-72.8",
	},
	"GET /v3/travel-times/{geog_id}": {
		"/v3/travel-times/" + servetest.NorthOld + "?mode=walk", "/v3/travel-times/" + servetest.Replaced + "?mode=transit",
		"/v3/travel-times/" + servetest.Metro + "?mode=car", "/v3/travel-times/" + servetest.Unpopulated + "?mode=walk",
		"/v3/travel-times/nonsense?mode=walk", "us /v3/travel-times/" + servetest.NorthOld + "?mode=walk",
		"acme /v3/travel-times/g10_a000000000?mode=walk", "acme /v3/travel-times/g10_a000000006?mode=walk",
		"acme /v3/travel-times/g10_a000000008?mode=walk", "acme /v3/travel-times/g10_a000000012?mode=walk",
	},
	"GET /v3/reach": {
		"/v3/reach?mode=walk&" + north, "/v3/reach?mode=transit&minutes=15,75&include=people,households,jobs,pois,schools,geometry&" + north,
		"/v3/reach?mode=car&minutes=45&include=geometry&" + north, "/v3/reach?mode=walk&lat=45.9&lng=-72", "/v3/reach?mode=walk&lat=91&lng=0",
		"/v3/reach?mode=walk&lat=47.5&lng=-77.5", "/v3/reach?mode=walk&minutes=0&" + north, "us /v3/reach?mode=walk&" + north,
	},
	"GET /v3/status": {"/v3/status", "pois /v3/status", "acme /v3/status"},
	"GET /v3/schools": {
		"/v3/schools?" + north, "/v3/schools?include_catchments=true&" + north, "/v3/schools?include_catchments=true&" + south,
		"/v3/schools?lat=45.9&lng=-72", "/v3/schools?lat=91&lng=0", "/v3/schools?lat=10&lng=10", "us /v3/schools?" + north,
	},
	"GET /v3/addresses": {
		"/v3/addresses?q=12+rue+de+l%27Eglise", "/v3/addresses?q=12+rue+de+l%27Eglise,+Northville+QC&" + north,
		"/v3/addresses?q=3+twice+st", "/v3/addresses?q=14+Mian+St", "/v3/addresses?q=rue", "/v3/addresses?q=x&lat=91&lng=0", "/v3/addresses",
		"us /v3/addresses?q=7+border",
	},
	"GET /v3/addresses/reverse": {
		"/v3/addresses/reverse?lat=45.201&lng=-72.8", "/v3/addresses/reverse?lat=45.9&lng=-72", "/v3/addresses/reverse?lat=91&lng=0",
		"/v3/addresses/reverse?lat=10&lng=10", "us /v3/addresses/reverse?" + north,
	},
	"GET /v3/card.svg": {
		"/v3/card.svg?" + north, "/v3/card.svg?theme=dark&" + south, "/v3/card.svg?lat=45.9&lng=-72", "/v3/card.svg?lat=91&lng=0",
		"/v3/card.svg?lat=10&lng=10", "us /v3/card.svg?" + north, "/v3/card.svg",
	},
	"GET /v3/card.png": {
		"/v3/card.png?" + north, "/v3/card.png?lat=45.9&lng=-72", "/v3/card.png?lat=91&lng=0", "/v3/card.png?lat=10&lng=10", "/v3/card.png",
	},
	"GET " + tiles.Path: {
		"/v3/tiles/map/0/0/0.mvt", "/v3/tiles/heat/10/300/300.mvt", "/v3/tiles/map/1/0/0.mvt", "/v3/tiles/map/3/0/0.mvt",
		"us /v3/tiles/map/0/0/0.mvt", "/v3/tiles/map/0/0/0.mvt?release=" + strings.Repeat("x", 81),
	},
	"GET /v3/data": {
		everyPart + "&" + north, everyPart + "&" + south, "/v3/data?include=scores_all&" + north, "/v3/data?include=measures_all&" + north,
		"/v3/data?include=demographics&" + north, "/v3/data?include=pois_count&lat=45.9&lng=-72", "/v3/data?include=scores_all&lat=45.9&lng=-72",
		"/v3/data?include=scores_all&lat=91&lng=0", "/v3/data?include=scores_all&lat=10&lng=10", "quiet /v3/data?include=pois_count&" + north,
	},
}

const everyPart = "/v3/data?include=demographics,measures_all,pois_count,scores_all"

// unprovoked are documented statuses that no request provokes: internal errors of operations without a dependency that
// could fail.
var unprovoked = map[string]int{"GET /openapi.json": 500, "GET /healthz": 500, "GET /readyz": 500}

// TestEveryAnswerConforms checks answers of every operation against the OpenAPI document, closed to unknown members. Each operation must
// have targets, each status that it documents must occur, and 200 must occur on
// both releases.
func TestEveryAnswerConforms(t *testing.T) {
	full, sparse := newAPI(t), newAPIOver(t, servetest.Release{Sparse: true})
	spec := newSpec(t, full)
	spec.checkClosed(t)
	operations := spec.operations()
	for name := range targets {
		if operations[name] == nil {
			t.Errorf("%s has targets, but is not in the document", name)
		}
	}
	closed := newAPI(t)
	closed.releases.Close()
	failing := []*api{
		newAPI(t, func(o *serve.Options) { o.Authority = panicking{o.Authority} }),
		newAPI(t, func(o *serve.Options) { o.Authority = stale{o.Authority} }),
		closed, newPlacesAPI(t), newAPIOver(t, servetest.Release{NoAddresses: true}),
	}
	for name, operation := range operations {
		t.Run(name, func(t *testing.T) {
			full, sparse := full, sparse
			if name == "GET "+tiles.Path {
				full = newAPI(t, withTiles(t))
				sparse = full
			}
			seen := map[int]bool{}
			check := func(a *api, e example) int {
				got := a.request(e)
				seen[got.status] = true
				if err := spec.check(e.method, e.target, got); err != nil {
					t.Errorf("%s %s %s as %q: %d: %v", e.method, e.target, e.header, e.client, got.status, err)
				}
				return got.status
			}
			for _, a := range []*api{full, sparse} {
				succeeded := map[int]bool{}
				for _, e := range examplesOf(a, name, operation) {
					succeeded[check(a, e)] = true
				}
				if !succeeded[successOf(operation)] {
					t.Errorf("no successful answer from the sparse release: %v", a == sparse)
				}
			}
			first := examplesOf(full, name, operation)[0]
			for _, e := range refused(first) {
				check(full, e)
			}
			for _, a := range failing {
				check(a, first)
			}
			path, _, _ := strings.Cut(first.target, "?") // limits come before parameters; a picture can take longer than its pause
			fast := example{client: "slow", method: first.method, target: path, body: `{"client_id":"fast","client_secret":"x"}`}
			limited := operation.Responses.Status(http.StatusTooManyRequests) != nil
			for n := 0; n < 21 || limited && !seen[http.StatusTooManyRequests] && n < 1000; n++ { // of a busy machine more
				check(full, fast)
			}
			for status := range operation.Responses.Map() {
				if code, _ := strconv.Atoi(status); !seen[code] && unprovoked[name] != code {
					t.Errorf("no answer has the documented status %s", status)
				}
			}
		})
	}
}

// examplesOf are the requests of an operation: its targets in each of its languages.
func examplesOf(a *api, name string, operation *openapi3.Operation) (all []example) {
	method, _, _ := strings.Cut(name, " ")
	if name == "POST /oauth/token" {
		credentials, _ := json.Marshal(a.grants["full"])
		return []example{
			{method: method, target: "/oauth/token", body: string(credentials)},
			{method: method, target: "/oauth/token", body: "{}"},
			{method: method, target: "/oauth/token", body: `{"client_id":"unknown","client_secret":"x"}`},
		}
	}
	if strings.Contains(name, "/v3/geographies/custom") {
		return customExamples(a, name)
	}
	languages := []string{""}
	for _, name := range []string{"language", "locale", "lang"} {
		if operation.Parameters.GetByInAndName("query", name) != nil {
			languages = []string{name + "=en", name + "=fr"}
		}
	}
	for _, target := range targets[name] {
		client := "full"
		if before, after, ok := strings.Cut(target, " "); ok {
			client, target = before, after
		}
		for _, language := range languages {
			separator := "?"
			if strings.Contains(target, "?") {
				separator = "&"
			}
			all = append(all, example{client: client, method: method, target: strings.TrimRight(target+separator+language, "?&")})
		}
	}
	if len(all) == 0 {
		return []example{{method: method, target: "/no-examples-of-this-operation"}}
	}
	return all
}

// successOf is the status of success of an operation.
func successOf(operation *openapi3.Operation) int {
	for _, status := range []int{http.StatusCreated, http.StatusAccepted} {
		if operation.Responses.Status(status) != nil {
			return status
		}
	}
	return http.StatusOK
}

// refused are variants of a successful request that every operation of a product refuses.
func refused(e example) []example {
	method, anonymous, other, html, cached, long := e, e, e, e, e, e
	method.method = http.MethodPut
	anonymous.client = ""
	other.client = "profiles"
	if strings.HasPrefix(e.target, "/v3/profiles") {
		other.client = "pois"
	}
	html.header = "Accept: text/html"
	cached.header = "If-None-Match: *"
	long.header = "If-None-Match: " + strings.Repeat(`"a",`, 1025)
	if !strings.HasPrefix(e.target, "/v3/") {
		return []example{method, long}
	}
	return []example{method, anonymous, other, html, cached, long}
}

func (a *api) request(e example) answer {
	a.t.Helper()
	switch {
	case e.target == "/oauth/token" && e.method == http.MethodPost && e.header == "":
		return a.post("application/json", e.body)
	case e.header == "":
		return a.call(e.client, e.method, e.target, e.body)
	}
	return a.call(e.client, e.method, e.target, e.body, e.header)
}

// spec checks answers against the server's OpenAPI document.
type spec struct{ *drill.Contract }

// contracts are those of all tests, by their documents: reading one takes longer than most tests.
var contracts = map[string]*drill.Contract{}

func newSpec(t testing.TB, a *api) *spec {
	t.Helper()
	document := a.get("", "/openapi.json").body
	if contracts[document] == nil {
		contracts[document] = drill.NewContract(t, []byte(document))
	}
	return &spec{contracts[document]}
}

// operations are those of the document by "METHOD /path".
func (s *spec) operations() map[string]*openapi3.Operation { return s.Operations() }

// check returns how an answer differs from the document; nil if it conforms.
func (s *spec) check(method, target string, got answer) error {
	return s.Check(method, target, drill.Answer{Status: got.status, Header: got.header, Body: got.body})
}

// checkClosed reports schemas of objects that allow unknown members.
func (s *spec) checkClosed(t *testing.T) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(s.Document.Components.Schemas)) {
		schema := s.Document.Components.Schemas[name].Value
		if schema.Type.Is("object") && schema.AdditionalProperties.Schema == nil &&
			(schema.AdditionalProperties.Has == nil || *schema.AdditionalProperties.Has) {
			t.Errorf("%s allows unknown members", name)
		}
	}
}

// TestEveryMutationIsCaught mutates the answers of every operation, one value at a time and at every depth: it adds an
// unknown member, removes a required one, and replaces a value by null and by one of another type. The check must fail
// for each.
func TestEveryMutationIsCaught(t *testing.T) {
	if testing.Short() {
		t.Skip("repeats what the server has no part in")
	}
	a := newAPI(t)
	spec := newSpec(t, a)
	for name, operation := range spec.operations() {
		success := successOf(operation)
		content := operation.Responses.Status(success).Value.Content.Get("application/json")
		if content == nil || name == "GET /openapi.json" {
			continue // text, and the document itself, which TestDocumentIsGolden checks
		}
		t.Run(name, func(t *testing.T) {
			m := mutation{t: t, root: content.Schema.Value}
			for _, e := range examplesOf(a, name, operation) {
				got := a.request(e)
				if got.status != success {
					continue
				}
				must(t, json.Unmarshal([]byte(got.body), &m.body))
				m.mutate("", m.root, m.body, func(v any) { m.body = v })
			}
			if m.surplus == 0 || m.missing == 0 || m.types == 0 {
				t.Errorf("mutations: %d unknown members, %d missing members, %d types", m.surplus, m.missing, m.types)
			}
		})
	}
}

// mutation mutates one body.
type mutation struct {
	t                       *testing.T
	root                    *openapi3.Schema
	body                    any
	surplus, missing, types int // counts
}

// mustFail checks that the mutated body does not conform.
func (m *mutation) mustFail(mutation, path string, options ...openapi3.SchemaValidationOption) {
	m.t.Helper()
	if m.root.VisitJSON(m.body, append(options, openapi3.FailFast())...) == nil {
		m.t.Errorf("%s at %s passes", mutation, path)
	}
}

// mutate tries every mutation of a value of the body. set replaces the value in its parent.
func (m *mutation) mutate(path string, schema *openapi3.Schema, value any, set func(any)) {
	nullable := len(schema.AnyOf) > 0
	if nullable {
		schema = schema.AnyOf[0].Value
	}
	set(otherType(value))
	m.types++
	m.mustFail("another type", path)
	if !nullable {
		set(nil)
		m.mustFail("null", path)
	}
	set(value)
	switch v := value.(type) {
	case map[string]any:
		m.mutateMembers(path, schema, v)
	case []any:
		for i := range min(len(v), 2) {
			m.mutate(fmt.Sprintf("%s[%d]", path, i), schema.Items.Value, v[i], func(other any) { v[i] = other })
		}
	}
}

func (m *mutation) mutateMembers(path string, schema *openapi3.Schema, members map[string]any) {
	anyName := schema.AdditionalProperties.Schema
	switch {
	case anyName == nil:
		members["surplus"] = 1.0
		m.surplus++
		m.mustFail("an unknown member", path)
	case schema.PropertyNames != nil && len(members) > 0:
		members["surplus"] = members[slices.Sorted(maps.Keys(members))[0]]
		m.surplus++
		m.mustFail("an unknown key", path, openapi3.EnableJSONSchema2020())
	}
	delete(members, "surplus")
	for _, name := range slices.Sorted(maps.Keys(members)) {
		value := members[name]
		property := schema.Properties[name]
		if property == nil {
			property = anyName
		}
		if slices.Contains(schema.Required, name) {
			delete(members, name)
			m.missing++
			m.mustFail("a missing member", path+"."+name)
			members[name] = value
		}
		m.mutate(path+"."+name, property.Value, value, func(other any) { members[name] = other })
	}
}

// otherType is a value of another JSON type.
func otherType(value any) any {
	switch value.(type) {
	case string:
		return 1.5
	case float64:
		return "1"
	case map[string]any:
		return []any{}
	case []any:
		return map[string]any{}
	case nil:
		return []any{}
	}
	return "a boolean before"
}

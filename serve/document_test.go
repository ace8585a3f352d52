package serve_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"quartier/internal/drill"
	"quartier/internal/testenv"
	"quartier/schemas"
	"quartier/serve"
)

var (
	update = flag.Bool("update", false, "rewrite the golden files")
	drawn  = flag.Int("drawn", 1000, "`number` of requests that are drawn from the document")
)

func TestDocumentIsGolden(t *testing.T) {
	got, err := serve.Document()
	must(t, err)
	path := filepath.Join("..", "client", "openapi.json") // from which the clients are generated
	if *update {
		must(t, os.WriteFile(path, append(got, '\n'), 0o644))
	}
	want, err := os.ReadFile(path)
	must(t, err)
	if !bytes.Equal(bytes.TrimSpace(want), got) {
		t.Error("the document changed; check the change, then run go test ./serve -run Golden -update and go generate ./client")
	}
}

// TestDocumentIsComplete checks that every property, parameter and vocabulary is described, that numbers have a format,
// that operations have names, and that every answer of a product has an example.
func TestDocumentIsComplete(t *testing.T) {
	spec := newSpec(t, newAPI(t))
	properties := 0
	for name, schema := range spec.Document.Components.Schemas {
		for property, s := range schema.Value.Properties {
			properties++
			if s.Value.Description == "" && s.Extensions["description"] == nil {
				t.Errorf("%s.%s has no description", name, property)
			}
			if s.Value.Type.Includes("number") && s.Value.Format != "double" ||
				s.Value.Type.Includes("integer") && s.Value.Format != "int32" && s.Value.Format != "int64" {
				t.Errorf("%s.%s has the format %q", name, property, s.Value.Format)
			}
		}
		if schema.Value.Enum != nil && schema.Value.Description == "" {
			t.Errorf("%s has no description", name)
		}
	}
	if properties < 194 {
		t.Errorf("%d properties", properties)
	}
	readable := regexp.MustCompile(`^[a-z]+([A-Z][a-z]+)+$`)
	for name, operation := range spec.operations() {
		if !readable.MatchString(operation.OperationID) {
			t.Errorf("%s is the operation %q", name, operation.OperationID)
		}
		for _, p := range operation.Parameters {
			if p.Value.Description == "" {
				t.Errorf("%s: the parameter %s has no description", name, p.Value.Name)
			}
		}
		for status, response := range operation.Responses.Map() {
			content := response.Value.Content.Get("application/json")
			if content != nil && content.Example == nil && name != "GET /openapi.json" {
				t.Errorf("%s: %s has no example", name, status)
			}
		}
	}
}

// TestAnswersAreOpen adds a member to every object of recorded answers: the published document allows it, so that new
// members break no client that validates.
func TestAnswersAreOpen(t *testing.T) {
	a := newAPI(t)
	document, err := openapi3.NewLoader().LoadFromData([]byte(a.get("", "/openapi.json").body))
	must(t, err)
	must(t, document.Validate(context.Background()))
	if strings.Contains(a.get("", "/openapi.json").body, `"additionalProperties": false`) {
		t.Error("an object is closed to new members")
	}
	for name, operation := range newSpec(t, a).operations() {
		method, path, _ := strings.Cut(name, " ")
		published := document.Paths.Value(path).GetOperation(method)
		for status, response := range operation.Responses.Map() {
			content := response.Value.Content.Get("application/json")
			if content == nil || content.Example == nil {
				continue
			}
			open := published.Responses.Value(status).Value.Content.Get("application/json").Schema.Value
			if err := content.Schema.Value.VisitJSON(content.Example, openapi3.EnableJSONSchema2020()); err != nil {
				t.Errorf("%s: the example of %s: %v", name, status, err)
			}
			if extended := withMember(content.Example); open.VisitJSON(extended, openapi3.EnableJSONSchema2020()) != nil {
				t.Errorf("%s: the published schema of %s is closed: %v", name, status, open.VisitJSON(extended, openapi3.EnableJSONSchema2020()))
			}
		}
	}
}

// withMember is a copy of a body with another member in every object; of maps the member has the value of another one.
func withMember(value any) any {
	switch v := value.(type) {
	case map[string]any:
		extended := map[string]any{}
		for name, member := range v {
			extended[name] = withMember(member)
			extended["new_member"] = extended[name]
		}
		return extended
	case []any:
		var list = []any{}
		for _, item := range v {
			list = append(list, withMember(item))
		}
		return list
	}
	return value
}

// TestHeadersAreDocumented checks that the document has every header of an answer for its status.
func TestHeadersAreDocumented(t *testing.T) {
	a := newAPI(t)
	spec := newSpec(t, a)
	product := "/v3/enhanced-pois?" + north
	tag := a.get("full", product).header.Get("ETag")
	for name, got := range map[string]struct {
		method, path string
		answer
	}{
		"answer":       {http.MethodGet, "/v3/enhanced-pois", a.get("full", product, "Accept-Encoding: gzip")},
		"not modified": {http.MethodGet, "/v3/enhanced-pois", a.get("full", product, "If-None-Match: "+tag)},
		"bad":          {http.MethodGet, "/v3/enhanced-pois", a.get("full", "/v3/enhanced-pois?lat=x")},
		"forbidden":    {http.MethodGet, "/v3/enhanced-pois", a.get("", product)},
		"method":       {http.MethodGet, "/v3/enhanced-pois", a.do("full", http.MethodPut, product)},
		"service":      {http.MethodGet, "/readyz", a.get("", "/readyz")},
		"no service":   {http.MethodGet, "/readyz", a.do("", http.MethodPost, "/readyz")},
		"no token":     {http.MethodPost, "/oauth/token", a.post("application/json", "{}")},
		"no grant":     {http.MethodPost, "/oauth/token", a.do("", http.MethodGet, "/oauth/token")},
	} {
		operation := spec.Document.Paths.Value(got.path).GetOperation(got.method)
		response := operation.Responses.Status(got.status)
		if response == nil {
			t.Errorf("%s: no %d in the document", name, got.status)
			continue
		}
		documented := http.Header{"Content-Type": nil, "Content-Length": nil}
		for header := range response.Value.Headers {
			documented.Add(header, "")
		}
		for header := range got.header {
			if _, ok := documented[header]; !ok {
				t.Errorf("%s: %d has the undocumented header %s", name, got.status, header)
			}
		}
	}
	if spec.Document.Paths.Value("/v3/pois").Get.Parameters.GetByInAndName("header", "If-None-Match") == nil {
		t.Error("no If-None-Match")
	}
	form := spec.Document.Paths.Value("/oauth/token").Post.RequestBody.Value.Content["application/x-www-form-urlencoded"].Schema.Value
	if !slices.Equal(form.Required, []string{"grant_type"}) {
		t.Errorf("the required fields of a form are %v", form.Required)
	}
}

// TestRefusalsConform checks the answers to refusals against the document.
func TestRefusalsConform(t *testing.T) {
	a := newAPI(t)
	spec := newSpec(t, a)
	for _, r := range refusals {
		if _, _, err := spec.Router.FindRoute(httptest.NewRequest(http.MethodGet, r.url, nil)); err != nil || r.method != "" {
			continue // a path that is not in the document
		}
		if err := spec.check(http.MethodGet, r.url, a.get(r.who, r.url, r.headers...)); err != nil {
			t.Errorf("%.120s: %v", r.url, err)
		}
	}
}

// TestGeneratedRequests sends requests that are drawn from the paths and parameters of the document: none may cause an internal
// error, every answer must conform to the document, and nothing that it does not allow may be accepted.
func TestGeneratedRequests(t *testing.T) {
	n, statuses := drill.Requests(drill.Steps(t, uint64(time.Now().UnixNano()), testenv.Few(*drawn)), nil)
	t.Logf("%d requests, answers by status %v", n, statuses)
	if statuses[200] == 0 || statuses[400] == 0 {
		t.Errorf("answers by status: %v, too few different ones", statuses)
	}
}

// TestEveryCategoryIsDocumented compares the enumeration in the document with the vocabulary.
func TestEveryCategoryIsDocumented(t *testing.T) {
	spec := newSpec(t, newAPI(t))
	operation := spec.Document.Paths.Value("/v3/enhanced-pois").Get
	items := operation.Parameters.GetByInAndName("query", "categories").Schema.Value.Items.Value
	if len(items.Enum) != len(schemas.Categories) {
		t.Errorf("%d categories in the document, %d in the vocabulary", len(items.Enum), len(schemas.Categories))
	}
}

// TestDocumentAsksForServedPlaces: the examples of parameters are of the release that is served, and those of ids answered.
func TestDocumentAsksForServedPlaces(t *testing.T) {
	a := newAPI(t)
	spec := newSpec(t, a)
	recorded, err := serve.Document()
	must(t, err)
	if a.get("", "/openapi.json").body == string(recorded) {
		t.Error("the examples are the recorded ones")
	}
	for _, path := range []string{"/v3/geographies/{geog_id}", "/v3/typologies/{geohash}"} {
		parameter := spec.Document.Paths.Value(path).Get.Parameters[0].Value
		url := strings.ReplaceAll(path, "{"+parameter.Name+"}", fmt.Sprint(parameter.Example))
		if got := a.get("acme", url); got.status >= 300 {
			t.Errorf("%s: %d %s", url, got.status, got.body)
		}
	}
}

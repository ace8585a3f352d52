package serve_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"quartier/serve"
)

// hostileValues are values of parameters as they stand in a URL, by what they are. None is a number.
var hostileValues = map[string]string{
	"NUL": "%00", "NUL inside": "45%00.1", "no UTF-8": "%FF%FE", "cut UTF-8": "%E2%82", "a surrogate": "%ED%A0%80", "overlong": "%C0%AF",
	"a million letters": strings.Repeat("a", 1e6), "a million commas": strings.Repeat(",", 1e6),
	"a million points": strings.Repeat("%2E", 1e6), "a million brackets": strings.Repeat("(", 1e6),
	"encoded twice": "%2534%2535", "NUL encoded twice": "%2500", "broken escape": "%zz", "half an escape": "45%2", "semicolon": "45;lng=1",
	"plus": "+", "blanks": "+%20%09", "line break": "%0D%0AX-Injected:%201", "NaN": "NaN", "nan": "nan", "infinite": "-Infinity",
	"inf":       "%2Binf",
	"hex float": "0x1p-2", "hex": "0x2D", "octal": "0o55", "underscore": "4_5", "wide digits": "%EF%BC%94%EF%BC%95",
	"Arabic digits": "%D9%A4%D9%A5", "two points": "45.2.1",
	"comma for point": "45%2C2", "exponent alone": "e5", "sign alone": "-", "null": "null", "JSON": "%7B%22a%22%3A%5B1%5D%7D",
	"SQL": "1'%20OR%201=1%20--", "path": "..%2F..%2Fetc%2Fpasswd",
	"format": "%25s%25n", "template": "%7B%7B7*7%7D%7D", "script": "%3Cscript%3E", "right to left": "%E2%80%AE45", "joiner": "4%E2%80%8D5",
}

// hugeNumbers are numbers as a grammar has it, beyond what a parameter can be.
var hugeNumbers = map[string]string{"1e400": "1e400", "-1e400": "-1e400", "a million digits": strings.Repeat("9", 1e6), "tiny": "1e-400"}

// some are values to send, in the order of their names; every tenth with -short.
func some(values map[string]string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for i, what := range slices.Sorted(maps.Keys(values)) {
			if (i%10 == 0 || !testing.Short()) && !yield(what, values[what]) {
				return
			}
		}
	}
}

// hostile sends requests, and records what each kind got and how long each took.
type hostile struct {
	*api
	spec  *spec
	got   map[string]map[int]int // statuses by what was sent
	spent []taken                // of requests that a connection can carry: no headers of a megabyte
}

type taken struct {
	spent time.Duration
	what  string
}

func newHostile(t *testing.T) *hostile {
	t.Helper()
	var calls atomic.Int64 // each reading of the clock is a second after the last: limits of rates are not what is tested
	start := time.Now()
	a := newAPI(t, func(o *serve.Options) {
		o.Now = func() time.Time { return start.Add(time.Duration(calls.Add(1)) * time.Second) }
		o.Admission.Work = 1000 * time.Hour
	})
	return &hostile{api: a, spec: newSpec(t, a), got: map[string]map[int]int{}}
}

// sends sends a request with something hostile at a place, and checks that the answer is one that the document has for the
// operation, and no 5xx.
func (h *hostile) sends(place, kind string, operation *openapi3.Operation, target string, r *http.Request) answer {
	h.t.Helper()
	what := place + ": " + kind
	start := time.Now()
	got := h.send(r)
	if spent := time.Since(start); !strings.HasPrefix(kind, "a million") {
		h.spent = append(h.spent, taken{spent, what})
	}
	if got.status >= 500 || operation.Responses.Status(got.status) == nil && got.status != http.StatusNoContent {
		h.t.Errorf("%s: %d %.200s", what, got.status, got.body)
	} else if err := h.spec.check(r.Method, target, got); err != nil {
		h.t.Errorf("%s: %d: %v", what, got.status, err)
	}
	kind, _, _ = strings.Cut(kind, " at ")
	if h.got[kind] == nil {
		h.got[kind] = map[int]int{}
	}
	h.got[kind][got.status]++
	if got.header.Get("X-Injected") != "" || got.header.Get("X-Request-Id") == "" {
		h.t.Errorf("%s: headers %v", what, got.header)
	}
	return got
}

// report prints what each kind got, and how long the requests took. Nothing depends on it.
func (h *hostile) report() {
	for _, kind := range slices.Sorted(maps.Keys(h.got)) {
		h.t.Logf("%-40s %v", kind, h.got[kind])
	}
	slices.SortFunc(h.spent, func(a, b taken) int { return cmp.Compare(a.spent, b.spent) })
	n := len(h.spent)
	h.t.Logf("%d requests, p50 %v, p99 %v, longest %v (%s)", n, h.spent[n/2].spent, h.spent[n*99/100].spent, h.spent[n-1].spent,
		h.spent[n-1].what)
}

// request makes a request whose query is sent as it is.
func (h *hostile) request(e example, path, query string) *http.Request {
	r := httptest.NewRequest(e.method, path, strings.NewReader(e.body))
	r.URL.RawQuery = query
	if e.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if e.client != "" {
		r.Header.Set("Authorization", "Bearer "+h.tokens[e.client])
	}
	return r
}

// TestHostileParameters sends every parameter of every operation with values that no client should send.
func TestHostileParameters(t *testing.T) {
	h := newHostile(t)
	operations := h.spec.operations()
	parameters := 0
	for _, name := range slices.Sorted(maps.Keys(operations)) {
		operation := operations[name]
		if name == "POST /oauth/token" {
			continue // has a body alone
		}
		e := examplesOf(h.api, name, operation)[0]
		for _, p := range operation.Parameters {
			parameters++
			switch p.Value.In {
			case "query":
				h.query(name, operation, e, p.Value)
			case "path":
				h.path(name, operation, e)
			case "header":
				h.header(name, operation, e, p.Value.Name)
			default:
				t.Errorf("%s: the parameter %s is in %s", name, p.Value.Name, p.Value.In)
			}
		}
	}
	if parameters < 100 {
		t.Errorf("%d parameters", parameters)
	}
	h.report()
}

// query sends one parameter of a query.
func (h *hostile) query(name string, operation *openapi3.Operation, e example, p *openapi3.Parameter) {
	h.t.Helper()
	path, query, _ := strings.Cut(e.target, "?")
	others, err := url.ParseQuery(query)
	must(h.t, err)
	given := others.Get(p.Name)
	others.Del(p.Name)
	prefix := others.Encode() + "&" + p.Name + "="
	schema := p.Schema.Value
	number := schema.Type.Is("number") || schema.Type.Is("integer")
	send := func(what, query string) answer {
		h.t.Helper()
		return h.sends(name+", "+p.Name, what, operation, e.target, h.request(e, path, query))
	}
	for what, value := range some(hostileValues) {
		if got := send(what, prefix+value); number && what != "blanks" && what != "plus" && got.status != http.StatusBadRequest {
			h.t.Errorf("%s, %s: %s: %d, want 400", name, p.Name, what, got.status)
		}
	}
	for what, value := range some(hugeNumbers) {
		got := send(what, prefix+value)
		if number && what != "tiny" && got.status != http.StatusBadRequest && got.status != http.StatusUnprocessableEntity {
			h.t.Errorf("%s, %s: %s: %d, want 400 or 422", name, p.Name, what, got.status)
		}
	}
	absent := send("absent", others.Encode())
	for what, query := range map[string]string{"empty": prefix, "without =": strings.TrimSuffix(prefix, "=")} {
		if got := send(what, query); got.status != absent.status || got.body != absent.body {
			h.t.Errorf("%s, %s: %s: %d %.100s, absent: %d", name, p.Name, what, got.status, got.body, absent.status)
		}
	}
	if given == "" {
		given = "1"
	}
	twice := send("twice", prefix+url.QueryEscape(given)+"&"+p.Name+"="+url.QueryEscape(given))
	if !schema.Type.Is("array") && twice.status != http.StatusBadRequest {
		h.t.Errorf("%s, %s: twice: %d, want 400", name, p.Name, twice.status)
	}
	send("a thousand times", others.Encode()+strings.Repeat("&"+p.Name+"="+url.QueryEscape(given), 1000))
}

// path sends hostile values as the last segment of the path.
func (h *hostile) path(name string, operation *openapi3.Operation, e example) {
	h.t.Helper()
	parent := e.target[:strings.LastIndexByte(e.target, '/')+1]
	for _, values := range []map[string]string{hostileValues, hugeNumbers} {
		for what, value := range some(values) {
			decoded, err := url.PathUnescape(value)
			if err != nil || value == "" {
				continue // net/http refuses it
			}
			r := h.request(e, "/x", "")
			r.URL.Path, r.URL.RawPath = parent+decoded, parent+value
			got := h.sends(name+", the id", what, operation, e.target, r)
			if got.status != http.StatusNotFound && got.status != http.StatusBadRequest {
				h.t.Errorf("%s: %s as the id: %d %.200s", name, what, got.status, got.body)
			}
		}
	}
}

// header sends hostile values of a header, as far as a connection can carry them.
func (h *hostile) header(name string, operation *openapi3.Operation, e example, header string) {
	h.t.Helper()
	for _, values := range []map[string]string{hostileValues, hugeNumbers, {"empty": "", "no quotes": `"`, "weak": `W/"a"`, "star": "*"}} {
		for what, value := range some(values) {
			decoded, err := url.PathUnescape(value)
			if err != nil || strings.ContainsAny(decoded, "\r\n\x00") {
				continue // net/http refuses it
			}
			path, query, _ := strings.Cut(e.target, "?")
			r := h.request(e, path, query)
			r.Header.Add(header, decoded)
			h.sends(name+", "+header, what, operation, e.target, r)
			r = h.request(e, path, query)
			r.Header[http.CanonicalHeaderKey(header)] = []string{decoded, "second"}
			h.sends(name+", "+header+" and a second", what, operation, e.target, r)
		}
	}
}

// hostileBodies are bodies in place of a good one of JSON.
func hostileBodies(t *testing.T, good string) map[string]string {
	t.Helper()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write([]byte(good))
	must(t, w.Close())
	must(t, json.Unmarshal([]byte(good), new(map[string]any)))
	member, _, _ := strings.Cut(good[2:], `"`)
	bodies := map[string]string{
		"none": "", "null": "null", "a number": "1e400", "a list": "[" + good + "]", "a text": `"x"`, "blank": strings.Repeat(" ", 100_000),
		"deep lists": strings.Repeat("[", 1e6), "deep lists, closed": strings.Repeat("[", 1e5) + strings.Repeat("]", 1e5),
		"deep objects":  strings.Repeat(`{"a":`, 1e5),
		"a deep member": good[:len(good)-1] + `,"x":` + strings.Repeat("[", 1e5) + strings.Repeat("]", 1e5) + "}",
		"huge":          good[:len(good)-1] + `,"x":"` + strings.Repeat("a", 10e6) + `"}`, "huge blanks": good + strings.Repeat(" ", 10e6),
		"many members": good[:len(good)-1] + strings.Repeat(`,"a":1`, 1e5) + "}",
		"compressed":   packed.String(), "two values": good + good, "something after": good + "x", "a comma too many": good[:len(good)-1] + ",}",
		"no JSON": "a=1&b=2", "XML": "<a/>",
		"NUL": strings.Replace(good, `":"`, `":"`+"\x00", 1), "escaped NUL": strings.Replace(good, `":"`, `":"\u0000`, 1),
		"no UTF-8":         strings.Replace(good, `":"`, `":"`+"\xff", 1),
		"half a surrogate": strings.Replace(good, `":"`, `":"\ud800`, 1), "byte order mark": "\ufeff" + good, "UTF-16": "{\x00\"\x00",
		"NaN": `{"` + member + `":NaN}`, "hex": `{"` + member + `":0x1p4}`,
		"a number for a text": `{"` + member + `":1e400}`, "a list for a text": `{"` + member + `":["x"]}`,
		"member twice": good[:len(good)-1] + "," + good[1:], "single quotes": strings.ReplaceAll(good, `"`, "'"),
	}
	for i := range 40 {
		cut := i * len(good) / 40
		bodies[fmt.Sprintf("cut short at %d", cut)] = good[:cut]
	}
	return bodies
}

// TestHostileBodies sends bodies that are deep, huge, compressed, cut short or no JSON to every operation that takes one.
func TestHostileBodies(t *testing.T) {
	h := newHostile(t)
	operations := h.spec.operations()
	bodies := 0
	for _, name := range slices.Sorted(maps.Keys(operations)) {
		operation := operations[name]
		if operation.RequestBody == nil {
			continue
		}
		bodies++
		e := examplesOf(h.api, name, operation)[0]
		for what, body := range some(hostileBodies(t, e.body)) {
			for _, header := range []string{"Content-Type: application/json", "Content-Type: text/plain",
				"Content-Type: application/x-www-form-urlencoded", "Content-Encoding: gzip", "Content-Type: \xff;;=", ""} {
				r := h.request(example{e.client, e.method, e.target, "", body}, e.target, "")
				if key, value, found := strings.Cut(header, ": "); found {
					r.Header.Set(key, value)
				} else {
					r.Header.Del("Content-Type")
				}
				got := h.sends(name+", "+header, what, operation, e.target, r)
				if got.status < 400 {
					t.Errorf("%s, %s, %q: %d %.200s", name, what, header, got.status, got.body)
				}
			}
		}
		if got := h.sends(name, "good", operation, e.target, h.request(e, e.target, "")); got.status >= 400 {
			t.Errorf("%s: the good body: %d %s", name, got.status, got.body)
		}
	}
	if bodies != 3 {
		t.Errorf("%d operations take a body", bodies)
	}
	h.report()
}

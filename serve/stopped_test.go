package serve_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"quartier/serve"
	"quartier/serve/servetest"
)

// long are requests whose searches can be long.
var long = []string{
	"/v3/enhanced-pois?" + north, "/v3/enhanced-pois?" + northPolygon, "/v3/enhanced-pois?brands=maple_cup&" + north,
	"/v3/enhanced-pois/" + servetest.NorthCity, "/v3/enhanced-pois/" + servetest.NorthCity + "?buffer=5000",
	"/v3/pois?include=cafes&" + north, "/v3/pois?include=cafes&" + northPolygon,
	"/v3/demographics?" + north, "/v3/demographics?" + northPolygon, "/v3/schools?" + north, "/v3/schools?" + northPolygon,
	"/v3/geographies?name=Northvile", "/v3/data?include=demographics,pois_count&" + north,
}

const northPolygon = "polygon=POLYGON((-72.9%2045.1,-72.7%2045.1,-72.7%2045.3,-72.9%2045.1))"

// TestWorkEndsWhereNobodyWaits sends requests whose callers have hung up already.
func TestWorkEndsWhereNobodyWaits(t *testing.T) {
	a := newAPI(t)
	for _, target := range long {
		if got := a.get("acme", target); got.status != http.StatusOK {
			t.Errorf("%s: %d %s", target, got.status, got.body)
		}
		gone, hangUp := context.WithCancel(t.Context())
		hangUp()
		r := httptest.NewRequest(http.MethodGet, target, nil).WithContext(gone)
		r.Header.Set("Authorization", "Bearer "+a.tokens["acme"])
		refusedAsBusy(t, target, a.send(r))
	}
	if got := a.get("", "/metrics"); strings.Contains(got.body, `quartier_refused_total{reason="gone"} 0`+"\n") ||
		!strings.Contains(got.body, "quartier_requests_worked_on 0\n") {
		t.Error("the metrics do not have what was given up")
	}
}

// refusedAsBusy checks that an answer is 503 in the form of the contract.
func refusedAsBusy(t *testing.T, target string, got answer) {
	t.Helper()
	if got.status != http.StatusServiceUnavailable || got.body != `{"message":"Service Unavailable"}` || got.header.Get("Retry-After") == "" ||
		got.header.Get("Cache-Control") != "no-store" || got.header.Get("Etag") != "" || got.header.Get("Content-Encoding") != "" {
		t.Errorf("%s: %d %v %.100s", target, got.status, got.header, got.body)
	}
}

// TestWorkEndsWhenItTakesTooLong has a clock of which each reading is a second after the last.
func TestWorkEndsWhenItTakesTooLong(t *testing.T) {
	for most, late := range map[time.Duration]bool{time.Millisecond: true, time.Hour: false} {
		var calls atomic.Int64
		start := time.Now()
		a := newAPI(t, func(o *serve.Options) {
			o.Now = func() time.Time { return start.Add(time.Duration(calls.Add(1)) * time.Second) }
			o.Admission.Work = most
		})
		targets := long
		if most == time.Millisecond { // compression alone
			targets = append(targets[:len(targets):len(targets)], "/v3/geographies?include=geometry&"+north)
		}
		for _, target := range targets {
			got := a.get("acme", target, "Accept-Encoding: gzip")
			if late {
				refusedAsBusy(t, target, got)
			} else if got.status != http.StatusOK {
				t.Errorf("%s: %d", target, got.status)
			}
		}
	}
}

package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"quartier/fixtures"
	"quartier/serve/examples"
)

// exampleID is the geo_entity_id in examples.
const exampleID = "6f1c2a34-9b0d-4e5f-8a71-c2d3e4f50617"

// TestCustomGeographyExamples records calls of the endpoints of custom geographies in the order of a request's life, as
// TestExamples does those of the others.
func TestCustomGeographyExamples(t *testing.T) {
	s := startServer(t, filepath.Join(townsDir(t), "first"))
	_, token := s.account(t, "--custom-geographies")
	_, other := s.account(t)
	const path, unknown = "/v3/geographies/custom", "/v3/geographies/custom/00000000-0000-4000-8000-000000000000"
	p := fixtures.DemoPoint()
	square := func(side float64) string {
		return fmt.Sprintf("POLYGON ((%[1]v %[2]v, %[3]v %[2]v, %[3]v %[4]v, %[1]v %[4]v, %[1]v %[2]v))", p.Lng, p.Lat, p.Lng+side, p.Lat+side)
	}
	body := func(name, boundaries string) string {
		return fmt.Sprintf(`{"name_en":%q,"name_fr":"Vieux-Port","type":"NEIGHBOURHOOD","boundaries":%q}`, name, boundaries)
	}

	e := &example{t: t, s: s}
	e.call(token, "POST", path, body("Old Harbour", square(0.02)), http.StatusCreated, "Idempotency-Key: first")
	var made struct {
		ID string `json:"geo_entity_id"`
	}
	if err := json.Unmarshal(e.last, &made); err != nil {
		t.Fatal(err)
	}
	e.call(token, "POST", path, `{"name_en":"Old Harbour"}`, http.StatusBadRequest)
	e.call(other, "POST", path, "{}", http.StatusUnauthorized)
	e.call(token, "POST", path, body("Old Port", square(0.02)), http.StatusConflict, "Idempotency-Key: first")
	e.call(token, "POST", path, body("Old Harbour", square(2)), http.StatusUnprocessableEntity)
	e.record("createCustomGeography", path)

	own := path + "/" + made.ID
	e = &example{t: t, s: s}
	e.call(token, "PATCH", own, `{"name_en":"Old Port"}`, http.StatusOK)
	e.call(token, "PATCH", own, `{}`, http.StatusBadRequest)
	e.call(token, "PATCH", unknown, `{}`, http.StatusNotFound)
	e.call(token, "PATCH", own, `{"name_en":"Old Port"}`, http.StatusPreconditionFailed, `If-Match: "old"`)
	e.call(token, "PATCH", own, `{"boundaries":"`+square(0.001)+`"}`, http.StatusUnprocessableEntity)
	e.record("editCustomGeography", path+"/"+exampleID)

	e = &example{t: t, s: s}
	e.call(token, "GET", path+"?search=port", "", http.StatusOK)
	e.call(token, "GET", path+"?page_size=101", "", http.StatusBadRequest)
	e.record("listCustomGeographies", path+"?search=port")

	e = &example{t: t, s: s}
	e.call(token, "GET", own, "", http.StatusOK)
	e.call(token, "GET", unknown, "", http.StatusNotFound)
	e.record("getCustomGeography", path+"/"+exampleID)

	e = &example{t: t, s: s}
	e.call(token, "GET", path+"/events", "", http.StatusOK)
	e.call(token, "GET", path+"/events?after=last", "", http.StatusBadRequest)
	e.record("listCustomGeographyEvents", path+"/events")

	e = &example{t: t, s: s}
	db, err := sql.Open("sqlite3", strings.TrimPrefix(s.state, "sqlite:"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`UPDATE geography_request SET status = 'PUBLISHED', geog_id = 'g10_example000', published_at = ` +
		`'2026-01-01T00:00:00Z'`); err != nil {
		t.Fatal(err)
	}
	e.call(token, "DELETE", own, "", http.StatusPreconditionFailed, `If-Match: "old"`)
	e.call(token, "DELETE", own, "", http.StatusAccepted)
	e.call(token, "DELETE", own, "", http.StatusConflict)
	e.call(token, "DELETE", unknown, "", http.StatusNotFound)
	e.record("removeCustomGeography", path+"/"+exampleID)
}

// call sends a request with a body and records the answer.
func (e *example) call(token, method, path, body string, want int, headers ...string) {
	e.t.Helper()
	request, err := http.NewRequest(method, e.s.base+path, strings.NewReader(body))
	if err != nil {
		e.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		request.Header.Set(name, value)
	}
	e.send(request, want)
}

// record compares the example with the file of the operation.
func (e *example) record(operation, request string) {
	e.t.Helper()
	e.Example = examples.Example{Request: request, Answers: e.Answers}
	e.check(operation)
}

package serve_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"

	"quartier/schemas"
	"quartier/serve"
	"quartier/serve/servetest"
)

const customPath = "/v3/geographies/custom"

// square is a square at a corner, with sides in degrees.
func square(lng, lat, side float64) string {
	west, south, east, north := tidy(lng), tidy(lat), tidy(lng+side), tidy(lat+side)
	return fmt.Sprintf("POLYGON ((%v %v, %v %v, %v %v, %v %v, %v %v))", west, south, east, south, east, north, west, north, west, south)
}

func tidy(degrees float64) float64 { return math.Round(degrees*1e4) / 1e4 }

// body is that of a request for a custom geography with a few members changed; nil removes one.
func body(changes ...any) string {
	members := map[string]any{"name_en": "Old Town", "type": "COMMUNITY", "boundaries": square(-72.9, 45.1, 0.1)}
	for i := 0; i < len(changes); i += 2 {
		if members[changes[i].(string)] = changes[i+1]; changes[i+1] == nil {
			delete(members, changes[i].(string))
		}
	}
	text, err := json.Marshal(members)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// create makes a custom geography and returns the path of its request.
func (a *api) create(who string, changes ...any) string {
	a.t.Helper()
	got := a.call(who, http.MethodPost, customPath, body(changes...))
	if got.status != http.StatusCreated {
		a.t.Fatalf("%d %s", got.status, got.body)
	}
	return got.header.Get("Location")
}

// setColumn sets a column of a request.
func (a *api) setColumn(path, column, value string) {
	a.t.Helper()
	a.execute(fmt.Sprintf(`UPDATE geography_request SET %s = '%s' WHERE id = '%s'`, column, value, filepath.Base(path)))
}

// setStatus puts a request into a state as a general update does.
func (a *api) setStatus(path, status string) {
	a.t.Helper()
	a.execute(fmt.Sprintf(`UPDATE geography_request SET status = '%s', geog_id = 'g10_private000', published_at = '2026-01-01T00:00:00Z' `+
		`WHERE id = '%s'`, status, filepath.Base(path)))
}

// execute runs a statement on the state.
func (a *api) execute(statement string) {
	a.t.Helper()
	driver, dsn := "pgx", a.state
	if file, ok := strings.CutPrefix(dsn, "sqlite:"); ok {
		driver, dsn = "sqlite3", file
	}
	db, err := sql.Open(driver, dsn)
	must(a.t, err)
	defer db.Close()
	_, err = db.Exec(statement)
	must(a.t, err)
}

// customExamples are requests to an operation of custom geographies, the first of which succeeds.
func customExamples(a *api, name string) []example {
	method, path, _ := strings.Cut(name, " ")
	made := a.create("full")
	unknown := customPath + "/00000000-0000-4000-8000-000000000000"
	e := func(target, body, header string) example { return example{"full", method, target, header, body} }
	switch {
	case method == http.MethodPost:
		a.call("full", method, path, body(), "Idempotency-Key: used")
		return []example{
			e(path, body("name_fr", "Vieille-Ville"), ""), e(path, body("name_en", nil), ""), e(path, body("boundaries", square(0, 0, 3)), ""),
			e(path, body("name_en", "Other"), "Idempotency-Key: used"), {"full again", method, path, "", body("boundaries", square(-76, 45, 0.1))},
		}
	case method == http.MethodPatch:
		published := a.create("full")
		a.setStatus(published, "DEPRECATED")
		return []example{
			e(made, `{"name_en":"New Town"}`, ""), e(made, `{}`, ""), e(made, `{"boundaries":"`+square(0, 0, 3)+`"}`, ""),
			e(made, `{"name_en":"Newer Town"}`, `If-Match: "old"`), e(published, `{"name_en":"New Town"}`, ""),
			e(unknown, `{"name_en":"New Town"}`, ""),
		}
	case method == http.MethodDelete:
		published, changed := a.create("full"), a.create("full")
		a.setStatus(published, "PUBLISHED")
		a.setStatus(changed, "PUBLISHED")
		return []example{e(published, "", ""), e(changed, "", `If-Match: "old"`), e(made, "", ""), e(published, "", ""), e(unknown, "", "")}
	case path == customPath+"/events":
		return []example{e(path, "", ""), e(path+"?after=1", "", ""), e(path+"?after=x", "", "")}
	case path == customPath:
		return []example{e(path, "", ""), e(path+"?page_size=0", "", ""), e(path+"?processing_status=LOST", "", ""),
			e(path+"?updated_since=yesterday", "", ""), e(path+"?search=old&page=2", "", "")}
	}
	a.create("full", "name_fr", "Vieille-Ville")
	published := a.create("full", "name_fr", "Vieille-Ville")
	a.setStatus(published, "PUBLISHED")
	return []example{e(published, "", ""), e(made, "", ""), e(unknown, "", "")}
}

// onBothStates runs a test on a server over each kind of state.
func onBothStates(t *testing.T, test func(t *testing.T, a *api)) {
	t.Run("sqlite", func(t *testing.T) { test(t, newAPI(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, newAPIOn(t, postgres.Database(t), servetest.Release{})) })
}

// TestLifeOfACustomGeography follows a request from POST to its deprecation, over the API and as updates change it.
func TestLifeOfACustomGeography(t *testing.T) {
	onBothStates(t, func(t *testing.T, a *api) {
		made := a.call("full", http.MethodPost, customPath, body("name_en", "  Old Town ", "name_fr", "Vieille-Ville"))
		receipt := decode[schemas.CustomGeographyReceipt](t, made.body)
		path := customPath + "/" + receipt.GeoEntityID
		if made.status != 201 || receipt.Meta.StatusCode != 201 || receipt.ProcessingStatus != "PUBLICATION_PENDING" ||
			made.header.Get("Location") != path {
			t.Fatalf("%d %v %s", made.status, made.header, made.body)
		}
		first := answerOf[schemas.CustomGeographyAnswer](t, a, "full again", path) // another credential of the customer
		if first.NameEN != "Old Town" || first.NameFR != "Vieille-Ville" || *first.Boundaries != square(-72.9, 45.1, 0.1) ||
			first.GeogID != nil || first.PublishedAt != nil || first.Type != "COMMUNITY" {
			t.Errorf("got %+v", first)
		}
		tag := a.get("full", path).header.Get("ETag")
		if tag != made.header.Get("ETag") {
			t.Errorf("GET has the ETag %s, POST %s", tag, made.header.Get("ETag"))
		}
		if got := a.get("full", path, "If-None-Match: "+tag); got.status != 304 {
			t.Errorf("If-None-Match: %d", got.status)
		}
		step := func(method, sent string, want int, status string, headers ...string) answer {
			t.Helper()
			got := a.call("full", method, path, sent, headers...)
			if got.status != want || status != "" && decode[schemas.CustomGeographyReceipt](t, got.body).ProcessingStatus != status {
				t.Fatalf("%s %s: %d %s, want %d %s", method, sent, got.status, got.body, want, status)
			}
			return got
		}
		edited := step("PATCH", `{"name_fr":null,"type":"CITY"}`, 200, "PUBLICATION_PENDING", "If-Match: "+tag)
		step("PATCH", `{"type":"TOWN"}`, 412, "", "If-Match: "+tag)
		step("PATCH", `{"type":"TOWN"}`, 412, "", "If-Match: W/"+edited.header.Get("ETag"))
		step("PATCH", `{"type":"TOWN"}`, 200, "PUBLICATION_PENDING",
			`If-Match: "x", `+strings.TrimSuffix(edited.header.Get("ETag"), `"`)+`-gzip"`)
		step("PATCH", `{"type":"VILLAGE"}`, 200, "PUBLICATION_PENDING", "If-Match: *")
		if same := step("PATCH", `{"type":"VILLAGE","boundaries":"`+square(-72.9, 45.1, 0.1)+`"}`, 200,
			"PUBLICATION_PENDING"); same.header.Get("ETag") != a.get("full", path).header.Get("ETag") {
			t.Error("a change of nothing changed the ETag")
		}
		a.setStatus(path, "PUBLICATION_PROCESSING")
		step("PATCH", `{"type":"TOWN"}`, 200, "PUBLICATION_PENDING")
		a.setStatus(path, "PUBLISHED")
		if got := answerOf[schemas.CustomGeographyAnswer](t, a, "full", path); got.NameFR != "" || got.Type != "TOWN" ||
			*got.GeogID != "g10_private000" || *got.PublishedAt != "2026-01-01T00:00:00Z" {
			t.Errorf("published: %+v", got)
		}
		step("PATCH", `{"name_en":"New Town"}`, 200, "PUBLICATION_PENDING")
		got := answerOf[schemas.CustomGeographyAnswer](t, a, "full", path)
		if got.GeogID != nil || got.PublishedAt != nil || got.UpdatedAt <= first.UpdatedAt ||
			*got.Published != (schemas.CustomPublication{GeogID: "g10_private000", PublishedAt: "2026-01-01T00:00:00Z"}) {
			t.Errorf("edited after publication: %+v", got)
		}
		step("DELETE", "", 409, "") // an earlier version is published
		a.setStatus(path, "PUBLISHED")
		step("DELETE", "", 412, "", "If-Match: "+tag)
		step("DELETE", "", 202, "DEPRECATION_PENDING", "If-Match: "+a.get("full", path).header.Get("ETag"))
		for _, status := range []string{"DEPRECATION_PENDING", "DEPRECATION_PROCESSING", "DEPRECATED"} {
			a.setStatus(path, status)
			step("PATCH", `{"name_en":"New Town"}`, 409, "")
			step("DELETE", "", 409, "", "If-Match: "+tag) // before 412
			if got := answerOf[schemas.CustomGeographyAnswer](t, a, "full", path); got.GeogID == nil {
				t.Errorf("%s without geog_id", status)
			}
		}
	})
}

// TestWhatCannotBeBuiltSaysWhy shows the reason of an update until the request is changed.
func TestWhatCannotBeBuiltSaysWhy(t *testing.T) {
	a := newAPI(t)
	path := a.create("full")
	before := a.get("full", path).header.Get("ETag")
	for column, value := range map[string]string{"problem": "It has no land in US_ME.", "problem_code": "no_land",
		"problem_since": "2026-01-01T00:00:00Z"} {
		a.setColumn(path, column, value)
	}
	want := schemas.CustomProblem{Code: "no_land", Message: "It has no land in US_ME.", Since: "2026-01-01T00:00:00Z"}
	if got := answerOf[schemas.CustomGeographyAnswer](t, a, "full", path); got.ProcessingDetail == nil || *got.ProcessingDetail != want ||
		got.ProcessingStatus != "PUBLICATION_PENDING" {
		t.Errorf("got %+v", got)
	}
	if list := answerOf[schemas.CustomGeographiesAnswer](t, a, "full", customPath); *list.Items[0].ProcessingDetail != want {
		t.Errorf("in the list %+v", list.Items[0])
	}
	if a.get("full", path).header.Get("ETag") == before {
		t.Error("the ETag is that of before")
	}
	a.call("full", http.MethodPatch, path, `{"type":"CITY"}`)
	if got := answerOf[schemas.CustomGeographyAnswer](t, a, "full", path); got.ProcessingDetail != nil {
		t.Errorf("after a change %+v", got)
	}
}

// TestRequestsAreTakenBack removes requests that were never published, before and during an update. It makes room for others.
func TestRequestsAreTakenBack(t *testing.T) {
	onBothStates(t, func(t *testing.T, a *api) {
		for range 2 {
			a.create("few")
		}
		over := a.call("few", http.MethodPost, customPath, body())
		if over.status != 409 || !strings.Contains(over.body, "2 wait for their publication, open_requests is 2") {
			t.Fatalf("the third of two: %d %s", over.status, over.body)
		}
		a.create("full") // of another customer
		list := answerOf[schemas.CustomGeographiesAnswer](t, a, "few", customPath)
		for i, status := range []string{"PUBLICATION_PENDING", "PUBLICATION_PROCESSING"} {
			path := customPath + "/" + list.Items[i].GeoEntityID
			if i > 0 {
				a.setColumn(path, "status", status)
			}
			if got := a.do("few", http.MethodDelete, path); got.status != 202 ||
				decode[schemas.CustomGeographyReceipt](t, got.body).ProcessingStatus != "DEPRECATED" {
				t.Errorf("DELETE in %s: %d %s", status, got.status, got.body)
			}
			if got := answerOf[schemas.CustomGeographyAnswer](t, a, "few", path); got.ProcessingStatus != "DEPRECATED" || got.GeogID != nil ||
				got.PublishedAt != nil {
				t.Errorf("afterwards: %+v", got)
			}
			if got := a.do("few", http.MethodDelete, path); got.status != 409 {
				t.Errorf("DELETE again: %d %s", got.status, got.body)
			}
			a.create("few")
		}
	})
}

// TestEventsAreInOrder reads the events of a customer in parts, and none of another one.
func TestEventsAreInOrder(t *testing.T) {
	onBothStates(t, func(t *testing.T, a *api) {
		var want []string
		for i := range 150 {
			path := a.create("full", "name_en", fmt.Sprint(i))
			if want = append(want, filepath.Base(path)+" PUBLICATION_PENDING"); i%10 == 0 {
				a.call("full", http.MethodPatch, path, `{"type":"CITY"}`) // changes no state
				a.do("full", http.MethodDelete, path)
				want = append(want, filepath.Base(path)+" DEPRECATED")
			}
			a.create("bell")
		}
		var got []string
		next := ""
		for more := true; more; {
			part := answerOf[schemas.CustomGeographyEventsAnswer](t, a, "full again", customPath+"/events?after="+next)
			for _, e := range part.Items {
				got = append(got, e.GeoEntityID+" "+e.ProcessingStatus)
			}
			next, more = part.Next, part.More
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d events, want %d in their order: %q", len(got), len(want), got)
		}
		end := a.get("full", customPath+"/events?after="+next)
		if last := decode[schemas.CustomGeographyEventsAnswer](t, end.body); len(last.Items) > 0 || last.More || last.Next != next {
			t.Errorf("after the last one: %+v", last)
		}
		if got := a.get("full", customPath+"/events?after="+next, "If-None-Match: "+end.header.Get("ETag")); got.status != 304 {
			t.Errorf("nothing new: %d", got.status)
		}
		a.execute(`UPDATE request_event SET at = '2020-01-01T00:00:00.000000Z' WHERE n <= 100`)
		if part := answerOf[schemas.CustomGeographyEventsAnswer](t, a, "full", customPath+"/events"); part.Items[0].Cursor != "101" {
			t.Errorf("the first of 90 days is %s", part.Items[0].Cursor)
		}
	})
}

// TestCustomGeographiesAreTheirCustomers checks that ids that do not exist, malformed ones and those of another customer get the
// same answer to every method, whatever is sent, and that lists do not mix.
func TestCustomGeographiesAreTheirCustomers(t *testing.T) {
	onBothStates(t, func(t *testing.T, a *api) {
		foreign := a.create("globex")
		own := a.create("full")
		for _, method := range []string{"GET", "PATCH", "DELETE"} {
			for _, sent := range []string{"", "{", `{"name_en":"x"}`, `{"boundaries":"` + square(0, 0, 3) + `"}`} {
				for _, header := range []string{"Accept: */*", `If-Match: "x"`, "If-Match: *"} {
					want := a.call("full", method, customPath+"/00000000-0000-4000-8000-000000000000", sent, header)
					if want.status != 404 {
						t.Fatalf("%s %s: %d %s", method, sent, want.status, want.body)
					}
					for _, path := range []string{foreign, customPath + "/x", strings.ToUpper(own), customPath + "/%00", customPath + "/%FF",
						own + "%20"} {
						path = customPath + path[strings.LastIndexByte(path, '/'):]
						if got := a.call("full", method, path, sent, header); got.status != want.status || got.body != want.body {
							t.Errorf("%s %s %s: %d %s, want %s", method, path, sent, got.status, got.body, want.body)
						}
					}
				}
			}
		}
		list := answerOf[schemas.CustomGeographiesAnswer](t, a, "full", customPath)
		if list.Total != 1 || customPath+"/"+list.Items[0].GeoEntityID != own {
			t.Errorf("list %+v", list)
		}
		if got := a.get("globex", foreign); got.status != 200 {
			t.Errorf("its own request: %d", got.status)
		}
	})
}

func TestCustomGeographyLists(t *testing.T) {
	onBothStates(t, func(t *testing.T, a *api) {
		paths := []string{a.create("full", "name_en", "Île One"), a.create("full", "name_en", "Two 100%"),
			a.create("full", "name_en", "Three", "name_fr", "Trois Îles")}
		a.call("full", "PATCH", paths[0], `{"type":"CITY"}`) // is the newest now
		a.setStatus(paths[2], "PUBLISHED")
		for query, want := range map[string]string{
			"": "Île One,Three,Two 100% 1/20 of 3 on 1", "?page_size=2": "Île One,Three 1/2 of 3 on 2",
			"?page_size=2&page=2": "Two 100% 2/2 of 3 on 2",
			"?page=3":             " 3/20 of 3 on 1", "?search=ile": "Île One,Three 1/20 of 2 on 1", "?search=%25": "Two 100% 1/20 of 1 on 1",
			"?search=_": " 1/20 of 0 on 0", "?processing_status=PUBLISHED": "Three 1/20 of 1 on 1",
			"?processing_status=DEPRECATED,PUBLICATION_PENDING&search=o":                         "Île One,Two 100% 1/20 of 2 on 1",
			"?updated_since=2026-01-01T00:00:00.5%2B02:00&processing_status=PUBLICATION_PENDING": "Île One,Two 100% 1/20 of 2 on 1",
			"?updated_since=9026-01-01T00:00:00Z":                                                " 1/20 of 0 on 0",
			"?search=+three+&page=&page_size=":                                                   "Three 1/20 of 1 on 1",
		} {
			list := answerOf[schemas.CustomGeographiesAnswer](t, a, "full again", customPath+query)
			var names []string
			for _, item := range list.Items {
				names = append(names, item.NameEN)
				if item.Boundaries != nil {
					t.Error("boundaries in a list")
				}
			}
			if got := fmt.Sprintf("%s %d/%d of %d on %d", strings.Join(names, ","), list.Page, list.PageSize, list.Total, list.Pages); got != want {
				t.Errorf("%s: %s, want %s", query, got, want)
			}
		}
		before := a.get("full", customPath)
		if got := a.get("full", customPath, "If-None-Match: "+before.header.Get("ETag")); got.status != 304 ||
			before.header.Get("Cache-Control") != "private, max-age=0" {
			t.Errorf("If-None-Match: %d, %s", got.status, before.header.Get("Cache-Control"))
		}
		a.call("full", "PATCH", paths[1], `{"type":"CITY"}`)
		if got := a.get("full", customPath, "If-None-Match: "+before.header.Get("ETag")); got.status != 200 {
			t.Errorf("after a change: %d", got.status)
		}
	})
}

// customRefusals are bodies of POST with the expected status and a part of the answer.
var customRefusals = map[string]struct {
	body string
	want int
	says string
}{
	"no body":            {"", 400, "one JSON value"},
	"truncated":          {`{"name_en":"x"`, 400, "one JSON value"},
	"two values":         {body() + "{}", 400, "one JSON value"},
	"a list":             {`[]`, 400, "not a JSON object"},
	"null":               {`null`, 400, "not a JSON object"},
	"not UTF-8":          {"{\"name_en\":\"\xff\"}", 400, "UTF-8"},
	"byte order mark":    {"\ufeff" + body(), 400, "one JSON value"},
	"too long":           {body() + strings.Repeat(" ", 256<<10), 400, "longer than 262144 bytes"},
	"unknown field":      {body("level", "10"), 400, `unknown field \"level\"`},
	"other case":         {`{"NAME_EN":"x"}`, 400, "unknown field"},
	"repeated field":     {`{"name_en":"x","name_en":"x"}`, 400, "more than once"},
	"escaped repetition": {`{"name_en":"x","name\u005fen":"x"}`, 400, "more than once"},
	"a number":           {body("name_en", 5), 400, "not a text"},
	"an object":          {body("name_en", map[string]any{}), 400, "not a text"},
	"no name":            {body("name_en", nil), 400, "name_en is required"},
	"null name":          {`{"name_en":null}`, 400, "name_en is null"},
	"blank name":         {body("name_en", " \u00a0\u200b "), 400, "name_en is empty"},
	"empty French name":  {body("name_fr", ""), 400, "name_fr is empty"},
	"control character":  {body("name_en", "a\u0000b"), 400, "control characters"},
	"line break":         {body("name_fr", "a\nb"), 400, "control characters"},
	"lone surrogate":     {`{"name_en":"a\ud800b"}`, 400, "control characters"},
	"long name":          {body("name_en", strings.Repeat("é", 201)), 400, "201 characters, at most 200"},
	"no type":            {body("type", nil), 400, "type is required"},
	"unknown type":       {body("type", "HAMLET"), 400, "type is"},
	"lower case type":    {body("type", "city"), 400, "type is"},
	"no boundaries":      {body("boundaries", nil), 400, "boundaries is required"},
	"not WKT":            {body("boundaries", "square"), 400, "expected POLYGON"},
	"multipolygon":       {body("boundaries", "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)))"), 400, "expected POLYGON"},
	"a hole":             {body("boundaries", "POLYGON ((0 0, 9 0, 9 9, 0 0), (1 1, 2 1, 2 2, 1 1))"), 400, "holes"},
	"unclosed":           {body("boundaries", "POLYGON ((0 0, 9 0, 9 9, 0 9))"), 400, "not closed"},
	"long WKT":           {body("boundaries", "POLYGON (("+strings.Repeat(" ", 100_000)+"0 0, 9 0, 9 9, 0 0))"), 400, "at most 100000"},
	"latitude":           {body("boundaries", square(-72, 89.95, 0.1)), 422, "outside ±180 ±90"},
	"longitude":          {body("boundaries", square(-180.1, 45, 0.2)), 422, "outside ±180 ±90"},
	"crosses itself":     {body("boundaries", "POLYGON ((-72 45, -71.9 45.1, -71.9 45, -72 45.1, -72 45))"), 422, "crosses itself"},
	"runs back":          {body("boundaries", "POLYGON ((-72 45, -71.9 45, -72 45, -72 45))"), 422, "boundaries: "},
	"too small":          {body("boundaries", square(-72, 45, 0.002)), 422, "an area of 0.035"},
	"too large":          {body("boundaries", square(-72, 45, 2)), 422, "it must be from 0.1 to 20000"},
	"in Mexico":          {body("boundaries", square(-99.2, 19.4, 0.1)), 422, "outside Canada and the United States"},
	"in another state": {body("boundaries", square(-122.7, 45.5, 0.1)), 422,
		"no source of the release covers this place: it has no data of US_OR"},
	"in the sea": {body("boundaries", square(-40, 45, 0.1)), 422, "the centroid, longitude -39.95 latitude 45.05"},
	// the first rule that is broken
	"crosses, far away": {body("boundaries", "POLYGON ((0 0, 10 10, 10 0, 0 10, 0 0))"), 422, "crosses itself"},
	"around a pole":     {body("boundaries", "POLYGON ((0 80, 120 80, -120 80, 0 80))"), 422, "around a pole"},
	// 2 degrees in the Pacific
	"nearly all the way":  {body("boundaries", "POLYGON ((-179 50, 179 50, 179 51, -179 51, -179 50))"), 422, "centroid, longitude"},
	"too large and wrong": {body("boundaries", square(-72, 45, 2), "type", "x"), 400, "type is"},
}

func TestCustomGeographyRefusals(t *testing.T) {
	a := newAPI(t)
	path := a.create("full")
	for name, tt := range customRefusals {
		t.Run(name, func(t *testing.T) {
			got := a.call("full", http.MethodPost, customPath, tt.body)
			if got.status != tt.want || !strings.Contains(got.body, tt.says) {
				t.Errorf("POST: %d %.300s, want %d with %s", got.status, got.body, tt.want, tt.says)
			}
			if strings.Contains(tt.says, "required") {
				return
			}
			if got := a.call("full", http.MethodPatch, path, tt.body); got.status != tt.want || !strings.Contains(got.body, tt.says) {
				t.Errorf("PATCH: %d %.300s, want %d with %s", got.status, got.body, tt.want, tt.says)
			}
		})
	}
	for _, tt := range []struct {
		who, method, url, body string
		headers                []string
		want                   int
	}{
		{"pois", "POST", customPath, "{", nil, 401}, // not enabled, before the body
		{"pois", "GET", customPath + "?page=x", "", nil, 401},
		{"quebec", "GET", path, "", nil, 401},
		{"full", "PUT", path, body(), nil, 405},
		{"full", "DELETE", customPath, "", nil, 405},
		{"full", "POST", path, body(), nil, 405},
		{"full", "GET", customPath + "/", "", nil, 404},
		{"full", "GET", customPath + "?page=0", "", nil, 400},
		{"full", "GET", customPath + "?page=1.5", "", nil, 400},
		{"full", "GET", customPath + "?page_size=101", "", nil, 400},
		{"full", "GET", customPath + "?page=2147483647", "", nil, 200},
		{"full", "GET", customPath + "?search=" + strings.Repeat("a", 201), "", nil, 400},
		{"full", "GET", customPath + "?search=a%00", "", nil, 400},
		{"full", "HEAD", path, "", nil, 200},
		{"full", "POST", customPath, body(), []string{"Accept: text/html"}, 400},
		{"full", "POST", customPath, body(), []string{"Idempotency-Key: " + strings.Repeat("k", 256)}, 400},
		{"full", "POST", customPath, body(), []string{"Idempotency-Key: a b"}, 400},
		{"full", "POST", customPath, body(), []string{"Idempotency-Key: a", "Idempotency-Key: b"}, 400},
		{"full", "PATCH", path, "{}", nil, 400},
		{"full again", "POST", customPath, body("boundaries", square(-76, 45, 0.1)), nil, 401},                // Ontario, for Quebec only
		{"full again", "PATCH", path, `{"boundaries":"` + square(-122.7, 45.5, 0.1) + `"}`, nil, 401},         // Oregon
		{"full again", "PATCH", path, `{"boundaries":"` + square(-72.5, 45.1, 0.1) + `"}`, nil, 200},          // Quebec
		{"full", "POST", customPath, body("boundaries", strings.ToLower(square(-72.5, 45.1, 0.1))), nil, 201}, // polygon in lower case
		{"full", "POST", customPath, body("boundaries", square(-122.7, 45.5, 0.1)), nil, 422},                 // not covered by the release
		{"full", "PATCH", path, `{"boundaries":"` + square(-122.7, 45.5, 0.1) + `"}`, nil, 422},
		{"full", "POST", customPath, body("name_en", strings.Repeat("é", 200), "name_fr", "é"), nil, 201},
		{"full", "POST", customPath, `{"name_fr":null,` + body()[1:], nil, 201},
	} {
		if got := a.call(tt.who, tt.method, tt.url, tt.body, tt.headers...); got.status != tt.want {
			t.Errorf("%s %s %s %.200s %v: %d %.200s, want %d", tt.who, tt.method, tt.url, tt.body, tt.headers, got.status, got.body, tt.want)
		}
	}
}

// An outline over the antimeridian, of Semisopochnoi Island, is judged as one piece: its area and centroid are there and not on the
// other side of the world.
func TestCustomGeographyOverTheAntimeridian(t *testing.T) {
	a := newAPI(t, func(o *serve.Options) { o.AcceptUncovered = true }) // the release has no data of Alaska
	for _, ring := range []string{
		"POLYGON ((179.55 51.85, -179.95 51.85, -179.95 52.05, 179.55 52.05, 179.55 51.85))",
		"POLYGON ((-179.95 51.85, -179.95 52.05, 180 52.05, -180 52.05, 179.55 52.05, 179.55 51.85, -179.95 51.85))",
	} {
		got := a.call("full", "POST", customPath, body("boundaries", ring))
		if got.status != 201 {
			t.Errorf("%s: %d %s", ring, got.status, got.body)
		}
	}
	got := a.call("full", "POST", customPath, body("boundaries", "POLYGON ((179.5 51.9, -179.0 52.2, -179.0 51.9, 179.5 52.2, 179.5 51.9))"))
	if got.status != 422 || !strings.Contains(got.body, "crosses itself") {
		t.Errorf("a bow over the antimeridian: %d %s", got.status, got.body)
	}
}

// Coordinates keep the text that was sent, up to 7 decimals.
func TestCustomGeographyCoordinates(t *testing.T) {
	a := newAPI(t)
	path := a.create("full", "boundaries", "polygon((-72.123456789 45.1,-72.00000000000 45.10, -72.0 45.2000000,-72.123456789 45.1))")
	got := answerOf[schemas.CustomGeographyAnswer](t, a, "full", path)
	if want := "polygon((-72.1234568 45.1,-72.0000000 45.10, -72.0 45.2000000,-72.1234568 45.1))"; *got.Boundaries != want {
		t.Errorf("got %s, want %s", *got.Boundaries, want)
	}
}

// Retries with one key make one request; edits of many callers with If-Match are all made or refused.
func TestConcurrentCustomGeographies(t *testing.T) {
	onBothStates(t, func(t *testing.T, a *api) {
		const callers = 8
		paths := make([]string, callers)
		var wait sync.WaitGroup
		for i := range callers {
			wait.Go(func() {
				paths[i] = a.call([]string{"full", "full again"}[i%2], "POST", customPath, body(), "Idempotency-Key: k").header.Get("Location")
			})
		}
		wait.Wait()
		if slices.Sort(paths); paths[0] == "" || len(slices.Compact(paths)) != 1 {
			t.Fatalf("one key made %q", paths)
		}
		if got := a.call("full", "POST", customPath, body("type", "CITY"), "Idempotency-Key: k"); got.status != 409 {
			t.Errorf("another body: %d", got.status)
		}
		var made sync.Map
		for i := range callers {
			wait.Go(func() {
				for n := 0; n < 5; {
					now := a.get("full", paths[0])
					name := decode[schemas.CustomGeographyAnswer](t, now.body).NameEN + fmt.Sprintf(" %d.%d", i, n)
					got := a.call("full", "PATCH", paths[0], `{"name_en":"`+name+`"}`, "If-Match: "+now.header.Get("ETag"))
					switch got.status {
					case 200:
						made.Store(fmt.Sprintf("%d.%d", i, n), true)
						n++
					case 412:
					default:
						t.Errorf("%d %s", got.status, got.body)
						return
					}
				}
			})
		}
		wait.Wait()
		name := answerOf[schemas.CustomGeographyAnswer](t, a, "full", paths[0]).NameEN
		if words := strings.Fields(name); len(words) != 2+callers*5 {
			t.Errorf("%d edits in %q", len(words)-2, name)
		}
	})
}

// A state that cannot be read answers 503, logs why, and shows the caller nothing of it.
func TestStateOutOfReach(t *testing.T) {
	a := newAPI(t)
	path := a.create("full")
	db, err := sql.Open("sqlite3", strings.TrimPrefix(a.state, "sqlite:"))
	must(t, err)
	defer db.Close()
	_, err = db.Exec(`ALTER TABLE geography_request RENAME TO gone`)
	must(t, err)
	got := a.get("full", path)
	if got.status != 503 || got.header.Get("Retry-After") == "" || strings.Contains(got.body, "table") ||
		!strings.Contains(a.log.String(), "no such table") {
		t.Errorf("%d %v %s, log %s", got.status, got.header, got.body, a.log.String())
	}
}

package docs

import (
	"regexp"
	"strings"
	"testing"
)

// TestPageWithoutViewer makes the page of a program that was compiled without Swagger UI: it lists the operations, says how to
// get the rest, and loads nothing but its own style sheet.
func TestPageWithoutViewer(t *testing.T) {
	groups := []Group{{"scores", []Operation{{"getScores", "GET", "/v3/scores", "Ratings of <b>places</b> & points"}}},
		{"service", []Operation{{"createToken", "POST", "/oauth/token", "A token"}}}}
	for _, viewer := range []bool{false, true} {
		page, err := index(groups, viewer)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{`<li id="getScores"><code><b>GET</b> /v3/scores</code> Ratings of &lt;b&gt;places&lt;/b&gt; &amp; ` +
			`points</li>`, "<h2>service</h2>", `<a href="/openapi.json">`} {
			if !strings.Contains(string(page), want) {
				t.Errorf("viewer %v: no %s in %s", viewer, want, page)
			}
		}
		if strings.Contains(string(page), "make build") == viewer || strings.Contains(string(page), "swagger") != viewer {
			t.Errorf("viewer %v: %s", viewer, page)
		}
		for _, loaded := range regexp.MustCompile(`(?:src|href)="([^"]*)"`).FindAllStringSubmatch(string(page), -1) {
			if url := loaded[1]; !strings.HasPrefix(url, "/docs/") && url != "/openapi.json" && url != "data:," {
				t.Errorf("viewer %v: the page refers to %s", viewer, url)
			}
		}
		if inline := regexp.MustCompile(`<script>|<style|style=|onclick`).FindString(string(page)); inline != "" {
			t.Errorf("viewer %v: the policy forbids %s", viewer, inline)
		}
	}
}

package serve_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"quartier/internal/testenv"
	"quartier/serve"
	"quartier/serve/docs"
)

// TestRoot asks what a server is, as programs and as browsers do.
func TestRoot(t *testing.T) {
	a := newAPI(t)
	for accept, html := range map[string]bool{
		"": false, "*/*": false, "application/json": false, "application/json, text/html": true, "text/html;q=0.5, application/json": false,
		"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": true, "text/html;q=0": false,
	} {
		var headers []string
		if accept != "" {
			headers = []string{"Accept: " + accept}
		}
		got := a.get("", "/", headers...)
		if got.status != 200 || got.header.Get("Vary") != "Accept, Accept-Encoding" ||
			strings.HasPrefix(got.header.Get("Content-Type"), "text/html") != html {
			t.Errorf("%q: %d %v", accept, got.status, got.header)
		}
		if !html {
			root := decode[serve.Root](t, got.body)
			for _, path := range []string{root.Reference, root.Document, root.Ready} {
				if got := a.get("", path); got.status != 200 {
					t.Errorf("%s: %d", path, got.status)
				}
			}
		}
	}
	if got := a.do("", http.MethodPost, "/"); got.status != 405 || got.header.Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d %v", got.status, got.header)
	}
}

// TestStoredAnswers checks that pages and the document are the same in all codings, are not sent to those who have them, and
// that pages load nothing from elsewhere.
func TestStoredAnswers(t *testing.T) {
	a := newAPI(t)
	for _, path := range []string{"/docs", "/docs/docs.js", "/openapi.json"} {
		plain := a.get("", path)
		if plain.status != 200 || plain.header.Get("Content-Encoding") != "" || plain.header.Get("Etag") == "" {
			t.Fatalf("%s: %d %v", path, plain.status, plain.header)
		}
		if got := a.get("", path, "If-None-Match: "+plain.header.Get("Etag")); got.status != 304 || got.body != "" {
			t.Errorf("%s: %d for what the caller has", path, got.status)
		}
		if head := a.do("", http.MethodHead, path); head.header.Get("Content-Length") != fmt.Sprint(len(plain.body)) {
			t.Errorf("%s: HEAD: %v", path, head.header)
		}
		if path != "/openapi.json" && plain.header.Get("Content-Security-Policy") != docs.Policy {
			t.Errorf("%s: %v", path, plain.header)
		}
		for range 2 { // compressed, then stored
			for _, coding := range []string{"gzip", "zstd"} {
				got := a.get("", path, "Accept-Encoding: "+coding)
				if len(plain.body) < 1400 {
					continue
				}
				if body := unpack(t, coding, got.body); got.header.Get("Content-Encoding") != coding || body != plain.body ||
					got.header.Get("Etag") == plain.header.Get("Etag") {
					t.Errorf("%s as %s: %v", path, coding, got.header)
				}
			}
		}
	}
}

// TestReferenceInChromium opens /docs: it lists every operation, is used by keyboard, follows the colours that the user
// prefers, fits a telephone, and neither asks another origin for anything nor breaks its policy.
func TestReferenceInChromium(t *testing.T) {
	a := newAPI(t)
	if a.get("", "/docs/swagger/swagger-ui-bundle.js").status != 200 {
		testenv.NotInstalled(t, "Swagger UI (make docs, and compile again)")
	}
	server := httptest.NewServer(a.handler)
	defer server.Close()
	b := openBrowser(t)
	b.look(1200, "light")
	b.call("Page.navigate", map[string]any{"url": server.URL + "/docs"}, nil)
	b.await(`document.querySelectorAll(".opblock").length > 0 && document.readyState == "complete"`)

	var missing []string
	for path, operation := range newSpec(t, a).operations() {
		method, route, _ := strings.Cut(path, " ")
		found := b.value(fmt.Sprintf(`[...document.querySelectorAll(".opblock")].some(o => o.id.endsWith(%q) &&
			o.querySelector(".opblock-summary-method").innerText == %q &&
			o.querySelector(".opblock-summary-path").dataset.path == %q && o.querySelector("button.opblock-summary-control"))`, "-"+operation.OperationID, method, route))
		if found != true {
			missing = append(missing, path)
		}
	}
	if slices.Sort(missing); len(missing) > 0 {
		t.Errorf("not listed: %q", missing)
	}
	b.picture("docs-desktop-light")
	light := b.value(`getComputedStyle(document.body).backgroundColor`)
	b.look(1200, "dark")
	b.await(fmt.Sprintf(`getComputedStyle(document.body).backgroundColor != %q`, light))
	b.picture("docs-desktop-dark")

	useByKeyboard(b)
	for _, colours := range []string{"dark", "light"} {
		b.look(390, colours)
		b.picture("docs-phone-" + colours)
		if wide := b.value(`[...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > 391 && ` +
			`getComputedStyle(e.parentElement).overflowX == "visible").map(e => e.tagName + "." + e.className).join(", ")`); wide != "" {
			t.Errorf("wider than a telephone: %v", wide)
		}
	}

	requests := 0
	happened(b, "Network.requestWillBeSent", func(e struct{ Request struct{ URL string } }) {
		requests++
		if url := e.Request.URL; !strings.HasPrefix(url, server.URL+"/") && !strings.HasPrefix(url, "data:") {
			t.Errorf("a request to %s", url)
		}
	})
	happened(b, "Log.entryAdded", func(e struct{ Entry struct{ Level, Text string } }) {
		t.Errorf("%s: %s", e.Entry.Level, e.Entry.Text)
	})
	happened(b, "Runtime.exceptionThrown", func(e struct{ ExceptionDetails struct{ Text string } }) {
		t.Errorf("exception: %s", e.ExceptionDetails.Text)
	})
	if requests < 5 { // the page, two scripts, two style sheets, the document
		t.Errorf("%d requests", requests)
	}
}

// useByKeyboard goes to an operation by Tab, opens it by Enter and sees its parameters.
func useByKeyboard(b *browser) {
	b.t.Helper()
	const focused = `document.activeElement.closest(".opblock")?.id.endsWith("-findGeographies") && ` +
		`document.activeElement.matches("button.opblock-summary-control")`
	for range 200 {
		if b.value(focused) == true {
			break
		}
		b.press("Tab", 9, "")
	}
	b.await(focused)
	b.press("Enter", 13, "\r")
	b.await(`document.activeElement.getAttribute("aria-expanded") == "true" && document.querySelectorAll(".opblock.is-open .parameters ` +
		`tr[data-param-name]").length > 3`)
	b.picture("docs-keyboard")
}

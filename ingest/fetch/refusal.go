package fetch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"strings"
)

// Reason is why an answer is not the file that was asked for.
type Reason string

// Reasons of refusals.
const (
	Challenge Reason = "challenge"  // a test whether a person asks
	Blocked   Reason = "blocked"    // a page that says so
	Forbidden Reason = "forbidden"  // 401 or 403 without more
	NeedsKey  Reason = "needs key"  // a page about keys
	Missing   Reason = "missing"    // no such file
	Moved     Reason = "moved"      // a redirect to a page
	TooMany   Reason = "too many"   // too many requests
	Busy      Reason = "busy"       // the server is, or is in trouble
	ErrorPage Reason = "error page" // with a status that says all is well
	Page      Reason = "page"       // another page for people
	Empty     Reason = "empty"      // no bytes
	NoRows    Reason = "no rows"    // an answer of a service without a row
	WrongType Reason = "wrong type" // something else than the name says
	Damaged   Reason = "damaged"    // the right type, cut or otherwise broken
	Other     Reason = "other"      // another status
)

// Refusal is the error of an answer that is not the file.
type Refusal struct {
	Reason Reason
	Text   string // what the answer is
	From   string // the address that answered, without secrets; "": the one that was asked
}

func (r *Refusal) Error() string {
	if r.From != "" {
		return r.Text + " (from " + r.From + ")"
	}
	return r.Text
}

// again reports whether the same request may succeed after a while.
func (r *Refusal) again() bool {
	return r.Reason == Busy || r.Reason == TooMany || r.Reason == ErrorPage
}

// pageMarks are texts by which pages of publishers' servers are known.
var pageMarks = []struct {
	text   string // in lower case
	reason Reason
	says   string
}{
	{"challenge-platform", Challenge, "a challenge that only browsers pass"},
	{"just a moment...", Challenge, "a challenge that only browsers pass"},
	{"you have been blocked", Blocked, "a page that says \"you have been blocked\""},
	{"attention required! | cloudflare", Blocked, "a page that says \"attention required\""},
	{"invalid key", NeedsKey, "a page that says that the key is not valid"},
	{"missing key", NeedsKey, "a page that asks for a key"},
	{"rate_limited", TooMany, "a page that says that too much was asked for (rate_limited)"},
	{"probably too busy", Busy, "a page that says that the server is too busy"},
	{"dispatcher_client", Busy, "a page with an error of the server"},
	{"an error occurred while processing your request", ErrorPage, "an error page of the publisher's network"},
}

var (
	titleOf  = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)
	headOf   = regexp.MustCompile(`(?is)<h1[^>]*>(.*?)</h1>`)
	tagOf    = regexp.MustCompile(`<[^>]*>`)
	spacesOf = regexp.MustCompile(`\s+`)
)

// titleText is the title of a page, short and on one line; "" if it has none.
func titleText(head []byte) string {
	for _, form := range []*regexp.Regexp{titleOf, headOf} {
		if m := form.FindSubmatch(head); m != nil {
			text := strings.TrimSpace(spacesOf.ReplaceAllString(html.UnescapeString(tagOf.ReplaceAllString(string(m[1]), " ")), " "))
			if text != "" {
				return fmt.Sprintf("%.80q", text)
			}
		}
	}
	return ""
}

// refused says what an answer is, by its status, headers and first bytes, if it is not the file; nil if it may be. first is
// whether the bytes are the first ones of the file.
func refused(resp *http.Response, head []byte, want form, asked string, first bool) *Refusal {
	r := classify(resp, head, want, first)
	if r == nil {
		return nil
	}
	if resp.StatusCode >= 400 {
		r.Text += fmt.Sprintf(" (%s)", strings.TrimSpace(resp.Status))
	}
	if resp.Request != nil {
		if from := publicAddress(resp.Request.URL); from != asked {
			r.From = from
			if r.Reason == Page {
				r.Reason, r.Text = Moved, "a redirect to "+r.Text
			}
		}
	}
	return r
}

func classify(resp *http.Response, head []byte, want form, first bool) *Refusal {
	contentType := resp.Header.Get("Content-Type")
	code, page := resp.StatusCode, isPage(head, contentType)
	switch {
	case resp.Header.Get("Cf-Mitigated") == "challenge":
		return &Refusal{Reason: Challenge, Text: "a challenge that only browsers pass (cf-mitigated)"}
	case resp.Header.Get("X-Datawebapi-Keyerror") != "",
		page && resp.Request != nil && strings.HasSuffix(resp.Request.URL.Path, "/missing_key.html"):
		return &Refusal{Reason: NeedsKey, Text: "a page that asks for a key"}
	}
	if page || code >= 400 {
		lower := bytes.ToLower(head)
		for _, m := range pageMarks {
			if bytes.Contains(lower, []byte(m.text)) {
				return &Refusal{Reason: m.reason, Text: m.says}
			}
		}
	}
	if code != http.StatusOK && code != http.StatusPartialContent {
		return byStatus(code, head)
	}
	switch {
	case !first:
		return nil
	case page:
		return &Refusal{Reason: Page, Text: strings.TrimSpace("a web page in place of " + want.name + " " + titleText(head))}
	case len(head) == 0:
		return &Refusal{Reason: Empty, Text: "an empty answer (0 bytes) in place of " + want.name}
	}
	if r := fromService(head); r != nil {
		return r
	}
	if !want.begins(head) {
		return &Refusal{Reason: WrongType, Text: looksLike(head) + " in place of " + want.name}
	}
	return nil
}

func byStatus(code int, head []byte) *Refusal {
	text := "an error of the server"
	switch {
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return &Refusal{Reason: Forbidden, Text: "a refusal"}
	case code == http.StatusNotFound || code == http.StatusGone:
		if bytes.Contains(head, []byte("<Code>NoSuchKey</Code>")) {
			return &Refusal{Reason: Missing, Text: "no such file (NoSuchKey): releases and files are removed after a time"}
		}
		return &Refusal{Reason: Missing, Text: "no such file"}
	case code == http.StatusTooManyRequests:
		return &Refusal{Reason: TooMany, Text: "too many requests"}
	case code >= 500 || code == http.StatusRequestTimeout:
		return &Refusal{Reason: Busy, Text: text}
	}
	return &Refusal{Reason: Other, Text: fmt.Sprintf("an answer with status %d", code)}
}

// fromService recognizes answers of services with an error or without a row, which are short and complete.
func fromService(head []byte) *Refusal {
	text := startOfText(head)
	if len(head) == peekBytes || !bytes.HasPrefix(text, []byte("{")) {
		return nil
	}
	var answer struct {
		Error    json.RawMessage    `json:"error"`
		Features *[]json.RawMessage `json:"features"`
		Elements *[]json.RawMessage `json:"elements"`
	}
	if json.Unmarshal(text, &answer) != nil {
		return nil
	}
	switch {
	case len(answer.Error) > 0 && string(answer.Error) != "null":
		return &Refusal{Reason: Other, Text: fmt.Sprintf("an error of the service: %.200s", answer.Error)}
	case answer.Features != nil && len(*answer.Features) == 0, answer.Elements != nil && len(*answer.Elements) == 0:
		return &Refusal{Reason: NoRows, Text: "an answer without an error and without a row"}
	}
	return nil
}

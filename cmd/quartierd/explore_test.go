package main

import (
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"quartier/internal/testenv"
	"quartier/serve/account"
	"quartier/serve/servetest"
	"quartier/serve/state"
)

func makeAccount(t *testing.T, dsn string) {
	t.Helper()
	store, err := state.Open(dsn)
	must(t, err)
	defer store.Close()
	_, _, err = store.Create("acme", account.Agreement{})
	must(t, err)
}

var linkLine = regexp.MustCompile(`(?m)^Explorer \(the link opens once, within 15 minutes\): (http://\S+)$`)

// TestExplore opens the links that the program prints, one at its start and one for a signal, at the address of operators.
func TestExplore(t *testing.T) {
	root := t.TempDir()
	release, dsn := filepath.Join(root, "release"), "sqlite:"+filepath.Join(root, "state.sqlite")
	_, err := servetest.Write(release, servetest.Release{})
	must(t, err)
	makeAccount(t, dsn)
	p := start(t, nil, "--release", release, "--state", dsn, "--addr", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--explore",
		"--explore-account", "acme")
	for n := 1; n <= 2; n++ {
		var links [][]string
		testenv.Eventually(t, "a link is printed", func() bool {
			links = linkLine.FindAllStringSubmatch(p.String(), -1)
			return len(links) == n || p.ended()
		})
		if len(links) != n {
			t.Fatalf("no link: %s", p)
		}
		link := links[n-1][1]
		if _, operators := p.addresses(); !strings.HasPrefix(link, operators+"/explore/open?key=") {
			t.Errorf("the link %s is not at %s", link, operators)
		}
		client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		answer, err := client.Get(link)
		must(t, err)
		answer.Body.Close()
		if answer.StatusCode != http.StatusSeeOther || len(answer.Cookies()) != 1 {
			t.Fatalf("%s: %d", link, answer.StatusCode)
		}
		request, err := http.NewRequest(http.MethodGet, strings.Replace(link, "open", "api/scores?lat=45.2&lng=-72.8&", 1), nil)
		must(t, err)
		request.AddCookie(answer.Cookies()[0])
		scores, err := client.Do(request)
		must(t, err)
		body, err := io.ReadAll(scores.Body)
		must(t, err)
		scores.Body.Close()
		if scores.StatusCode != http.StatusOK || !strings.Contains(string(body), `"quiet"`) {
			t.Errorf("the scores: %d %s", scores.StatusCode, body)
		}
		_, key, _ := strings.Cut(link, "key=")
		if strings.Count(p.String(), key) != 1 {
			t.Errorf("the key is written more than once: %s", p)
		}
		must(t, p.Process.Signal(syscall.SIGUSR1))
	}
}

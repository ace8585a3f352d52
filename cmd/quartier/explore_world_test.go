package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"quartier/fixtures"
	"quartier/internal/testenv"
)

// TestExplorerInBrowser looks at the towns in headless Chromium: the scripts of serve/explore/browser follow the link that
// quartierd prints and look at every panel in both languages, on a desktop and a phone, by mouse and by keyboard.
func TestExplorerInBrowser(t *testing.T) {
	for _, name := range []string{"node", "chromium"} {
		testenv.NeedProgram(t, name)
	}
	scripts := filepath.Join(testenv.ModuleRoot(), "serve", "explore", "browser")
	if _, err := os.Stat(filepath.Join(scripts, "node_modules", "playwright-core")); err != nil {
		testenv.NotInstalled(t, "a package of serve/explore/browser/package-lock.json (npm ci)")
	}
	if _, err := os.Stat(filepath.Join(scripts, "..", "page", "files", "maplibre", "maplibre-gl.mjs")); err != nil {
		testenv.NotInstalled(t, "MapLibre GL (make docs), which quartierd is compiled with,")
	}
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatal(err)
	}
	point := fixtures.DemoPoint()
	places := fmt.Sprintf(`{"home": "%v,%v", "abroad": "44.96,-72.561", "other": "45.06,-72.65", "search": "Port Hollis"}`, point.Lat, point.Lng)
	link := startExplorer(t, publishedTowns(t))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	run := exec.CommandContext(ctx, "node", "--test", "--test-reporter=spec", "panels.mjs")
	run.Dir = scripts
	run.Env = append(os.Environ(), "QUARTIER_CHROMIUM="+chromium, "QUARTIER_LINK="+link, "QUARTIER_PLACES="+places, "NODE_NO_WARNINGS=1")
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("panels.mjs: %v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		if text, found := strings.CutPrefix(line, "ℹ "); found && strings.Contains(text, " ms") {
			t.Log(strings.TrimSpace(text))
		}
	}
}

var explorerLink = regexp.MustCompile(`Explorer \(the link opens once, within 15 minutes\): (\S+)`)

// startExplorer starts quartierd with the explorer and one account, and returns the link that it prints.
func startExplorer(t *testing.T, releases string) string {
	t.Helper()
	program, err := quartierd()
	if err != nil {
		t.Fatal(err)
	}
	dsn := "sqlite:" + filepath.Join(t.TempDir(), "state.db")
	mustRun(t, "account", "create", "--state", dsn, "--customer", "Test", "--rate", "10000")
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	server := exec.Command(program, "--releases", releases, "--state", dsn, "--addr", "127.0.0.1:0", "--drain", "0s", "--explore")
	server.Stderr = log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }()
	t.Cleanup(func() {
		server.Process.Signal(syscall.SIGTERM)
		if err := <-ended; err != nil {
			t.Errorf("quartierd ended with %v\n%s", err, readText(t, log.Name()))
		}
	})
	var link string
	testenv.Eventually(t, "quartierd prints a link to the explorer", func() bool {
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("quartierd ended: %v\n%s", err, readText(t, log.Name()))
		default:
		}
		if found := explorerLink.FindStringSubmatch(readText(t, log.Name())); found != nil {
			link = found[1]
		}
		return link != ""
	})
	return link
}

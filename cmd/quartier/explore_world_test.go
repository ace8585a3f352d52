package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"quartier/fixtures"
	"quartier/internal/testenv"
)

// TestExplorerInBrowser looks at the towns in headless Chromium: the scripts of serve/explore/browser follow the link that
// quartierd prints and look at every panel in both languages, on a desktop and a phone, by mouse and by keyboard, at what the map
// draws, and at what changed between two releases.
func TestExplorerInBrowser(t *testing.T) {
	t.Parallel()
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
	places := fmt.Sprintf(`{"home": "%v,%v", "abroad": "44.96,-72.561", "other": "45.06,-72.65", "streetless": "45.09,-72.7", "search": `+
		`"Port Hollis"}`, point.Lat, point.Lng)
	compared := newComparedTowns(t)
	if err := compared.publish(olderTowns); err != nil {
		t.Fatal(err)
	}
	older := filepath.Join(compared.root, olderTowns)
	control := compared.control(t, startExplorer(t, compared.root, "--explore-against", older))
	link := startExplorer(t, publishedTowns(t)).link(t)
	run := exec.CommandContext(testenv.BeforeDeadline(t), "node", "--test", "--test-reporter=spec", "world.mjs")
	run.Dir = scripts
	run.Env = append(os.Environ(), "QUARTIER_CHROMIUM="+chromium, "QUARTIER_LINK="+link, "QUARTIER_PLACES="+places,
		"QUARTIER_CONTROL="+control, "QUARTIER_DIFF="+compared.diff, "NODE_NO_WARNINGS=1")
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("world.mjs: %v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		if text, found := strings.CutPrefix(line, "ℹ "); found && (strings.Contains(text, " ms") || strings.Contains(text, "compared")) {
			t.Log(strings.TrimSpace(text))
		}
	}
}

var explorerLink = regexp.MustCompile(`Explorer \(the link opens once, within 15 minutes\): (\S+)`)

// explorerProcess is a running quartierd with the explorer.
type explorerProcess struct {
	*exec.Cmd
	log   string // file
	ended chan error
	links int // that were returned
}

// startExplorer starts quartierd with the explorer, one account, and further flags.
func startExplorer(t *testing.T, releases string, flags ...string) *explorerProcess {
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
	args := append([]string{"--releases", releases, "--state", dsn, "--addr", "127.0.0.1:0", "--drain", "0s", "--explore"}, flags...)
	server := &explorerProcess{Cmd: exec.Command(program, args...), log: log.Name(), ended: make(chan error, 1)}
	server.Stderr = log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { server.ended <- server.Wait() }()
	t.Cleanup(func() {
		server.Process.Signal(syscall.SIGTERM)
		if err := <-server.ended; err != nil {
			t.Errorf("quartierd ended with %v\n%s", err, readText(t, server.log))
		}
	})
	return server
}

// link returns a link that was not opened: that which is printed at the start, then one for a signal each.
func (e *explorerProcess) link(t *testing.T) string {
	t.Helper()
	if e.links > 0 {
		e.Process.Signal(syscall.SIGUSR1)
	}
	e.links++
	var found [][]string
	testenv.Eventually(t, "quartierd prints a link to the explorer", func() bool {
		select {
		case err := <-e.ended:
			e.ended <- err
			t.Errorf("quartierd ended: %v\n%s", err, readText(t, e.log))
			return true
		default:
		}
		found = explorerLink.FindAllStringSubmatch(readText(t, e.log), -1)
		return len(found) >= e.links
	})
	if len(found) < e.links {
		return ""
	}
	return found[e.links-1][1]
}

// reload makes the program look at its releases at once.
func (e *explorerProcess) reload() { e.Process.Signal(syscall.SIGHUP) }

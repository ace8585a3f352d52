package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"quartier/internal/testenv"
	"quartier/serve/account"
	"quartier/serve/servetest"
	"quartier/serve/state"
)

// operations are the files for operators.
const operations = "../../docs/operations"

// runs starts another program in the folder of operations and returns what it prints; it fails the test if the program does.
func runs(t *testing.T, name string, args ...string) string {
	t.Helper()
	testenv.NeedProgram(t, name)
	command := exec.CommandContext(t.Context(), name, args...)
	command.Dir = operations
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// query is an expression of the board or of an alert.
type query struct{ place, expr string }

type alert struct {
	Alert, Expr string
	Annotations struct{ Runbook string }
}

func alerts(t *testing.T) []alert {
	t.Helper()
	var file struct{ Groups []struct{ Rules []alert } }
	text, err := os.ReadFile(filepath.Join(operations, "alerts.yaml"))
	must(t, err)
	must(t, yaml.Unmarshal(text, &file))
	return file.Groups[0].Rules
}

// queries are all expressions, those of the board with its variables filled in.
func queries(t *testing.T) []query {
	t.Helper()
	var all []query
	for _, a := range alerts(t) {
		all = append(all, query{"alert " + a.Alert, a.Expr})
	}
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	text, err := os.ReadFile(filepath.Join(operations, "board.json"))
	must(t, err)
	must(t, json.Unmarshal(text, &board))
	filled := strings.NewReplacer("$__rate_interval", "5m", "$instance", ".*")
	for _, p := range board.Panels {
		for _, target := range p.Targets {
			all = append(all, query{"panel " + p.Title, filled.Replace(target.Expr)})
		}
	}
	if len(all) < 30 {
		t.Fatalf("%d queries", len(all))
	}
	return all
}

// TestAlerts runs promtool: the rules and their tests are right, so are the queries of the board, every alert is seen firing
// and has its chapter in the runbook.
func TestAlerts(t *testing.T) {
	runs(t, "promtool", "check", "config", "prometheus.yml")
	runs(t, "promtool", "test", "rules", "alerts_test.yaml")
	type rule struct{ Record, Expr string }
	var rules []rule
	for i, q := range queries(t) {
		rules = append(rules, rule{fmt.Sprintf("query:%d", i), q.expr})
	}
	text, err := yaml.Marshal(map[string]any{"groups": []map[string]any{{"name": "queries", "rules": rules}}})
	must(t, err)
	file := filepath.Join(t.TempDir(), "queries.yaml")
	must(t, os.WriteFile(file, text, 0o644))
	runs(t, "promtool", "check", "rules", file)

	var tested struct {
		Tests []struct {
			Cases []struct {
				Name     string           `yaml:"alertname"`
				Expected []map[string]any `yaml:"exp_alerts"`
			} `yaml:"alert_rule_test"`
		}
	}
	text, err = os.ReadFile(filepath.Join(operations, "alerts_test.yaml"))
	must(t, err)
	must(t, yaml.Unmarshal(text, &tested))
	fires := map[string]bool{}
	for _, test := range tested.Tests {
		for _, c := range test.Cases {
			fires[c.Name] = fires[c.Name] || len(c.Expected) > 0
		}
	}
	runbook, err := os.ReadFile(filepath.Join(operations, "..", "runbook.md"))
	must(t, err)
	anchors := map[string]bool{}
	for _, title := range regexp.MustCompile(`(?m)^##+ (.+)$`).FindAllSubmatch(runbook, -1) {
		anchors[strings.ReplaceAll(strings.ToLower(string(title[1])), " ", "-")] = true
	}
	for _, a := range alerts(t) {
		if !fires[a.Alert] {
			t.Errorf("no test sees %s firing", a.Alert)
		}
		if page, anchor, _ := strings.Cut(a.Annotations.Runbook, "#"); page != "docs/runbook.md" || !anchors[anchor] {
			t.Errorf("%s leads to %s, which is not there", a.Alert, a.Annotations.Runbook)
		}
	}
}

// TestQueriesFindMetrics compares the metrics and labels of the board and the alerts with those of a running server.
func TestQueriesFindMetrics(t *testing.T) {
	root := t.TempDir()
	_, err := servetest.Write(filepath.Join(root, "release"), servetest.Release{})
	must(t, err)
	out := start(t, nil, "--release", filepath.Join(root, "release"), "--state", "sqlite:"+filepath.Join(root, "state.sqlite"), "--addr",
		"127.0.0.1:0", "--admin", "127.0.0.1:0",
		"--limits", "redis://127.0.0.1:1") // nothing answers there: the metrics are the same
	base, admin := out.addresses()
	testenv.Eventually(t, "ready", func() bool { return status(base+"/readyz", "") == 200 })
	store, err := state.Open("sqlite:" + filepath.Join(root, "state.sqlite"))
	must(t, err)
	defer store.Close()
	_, credentials, err := store.Create("somebody", account.Agreement{})
	must(t, err)
	var token string
	testenv.Eventually(t, "the account is known", func() bool { token = grant(t, base, credentials); return token != "" })
	status(base+"/v3/geographies?lat=45.2&lng=-72.8", token)

	// name{label="value",…}
	labels := map[string]map[string]bool{"up": {}}
	mirror := start(t, nil, "--releases", "file://"+filepath.Join(root, "store"), "--cache", filepath.Join(root, "cache"), "--state",
		"sqlite:"+filepath.Join(root, "state.sqlite"), "--addr", "127.0.0.1:0").base()
	for _, line := range strings.Split(body(admin+"/metrics")+body(mirror+"/metrics"), "\n") {
		found := regexp.MustCompile(`^([a-z_]+)(\{[^ ]*\})? `).FindStringSubmatch(line)
		if found == nil {
			continue
		}
		if labels[found[1]] == nil {
			labels[found[1]] = map[string]bool{}
		}
		for _, label := range regexp.MustCompile(`([a-z_]+)="`).FindAllStringSubmatch(found[2], -1) {
			labels[found[1]][label[1]] = true
		}
	}
	if len(labels) < 40 {
		t.Fatalf("%d metrics: %s", len(labels), out)
	}
	for _, q := range queries(t) {
		names := regexp.MustCompile(`\b((?:quartier|process|go)_[a-z_]+|up)\b(\{[^}]*\})?`).FindAllStringSubmatch(q.expr, -1)
		if len(names) == 0 {
			t.Errorf("%s asks for nothing: %s", q.place, q.expr)
		}
		for _, name := range names {
			if labels[name[1]] == nil {
				t.Errorf("%s: the server has no metric %s", q.place, name[1])
			}
			for _, label := range regexp.MustCompile(`([a-z_]+)(?:=|!=)~?"`).FindAllStringSubmatch(name[2], -1) {
				if l := label[1]; !labels[name[1]][l] && l != "job" && l != "instance" {
					t.Errorf("%s: %s has no label %s", q.place, name[1], l)
				}
			}
		}
	}
}

// TestNginx has nginx read the sample, with a list of objects.
func TestNginx(t *testing.T) {
	testenv.NeedProgram(t, "nginx")
	dir := t.TempDir()
	sample, err := os.ReadFile(filepath.Join(operations, "nginx-objects.conf"))
	must(t, err)
	list := filepath.Join(dir, "quartier-public.map")
	must(t, os.WriteFile(list, []byte(strings.Repeat("a", 64)+" 1;\n"), 0o644))
	text := strings.Replace(string(sample), "/etc/nginx/quartier-public.map", list, 1)
	if !strings.Contains(text, list) {
		t.Fatal("the sample reads no list")
	}
	for _, path := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		text = path + "_temp_path " + filepath.Join(dir, path) + ";\n" + text
	}
	file := filepath.Join(dir, "nginx.conf")
	text = "pid " + file + ".pid;\nevents {}\nhttp {\naccess_log off;\n" + text + "}\n"
	must(t, os.WriteFile(file, []byte(text), 0o644))
	runs(t, "nginx", "-t", "-p", dir, "-e", "stderr", "-c", file)
}

// TestUnits checks the units of systemd, with the program of this test in the place of the installed ones.
func TestUnits(t *testing.T) {
	program, err := os.Executable()
	must(t, err)
	dir := t.TempDir()
	files, err := filepath.Glob(filepath.Join(operations, "*.service"))
	must(t, err)
	timers, err := filepath.Glob(filepath.Join(operations, "*.timer"))
	must(t, err)
	var units, services []string
	for _, path := range append(files, timers...) {
		text, err := os.ReadFile(path)
		must(t, err)
		unit := filepath.Join(dir, filepath.Base(path))
		must(t, os.WriteFile(unit, regexp.MustCompile(`/usr/local/bin/quartier[a-z-]+`).ReplaceAll(text, []byte(program)), 0o644))
		if units = append(units, unit); strings.HasSuffix(unit, ".service") {
			services = append(services, unit)
		}
	}
	if len(units) != 5 || len(services) != 3 {
		t.Fatalf("units %v", units)
	}
	if out := runs(t, "systemd-analyze", append([]string{"verify"}, units...)...); strings.Contains(out, "quartier") {
		t.Errorf("systemd-analyze verify: %s", out)
	}
	for _, unit := range services {
		lines := strings.Split(strings.TrimSpace(runs(t, "systemd-analyze", "security", "--offline=true", "--threshold=15", unit)), "\n")
		t.Logf("%s: %s", filepath.Base(unit), lines[len(lines)-1])
	}
	for _, when := range regexp.MustCompile(`(?m)^OnCalendar=(.*)$`).FindAllStringSubmatch(runs(t, "cat", "quartier-monthly.timer",
		"quartier-market.timer"), -1) {
		runs(t, "systemd-analyze", "calendar", when[1])
	}
	runs(t, "systemd-sysusers", "--dry-run", "--root="+t.TempDir(), filepath.Join(testenv.ModuleRoot(), "docs/operations/quartier.sysusers"))
}

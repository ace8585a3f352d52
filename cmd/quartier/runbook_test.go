package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"quartier/internal/spatialite/spatialitetest"
	"quartier/internal/testenv"
)

// systemctl is in place of systemd: it starts the program of the installed unit with the settings that the unit names.
const systemctl = `#!/bin/bash
set -euo pipefail
unit=ROOT/etc/systemd/system/quartierd.service pid=ROOT/run/pid
value() { sed -n "s/^$1=//p" $unit; }
running() { [ -e $pid ] && kill -0 $(cat $pid) 2>/dev/null; }
case "$1" in
daemon-reload) ;;
status | is-active) running ;;
enable | start)
  running && exit
  (set -a; . "$(value EnvironmentFile)"; exec setsid "$(value ExecStart)" >>ROOT/run/log 2>&1) & echo $! >$pid ;;
stop) running && kill $(cat $pid) && while running; do sleep 0.1; done ;;
restart) "$0" stop; "$0" start ;;
*) exit 1 ;;
esac
`

// sandbox is a machine of the runbook: a folder in the place of /, and programs in the place of those that only root of a
// machine with systemd can run. All others are real, those of this project above all.
type sandbox struct {
	root     string
	replaces *strings.Replacer
}

func newSandbox(t *testing.T) *sandbox {
	t.Helper()
	root := t.TempDir()
	s := &sandbox{root: root}
	var pairs []string
	for _, path := range []string{"/etc/quartier", "/srv/quartier", "/var/lib/quartier", "/etc/systemd/system", "/usr/local/bin"} {
		if err := os.MkdirAll(root+path, 0o755); err != nil {
			t.Fatal(err)
		}
		pairs = append(pairs, path, root+path)
	}
	// An address of this process alone, on which the ports of the runbook are free.
	pairs = append(pairs, "127.0.0.1:", fmt.Sprintf("127.77.%d.%d:", byte(os.Getpid()>>8), byte(os.Getpid())), " -o quartier -g quartier", "",
		"runuser -u quartier -- ", "", "systemd-sysusers ", "systemd-sysusers --root="+root+" "+root+"/project/")
	s.replaces = strings.NewReplacer(pairs...)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	server, err := quartierd()
	if err != nil {
		t.Fatal(err)
	}
	s.write(t, "project/bin/quartier", "#!/bin/sh\n"+asProgram+"=1 exec "+self+" \"$@\"\n")
	s.write(t, "stand-ins/make", "#!/bin/sh\n[ \"$*\" = build ] && cp "+server+" bin/\n")
	s.write(t, "stand-ins/systemctl", strings.ReplaceAll(systemctl, "ROOT", root))
	s.write(t, "stand-ins/journalctl", "#!/bin/sh\ncat "+root+"/run/log\n")
	s.write(t, "run/log", "")
	s.copyDocs(t)
	t.Cleanup(func() { s.run("systemctl stop || true") })
	return s
}

func (s *sandbox) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(s.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// copyDocs copies the files for operators, with the paths of the sandbox.
func (s *sandbox) copyDocs(t *testing.T) {
	t.Helper()
	from := filepath.Join(testenv.ModuleRoot(), "docs", "operations")
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		s.write(t, "project/docs/operations/"+entry.Name(), s.replaces.Replace(string(text)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// run runs commands in the folder of the project, until the first that fails, and returns what they print.
func (s *sandbox) run(commands string) (string, error) {
	script := exec.Command("bash", "-euo", "pipefail", "-c", commands)
	script.Dir = filepath.Join(s.root, "project")
	script.Env = append(os.Environ(), "PATH="+s.root+"/stand-ins:"+s.root+"/usr/local/bin:"+os.Getenv("PATH"))
	out, err := script.CombinedOutput()
	return string(out), err
}

// must runs commands that are not of the runbook.
func (s *sandbox) must(t *testing.T, commands string) {
	t.Helper()
	if out, err := s.run(s.replaces.Replace(commands)); err != nil {
		t.Fatalf("%s: %v\n%s", commands, err, out)
	}
}

// chapter is a chapter of the runbook with the commands of its blocks.
type chapter struct{ title, commands string }

func chapters(t *testing.T) []chapter {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testenv.ModuleRoot(), "docs", "runbook.md"))
	if err != nil {
		t.Fatal(err)
	}
	var all []chapter
	for _, part := range strings.Split(string(text), "\n## ")[1:] {
		title, body, _ := strings.Cut(part, "\n")
		fences := regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$").FindAllStringSubmatch(body, -1)
		c := chapter{title: title}
		for _, f := range fences {
			if f[1] != "sh" {
				t.Errorf("%s has a block of %q, which is not run", title, f[1])
			}
			c.commands += f[2]
		}
		all = append(all, c)
	}
	return all
}

// TestRunbook runs every command of the runbook in a sandbox, with the misfortunes that chapters are about. What a chapter
// prints has what its reader looks for.
func TestRunbook(t *testing.T) {
	t.Parallel()
	spatialitetest.Need(t)
	for _, program := range []string{"curl", "rsync", "sqlite3", "promtool", "systemd-sysusers"} {
		testenv.NeedProgram(t, program)
	}
	s := newSandbox(t)
	before := map[string]string{
		// the same stages as of the towns, which are reused
		"First install":            "mkdir -p /srv/quartier/builds; cp -r " + filepath.Join(townsDir(t), "work") + " /srv/quartier/builds/places",
		"Restore from nothing":     "systemctl stop; rm -r /var/lib/quartier /srv/quartier/releases /etc/quartier",
		"A server does not answer": "kill -9 $(cat " + s.root + "/run/pid)",
		"A damaged release": `. /etc/quartier/operator.sh; printf x | dd of=$releases/2025-09/pois.pack bs=1 seek=5000 conv=notrunc status=none
			until curl -s $admin/readyz | grep -q damaged; do sleep 0.2; done`,
	}
	prints := map[string][]string{
		"First install":           {"Published generation 1", "200 in "},
		"The monthly build":       {"verified", "200 in "},
		"The daily market":        {"verified"},
		"Secrets and keys":        {`"accounts"`, `"keys"`, "200 in "},
		"Backup":                  {"ok\n"},
		"Restore from nothing":    {"verified", "200 in "},
		"Errors and slow answers": {"quartier_requests_in_flight", "goroutine profile"},
		"A damaged release":       {`"status":"damaged`, "is damaged: exit code 5", "200 in "},
	}
	ran := 0
	for _, c := range chapters(t) {
		if before[c.title] != "" {
			s.must(t, before[c.title])
		}
		out, err := s.run(s.replaces.Replace(c.commands))
		if err != nil {
			log, _ := os.ReadFile(filepath.Join(s.root, "run", "log"))
			t.Fatalf("%s: %v\n%s\n%s", c.title, err, out, log)
		}
		for _, want := range prints[c.title] {
			if !strings.Contains(out, want) {
				t.Errorf("%s prints no %q:\n%s", c.title, want, out)
			}
			delete(prints, c.title)
		}
		delete(before, c.title)
		t.Logf("%s: %d lines of commands", c.title, strings.Count(c.commands, "\n"))
		ran++
	}
	if ran < 10 || len(before)+len(prints) > 0 {
		t.Errorf("%d chapters; not in the runbook: %v, %v", ran, before, prints)
	}
}

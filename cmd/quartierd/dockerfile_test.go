package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"quartier/internal/testenv"
)

// TestDockerfile checks the rules that the Dockerfile follows, and that its context has all that the program is compiled
// from. hadolint checks the rest where it is installed.
func TestDockerfile(t *testing.T) {
	file := filepath.Join(operations, "Dockerfile")
	text, err := os.ReadFile(file)
	must(t, err)
	joined := strings.ReplaceAll(string(text), "\\\n", " ")
	stages := regexp.MustCompile(`(?m)^FROM (\S+)(?: AS (\S+))?$`).FindAllStringSubmatch(joined, -1)
	if len(stages) != 3 {
		t.Fatalf("stages: %q", stages)
	}
	for _, stage := range stages {
		if _, tag, _ := strings.Cut(stage[1], ":"); tag == "" || tag == "latest" {
			t.Errorf("%s has no tag", stage[1])
		}
	}
	last := joined[strings.LastIndex(joined, "\nFROM"):]
	for what, pattern := range map[string]string{
		"is Debian slim":                   `\nFROM debian:\w+-slim\n`,
		"runs as a user by number":         `\nUSER [1-9]\d*:[1-9]\d*\n`,
		"starts the program itself":        `\nENTRYPOINT \["/usr/local/bin/quartierd"\]\n`,
		"keeps the state in a volume":      `\nVOLUME \["/state"\]\n`,
		"takes the program from its stage": `\nCOPY --from=build /out/quartierd /usr/local/bin/quartierd\n`,
	} {
		if !regexp.MustCompile(pattern).MatchString(last) {
			t.Errorf("the last stage does not match: %s", what)
		}
	}
	if found := regexp.MustCompile(`(?m)^(ADD|RUN|MAINTAINER|CMD) .*`).FindString(last); found != "" {
		t.Errorf("the last stage has %q", found)
	}
	for _, setting := range regexp.MustCompile(`QUARTIER_\w+`).FindAllString(last, -1) {
		if !strings.Contains(flagsText(), setting) {
			t.Errorf("the program has no setting %s", setting)
		}
	}
	checkContext(t)
	if _, err := exec.LookPath("hadolint"); err != nil {
		t.Skip("the rules hold; hadolint is not installed")
	}
	runs(t, "hadolint", "Dockerfile")
}

// flagsText is the names of all environment variables.
func flagsText() string {
	var text strings.Builder
	for _, f := range flags {
		text.WriteString(f.String() + "\n")
	}
	return text.String()
}

// checkContext checks that no file of the program is kept out of the context by Dockerfile.dockerignore.
func checkContext(t *testing.T) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(operations, "Dockerfile.dockerignore"))
	must(t, err)
	var kept []string
	for _, line := range strings.Split(string(text), "\n") {
		if path, found := strings.CutPrefix(line, "!"); found {
			kept = append(kept, filepath.Join(testenv.ModuleRoot(), path))
		}
	}
	out, err := exec.Command("go", "list", "-deps", "-f", `{{if not .Standard}}{{if eq .Module.Path "quartier"}}{{.Dir}}{{end}}{{end}}`,
		".").Output()
	must(t, err)
	folders := strings.Fields(string(out))
	if len(folders) < 20 {
		t.Fatalf("%d folders", len(folders))
	}
	for _, folder := range folders {
		inside := false
		for _, path := range kept {
			inside = inside || folder == path || strings.HasPrefix(folder, path+"/")
		}
		if !inside {
			t.Errorf("%s is not in the context", folder)
		}
	}
}

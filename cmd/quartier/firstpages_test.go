package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"quartier/internal/spatialite/spatialitetest"
	"quartier/internal/testenv"
)

// TestFirstPages runs the commands of the pages for who builds, calls and serves, each in a folder of its own, with programs
// that are compiled already. What a page prints has what its reader looks for.
func TestFirstPages(t *testing.T) {
	spatialitetest.Need(t)
	testenv.NeedProgram(t, "curl")
	for page, want := range map[string][]string{
		"build": {"recomputed", "### Spread", "Published generation 1"},
		"call":  {`"cafes"`, `"popn_total"`, `"nightlife"`, "tag: ", `"out_of_range"`, "422\n"},
		"serve": {"quartier_release", `"generation":2`, "Published generation 3", `"accounts"`},
	} {
		t.Run(page, func(t *testing.T) {
			s := newSandbox(t)
			s.ownPrograms(t)
			blocks := firstPage(t, page)
			if page != "build" { // there the stages are what is shown
				begin(t, filepath.Join(s.root, "project", "out", map[string]string{"call": "demo", "serve": "serve"}[page], "work"))
			}
			if page == "call" { // in one terminal a server, in another the calls
				blocks[0] = strings.TrimSpace(blocks[0]) + ` >demo.log 2>&1 & demo=$!; trap 'kill $demo; wait $demo || true' EXIT
					until grep -q 'Stop with' demo.log; do kill -0 $demo; sleep 0.2; done
					`
			}
			out, err := s.run(s.replaces.Replace(strings.Join(blocks, "")))
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			for _, text := range want {
				if !strings.Contains(out, text) {
					t.Errorf("no %q in\n%s", text, out)
				}
			}
		})
	}
}

// firstPage has the blocks of commands of a first page.
func firstPage(t *testing.T, name string) (blocks []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testenv.ModuleRoot(), "docs", "first-"+name+".md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range regexp.MustCompile("(?ms)^```sh\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, block[1])
	}
	if len(blocks) < 3 {
		t.Fatalf("%d blocks of commands", len(blocks))
	}
	return blocks
}

// ownPrograms puts both programs in one folder, where the demo finds the server, and a go command that has compiled them.
func (s *sandbox) ownPrograms(t *testing.T) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s.must(t, "cp "+self+" bin/self && cp "+filepath.Join(scratch, "quartierd")+" bin/quartierd")
	s.write(t, "project/bin/quartier", "#!/bin/sh\n"+asProgram+"=1 exec "+s.root+"/project/bin/self \"$@\"\n")
	s.write(t, "stand-ins/go", "#!/bin/sh\n[ \"$1\" = build ]\n")
}

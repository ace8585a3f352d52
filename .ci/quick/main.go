// Command quick tests what depends on what changed: the packages that have a changed file, and those whose tests link one of
// them, but those that apart names. Run it by make quick.
//
// In: git, for the files that differ from where this branch left main (or BASE), on main itself from the last commit, and for
// those that git does not know yet; go list. Out: the lines of go test, without real data, at last the names of failing tests.
// Exit code 0 if nothing changed or all tests pass, 1 otherwise.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"quartier/internal/testenv/inmemory"
)

// apart reports whether the tests of a package, by its folder, need programs, whole releases or the whole synthetic world: make test
// runs them.
func apart(folder string) bool {
	top, _, _ := strings.Cut(folder, "/")
	return top == "cmd" || top == "bench" || folder == "build" || folder == "fixtures"
}

// tool is the go command, as of the Makefile.
var tool = cmp.Or(os.Getenv("GO"), "go")

// noData is a folder that is not there, so that tests on real data are skipped.
const noData = "out/no-data"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "quick:", err)
		os.Exit(1)
	}
}

// run tests what changed; flags are further ones of go test, and -n alone lists the packages.
func run(flags []string) error {
	files, base, err := changed()
	if err != nil {
		return err
	}
	fmt.Printf("%d files differ from %.12s\n", len(files), base)
	if len(files) == 0 {
		return nil
	}
	packages, err := list()
	if err != nil {
		return err
	}
	parts, strange := touched(files, packages)
	for _, file := range strange {
		fmt.Println("of no package:", file)
	}
	var chosen []string
	left := 0
	for _, path := range slices.Sorted(maps.Keys(dependent(parts, packages))) {
		_, folder, _ := strings.Cut(path, "/") // after the module
		if apart(folder) {
			left++
		} else {
			chosen = append(chosen, path)
		}
	}
	fmt.Printf("%d packages to test; %d that need whole releases or the whole world are left to make test\n", len(chosen), left)
	if len(chosen) == 0 {
		return nil
	}
	if slices.Equal(flags, []string{"-n"}) {
		fmt.Println(strings.Join(chosen, "\n"))
		return nil
	}
	return test(append(flags, chosen...))
}

// changed are the files that differ from where this branch left main, relative to the root, and that commit.
func changed() (files []string, base string, err error) {
	base, err = output("git", "rev-parse", "HEAD")
	if err != nil {
		return nil, "", err
	}
	if branch, _ := output("git", "rev-parse", "--abbrev-ref", "HEAD"); branch != "main" {
		for _, main := range []string{cmp.Or(os.Getenv("BASE"), "main"), "origin/main"} {
			if left, err := output("git", "merge-base", "HEAD", main); err == nil {
				base = left
				break
			}
		}
	}
	for _, args := range [][]string{
		{"diff", "--name-only", "--no-renames", "-z", base, "--"},
		{"ls-files", "--others", "--exclude-standard", "-z"},
	} {
		names, err := output("git", args...)
		if err != nil {
			return nil, "", err
		}
		files = append(files, strings.FieldsFunc(names, func(r rune) bool { return r == 0 })...)
	}
	return files, base, nil
}

// pkg is what go list says of a package, or of the program that tests one.
type pkg struct {
	ImportPath, Dir, Name                       string
	Deps                                        []string
	EmbedFiles, TestEmbedFiles, XTestEmbedFiles []string
}

// list has all packages of the module and the programs of their tests (PATH.test), folders being relative to the root.
func list() ([]pkg, error) {
	out, err := output(tool, "list", "-e", "-test", "-json=ImportPath,Dir,Name,Deps,EmbedFiles,TestEmbedFiles,XTestEmbedFiles", "./...")
	if err != nil {
		return nil, err
	}
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	var all []pkg
	for in := json.NewDecoder(strings.NewReader(out)); ; {
		var p pkg
		if err := in.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		if p.Dir, err = filepath.Rel(root, p.Dir); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}

// parts are packages by what changed of them: code that others link, or tests alone.
type parts struct{ code, tests map[string]bool }

// touched are the packages of files. A file is of the packages that embed it, else of that of its folder; in testdata it is of
// the tests of the package above. Strange files are of none, such as documents: some tests read them, which go list does not know.
func touched(files []string, packages []pkg) (of parts, strange []string) {
	of = parts{map[string]bool{}, map[string]bool{}}
	inFolder := map[string]string{}
	embeds := map[string][]string{}
	tested := map[string][]string{}
	for _, p := range packages {
		if strings.HasSuffix(p.ImportPath, ".test") || strings.Contains(p.ImportPath, " ") {
			continue
		}
		inFolder[p.Dir] = p.ImportPath
		for _, file := range p.EmbedFiles {
			embeds[filepath.Join(p.Dir, file)] = append(embeds[filepath.Join(p.Dir, file)], p.ImportPath)
		}
		for _, file := range slices.Concat(p.TestEmbedFiles, p.XTestEmbedFiles) {
			tested[filepath.Join(p.Dir, file)] = append(tested[filepath.Join(p.Dir, file)], p.ImportPath)
		}
	}
	for _, file := range files {
		found := false
		add := func(to map[string]bool, paths ...string) {
			for _, path := range paths {
				to[path], found = true, true
			}
		}
		if file == "go.mod" || file == "go.sum" {
			add(of.code, slices.Collect(maps.Values(inFolder))...)
		}
		add(of.code, embeds[file]...)
		add(of.tests, tested[file]...)
		folder, _, isData := strings.Cut("/"+filepath.Dir(file)+"/", "/testdata/")
		folder = filepath.Clean(strings.Trim(folder, "/"))
		if path, ok := inFolder[folder]; ok {
			if isData || strings.HasSuffix(file, "_test.go") {
				add(of.tests, path)
			} else {
				add(of.code, path)
			}
		}
		if !found {
			strange = append(strange, file)
		}
	}
	return of, strange
}

// dependent are the packages with a changed file and those whose tests link changed code.
func dependent(of parts, packages []pkg) map[string]bool {
	chosen := maps.Clone(of.tests)
	maps.Copy(chosen, of.code)
	for _, p := range packages {
		path, isTest := strings.CutSuffix(p.ImportPath, ".test")
		if isTest && p.Name == "main" && slices.ContainsFunc(p.Deps, func(dep string) bool {
			dep, _, _ = strings.Cut(dep, " ") // without [PATH.test]
			return of.code[dep]
		}) {
			chosen[path] = true
		}
	}
	return chosen
}

// failed is a line that names a test that fails, or a package after its tests.
var failed = regexp.MustCompile(`^(?: *--- FAIL: (\S+)|FAIL\t(\S+))`)

// test runs go test, prints its lines, and fails with the names of the tests that do.
func test(args []string) error {
	defer inmemory.Use()()
	command := exec.Command(tool, append([]string{"test"}, args...)...)
	command.Env = append(os.Environ(), "DATA="+noData)
	out, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	command.Stderr = command.Stdout
	if err := command.Start(); err != nil {
		return err
	}
	var names []string
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		fmt.Println(lines.Text())
		if f := failed.FindStringSubmatch(lines.Text()); f != nil {
			names = append(names, f[1]+f[2])
		}
	}
	if err := command.Wait(); err != nil {
		return fmt.Errorf("go test: %w; failed: %s", err, strings.Join(names, " "))
	}
	return lines.Err()
}

// output is what a program prints, without the end of its last line.
func output(name string, args ...string) (string, error) {
	var errs bytes.Buffer
	command := exec.Command(name, args...)
	command.Stderr = &errs
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, args[0], err, errs.Bytes())
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}

package steps

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quartier/internal/stamp"
)

// chain is a build of the steps a, b and c, of which each writes a file with the files before it and its option, and check,
// which writes none.
type chain struct {
	dir, fails string
	options    map[string]string // by step
	ran        []string
}

func (c *chain) build() *Build {
	b := &Build{Stamps: filepath.Join(c.dir, "stamps"), Folders: []string{filepath.Join(c.dir, "files")},
		Inputs: stamp.Inputs{stamp.Of("source", c.options["source"])}}
	text := c.options["source"]
	var before []string
	for _, name := range []string{"a", "b", "c"} {
		path := filepath.Join(c.dir, "files", name)
		text += name + c.options[name]
		b.Steps = append(b.Steps, Step{Name: name, Inputs: stamp.Inputs{stamp.Of("option of "+name, c.options[name])}, Uses: before,
			Writes: []string{path},
			Do: func(context.Context, int) ([]string, error) {
				c.ran = append(c.ran, name)
				err := os.WriteFile(path, []byte(text), 0o644)
				if c.fails == name {
					err = errors.New("planted")
				}
				return []string{"note of " + name}, err
			}})
		before = append(slices.Clone(before), path)
	}
	b.Steps = append(b.Steps, Step{Name: "check", Uses: before, Do: func(context.Context, int) ([]string, error) {
		c.ran = append(c.ran, "check")
		return nil, nil
	}}, Step{Name: "always", Always: true, Do: func(context.Context, int) ([]string, error) {
		c.ran = append(c.ran, "always")
		return nil, nil
	}})
	return b
}

func (c *chain) run(t *testing.T) (*Build, error) {
	t.Helper()
	c.ran = nil
	b := c.build()
	plan, err := b.Plan(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var done []string
	err = b.Run(context.Background(), Options{
		Lanes: 3,
		Log:   slog.New(slog.DiscardHandler),
		Write: write,
		Done: func(d Done) {
			if !d.Reused {
				done = append(done, d.Name)
			}
		},
	})
	if err != nil {
		return b, err
	}
	var planned []string
	for _, p := range plan {
		if !p.Reused {
			planned = append(planned, p.Name)
		}
		if p.Reused != (p.Why == "" && p.Name != "always") {
			t.Errorf("%s is planned without a reason: %+v", p.Name, p)
		}
	}
	if !slices.Equal(planned, c.ran) || !slices.Equal(done, c.ran) {
		t.Errorf("planned %v, reported %v, ran %v", planned, done, c.ran)
	}
	return b, nil
}

func TestWhatRunsAgain(t *testing.T) {
	for _, tt := range []struct {
		name, ran string
		change    func(*chain) error
	}{
		{"nothing", "always", func(*chain) error { return nil }},
		{"source", "a b c check always", func(c *chain) error { c.options["source"] = "2"; return nil }},
		{"option of b", "b c check always", func(c *chain) error { c.options["b"] = "2"; return nil }},
		{"damaged file", "b check always", func(c *chain) error { return os.WriteFile(filepath.Join(c.dir, "files", "b"), nil, 0o644) }},
		{"missing file", "c check always", func(c *chain) error { return os.Remove(filepath.Join(c.dir, "files", "c")) }},
		{"missing stamp", "a check always", func(c *chain) error { return os.Remove(filepath.Join(c.dir, "stamps", "a.stamp")) }},
		{"half a stamp", "c check always", func(c *chain) error {
			return os.Truncate(filepath.Join(c.dir, "stamps", "c.stamp"), 40)
		}},
		{"stamp of another step", "b check always", func(c *chain) error {
			return os.Rename(filepath.Join(c.dir, "stamps", "a.stamp"), filepath.Join(c.dir, "stamps", "b.stamp"))
		}},
		{"other files", "always", func(c *chain) error { return os.MkdirAll(filepath.Join(c.dir, "files", "d", "e"), 0o755) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := &chain{dir: t.TempDir(), options: map[string]string{}}
			for _, folder := range []string{"stamps", "files"} {
				if err := os.Mkdir(filepath.Join(c.dir, folder), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := c.run(t); err != nil {
				t.Fatal(err)
			}
			if err := tt.change(c); err != nil {
				t.Fatal(err)
			}
			b, err := c.run(t)
			ran := strings.Join(c.ran, " ")
			if tt.name == "stamp of another step" { // that of a is missing, too
				ran = strings.TrimPrefix(ran, "a ")
			}
			if err != nil || ran != tt.ran {
				t.Errorf("ran %v, %v, want %s", c.ran, err, tt.ran)
			}
			if got := strings.Join(b.Notes(), ", "); got != "note of a, note of b, note of c" {
				t.Errorf("notes %s", got)
			}
			want := c.options["source"] + "a" + c.options["a"] + "b" + c.options["b"] + "c"
			if text, err := os.ReadFile(filepath.Join(c.dir, "files", "c")); err != nil || string(text) != want {
				t.Errorf("c has %q, %v, want %q", text, err, want)
			}
			if entries, err := os.ReadDir(filepath.Join(c.dir, "files")); err != nil || len(entries) != 3 {
				t.Errorf("the folder has %v, %v", entries, err)
			}
		})
	}
}

// TestFailedStepLeavesTheOthers fails b, whose file is removed.
func TestFailedStepLeavesTheOthers(t *testing.T) {
	c := &chain{dir: t.TempDir(), options: map[string]string{}, fails: "b"}
	for _, folder := range []string{"stamps", "files"} {
		if err := os.Mkdir(filepath.Join(c.dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	b, err := c.run(t)
	if err == nil || err.Error() != "b: planted" || !b.Finished() {
		t.Errorf("error %v; a is finished: %v", err, b.Finished())
	}
	if _, err := os.Stat(filepath.Join(c.dir, "files", "b")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file of b is left: %v", err)
	}
	c.fails = ""
	if _, err := c.run(t); err != nil || strings.Join(c.ran, " ") != "b c check always" {
		t.Errorf("ran %v, %v", c.ran, err)
	}
}

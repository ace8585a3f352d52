package sourcetest_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/spatialite/spatialitetest"
	"quartier/schemas/reason"
)

// lines is a kind for this test: lines of "key lng lat name", and "end" as the last one. Its fault, if any, must be
// found by the suite.
type lines struct{ fault string }

var reasons reason.List

var unreadable = reasons.Rejected("unreadable_line", "The line cannot be read.")

type lineOptions struct {
	Class string `yaml:"class" doc:"category of every place"`
}

func (k lines) Info() source.Info {
	info := source.Info{Kind: "lines", Title: "Places by the line", Formats: []string{"text"}, Yields: []string{"poi"}, Options: lineOptions{},
		Reasons: reasons}
	switch k.fault {
	case "info":
		info.Title = ""
	case "yields":
		info.Yields = []string{"poi", "boundary"}
	}
	return info
}

func (k lines) Check(_ context.Context, in source.Input) error {
	var options lineOptions
	_, err := os.Stat(in.Path)
	if data, readErr := os.ReadFile(in.Path); readErr == nil && len(data) == 0 {
		err = source.BadFile(in.Path, "it is empty")
	}
	if k.fault == "preflight" {
		err = nil
	}
	return source.Join(in.Decode(&options), err)
}

func (k lines) Stage(ctx context.Context, in source.Input, out source.Sink) error {
	options := lineOptions{Class: "cafes"}
	if err := in.Decode(&options); err != nil && k.fault != "unknown_option" {
		return err
	}
	if k.fault == "cancelled_before" {
		ctx = context.Background()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	file, err := os.Open(in.Path)
	if err != nil && k.fault == "missing" {
		return fmt.Errorf("cannot read: %w", source.ErrBadFile)
	}
	if err != nil {
		return err
	}
	defer file.Close()
	name := filepath.Base(in.Path)
	if k.fault == "truncated" {
		name = "it"
	}
	scanner := bufio.NewScanner(file)
	var last string
	for n := 1; scanner.Scan(); n++ {
		if last = scanner.Text(); last == "end" {
			break
		}
		p := source.POI{Scheme: "quartier", Classes: []string{options.Class}}
		out.Read(1)
		if _, err := fmt.Sscan(last, &p.Key, &p.Point[0], &p.Point[1], &p.Name); err != nil {
			out.Issue(unreadable, fmt.Sprintf("line %d", n))
			continue
		}
		if k.fault == "same_twice" {
			p.Name = fmt.Sprint(runtime.GOMAXPROCS(0))
		}
		if k.fault == "rows" {
			p.Point = orb.Point{p.Point[1], p.Point[0]}
		}
		if err := out.Row(p); err != nil && k.fault != "cancelled_during" {
			return err
		}
	}
	if last != "end" && (k.fault != "empty" || last != "") {
		return fmt.Errorf("%s: no end line: %w", name, source.ErrBadFile)
	}
	return scanner.Err()
}

func conform(t *testing.T, fault string) {
	path := filepath.Join(t.TempDir(), "places.txt")
	text := "a -75.7 45.4 Été\nb -75.8 45.5 Hiver\nnonsense\nc NaN 45.5 Nord\nend"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	sourcetest.Run(t, lines{fault}, sourcetest.Case{
		Name:    "two places",
		Path:    path,
		Options: "class: libraries",
		Rows: map[string]string{
			"SELECT source_key, lng, name, classes, phone FROM poi ORDER BY 1": "a|-75.7|Été|[\"libraries\"]|∅\nb|-75.8|Hiver|[\"libraries\"]|∅",
		},
		Issues: map[string]int64{"unreadable_line": 1, "invalid_coordinate": 1},
		Read:   4,
	})
}

func TestKindWithoutFaultPasses(t *testing.T) { conform(t, "") }

// TestFault is run by TestEachFaultIsFound in a separate process, where it is expected to fail.
func TestFault(t *testing.T) {
	fault := os.Getenv("SOURCETEST_FAULT")
	if fault == "" {
		t.Skip("run by TestEachFaultIsFound")
	}
	conform(t, fault)
}

func TestEachFaultIsFound(t *testing.T) {
	spatialitetest.Need(t)
	for _, fault := range []string{
		"info", "yields", "rows", "preflight", "same_twice", "truncated", "empty", "missing", "cancelled_before", "cancelled_during",
		"unknown_option",
	} {
		t.Run(fault, func(t *testing.T) {
			command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFault$")
			command.Env = append(os.Environ(), "SOURCETEST_FAULT="+fault)
			out, err := command.CombinedOutput()
			if err == nil || !strings.Contains(string(out), "/"+fault) {
				t.Errorf("not found: %v\n%s", err, out)
			}
		})
	}
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"quartier/ingest"
	"quartier/ingest/formats/element"
	"quartier/ingest/formats/pbf"
)

// delaware returns the path of the state extract in the module cache.
func delaware() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/paulmach/osm").Output()
	if err != nil {
		return "", fmt.Errorf("find the Delaware extract: %w", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "testdata", "delaware-latest.osm.pbf"), nil
}

// decodePBF is the subprogram that decodes a whole file including metadata and prints the counts.
func decodePBF(args []string) error {
	if len(args) != 1 {
		return errors.New("decode FILE")
	}
	file, err := pbf.Open(args[0])
	if err != nil {
		return err
	}
	defer file.Close()
	var nodes, ways, relations int
	err = file.Read(context.Background(), element.Want{Kinds: element.All, Tags: true, Info: true}, func(b *element.Batch) error {
		nodes, ways, relations = nodes+len(b.Nodes), ways+len(b.Ways), relations+len(b.Relations)
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Printf("nodes: %d\nways: %d\nrelations: %d\n", nodes, ways, relations)
	return nil
}

// stagePBF is the subprogram that stages a file end to end.
func stagePBF(args []string) error {
	if len(args) != 2 {
		return errors.New("stage FILE OUT")
	}
	date, err := ingest.ExtractDate(args[0])
	if err != nil {
		return err
	}
	return ingest.Stage(context.Background(), ingest.Extract(args[0], date, "", ""), args[1], slog.New(slog.NewTextHandler(io.Discard, nil)))
}

// measurePBF compares decoding with osmium fileinfo -e, which reads every element, as whole processes.
func (b *bench) measurePBF(ctx context.Context) error {
	file, err := delaware()
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var ratio, ours, theirs, stage, peaks []float64
	for round := range b.rounds + 1 {
		decoded, wall, _, err := runToEnd(ctx, self, "decode", file)
		if err != nil {
			return err
		}
		known, other, _, err := runToEnd(ctx, "osmium", "fileinfo", "-e", "--no-progress", file)
		if err != nil {
			return err
		}
		if got, want := counts(decoded), counts(known); got != want {
			return fmt.Errorf("%w: osmium counts %s, we %s", errDifferent, want, got)
		}
		out := filepath.Join(b.dir, "delaware.duckdb")
		if err := errors.Join(os.MkdirAll(b.dir, 0o755), os.RemoveAll(out)); err != nil {
			return err
		}
		_, end, peak, err := runToEnd(ctx, self, "stage", file, out)
		if err != nil {
			return err
		}
		if round > 0 {
			ratio = append(ratio, other.Seconds()/wall.Seconds())
			ours, theirs = append(ours, wall.Seconds()), append(theirs, other.Seconds())
			stage, peaks = append(stage, end.Seconds()), append(peaks, float64(peak)/(1<<20))
		}
	}
	b.record(result{"decoding a state's PBF", "osmium fileinfo -e", 1, "1/seconds", spreadOf(ratio), 1, false},
		fmt.Sprintf("%.2f s, theirs %.2f s", spreadOf(ours).Median, spreadOf(theirs).Median))
	b.record(result{"a state's PBF to staged tables", "1 s", 1, "limit/seconds", inverse(1, stage), 0, false},
		fmt.Sprintf("%.1f s, peak memory %.0f MB", spreadOf(stage).Median, spreadOf(peaks).Median))
	return nil
}

var countLine = regexp.MustCompile(`(?i)(nodes|ways|relations): (\d+)`)

// counts parses the three counts in the output of either program.
func counts(text string) string {
	var out []string
	for _, m := range countLine.FindAllStringSubmatch(text, -1) {
		out = append(out, strings.ToLower(m[1])+" "+m[2])
	}
	return strings.Join(out, ", ")
}

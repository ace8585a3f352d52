package main

import (
	"context"
	"errors"
	"fmt"
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
func delaware() string {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/paulmach/osm").Output()
	if err != nil {
		failf("find the Delaware extract: %w", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "testdata", "delaware-latest.osm.pbf")
}

// decodePBF is the subprogram that decodes a whole file including metadata and prints the counts.
func decodePBF(args []string) {
	file := must(pbf.Open(args[0]))
	defer file.Close()
	var nodes, ways, relations int
	check(file.Read(context.Background(), element.Want{Kinds: element.All, Tags: true, Info: true}, func(b *element.Batch) error {
		nodes, ways, relations = nodes+len(b.Nodes), ways+len(b.Ways), relations+len(b.Relations)
		return nil
	}))
	fmt.Printf("nodes: %d\nways: %d\nrelations: %d\n", nodes, ways, relations)
}

// stagePBF is the subprogram that stages a file end to end.
func stagePBF(args []string) {
	date := must(ingest.ExtractDate(context.Background(), args[0]))
	region := ingest.Extract(args[0], date)
	planned := must(ingest.Snapshots(context.Background(), region))
	check(ingest.Stage(context.Background(), region, planned, args[1], slog.New(slog.DiscardHandler)))
}

// measurePBF compares decoding with osmium fileinfo -e, which reads every element, as whole processes.
func (b *bench) measurePBF(ctx context.Context) {
	file := delaware()
	out := filepath.Join(b.dir, "delaware.duckdb")
	values := b.Repeat(func() []float64 {
		decoded := runSelf(ctx, "decode", file)
		known := runToEnd(ctx, "osmium", "fileinfo", "-e", "--no-progress", file)
		if got, want := counts(decoded.Output), counts(known.Output); got != want {
			failf("%w: osmium counts %s, we %s", errDifferent, want, got)
		}
		check(errors.Join(os.MkdirAll(b.dir, 0o755), os.RemoveAll(out)))
		staged := runSelf(ctx, "stage", file, out)
		return []float64{decoded.Seconds, known.Seconds, staged.Seconds, staged.PeakMB}
	})
	ours, theirs, stage, peaks := values[0], values[1], values[2], values[3]
	b.Record("decoding a state's PBF", "osmium fileinfo -e", 1, "1/seconds", ratios(theirs, ours), 1,
		fmt.Sprintf("%.2f s, theirs %.2f s", spreadOf(ours).Median, spreadOf(theirs).Median))
	b.Record("a state's PBF to staged tables", "1 s", 1, "limit/seconds", inverse(1, stage), 0,
		fmt.Sprintf("%.1f s, peak memory %.0f MB", spreadOf(stage).Median, spreadOf(peaks).Median))
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

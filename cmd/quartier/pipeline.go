package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"text/tabwriter"
	"time"

	"golang.org/x/sync/errgroup"

	"quartier/build"
	"quartier/build/assembly"
	"quartier/build/compare"
	"quartier/ingest"
	"quartier/schemas"
	"quartier/transform"
)

// pipeline runs the stages of one release: the regions independently, then their assembly.
type pipeline struct {
	name     string
	regions  []*ingest.Region
	out      string // release folder
	previous string // folder of the previous release, whose geog_ids are kept; may be empty
	work     string // folder of intermediate databases
	force    bool
	jobs     int // regions built at the same time; 0: one per processor
	log      *slog.Logger
	screen   io.Writer

	code    string                               // SHA-256 of this program
	planned map[*ingest.Region][]ingest.Snapshot // of its sources, in their order
	steps   []step
}

// step is one line of the closing table.
type step struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
	Reused  bool    `json:"reused"`
}

// plan computes the digest of every source, so that a missing or changed file is reported before any work, and prints
// the plan.
func (p *pipeline) plan(ctx context.Context) error {
	p.planned = map[*ingest.Region][]ingest.Snapshot{}
	var total int64
	table := tabwriter.NewWriter(p.screen, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "Release %s: %d regions → %s\n", p.name, len(p.regions), p.out)
	for _, region := range p.regions {
		fmt.Fprintf(table, "%s\t%s\t\t\n", region.Name, region.Title)
		for i := range region.Sources {
			s := &region.Sources[i]
			read, err := ingest.TakeSnapshot(ctx, s.Path)
			if err != nil {
				return missingSource(region, s, err)
			}
			if s.SHA256 != "" && s.SHA256 != read.SHA256 {
				return fmt.Errorf("%w: source %s of region %s: %s has sha256 %s, but %s is declared", ingest.ErrInputChanged, s.ID, region.Name, s.Path, read.SHA256, s.SHA256)
			}
			p.planned[region] = append(p.planned[region], read)
			total += read.Bytes
			fmt.Fprintf(table, "  %s\t%s\t%s\t%s\n", s.ID, s.Kind, filepath.Base(s.Path), bytesText(read.Bytes))
		}
	}
	fmt.Fprintf(table, "Input: %s; intermediate databases: about %[3]s in %[2]s\n\n", bytesText(total), p.work, bytesText(8*total))
	return table.Flush()
}

func missingSource(region *ingest.Region, s *ingest.Source, err error) error {
	if errors.Is(err, os.ErrNotExist) && s.URL != "" {
		return fmt.Errorf("source %s of region %s: %s is missing; download it with `quartier fetch`: %w", s.ID, region.Name, s.Path, err)
	}
	return fmt.Errorf("source %s of region %s: %w", s.ID, region.Name, err)
}

// run executes the plan.
func (p *pipeline) run(ctx context.Context) error {
	started := time.Now()
	if err := os.MkdirAll(p.work, 0o755); err != nil {
		return err
	}
	unlock, err := lockFolder(p.work)
	if err != nil {
		return err
	}
	defer unlock()
	code, _, err := programDigest(ctx)
	if err != nil {
		return err
	}
	p.code = code
	built := make([]assembly.Region, len(p.regions))
	steps := make([][]step, len(p.regions))
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(p.parallel())
	for i, region := range p.regions {
		group.Go(func() (err error) {
			built[i], steps[i], err = p.region(groupCtx, region)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for _, s := range steps {
		p.steps = append(p.steps, s...)
	}
	begun := time.Now()
	var change *compare.Comparison
	manifest, err := build.Release(ctx, build.Options{
		Name: p.name, Regions: built, Previous: p.previous, Out: p.out, Force: p.force, ToolVersion: version(), Log: p.log,
		Changed: func(c *compare.Comparison) error { change = c; return nil },
	})
	if err != nil {
		return err
	}
	p.steps = append(p.steps, step{Name: "build and verify", Seconds: time.Since(begun).Seconds()})
	if err := p.close(manifest, time.Since(started)); err != nil {
		return err
	}
	if change == nil {
		return nil
	}
	_, err = fmt.Fprintf(p.screen, "\nChanges since %s:\n%s\n", p.previous, change)
	return err
}

func (p *pipeline) parallel() int {
	if p.jobs > 0 {
		return p.jobs
	}
	return runtime.GOMAXPROCS(0)
}

// region stages and transforms one region; a stage whose inputs have not changed is reused from the work folder.
func (p *pipeline) region(ctx context.Context, region *ingest.Region) (assembly.Region, []step, error) {
	log := p.log.With("region", region.Name)
	result := assembly.Region{
		Name:    region.Name,
		Staged:  filepath.Join(p.work, region.Name+".staged.duckdb"),
		Derived: filepath.Join(p.work, region.Name+".derived.duckdb"),
	}
	staging := stage{output: result.Staged, log: log, inputs: p.stagingInputs(region), run: func(ctx context.Context, out string) error {
		return ingest.Stage(ctx, region, p.planned[region], out, log)
	}}
	staged, err := staging.do(ctx)
	if err != nil {
		return result, nil, fmt.Errorf("region %s: %w", region.Name, err)
	}
	deriving := stage{output: result.Derived, log: log, inputs: append(staging.inputs, "transform"), run: func(ctx context.Context, out string) error {
		_, err := transform.Region(ctx, result.Staged, out, log)
		return err
	}}
	derived, err := deriving.do(ctx)
	if err != nil {
		return result, nil, fmt.Errorf("region %s: %w", region.Name, err)
	}
	if staged.Reused && derived.Reused {
		log.Info("inputs unchanged; using the staged and derived tables of the last run")
	}
	staged.Name, derived.Name = region.Name+" ingest", region.Name+" transform"
	return result, []step{staged, derived}, nil
}

// close prints the closing tables and writes report.json to the work folder.
func (p *pipeline) close(manifest *schemas.Manifest, took time.Duration) error {
	table := tabwriter.NewWriter(p.screen, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "\nstep\tseconds\t\t\n")
	for _, s := range p.steps {
		reused := ""
		if s.Reused {
			reused = "reused"
		}
		fmt.Fprintf(table, "%s\t%.1f\t%s\t\n", s.Name, s.Seconds, reused)
	}
	fmt.Fprintf(table, "total\t%.1f\t\t\n", took.Seconds())
	if err := table.Flush(); err != nil {
		return err
	}
	printSources(p.screen, manifest)
	printSteps(p.screen, manifest)
	printRelease(p.screen, manifest, p.out)
	return writeReport(filepath.Join(p.work, "report.json"), p.steps, took, manifest)
}

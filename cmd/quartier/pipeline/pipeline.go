// Package pipeline plans and runs the stages of a build in a work folder, and reuses what is there. It finds what is wrong
// before the first row is read, prints the plan and the closing tables, and leaves report.json.
package pipeline

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"text/tabwriter"
	"time"

	"golang.org/x/sync/errgroup"

	"quartier/build"
	"quartier/build/compare"
	"quartier/build/gates"
	"quartier/build/publish"
	"quartier/build/steps"
	"quartier/cmd/quartier/summary"
	"quartier/ingest"
	"quartier/internal/lockfile"
	"quartier/internal/stamp"
	"quartier/schemas"
)

// Build runs the stages of one release: the regions, which lend each other the rows at their borders, then their
// assembly.
type Build struct {
	Name        string
	Regions     []*ingest.Region
	Out         string               // release folder
	Previous    string               // folder of the previous release, whose geog_ids are kept; may be empty
	Work        string               // folder of intermediate databases
	Gates       []schemas.GateLimit  // of the release file
	Accepted    []schemas.Acceptance // gates beyond which the release may follow the previous one
	Force       bool
	AnyDisk     bool    // free disk space is not compared with the estimate
	AnyMemory   bool    // nor is free memory
	Custom      *Custom // of a component private beside it; nil: none
	Jobs        int     // regions, and later steps, at the same time; 0: one per processor, fewer where memory is short
	ToolVersion string  // of the program
	Log         *slog.Logger
	Screen      io.Writer
	// Fetch makes a file of Part.Late at its path; nil: all files are there
	Fetch func(ctx context.Context, path string) error

	code    map[string]stamp.Inputs              // by package of a stage
	planned map[*ingest.Region][]ingest.Snapshot // of its sources, in their order
	todo    *plan
	steps   []Step
}

// Step is one line of the closing table.
type Step struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
	Reused  bool    `json:"reused"`
	bytes   int64   // written
}

// Run checks, plans and runs. The work folder is locked before the plan, which looks at the files in it; if it does not
// exist, it is made when no fault was found.
func (p *Build) Run(ctx context.Context, faults ingest.Faults) error {
	info, err := os.Stat(p.Work)
	locked := err == nil && info.IsDir() && writable("--work", p.Work) == nil
	if !locked {
		if err := p.Preflight(ctx, faults); err != nil {
			return err
		}
		if err := os.MkdirAll(p.Work, 0o755); err != nil {
			return err
		}
	}
	lock, err := lockfile.Acquire(p.Work, "build")
	if err != nil {
		return err
	}
	defer lock.Release()
	if locked {
		if err := p.Preflight(ctx, faults); err != nil {
			return err
		}
	}
	return p.execute(ctx)
}

// execute runs the plan, in a work folder that is locked.
func (p *Build) execute(ctx context.Context) error {
	started := time.Now()
	if err := p.runStages(ctx); err != nil {
		return err
	}
	var change *compare.Comparison
	var verdicts gates.Verdicts
	o := p.options(p.todo.regions)
	o.Lanes = p.todo.together
	o.Changed = func(c *compare.Comparison) error {
		change, verdicts = c, gates.Judge(c, p.Gates, p.Accepted)
		return publish.WithDiff(verdicts.Err(), p.Previous, publish.Unpublished(p.Out), p.Out)
	}
	o.Done = func(d steps.Done) {
		p.steps = append(p.steps, Step{Name: BuildStep(d.Name), Seconds: d.Seconds, Reused: d.Reused, bytes: d.Bytes})
	}
	manifest, err := build.Release(ctx, o)
	if err != nil {
		return err
	}
	if err := p.close(manifest, time.Since(started)); err != nil {
		return err
	}
	if change != nil {
		if _, err := fmt.Fprintf(p.Screen, "\nChanges since %s:\n%s\n%s\n", p.Previous, change, verdicts.Table()); err != nil {
			return err
		}
	}
	return p.closeCustom()
}

// options are those of the build of regions whose inputs are known.
func (p *Build) options(regions []*plannedRegion) build.Options {
	o := build.Options{
		Name: p.Name, Previous: p.Previous, Out: p.Out, Force: p.Force, ToolVersion: p.ToolVersion, Log: p.Log, Inputs: p.buildInputs(regions),
		GateLimits: p.Gates, Accepted: p.Accepted, Custom: p.Custom.build(),
	}
	for _, r := range regions {
		o.Regions = append(o.Regions, r.built)
	}
	return o
}

// BuildStep is the name of a step of the build in tables.
func BuildStep(name string) string { return "build: " + name }

func (p *Build) parallel() int {
	if p.Jobs > 0 {
		return p.Jobs
	}
	return runtime.GOMAXPROCS(0)
}

// runStages runs the stages of all regions, or reuses what the plan found in the work folder. Regions are staged before the
// first one is lent to, because all may lend to it.
func (p *Build) runStages(ctx context.Context) error {
	done := make([][]Step, len(p.todo.regions))
	for _, part := range []func(context.Context, *plannedRegion) ([]Step, error){p.stageRegion, p.deriveRegion} {
		group, groupCtx := errgroup.WithContext(ctx)
		group.SetLimit(p.todo.together)
		for i, r := range p.todo.regions {
			group.Go(func() error {
				steps, err := part(groupCtx, r)
				if err != nil {
					return fmt.Errorf("region %s: %w", r.region.Name, err)
				}
				done[i] = append(done[i], steps...)
				return nil
			})
		}
		if err := group.Wait(); err != nil {
			return err
		}
	}
	for i, steps := range done {
		reused := true
		for _, s := range steps {
			reused = reused && s.Reused
		}
		if reused {
			p.Log.With("region", p.todo.regions[i].region.Name).Info("inputs unchanged; using the staged and derived tables of the last run")
		}
		p.steps = append(p.steps, steps...)
	}
	return nil
}

func (p *Build) stageRegion(ctx context.Context, r *plannedRegion) ([]Step, error) {
	s, err := r.staging.do(ctx, r.steps[0].reused)
	s.Name = r.steps[0].Name
	return []Step{s}, err
}

// deriveRegion lends to a region and transforms it. Whether the derived tables of the last run can be used is known when
// its lent rows are.
func (p *Build) deriveRegion(ctx context.Context, r *plannedRegion) (steps []Step, err error) {
	last := len(r.steps) - 1
	reuse := r.steps[last].reused
	if r.lentTo != "" {
		s, err := r.lending.do(ctx, r.steps[1].reused)
		if err != nil {
			return nil, err
		}
		s.Name = r.steps[1].Name
		steps = append(steps, s)
		if !s.Reused {
			if err := p.setLent(ctx, r); err != nil {
				return nil, err
			}
			now, err := r.derive.current(ctx)
			if err != nil {
				return nil, err
			}
			reuse = now.Usable
		}
	}
	s, err := r.derive.do(ctx, reuse)
	s.Name = r.steps[last].Name
	return append(steps, s), err
}

// close prints the closing tables and writes report.json to the work folder.
func (p *Build) close(manifest *schemas.Manifest, took time.Duration) error {
	table := tabwriter.NewWriter(p.Screen, 0, 0, 2, ' ', tabwriter.AlignRight)
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
	summary.Sources(p.Screen, manifest)
	summary.Steps(p.Screen, manifest)
	summary.Release(p.Screen, manifest, p.Out)
	rows := map[string]int64{}
	for _, s := range manifest.Sources {
		rows[s.Region] += s.RowsRead
	}
	return p.writeReport(took, rows, manifest)
}

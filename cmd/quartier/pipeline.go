package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"text/tabwriter"
	"time"

	"golang.org/x/sync/errgroup"

	"quartier/build"
	"quartier/build/compare"
	"quartier/build/gates"
	"quartier/build/steps"
	"quartier/ingest"
	"quartier/internal/stamp"
	"quartier/schemas"
)

// pipeline runs the stages of one release: the regions, which lend each other the rows at their borders, then their
// assembly.
type pipeline struct {
	name      string
	regions   []*ingest.Region
	out       string               // release folder
	previous  string               // folder of the previous release, whose geog_ids are kept; may be empty
	work      string               // folder of intermediate databases
	gates     []schemas.GateLimit  // of the release file
	accepted  []schemas.Acceptance // gates beyond which the release may follow the previous one
	force     bool
	anyDisk   bool         // free disk space is not compared with the estimate
	anyMemory bool         // nor is free memory
	custom    *customBuild // of a component private beside it; nil: none
	jobs      int          // regions built at the same time; 0: one per processor
	log       *slog.Logger
	screen    io.Writer

	code    map[string]stamp.Inputs              // by package of a stage
	planned map[*ingest.Region][]ingest.Snapshot // of its sources, in their order
	todo    *plan
	steps   []step
}

// step is one line of the closing table.
type step struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
	Reused  bool    `json:"reused"`
	bytes   int64   // written
}

// run executes the plan, in a work folder that is locked.
func (p *pipeline) run(ctx context.Context) error {
	started := time.Now()
	if err := p.runStages(ctx); err != nil {
		return err
	}
	var change *compare.Comparison
	var verdicts gates.Verdicts
	o := p.options(p.todo.regions)
	o.Changed = func(c *compare.Comparison) error {
		change, verdicts = c, gates.Judge(c, p.gates, p.accepted)
		return verdicts.Err()
	}
	o.Done = func(d steps.Done) {
		p.steps = append(p.steps, step{Name: buildStep(d.Name), Seconds: d.Seconds, Reused: d.Reused, bytes: d.Bytes})
	}
	manifest, err := build.Release(ctx, o)
	if err != nil {
		return err
	}
	if err := p.close(manifest, time.Since(started)); err != nil {
		return err
	}
	if change != nil {
		if _, err := fmt.Fprintf(p.screen, "\nChanges since %s:\n%s\n%s\n", p.previous, change, verdicts.Table()); err != nil {
			return err
		}
	}
	return p.buildCustom(ctx, o.Regions)
}

// options are those of the build of regions whose inputs are known.
func (p *pipeline) options(regions []*plannedRegion) build.Options {
	o := build.Options{
		Name: p.name, Previous: p.previous, Out: p.out, Force: p.force, ToolVersion: version(), Log: p.log, Inputs: p.buildInputs(regions),
		GateLimits: p.gates, Accepted: p.accepted,
	}
	for _, r := range regions {
		o.Regions = append(o.Regions, r.built)
	}
	return o
}

// buildStep is the name of a step of the build in tables.
func buildStep(name string) string { return "build: " + name }

func (p *pipeline) parallel() int {
	if p.jobs > 0 {
		return p.jobs
	}
	return runtime.GOMAXPROCS(0)
}

// runStages runs the stages of all regions, or reuses what the plan found in the work folder. Regions are staged before the
// first one is lent to, because all may lend to it.
func (p *pipeline) runStages(ctx context.Context) error {
	done := make([][]step, len(p.todo.regions))
	for _, part := range []func(context.Context, *plannedRegion) ([]step, error){p.stageRegion, p.deriveRegion} {
		group, groupCtx := errgroup.WithContext(ctx)
		group.SetLimit(p.parallel())
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
			p.log.With("region", p.todo.regions[i].region.Name).Info("inputs unchanged; using the staged and derived tables of the last run")
		}
		p.steps = append(p.steps, steps...)
	}
	return nil
}

func (p *pipeline) stageRegion(ctx context.Context, r *plannedRegion) ([]step, error) {
	s, err := r.staging.do(ctx, r.steps[0].reused)
	s.Name = r.steps[0].Name
	return []step{s}, err
}

// deriveRegion lends to a region and transforms it. Whether the derived tables of the last run can be used is known when
// its lent rows are.
func (p *pipeline) deriveRegion(ctx context.Context, r *plannedRegion) (steps []step, err error) {
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
	rows := map[string]int64{}
	for _, s := range manifest.Sources {
		rows[s.Region] += s.RowsRead
	}
	return p.writeReport(took, rows, manifest)
}

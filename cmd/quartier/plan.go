package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"quartier/build/assembly"
	"quartier/ingest"
	"quartier/internal/estimate"
	"quartier/transform"
	"quartier/transform/lend"
)

// plan is what a build will do. run does exactly that.
type plan struct {
	regions  []*plannedRegion
	build    plannedStep
	memory   int64 // bytes
	measured int   // steps that the last run in the work folder measured
}

// plannedRegion has the steps of a region.
type plannedRegion struct {
	region                   *ingest.Region
	built                    assembly.Region // the files that will be there
	lentTo                   string          // what its neighbours lend it; "" in a release of one region
	neighbours               []lend.Neighbour
	staging, lending, derive stage
	steps                    []plannedStep // one for each stage
}

// stages are the stages of a region in their order.
func (r *plannedRegion) stages() []*stage {
	if r.lentTo == "" {
		return []*stage{&r.staging, &r.derive}
	}
	return []*stage{&r.staging, &r.lending, &r.derive}
}

// plannedStep is a step of the closing table before it runs.
type plannedStep struct {
	estimate.Step
	estimate.Measured        // predicted; nothing if it is reused
	reused            bool   // its output is in the work folder
	output            string // the file that it writes; "" for the build
}

// steps returns all steps in the order of the closing table.
func (p *plan) steps() (list []plannedStep) {
	for _, r := range p.regions {
		list = append(list, r.steps...)
	}
	return append(list, p.build)
}

// disk returns the bytes that the build writes to the work folder, and next to the release.
func (p *plan) disk() (work, release int64) {
	for _, r := range p.regions {
		for _, s := range r.steps {
			work += s.Bytes
		}
	}
	const scratch = 2 // the release, and its database of all regions
	return work, scratch * p.build.Bytes
}

// plan decides which steps run and which are reused, and predicts what they need.
func (p *pipeline) plan(ctx context.Context) (*plan, error) {
	code, _, err := programDigest(ctx)
	if err != nil {
		return nil, err
	}
	p.code = code
	last := readReport(p.work)
	result := &plan{}
	all := map[string]estimate.Size{}
	var steps []estimate.Step
	for _, region := range p.regions {
		reads := map[string]estimate.Size{}
		for i := range region.Sources {
			kind, planned := region.Sources[i].Kind, p.planned[region][i]
			size := estimate.Size{Bytes: planned.Bytes, Rows: planned.Rows}
			reads[kind], all[kind] = reads[kind].Add(size), all[kind].Add(size)
		}
		r := p.stagesOf(region)
		phases := map[*stage]estimate.Step{
			&r.staging: {Name: region.Name + " ingest", Phase: estimate.Ingest, Reads: reads},
			&r.lending: {Name: region.Name + " lend", Phase: estimate.Lend, Reads: reads},
			&r.derive:  {Name: region.Name + " transform", Phase: estimate.Transform, Reads: reads},
		}
		reused := true
		for _, stage := range r.stages() {
			step := plannedStep{Step: phases[stage], output: stage.output}
			if step.reused, err = p.reusable(ctx, r, stage); err != nil {
				return nil, err
			}
			reused = reused && step.reused
			result.predict(&step, last)
			r.steps = append(r.steps, step)
		}
		result.regions = append(result.regions, r)
		if !reused {
			steps = append(steps, r.steps[0].Step)
		}
	}
	result.build.Step = estimate.Step{Name: "build and verify", Phase: estimate.Build, Reads: all}
	result.predict(&result.build, last)
	result.memory = estimate.Memory(steps, p.parallel(), result.build.Step)
	if last.Memory > 0 && result.measured == len(result.steps()) {
		result.memory = last.Memory
	}
	return result, nil
}

// predict estimates a step that is not reused.
func (p *plan) predict(s *plannedStep, last buildReport) {
	known := last.Measured[s.Name]
	if known.Input > 0 || s.reused {
		p.measured++
	}
	if !s.reused {
		s.Measured = s.Step.Of(known)
	}
}

// reusable reports whether the output of a stage is in the work folder. A transform whose lent rows are not known yet may
// be reused in spite of the plan: it is decided again when they are.
func (p *pipeline) reusable(ctx context.Context, r *plannedRegion, s *stage) (bool, error) {
	if s == &r.derive && r.lentTo != "" {
		if known, err := r.lending.current(ctx); err != nil || !known {
			return false, err
		}
		if err := r.setLent(ctx); err != nil {
			return false, err
		}
	}
	return s.current(ctx)
}

// setLent makes the rows that are lent to a region an input of its transform.
func (r *plannedRegion) setLent(ctx context.Context) error {
	digest, err := lend.Digest(ctx, r.lentTo)
	if err != nil {
		return fmt.Errorf("region %s: %w", r.region.Name, err)
	}
	r.derive.inputs = append(slices.Clone(r.staging.inputs), "transform")
	if digest != "" {
		r.derive.inputs = append(r.derive.inputs, digest)
	}
	return nil
}

// stagesOf returns the stages of a region.
func (p *pipeline) stagesOf(region *ingest.Region) *plannedRegion {
	log := p.log.With("region", region.Name)
	r := &plannedRegion{region: region, built: assembly.Region{
		Name: region.Name, Staged: p.stagedPath(region), Derived: filepath.Join(p.work, region.Name+".derived.duckdb"),
		AcceptCollapsed: region.AcceptCollapsed, AcceptDisagreement: region.AcceptDisagreement,
	}}
	r.staging = stage{output: r.built.Staged, log: log, inputs: p.stagingInputs(region), run: func(ctx context.Context, out string) error {
		return ingest.Stage(ctx, region, p.planned[region], out, log)
	}}
	if len(p.regions) > 1 {
		r.lentTo = filepath.Join(p.work, region.Name+".lent.duckdb")
		inputs := append(slices.Clone(r.staging.inputs), "lend")
		for _, other := range p.regions {
			if other != region {
				r.neighbours = append(r.neighbours, lend.Neighbour{Name: other.Name, Staged: p.stagedPath(other)})
				inputs = append(inputs, p.stagingInputs(other)...)
			}
		}
		r.lending = stage{output: r.lentTo, log: log, inputs: inputs, run: func(ctx context.Context, out string) error {
			return lend.Region(ctx, r.built.Staged, r.neighbours, out)
		}}
	}
	r.derive = stage{output: r.built.Derived, log: log, inputs: append(slices.Clone(r.staging.inputs), "transform"), run: func(ctx context.Context, out string) error {
		_, err := transform.Region(ctx, r.built.Staged, r.lentTo, out, log)
		return err
	}}
	return r
}

func (p *pipeline) stagedPath(region *ingest.Region) string {
	return filepath.Join(p.work, region.Name+".staged.duckdb")
}

// print prints the plan: sources, then steps with what they are estimated to need.
func (p *pipeline) print(plan *plan) error {
	table := tabwriter.NewWriter(p.screen, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "Release %s: %d regions → %s\n", p.name, len(p.regions), p.out)
	for _, region := range p.regions {
		fmt.Fprintf(table, "%s\t%s\t\t\n", region.Name, region.Title)
		for i := range region.Sources {
			s := &region.Sources[i]
			fmt.Fprintf(table, "  %s\t%s\t%s\t%s\n", s.ID, s.Kind, filepath.Base(s.Path), bytesText(p.planned[region][i].Bytes))
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	table = tabwriter.NewWriter(p.screen, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "\nplanned step\tabout rows\tdisk\tminutes\t\t\n")
	var total estimate.Measured
	for _, s := range plan.steps() {
		if s.reused {
			fmt.Fprintf(table, "%s\t\t\t\treused\t\n", s.Name)
			continue
		}
		rows := ""
		if s.Rows > 0 {
			rows = thousands(s.Rows)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%.1f\t\t\n", s.Name, rows, bytesText(s.Bytes), s.Seconds/60)
		total.Rows, total.Bytes, total.Seconds = total.Rows+s.Rows, total.Bytes+s.Bytes, total.Seconds+s.Seconds
	}
	fmt.Fprintf(table, "total\t%s\t%s\t%.1f\t\t\n", thousands(total.Rows), bytesText(total.Bytes), total.Seconds/60)
	if err := table.Flush(); err != nil {
		return err
	}
	basis := "rates by kind of source"
	if n := len(plan.steps()); plan.measured == n {
		basis = "the last run in the work folder"
	} else if plan.measured > 0 {
		basis = fmt.Sprintf("the last run in the work folder for %d of %d steps, and rates by kind of source", plan.measured, n)
	}
	_, err := fmt.Fprintf(p.screen, "Memory: about %s; intermediate databases in %s; estimated from %s\n\n", bytesText(plan.memory), p.work, basis)
	return err
}

// buildReport is what a run measured, in report.json of the work folder.
type buildReport struct {
	Seconds  float64                      `json:"seconds"`
	Memory   int64                        `json:"memory_bytes"` // most in use at once
	Steps    []step                       `json:"steps"`
	Measured map[string]estimate.Measured `json:"measured"` // by step; of a reused one by the run that ran it
	Manifest any                          `json:"manifest"`
}

// readReport returns the report of the last run; empty if there is none that can be read.
func readReport(work string) (r buildReport) {
	if data, err := os.ReadFile(filepath.Join(work, "report.json")); err == nil && json.Unmarshal(data, &r) != nil {
		return buildReport{}
	}
	return r
}

// writeReport writes the content of the closing tables, and what the steps needed, for the next plan.
func (p *pipeline) writeReport(took time.Duration, rows map[string]int64, release int64, manifest any) error {
	last := readReport(p.work)
	r := buildReport{Seconds: took.Seconds(), Memory: peakMemory(), Steps: p.steps, Measured: map[string]estimate.Measured{}, Manifest: manifest}
	for i, planned := range p.todo.steps() {
		done := p.steps[i]
		if done.Reused {
			if known, measured := last.Measured[done.Name]; measured {
				r.Measured[done.Name] = known
			}
			r.Memory = max(r.Memory, last.Memory)
			continue
		}
		m := estimate.Measured{Seconds: done.Seconds, Bytes: release, Input: planned.Step.Of(estimate.Measured{}).Input}
		if planned.output != "" {
			m.Bytes = size(planned.output)
		}
		if planned.Phase == estimate.Ingest {
			m.Rows = rows[strings.TrimSuffix(planned.Name, " ingest")]
		}
		r.Measured[done.Name] = m
	}
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(p.work, "report.json"), append(data, '\n'), 0o644)
}

// size returns the bytes of a file; 0 if it does not exist.
func size(file string) int64 {
	info, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return info.Size()
}

// peakMemory returns the most bytes that this process had in memory.
func peakMemory() int64 {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return usage.Maxrss << 10
}

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"text/tabwriter"
	"time"

	"quartier/build/assembly"
	"quartier/ingest"
	"quartier/internal/estimate"
	"quartier/transform"
)

// plan is what a build will do. run does exactly that.
type plan struct {
	regions  []plannedRegion
	build    plannedStep
	memory   int64 // bytes
	measured int   // steps that the last run in the work folder measured
}

// plannedRegion has the two steps of a region.
type plannedRegion struct {
	region           *ingest.Region
	built            assembly.Region // the files that will be there
	staging, derived stage
	ingest, derive   plannedStep
}

// plannedStep is a step of the closing table before it runs.
type plannedStep struct {
	estimate.Step
	estimate.Measured      // predicted; nothing if it is reused
	reused            bool // its output is in the work folder
}

// steps returns all steps in the order of the closing table.
func (p *plan) steps() (list []plannedStep) {
	for _, r := range p.regions {
		list = append(list, r.ingest, r.derive)
	}
	return append(list, p.build)
}

// disk returns the bytes that the build writes to the work folder, and next to the release.
func (p *plan) disk() (work, release int64) {
	for _, r := range p.regions {
		work += r.ingest.Bytes + r.derive.Bytes
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
	all := map[string]int64{}
	var steps []estimate.Step
	for _, region := range p.regions {
		reads := map[string]int64{}
		for i := range region.Sources {
			kind, bytes := region.Sources[i].Kind, p.planned[region][i].Bytes
			reads[kind] += bytes
			all[kind] += bytes
		}
		r := p.stagesOf(region)
		r.ingest.Step = estimate.Step{Name: region.Name + " ingest", Phase: estimate.Ingest, Reads: reads}
		r.derive.Step = estimate.Step{Name: region.Name + " transform", Phase: estimate.Transform, Reads: reads}
		for _, of := range []struct {
			step  *plannedStep
			stage stage
		}{{&r.ingest, r.staging}, {&r.derive, r.derived}} {
			if of.step.reused, err = of.stage.current(ctx); err != nil {
				return nil, err
			}
			result.predict(of.step, last)
		}
		result.regions = append(result.regions, r)
		if !r.ingest.reused || !r.derive.reused {
			steps = append(steps, r.ingest.Step)
		}
	}
	result.build.Step = estimate.Step{Name: "build and verify", Phase: estimate.Build, Reads: all}
	result.predict(&result.build, last)
	result.memory = estimate.Memory(steps, p.parallel())
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

// stagesOf returns the stages of a region.
func (p *pipeline) stagesOf(region *ingest.Region) plannedRegion {
	log := p.log.With("region", region.Name)
	r := plannedRegion{region: region, built: assembly.Region{
		Name:    region.Name,
		Staged:  filepath.Join(p.work, region.Name+".staged.duckdb"),
		Derived: filepath.Join(p.work, region.Name+".derived.duckdb"),
	}}
	r.staging = stage{output: r.built.Staged, log: log, inputs: p.stagingInputs(region), run: func(ctx context.Context, out string) error {
		return ingest.Stage(ctx, region, p.planned[region], out, log)
	}}
	r.derived = stage{output: r.built.Derived, log: log, inputs: append(r.staging.inputs, "transform"), run: func(ctx context.Context, out string) error {
		_, err := transform.Region(ctx, r.built.Staged, out, log)
		return err
	}}
	return r
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
		if i < 2*len(p.todo.regions) {
			of := p.todo.regions[i/2]
			m.Bytes = size([]string{of.built.Staged, of.built.Derived}[i%2])
			if i%2 == 0 {
				m.Rows = rows[of.region.Name]
			}
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

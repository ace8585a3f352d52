package pipeline

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"quartier/build"
	"quartier/build/released"
	"quartier/cmd/quartier/explained"
	"quartier/cmd/quartier/summary"
	"quartier/ingest"
	"quartier/internal/estimate"
	"quartier/internal/machine"
)

// plan is what a build will do. run does exactly that.
type plan struct {
	regions  []*plannedRegion
	build    []plannedStep
	memory   int64 // bytes
	together int   // regions that are built at once: as many as --jobs says, or else as there is memory for
	measured int   // steps that the last run in the work folder measured
}

// plannedStep is a step of the closing table before it runs.
type plannedStep struct {
	estimate.Step
	estimate.Measured        // predicted; nothing if it is reused
	reused            bool   // its output is there
	why               string // it runs
}

// WhyLent is why a step runs unless it turns out that its neighbours lend the region what they did before: what they lend
// is known when it is computed.
const WhyLent = "what neighbours lend is computed first; reused if it is the same"

// steps returns all steps in the order of the closing table.
func (p *plan) steps() (list []plannedStep) {
	for _, r := range p.regions {
		list = append(list, r.steps...)
	}
	return append(list, p.build...)
}

// disk returns the bytes that the build writes to the work folder, and next to the release.
func (p *plan) disk() (work, release int64) {
	for _, r := range p.regions {
		for _, s := range r.steps {
			work += s.Bytes
		}
	}
	for _, s := range p.build {
		release += s.Bytes
	}
	return work, release
}

// plan decides which steps run and which are reused, and predicts what they need.
func (p *Build) plan(ctx context.Context) (*plan, error) {
	if err := p.readCode(ctx); err != nil {
		return nil, err
	}
	last := readReport(p.Work)
	result := &plan{}
	all := map[string]estimate.Size{}
	var transformed []estimate.Step
	result.regions = p.stages()
	for _, r := range result.regions {
		reads := p.sizes(r.region)
		for kind, size := range reads {
			all[kind] = all[kind].Add(size)
		}
		if err := p.planRegion(ctx, r, reads); err != nil {
			return nil, err
		}
		if !r.reused() {
			transformed = append(transformed, r.steps[0].Step)
		}
	}
	var err error
	if result.build, err = p.planBuild(ctx, result.regions, all); err != nil {
		return nil, err
	}
	result.predict(last)
	result.together = p.parallel()
	rest := []estimate.Step{{Reads: all}, {Reads: p.Custom.reads()}}
	result.memory = estimate.Memory(transformed, result.together, rest...)
	if free, known := machine.Memory(); known && p.Jobs == 0 && !p.AnyMemory {
		for result.together > 1 && result.memory > free {
			result.together--
			result.memory = estimate.Memory(transformed, result.together, rest...)
		}
	}
	if last.Memory > 0 && result.measured == len(result.steps()) {
		result.memory = last.Memory
	}
	return result, nil
}

// sizes are how much there is of the sources of a region, by their kind.
func (p *Build) sizes(region *ingest.Region) map[string]estimate.Size {
	reads := map[string]estimate.Size{}
	for i := range region.Sources {
		kind, planned := region.Sources[i].Kind, p.planned[region][i]
		reads[kind] = reads[kind].Add(estimate.Size{Bytes: planned.Bytes, Rows: planned.Rows, Left: region.Sources[i].LeftOut(planned.Bytes)})
	}
	return reads
}

// predict estimates the steps that are not reused.
func (p *plan) predict(last Report) {
	one := func(s *plannedStep) {
		known := last.Measured[s.Name]
		if known.Input > 0 || s.reused {
			p.measured++
		}
		if !s.reused {
			s.Measured = s.Step.Of(known)
			if n := s.Reads[released.RequestsSource].Rows; n > 0 {
				s.Rows = n
			}
		}
	}
	for _, r := range p.regions {
		for i := range r.steps {
			one(&r.steps[i])
		}
	}
	for i := range p.build {
		one(&p.build[i])
	}
}

// planBuild decides which steps of the build run. reads is what the sources of all regions have.
func (p *Build) planBuild(ctx context.Context, regions []*plannedRegion, reads map[string]estimate.Size) ([]plannedStep, error) {
	planned, err := build.Plan(ctx, p.options(regions))
	if err != nil {
		return nil, err
	}
	waits, changed := false, false
	for _, r := range regions {
		derive := r.steps[len(r.steps)-1]
		waits, changed = waits || derive.why == WhyLent, changed || !derive.reused && derive.why != WhyLent
	}
	list := make([]plannedStep, len(planned))
	for i, s := range planned {
		step := estimate.Step{Name: BuildStep(s.Name), Phase: estimate.Build, Takes: estimate.Shares(s.Takes), Reads: reads}
		if s.Reads != "" {
			step.Reads = p.Custom.reads()
		}
		list[i] = plannedStep{Step: step, reused: s.Reused, why: s.Why}
		if waits && !changed && s.Why != "" {
			list[i].why = WhyLent
		}
	}
	return list, nil
}

func (p *Build) stagedPath(region *ingest.Region) string {
	return filepath.Join(p.Work, region.Name+".staged.duckdb")
}

func (p *Build) boundsPath(region *ingest.Region) string {
	return filepath.Join(p.Work, region.Name+".bounds.json")
}

// print prints the plan: sources, then steps with what they are estimated to need.
func (p *Build) print(plan *plan) error {
	table := tabwriter.NewWriter(p.Screen, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "Release %s: %d regions → %s\n", p.Name, len(p.Regions), p.Out)
	for _, region := range p.Regions {
		fmt.Fprintf(table, "%s\t%s\t\t\n", region.Name, region.Title)
		for i := range region.Sources {
			s := &region.Sources[i]
			fmt.Fprintf(table, "  %s\t%s\t%s\t%s\n", s.ID, s.Kind, filepath.Base(s.Path), summary.Bytes(p.planned[region][i].Bytes))
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	table = tabwriter.NewWriter(p.Screen, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "\nplanned step\tabout rows\tdisk\tminutes\t  why\n")
	var total estimate.Measured
	for _, s := range plan.steps() {
		if s.reused {
			fmt.Fprintf(table, "%s\t\t\t\t  reused\n", s.Name)
			continue
		}
		rows := ""
		if s.Rows > 0 {
			rows = explained.Thousands(s.Rows)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%.1f\t  %s\n", s.Name, rows, summary.Bytes(s.Bytes), s.Seconds/60, cmp.Or(s.why, "always"))
		total.Rows, total.Bytes, total.Seconds = total.Rows+s.Rows, total.Bytes+s.Bytes, total.Seconds+s.Seconds
	}
	fmt.Fprintf(table, "total\t%s\t%s\t%.1f\t\n", explained.Thousands(total.Rows), summary.Bytes(total.Bytes), total.Seconds/60)
	if err := table.Flush(); err != nil {
		return err
	}
	basis := "rates by kind of source"
	if n := len(plan.steps()); plan.measured == n {
		basis = "the last run in the work folder"
	} else if plan.measured > 0 {
		basis = fmt.Sprintf("the last run in the work folder for %d of %d steps, and rates by kind of source", plan.measured, n)
	}
	_, err := fmt.Fprintf(p.Screen, "Memory: about %s; intermediate databases in %s; estimated from %s\n\n", summary.Bytes(plan.memory),
		p.Work, basis)
	return err
}

// Report is what a run measured, in report.json of the work folder.
type Report struct {
	Seconds  float64                      `json:"seconds"`
	Memory   int64                        `json:"memory_bytes"` // most in use at once
	Steps    []Step                       `json:"steps"`
	Measured map[string]estimate.Measured `json:"measured"` // by step; of a reused one by the run that ran it
	Manifest any                          `json:"manifest"`
}

// readReport returns the report of the last run; empty if there is none that can be read.
func readReport(work string) (r Report) {
	if data, err := os.ReadFile(filepath.Join(work, "report.json")); err == nil && json.Unmarshal(data, &r) != nil {
		return Report{}
	}
	return r
}

// writeReport writes the content of the closing tables, and what the steps needed, for the next plan.
func (p *Build) writeReport(took time.Duration, rows map[string]int64, manifest any) error {
	last := readReport(p.Work)
	r := Report{Seconds: took.Seconds(), Memory: peakMemory(), Steps: p.steps, Measured: map[string]estimate.Measured{}, Manifest: manifest}
	for i, planned := range p.todo.steps() {
		done := p.steps[i]
		if done.Reused {
			if known, measured := last.Measured[done.Name]; measured {
				r.Measured[done.Name] = known
			}
			r.Memory = max(r.Memory, last.Memory)
			continue
		}
		m := estimate.Measured{Seconds: done.Seconds, Bytes: done.bytes, Input: planned.Step.Of(estimate.Measured{}).Input}
		if m.Rows = planned.Rows; planned.Phase == estimate.Ingest {
			m.Rows = rows[strings.TrimSuffix(planned.Name, " ingest")]
		}
		r.Measured[done.Name] = m
	}
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(p.Work, "report.json"), append(data, '\n'), 0o644)
}

// peakMemory returns the most bytes that this process had in memory.
func peakMemory() int64 {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	if runtime.GOOS == "darwin" { // in bytes there, in KiB elsewhere
		return usage.Maxrss
	}
	return usage.Maxrss << 10
}

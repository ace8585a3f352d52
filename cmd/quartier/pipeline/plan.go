package pipeline

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"quartier/build"
	"quartier/build/assembly"
	"quartier/build/released"
	"quartier/cmd/quartier/explained"
	"quartier/cmd/quartier/summary"
	"quartier/ingest"
	"quartier/internal/duck"
	"quartier/internal/estimate"
	"quartier/internal/machine"
	"quartier/internal/stamp"
	"quartier/schemas"
	"quartier/transform"
	"quartier/transform/lend"
)

// plan is what a build will do. run does exactly that.
type plan struct {
	regions  []*plannedRegion
	build    []plannedStep
	memory   int64 // bytes
	together int   // regions that are built at once: as many as --jobs says, or else as there is memory for
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

// reused reports whether all steps of a region are reused.
func (r *plannedRegion) reused() bool {
	return !slices.ContainsFunc(r.steps, func(s plannedStep) bool { return !s.reused })
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
	for _, region := range p.Regions {
		reads := p.sizes(region)
		for kind, size := range reads {
			all[kind] = all[kind].Add(size)
		}
		r, err := p.planRegion(ctx, region, reads)
		if err != nil {
			return nil, err
		}
		result.regions = append(result.regions, r)
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

// planRegion decides which stages of a region run. reads is what its sources have.
func (p *Build) planRegion(ctx context.Context, region *ingest.Region, reads map[string]estimate.Size) (*plannedRegion, error) {
	r := p.stagesOf(region)
	for _, stage := range r.stages() {
		v, err := p.reusable(ctx, r, stage)
		if err != nil {
			return nil, err
		}
		step := estimate.Step{Name: region.Name + " " + stage.name, Phase: stage.phase, Reads: reads}
		r.steps = append(r.steps, plannedStep{Step: step, reused: v.Usable, why: v.Why})
	}
	return r, nil
}

// reusable decides whether the output of a stage is in the work folder. A transform whose lent rows are not known yet may
// be reused in spite of the plan: it is decided again when they are.
func (p *Build) reusable(ctx context.Context, r *plannedRegion, s *stage) (stamp.Verdict, error) {
	if s == &r.derive && r.lentTo != "" {
		if lent := r.steps[1]; !lent.reused {
			return r.withoutLent(ctx)
		}
		if err := p.setLent(ctx, r); err != nil {
			return stamp.Verdict{}, err
		}
	}
	return s.current(ctx)
}

// withoutLent decides whether a transform runs whatever is lent to its region.
func (r *plannedRegion) withoutLent(ctx context.Context) (stamp.Verdict, error) {
	last := stamp.Read(r.derive.stamp())
	if last == nil || last.Broken {
		return r.derive.current(ctx)
	}
	lent := len(r.derive.inputs) - 1
	if len(last.Inputs) == len(r.derive.inputs) && slices.Equal(last.Inputs[:lent], r.derive.inputs[:lent]) {
		return stamp.Verdict{Why: WhyLent}, nil
	}
	return stamp.Verdict{Why: stamp.Summary(r.derive.inputs[:lent].Changes(last.Inputs[:max(0, len(last.Inputs)-1)]))}, nil
}

// setLent makes the rows that are lent to a region an input of its transform.
func (p *Build) setLent(ctx context.Context, r *plannedRegion) error {
	digest, err := duck.Content(ctx, r.lentTo)
	if err != nil {
		return fmt.Errorf("region %s: %w", r.region.Name, err)
	}
	r.derive.inputs = p.derivingInputs(r.region, digest)
	return nil
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
		step := estimate.Step{Name: BuildStep(s.Name), Phase: estimate.Build, Share: s.Share, Disk: s.Disk, Reads: reads}
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

// stagesOf returns the stages of a region.
func (p *Build) stagesOf(region *ingest.Region) *plannedRegion {
	log := p.Log.With("region", region.Name)
	r := &plannedRegion{region: region, built: assembly.Region{
		Name: region.Name, Staged: p.stagedPath(region), Derived: filepath.Join(p.Work, region.Name+".derived.duckdb"),
		AcceptCollapsed: region.AcceptCollapsed, AcceptDisagreement: region.AcceptDisagreement,
		Addresses: slices.ContainsFunc(region.Sources, func(s ingest.Source) bool { return s.Kind == schemas.AddressesKind }),
	}}
	r.staging = stage{name: IngestStage, phase: estimate.Ingest, writes: []string{r.built.Staged, p.boundsPath(region)}, log: log,
		inputs: p.stagingInputs(region),
		run: func(ctx context.Context, out []string) error {
			if err := ingest.Stage(ctx, region, p.planned[region], out[0], log); err != nil {
				return err
			}
			return ingest.WriteBounds(ctx, out[0], out[1])
		}}
	transformed := []string{r.built.Staged}
	if len(p.Regions) > 1 {
		r.lentTo = filepath.Join(p.Work, region.Name+".lent.duckdb")
		uses, late := []string{r.built.Staged}, []string(nil)
		for _, other := range p.Regions {
			if other != region {
				n := p.neighbour(other)
				r.neighbours = append(r.neighbours, n)
				uses, late = append(uses, n.Bounds, n.Staged), append(late, n.Staged)
			}
		}
		r.lending = stage{name: LendStage, phase: estimate.Lend, uses: uses, late: late, writes: []string{r.lentTo}, log: log,
			inputs: p.lendingInputs(region),
			run: func(ctx context.Context, out []string) error {
				return lend.Region(ctx, r.built.Staged, r.neighbours, out[0])
			}}
		transformed = append(transformed, r.lentTo)
	}
	r.derive = stage{name: TransformStage, phase: estimate.Transform, uses: transformed, writes: []string{r.built.Derived}, log: log,
		inputs: p.derivingInputs(region, ""),
		run: func(ctx context.Context, out []string) error {
			_, err := transform.Region(ctx, r.built.Staged, r.lentTo, out[0], log)
			return err
		}}
	return r
}

// neighbour is a region as one that may lend to others.
func (p *Build) neighbour(region *ingest.Region) lend.Neighbour {
	path := p.stagedPath(region)
	return lend.Neighbour{Name: region.Name, Staged: path, Bounds: p.boundsPath(region), Fetch: func(ctx context.Context) error {
		if p.Fetch == nil {
			return nil
		}
		return p.Fetch(ctx, path)
	}}
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

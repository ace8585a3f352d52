package pipeline

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"quartier/build/assembly"
	"quartier/ingest"
	"quartier/internal/duck"
	"quartier/internal/estimate"
	"quartier/internal/stamp"
	"quartier/schemas"
	"quartier/transform"
	"quartier/transform/lend"
)

// plannedRegion has the steps of a region.
type plannedRegion struct {
	region                   *ingest.Region
	built                    assembly.Region // the files that will be there
	lentTo                   string          // what its neighbours lend it; "" in a release of one region
	neighbours               []lend.Neighbour
	staging, lending, derive stage
	staged                   stamp.Input   // the staged tables, as an input of what is made of them
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

// planRegion decides which stages of a region run. reads is what its sources have.
func (p *Build) planRegion(ctx context.Context, r *plannedRegion, reads map[string]estimate.Size) error {
	for _, stage := range r.stages() {
		v, err := p.reusable(ctx, r, stage)
		if err != nil {
			return err
		}
		step := estimate.Step{Name: r.region.Name + " " + stage.name, Phase: stage.phase, Reads: reads}
		r.steps = append(r.steps, plannedStep{Step: step, reused: v.Usable, why: v.Why})
	}
	return nil
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
	r.derive.inputs = p.derivingInputs(r, digest)
	return nil
}

// stages are the stages of all regions.
func (p *Build) stages() []*plannedRegion {
	list := make([]*plannedRegion, len(p.Regions))
	for i, region := range p.Regions {
		list[i] = p.stagesOf(region)
	}
	for _, r := range list {
		r.lending.inputs = p.lendingInputs(r, list)
		r.derive.inputs = p.derivingInputs(r, "")
	}
	return list
}

// stagesOf returns the stages of a region, of which the first has its inputs.
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
	r.staged = stamp.Of("staged tables of "+region.Name, r.staging.inputs.Digest())
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
			run: func(ctx context.Context, out []string) error {
				return lend.Region(ctx, r.built.Staged, r.neighbours, out[0])
			}}
		transformed = append(transformed, r.lentTo)
	}
	r.derive = stage{name: TransformStage, phase: estimate.Transform, uses: transformed, writes: []string{r.built.Derived}, log: log,
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

package pipeline

import (
	"context"
	"errors"
	"fmt"

	"quartier/build"
	"quartier/build/compare"
	"quartier/build/gates"
	"quartier/build/publish"
	"quartier/ingest"
	stepplan "quartier/internal/plan"
	"quartier/internal/stamp"
)

var (
	// ErrProgram is the error of a program that is not the one which made the plan.
	ErrProgram = errors.New("another program made the plan")
	// ErrPlan is the error of inputs that are not those of the plan.
	ErrPlan = errors.New("not what was planned")
)

// Plan is what a build was planned to be made of: with it, a machine that does not have the sources knows what they are.
type Plan struct {
	Program string          `json:"program"` // digest of the code and the version
	Inputs  string          `json:"inputs"`  // digest of all that the release depends on
	Sources []stepplan.Step `json:"sources"` // the steps that read them
}

// Plan is that of the parts of the build, without anything lent.
func (p *Build) Plan(parts []Part) *Plan {
	made := &Plan{Program: p.Program(), Inputs: parts[len(parts)-1].Key}
	for i := range parts {
		if parts[i].Stage == IngestStage {
			made.Sources = append(made.Sources, parts[i].Step)
		}
	}
	return made
}

// PublishPart is the ID of the last part, which puts the release in its place.
const PublishPart = "publish"

// Program is the digest of the code of all stages, with the version.
func (p *Build) Program() string {
	all := stamp.Inputs{stamp.Of("version of the program", p.ToolVersion)}
	for _, stage := range []string{ingestCode, lendCode, transformCode, buildCode} {
		all = append(all, stamp.Of("code of "+stage, p.code[stage].Digest()))
	}
	return all.Digest()
}

// Assume takes what the sources are from a plan, instead of Inspect, and returns the parts. It fails with ErrProgram or ErrPlan
// where this program, the region files or the options are not those of the plan.
func (p *Build) Assume(ctx context.Context, made *Plan) ([]Part, error) {
	if err := errors.Join(p.readCode(ctx), p.Custom.read()); err != nil {
		return nil, err
	}
	if own := p.Program(); own != made.Program {
		return nil, fmt.Errorf("%w: it is %s, this one is %s (%s)", ErrProgram, made.Program, own, p.ToolVersion)
	}
	p.planned = map[*ingest.Region][]ingest.Snapshot{}
	for n, region := range p.Regions {
		if n >= len(made.Sources) || len(made.Sources[n].Inputs) != len(region.Sources) {
			return nil, fmt.Errorf("%w: region %s is not in the plan, or has other sources there", ErrPlan, region.Name)
		}
		for _, s := range made.Sources[n].Inputs {
			p.planned[region] = append(p.planned[region], ingest.Snapshot{SHA256: s.SHA256, Bytes: s.Bytes})
		}
	}
	parts, err := p.Parts(nil)
	if err == nil && parts[len(parts)-1].Key != made.Inputs {
		err = fmt.Errorf("%w: the region files, the release file, the previous release, accepted gates or requests are not those of the plan",
			ErrPlan)
	}
	return parts, err
}

// RunAlone runs a part in a directory that has the files which it uses, and returns its notes. before are the notes of the parts
// before it. The part that reads sources fails where they are not those of the plan.
func (p *Build) RunAlone(ctx context.Context, part *Part, dir *publish.Dir, before []string) ([]string, error) {
	if part.stage == nil {
		o := p.options(p.stages())
		o.Changed = func(c *compare.Comparison) error { return gates.Judge(c, p.Gates, p.Accepted).Err() }
		return build.Alone(ctx, o, dir, part.ID, before)
	}
	for _, region := range p.Regions {
		if region.Name == part.Region && part.stage.name == IngestStage {
			if err := p.inspectAgain(ctx, region); err != nil {
				return nil, err
			}
		}
	}
	if err := part.stage.write(ctx); err != nil {
		return nil, fmt.Errorf("region %s: %w", part.Region, err)
	}
	return nil, nil
}

// inspectAgain reads the sources of a region on the machine that will take them in.
func (p *Build) inspectAgain(ctx context.Context, region *ingest.Region) error {
	found, faults, err := ingest.Preflight(ctx, []*ingest.Region{region})
	if err != nil {
		return err
	}
	if err := faults.Err(); err != nil {
		return err
	}
	for i, now := range found[region] {
		if planned := p.planned[region][i]; now.SHA256 != planned.SHA256 {
			return fmt.Errorf("%w: source %s of region %s has sha256 %s, and the plan was made of %s", ErrPlan, region.Sources[i].ID, region.Name,
				now.SHA256, planned.SHA256)
		}
	}
	p.planned[region] = found[region]
	return nil
}

package pipeline

import (
	"context"
	"errors"
	"fmt"

	"quartier/build"
	"quartier/build/compare"
	"quartier/build/publish"
	"quartier/ingest"
	"quartier/internal/stamp"
)

var (
	// ErrProgram is the error of a program that is not the one which made the plan.
	ErrProgram = errors.New("another program made the plan")
	// ErrPlan is the error of inputs that are not those of the plan.
	ErrPlan = errors.New("not what was planned")
)

// Inventory is what a build is made of: with it, a machine that does not have the sources knows what they are.
type Inventory struct {
	Program string            `json:"program"` // digest of the code and the version
	Release string            `json:"release"` // its name
	Inputs  string            `json:"inputs"`  // digest of all that the release depends on
	Regions []RegionInventory `json:"regions"`
}

// RegionInventory is what a region is made of.
type RegionInventory struct {
	Name    string            `json:"name"`
	Inputs  string            `json:"inputs"` // digest of all that its staged tables depend on
	Sources []SourceInventory `json:"sources"`
}

// SourceInventory is what the files of a source contain.
type SourceInventory struct {
	ID     string `json:"id"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
	Rows   int64  `json:"rows,omitempty"` // 0: not known
}

// Inventory is that of a build whose sources were inspected.
func (p *Build) Inventory() (*Inventory, error) {
	v := &Inventory{Program: p.Program(), Release: p.Name}
	for _, region := range p.Regions {
		r := RegionInventory{Name: region.Name, Inputs: p.stagingInputs(region).Digest()}
		for i := range region.Sources {
			s := p.planned[region][i]
			r.Sources = append(r.Sources, SourceInventory{region.Sources[i].ID, s.SHA256, s.Bytes, s.Rows})
		}
		v.Regions = append(v.Regions, r)
	}
	keys, err := p.Keys(nil)
	v.Inputs = keys[PublishPart]
	return v, err
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

// Assume takes what the sources are from an inventory, instead of Inspect. It fails with ErrProgram or ErrPlan where this program,
// the region files or the options are not those of the inventory.
func (p *Build) Assume(ctx context.Context, v *Inventory) error {
	if err := p.readCode(ctx); err != nil {
		return err
	}
	if own := p.Program(); own != v.Program {
		return fmt.Errorf("%w: it is %s, this one is %s (%s)", ErrProgram, v.Program, own, p.ToolVersion)
	}
	if len(v.Regions) != len(p.Regions) {
		return fmt.Errorf("%w: %d regions, and the plan has %d", ErrPlan, len(p.Regions), len(v.Regions))
	}
	p.planned = map[*ingest.Region][]ingest.Snapshot{}
	for n, region := range p.Regions {
		r := v.Regions[n]
		if r.Name != region.Name || len(r.Sources) != len(region.Sources) {
			return fmt.Errorf("%w: region %s with %d sources, and the plan has %s with %d", ErrPlan, region.Name, len(region.Sources), r.Name,
				len(r.Sources))
		}
		for _, s := range r.Sources {
			p.planned[region] = append(p.planned[region], ingest.Snapshot{SHA256: s.SHA256, Bytes: s.Bytes, Rows: s.Rows})
		}
		if p.stagingInputs(region).Digest() != r.Inputs {
			return fmt.Errorf("%w: the region file of %s has other options of sources than that of the plan", ErrPlan, region.Name)
		}
	}
	keys, err := p.Keys(nil)
	if err == nil && (keys[PublishPart] != v.Inputs || p.Name != v.Release) {
		err = fmt.Errorf("%w: the release file, the previous release or accepted gates are not those of the plan", ErrPlan)
	}
	return err
}

// Keys are the digests of all that the files of parts depend on, by ID. lent has the content of what was lent, by region: without
// it, those of the transforms and of what comes after them are no keys.
func (p *Build) Keys(lent map[string]string) (map[string]string, error) {
	dir, err := publish.At(p.Out)
	if err != nil {
		return nil, err
	}
	regions := p.stages()
	for _, r := range regions {
		r.derive.inputs = p.derivingInputs(r.region, lent[r.region.Name])
	}
	all, err := build.Steps(p.options(regions), dir)
	if err != nil {
		return nil, err
	}
	keys := all.Keys()
	for _, r := range regions {
		for _, s := range r.stages() {
			keys[s.name+"."+r.region.Name] = s.inputs.Digest()
		}
	}
	return keys, nil
}

// RunAlone runs a part in a directory that has the files which it uses, and returns its notes. before are the notes of the parts
// before it. The part that reads sources fails where they are not those of the inventory.
func (p *Build) RunAlone(ctx context.Context, part *Part, dir *publish.Dir, before []string) ([]string, error) {
	if part.stage == nil {
		o := p.options(p.stages())
		o.Changed = func(c *compare.Comparison) error {
			_, err := p.judge(c)
			return err
		}
		return build.Alone(ctx, o, dir, part.ID, before)
	}
	for _, region := range p.Regions {
		if region.Name == part.Region && part.stage.name == ingestStage {
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

package pipeline

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"quartier/build"
	"quartier/build/publish"
	"quartier/build/steps"
	"quartier/ingest"
	"quartier/internal/estimate"
	stepplan "quartier/internal/plan"
	"quartier/schemas"
)

// Part is a step of the build that a machine can take alone. It reads sources and files of the parts that it needs, and writes
// its own.
type Part struct {
	stepplan.Step
	Key          string   // digest of all that its files depend on
	Uses, Writes []string // paths of Inputs that other parts write, and of Outputs
	Late         []string // those of Uses that Build.Fetch is asked for, if they turn out to be needed

	stage *stage // of a region; nil: it is of the release
}

// noRetry are the exit codes after which another attempt would end in the same way: usage, an input that changed, one that is
// missing or invalid, a gate.
var noRetry = []int{2, 3, 4, 6}

// smallMemory is the memory of stepplan.ClassSmall.
const smallMemory = 4e9

// Inspect reads the sources of all regions, for Parts. The error is of type ingest.Faults, or that of ctx.
func (p *Build) Inspect(ctx context.Context, faults ingest.Faults) error {
	faults, err := p.inspect(ctx, faults)
	if err != nil {
		return err
	}
	for _, err := range []error{p.checkPrevious(), p.Custom.check(ctx)} {
		if err != nil {
			faults = append(faults, ingest.Fault{Err: err})
		}
	}
	if err := faults.Err(); err != nil {
		return err
	}
	return p.readCode(ctx)
}

// Parts are the parts of the build, each after those that it needs: those of the regions by their stages, then those of the
// release. Their paths are in the folders Work and Out, which need not exist. The sources were inspected before. lent has the content
// of what was lent, by region: without it, the keys of transforms, and of what comes after them, are those of nothing lent.
func (p *Build) Parts(lent map[string]string) (list []Part, err error) {
	dir, err := publish.At(p.Out)
	if err != nil {
		return nil, err
	}
	regions, total := p.stages(), map[string]estimate.Size{}
	for _, r := range regions {
		r.derive.inputs = p.derivingInputs(r, lent[r.region.Name])
		for kind, size := range p.sizes(r.region) {
			total[kind] = total[kind].Add(size)
		}
	}
	for _, name := range []string{IngestStage, LendStage, TransformStage} {
		for _, r := range regions {
			list = append(list, p.partsOf(r, name)...)
		}
	}
	all, err := build.Steps(p.options(regions), dir)
	if err != nil {
		return nil, err
	}
	keys := all.Keys()
	for i, s := range all.Steps {
		if slices.ContainsFunc(all.Steps[i+1:], func(later steps.Step) bool { return later.ID == s.ID }) {
			continue
		}
		takes := estimate.Step{Phase: estimate.Build, Takes: estimate.Shares(s.Takes), Reads: total}
		if s.Reads != "" {
			takes.Reads = p.Custom.reads()
		}
		memory := estimate.Memory(nil, 0, estimate.Step{Reads: total}, takes)
		part := newPart(stepplan.Step{ID: s.ID, Memory: memory}, s.Uses, s.Writes, takes)
		part.Key = keys[s.ID]
		list = append(list, part)
	}
	return list, link(list)
}

// partsOf are the parts of a region that are a stage, one or none.
func (p *Build) partsOf(r *plannedRegion, name string) (list []Part) {
	region := estimate.Step{Reads: p.sizes(r.region)}
	for _, s := range r.stages() {
		if s.name != name {
			continue
		}
		step := stepplan.Step{ID: s.name + "." + r.region.Name, Region: r.region.Name, Memory: estimate.Memory([]estimate.Step{region}, 1)}
		if s == &r.lending {
			step.Memory = estimate.Memory(nil, 0)
		}
		if s == &r.staging {
			for i := range r.region.Sources {
				source := p.planned[r.region][i]
				step.Inputs = append(step.Inputs, stepplan.File{Name: r.region.Sources[i].ID, SHA256: source.SHA256, Bytes: source.Bytes})
			}
		}
		part := newPart(step, s.uses, s.writes, estimate.Step{Phase: s.phase, Reads: region.Reads})
		part.Key, part.stage, part.Late = s.inputs.Digest(), s, s.late
		list = append(list, part)
	}
	return list
}

// newPart completes a step by its files and by what it is estimated to take.
func newPart(s stepplan.Step, uses, writes []string, takes estimate.Step) Part {
	needs := takes.Of(estimate.Measured{})
	s.Stage, _, _ = strings.Cut(s.ID, ".")
	s.Minutes, s.Disk, s.NoRetry = math.Round(needs.Seconds/60*100)/100, needs.Bytes, noRetry
	s.Class = stepplan.ClassSmall
	if s.Memory > smallMemory {
		s.Class = stepplan.ClassLarge
	}
	s.Inputs, s.Outputs, s.Needs = append(files(uses), s.Inputs...), files(writes), []string{}
	return Part{Step: s, Uses: uses, Writes: writes}
}

func files(paths []string) []stepplan.File {
	list := []stepplan.File{}
	for _, path := range paths {
		list = append(list, stepplan.File{Name: FileName(path)})
	}
	return list
}

// FileName is the name of a file that a part uses or writes: that of its path, and private/ before it if it is of the component
// private, which has files of the same names as the release.
func FileName(path string) string {
	dir, name := filepath.Split(path)
	if filepath.Base(dir) == schemas.Private {
		return schemas.Private + "/" + name
	}
	return name
}

// link finds what each part needs: the parts that write the files which it uses. Parts that write none check what is there, and the last
// comes after them.
func link(list []Part) error {
	writes := map[string]string{}
	var checks []string
	for i := range list {
		part := &list[i]
		for _, path := range part.Uses {
			id, known := writes[path]
			if !known {
				return fmt.Errorf("step %s uses %s, which no step before it writes", part.ID, path)
			}
			part.Needs = append(part.Needs, id)
		}
		for _, path := range part.Writes {
			writes[path] = part.ID
		}
		switch {
		case part.ID == PublishPart:
			part.Needs = append(part.Needs, checks...)
		case len(part.Writes) == 0:
			checks = append(checks, part.ID)
		}
		slices.Sort(part.Needs)
		part.Needs = slices.Compact(part.Needs)
	}
	return nil
}

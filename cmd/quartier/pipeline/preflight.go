package pipeline

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"quartier/build/publish"
	"quartier/cmd/quartier/summary"
	"quartier/ingest"
	"quartier/internal/machine"
	"quartier/schemas"
)

var (
	// ErrFolder is the error of a folder that cannot be written to.
	ErrFolder = errors.New("cannot be written to")
	// ErrNoSpace is the error of a disk with less free space than the build is estimated to need.
	ErrNoSpace = errors.New("too little free disk space")
	// ErrNoMemory is the error of a machine with less free memory than the build is estimated to need.
	ErrNoMemory = errors.New("too little free memory")
	// ErrPrevious is the error of a previous release that cannot be read.
	ErrPrevious = errors.New("no release")
)

// Preflight finds everything that can be known to be wrong before the first row is read, and prints the plan if nothing
// is. faults are those of the region files. The error is of type ingest.Faults, or that of ctx.
func (p *Build) Preflight(ctx context.Context, faults ingest.Faults) error {
	faults, err := p.inspect(ctx, faults)
	if err != nil {
		return err
	}
	add := func(err error) {
		if err != nil {
			faults = append(faults, ingest.Fault{Err: err})
		}
	}
	add(publish.Target{Out: p.Out, Force: p.Force, Private: p.Custom != nil}.Check())
	add(p.Custom.check(ctx))
	add(writable("--out", filepath.Dir(p.Out)))
	add(writable("--work", p.Work))
	add(p.checkPrevious())
	if err := faults.Err(); err != nil {
		return err
	}
	plan, err := p.plan(ctx)
	if err != nil {
		return err
	}
	p.todo = plan
	if err := p.print(plan); err != nil {
		return err
	}
	if !p.AnyDisk {
		add(p.checkDisk(plan))
	}
	if !p.AnyMemory {
		add(p.checkMemory(plan))
	}
	return faults.Err()
}

// inspect reads the sources, for what they are and what is wrong with them.
func (p *Build) inspect(ctx context.Context, faults ingest.Faults) (ingest.Faults, error) {
	var found ingest.Faults
	var err error
	if p.planned, found, err = ingest.Preflight(ctx, p.Regions); err != nil {
		return nil, err
	}
	return append(append(faults, found...), ingest.NoListings(p.Regions)...), nil
}

// checkPrevious returns an error unless the release that is continued, if there is one, can be read.
func (p *Build) checkPrevious() error {
	if p.Previous == "" {
		return nil
	}
	if _, err := schemas.ReadHead(p.Previous); err != nil {
		return fmt.Errorf("--previous %s: %w: %w", p.Previous, ErrPrevious, err)
	}
	return nil
}

// writable returns an error unless files can be made in a folder that a flag names.
func writable(flag, folder string) error {
	if err := machine.Writable(folder); err != nil {
		return fmt.Errorf("%s: %s %w: %w", flag, folder, ErrFolder, err)
	}
	return nil
}

// checkMemory compares the free memory with the estimate.
func (p *Build) checkMemory(plan *plan) error {
	if free, known := machine.Memory(); known && free < plan.memory {
		return fmt.Errorf("%w: %s is free, and the build needs about %s", ErrNoMemory, summary.Bytes(free), summary.Bytes(plan.memory))
	}
	return nil
}

// checkDisk compares the free space with the estimate, of the work folder and of the folder of the release together if
// both are on one disk.
func (p *Build) checkDisk(plan *plan) error {
	work, release := plan.disk()
	workDisk, workFree, err := machine.Disk(p.Work)
	if err != nil {
		return err
	}
	outDisk, outFree, err := machine.Disk(filepath.Dir(p.Out))
	if err != nil {
		return err
	}
	if workDisk == outDisk {
		work, release = work+release, 0
	}
	var errs []error
	for _, d := range []struct {
		folder     string
		free, need int64
	}{{p.Work, workFree, work}, {filepath.Dir(p.Out), outFree, release}} {
		if d.free < d.need {
			errs = append(errs, fmt.Errorf("%w: %s has %s, and the build needs about %s", ErrNoSpace, d.folder, summary.Bytes(d.free),
				summary.Bytes(d.need)))
		}
	}
	return errors.Join(errs...)
}

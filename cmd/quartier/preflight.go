package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"quartier/build/publish"
	"quartier/ingest"
	"quartier/internal/machine"
	"quartier/schemas"
)

var (
	// errFolder is the error of a folder that cannot be written to.
	errFolder = errors.New("cannot be written to")
	// errNoSpace is the error of a disk with less free space than the build is estimated to need.
	errNoSpace = errors.New("too little free disk space")
	// errNoMemory is the error of a machine with less free memory than the build is estimated to need.
	errNoMemory = errors.New("too little free memory")
	// errPrevious is the error of a previous release that cannot be read.
	errPrevious = errors.New("no release")
)

// preflight finds everything that can be known to be wrong before the first row is read, and prints the plan if nothing
// is. faults are those of the region files. The error is of type ingest.Faults, or that of ctx.
func (p *pipeline) preflight(ctx context.Context, faults ingest.Faults) error {
	var found ingest.Faults
	var err error
	if p.planned, found, err = ingest.Preflight(ctx, p.regions); err != nil {
		return err
	}
	faults = append(append(faults, found...), ingest.NoListings(p.regions)...)
	add := func(err error) {
		if err != nil {
			faults = append(faults, ingest.Fault{Err: err})
		}
	}
	add(publish.CheckReplaceable(p.out, p.force))
	add(p.custom.check(ctx))
	add(writable("--out", filepath.Dir(p.out)))
	add(writable("--work", p.work))
	if p.previous != "" {
		if _, err := schemas.ReadManifest(p.previous); err != nil {
			add(fmt.Errorf("--previous %s: %w: %w", p.previous, errPrevious, err))
		}
	}
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
	if !p.anyDisk {
		add(p.checkDisk(plan))
	}
	if !p.anyMemory {
		add(p.checkMemory(plan))
	}
	return faults.Err()
}

// writable returns an error unless files can be made in a folder that a flag names.
func writable(flag, folder string) error {
	if err := machine.Writable(folder); err != nil {
		return fmt.Errorf("%s: %s %w: %w", flag, folder, errFolder, err)
	}
	return nil
}

// checkMemory compares the free memory with the estimate.
func (p *pipeline) checkMemory(plan *plan) error {
	if free, known := machine.Memory(); known && free < plan.memory {
		return fmt.Errorf("%w: %s is free, and the build needs about %s", errNoMemory, bytesText(free), bytesText(plan.memory))
	}
	return nil
}

// checkDisk compares the free space with the estimate, of the work folder and of the folder of the release together if
// both are on one disk.
func (p *pipeline) checkDisk(plan *plan) error {
	work, release := plan.disk()
	workDisk, workFree, err := machine.Disk(p.work)
	if err != nil {
		return err
	}
	outDisk, outFree, err := machine.Disk(filepath.Dir(p.out))
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
	}{{p.work, workFree, work}, {filepath.Dir(p.out), outFree, release}} {
		if d.free < d.need {
			errs = append(errs, fmt.Errorf("%w: %s has %s, and the build needs about %s", errNoSpace, d.folder, bytesText(d.free), bytesText(d.need)))
		}
	}
	return errors.Join(errs...)
}

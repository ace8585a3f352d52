package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"quartier/build/publish"
	"quartier/ingest"
	"quartier/schemas"
)

var (
	// errFolder is the error of a folder that cannot be written to.
	errFolder = errors.New("cannot be written to")
	// errNoSpace is the error of a disk with less free space than the build is estimated to need.
	errNoSpace = errors.New("too little free disk space")
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
	add(p.custom.check())
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
	return faults.Err()
}

// writable returns an error unless files can be made in a folder or, if it does not exist, in the folder that it will be
// made in.
func writable(flag, folder string) error {
	existing, err := existingFolder(folder)
	if err == nil { // permissions alone do not say it: the file system may be read-only, and root may do anything elsewhere
		var probe string
		if probe, err = os.MkdirTemp(existing, ".quartier-"); err == nil {
			err = os.Remove(probe)
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %s %w: %w", flag, folder, errFolder, err)
	}
	return nil
}

// existingFolder returns a folder, or the innermost one around it that exists.
func existingFolder(folder string) (string, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist) && folder != filepath.Dir(folder):
		return existingFolder(filepath.Dir(folder))
	case err == nil && !info.IsDir():
		err = fmt.Errorf("%s is a file", folder)
	}
	return folder, err
}

// checkDisk compares the free space with the estimate, of the work folder and of the folder of the release together if
// both are on one disk.
func (p *pipeline) checkDisk(plan *plan) error {
	work, release := plan.disk()
	workDisk, workFree, err := disk(p.work)
	if err != nil {
		return err
	}
	outDisk, outFree, err := disk(filepath.Dir(p.out))
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

// disk identifies the file system of a folder, which need not exist, and returns its free bytes.
func disk(folder string) (id uint64, free int64, err error) {
	existing, err := existingFolder(folder)
	if err != nil {
		return 0, 0, err
	}
	var stat unix.Stat_t
	var space unix.Statfs_t
	if err := errors.Join(unix.Stat(existing, &stat), unix.Statfs(existing, &space)); err != nil {
		return 0, 0, fmt.Errorf("%s: %w", existing, err)
	}
	return uint64(stat.Dev), int64(space.Bavail) * int64(space.Bsize), nil
}

// Package build builds a release from the derived databases of regions: a folder with a manifest, seven SpatiaLite files,
// nine packs and three archives of map tiles. The same inputs give the same bytes. It is a list of steps, of which each writes files and
// reads those of steps before it, so that steps run beside each other and a build that was interrupted is continued. What they do is
// in packages of their own:
//
//	assembly   selects one row for each geography and POI of all regions
//	homes      reads where people live
//	previous   opens the previous release, identity assigns ids that continue it
//	scores     computes the scores of geographies from homes
//	files      writes the SpatiaLite files
//	estimates  computes the demographics of geographies
//	facts      collects what is known of geographies from the files so far, texts makes their profiles of it
//	packs      writes the server's packs from the SpatiaLite files
//	tiles      writes the map of the release
//	travel     writes the timetables and networks of streets of all regions
//	addresses  writes the addresses of all regions, if one has any
//	measures   computes how much is reached from homes, and the medians of geographies
//	verify     checks the finished release, compare reports what changed
//	private    writes the component private beside it, if there are requests of customers
//	publish    puts both in their places, atomically
//	steps      runs the steps that are not finished, in lanes
package build

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"quartier/build/assembly"
	"quartier/build/compare"
	"quartier/build/files"
	"quartier/build/publish"
	"quartier/build/steps"
	"quartier/internal/stamp"
	"quartier/schemas"
)

// Options are the input and output of a build.
type Options struct {
	Name        string               // of the release, see schemas.ValidReleaseName
	Regions     []assembly.Region    // at least one, in the order of the release file
	Previous    string               // folder of the release that is continued; "": none, all boundary versions are 1
	Out         string               // folder of the release
	Force       bool                 // replace a release at Out
	ToolVersion string               // of the program, for the manifest
	GateLimits  []schemas.GateLimit  // for the manifest, by gate
	Accepted    []schemas.Acceptance // for the manifest, by gate
	Inputs      stamp.Inputs         // what the release depends on besides the other options: the code, the files of the regions
	Custom      *Custom              // the component private beside it; nil: none
	Lanes       int                  // steps that are run beside each other; 0: one
	Log         *slog.Logger         // nil: no log
	System      *publish.FileSystem  // nil: publish.OS
	Done        func(steps.Done)     // is called after each step; nil: nobody
	// Changed, if set, is called with the differences from Previous before the release is published, when Out may still
	// be Previous. If it returns an error, the release is not published.
	Changed func(*compare.Comparison) error
}

// check returns an error for invalid options.
func (o Options) check() error {
	if !schemas.ValidReleaseName(o.Name) {
		return fmt.Errorf("%q is not a valid name of a release", o.Name)
	}
	if o.Out == "" || o.ToolVersion == "" {
		return errors.New("the folder or the version of the program is missing")
	}
	if len(o.Regions) == 0 {
		return errors.New("no regions")
	}
	seen := map[string]bool{}
	for _, r := range o.Regions {
		if !schemas.ValidReleaseName(r.Name) || seen[r.Name] {
			return fmt.Errorf("%q is not a valid name of a region, or occurs twice", r.Name)
		}
		seen[r.Name] = true
	}
	return nil
}

// Release builds a release at opts.Out and returns its manifest. If it fails or is killed, what was at opts.Out before
// stays there, and the steps that were finished stay in a hidden folder next to it: a build of the same inputs continues
// after them, and any other removes them. It fails with publish.ErrExists where
// opts.Out cannot be replaced, publish.ErrBusy where another build is running, and syscall.ENOSPC where the disk is full.
func Release(ctx context.Context, opts Options) (*schemas.Manifest, error) {
	fs := publish.OS
	if opts.System != nil {
		fs = *opts.System
	}
	if err := opts.check(); err != nil {
		return nil, fmt.Errorf("build release: %w", err)
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	opts.Log = opts.Log.With("release", opts.Name)
	open := publish.Continue
	if opts.Inputs == nil {
		open = publish.Open
	}
	dir, err := open(publish.Target{Out: opts.Out, Force: opts.Force, Private: opts.Custom != nil}, fs)
	if err != nil {
		return nil, fmt.Errorf("build release %s: %w", opts.Name, err)
	}
	m, err := build(ctx, opts, dir, fs)
	if err != nil {
		return nil, fmt.Errorf("build release %s: %w", opts.Name, files.NameDiskFull(err))
	}
	return m, nil
}

// build runs the steps from derived rows to a published release. If one fails, those that are finished are kept.
func build(ctx context.Context, opts Options, dir *publish.Dir, fs publish.FileSystem) (m *schemas.Manifest, err error) {
	l := newLanes(opts, dir)
	all, err := l.build()
	if err == nil {
		err = all.Run(ctx, steps.Options{Lanes: len(l.builders), Log: opts.Log, Write: fs.Write, Done: opts.Done})
	}
	l.close()
	if err == nil {
		m, err = schemas.ReadManifest(opts.Out)
	}
	if err != nil && opts.Inputs != nil && all != nil && all.Finished() {
		opts.Log.Info("finished steps are kept for a build of the same inputs; without one, remove the folder", "folder", dir.Root())
		dir.Leave()
		return nil, err
	}
	dir.Close()
	return m, err
}

// Plan decides which steps of a build are reused, and why others run.
func Plan(ctx context.Context, opts Options) ([]steps.Planned, error) {
	dir, err := publish.At(opts.Out)
	if err != nil {
		return nil, err
	}
	all, err := newLanes(opts, dir).build()
	if err != nil {
		return nil, err
	}
	return all.Plan(ctx)
}

// Steps are the steps of a build in a directory.
func Steps(opts Options, dir *publish.Dir) (*steps.Build, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	return newLanes(opts, dir).build()
}

// Alone runs the steps of an ID in a directory that has the files which they use. before are the notes of the steps before them.
func Alone(ctx context.Context, opts Options, dir *publish.Dir, id string, before []string) ([]string, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	l := newLanes(opts, dir)
	defer l.close()
	all, err := l.build()
	if err != nil {
		return nil, err
	}
	notes, err := all.Alone(ctx, id, before)
	return notes, files.NameDiskFull(err)
}

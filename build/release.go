// Package build makes a release of derived databases: what goes in are the staged.duckdb and derived.duckdb of one or
// more regions and, to go on from its ids, the previous release; what comes out is a folder with a manifest, four
// SpatiaLite files for people and five packs for the server, written beside its place, verified and put there in one
// step. The same inputs give the same bytes.
package build

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strconv"
	"time"

	"quartier/schemas"
)

// Options say what to build.
type Options struct {
	Name        string       // of the release, see schemas.ValidReleaseName
	Regions     []Region     // at least one, in the order of the release file
	Previous    string       // folder of the release whose ids go on; '': none, all versions start at 1
	Out         string       // folder that the release becomes
	Force       bool         // replace a release that stands at Out
	ToolVersion string       // of the program, for the manifest
	Log         *slog.Logger // nil: silent
	// Changed, if set, is told what is different from Previous before the release is put in place, where Out may be
	// Previous itself. An error of its own keeps the release from being published.
	Changed func(*Comparison) error
}

// check refuses options that no release can come of.
func (o Options) check() error {
	if !schemas.ValidReleaseName(o.Name) {
		return fmt.Errorf("%q cannot name a release", o.Name)
	}
	if o.Out == "" || o.ToolVersion == "" {
		return errors.New("a release needs a folder and the version of its tool")
	}
	if len(o.Regions) == 0 {
		return errors.New("a release needs a region")
	}
	seen := map[string]bool{}
	for _, r := range o.Regions {
		if !schemas.ValidReleaseName(r.Name) || seen[r.Name] {
			return fmt.Errorf("%q cannot name a region, or names two", r.Name)
		}
		seen[r.Name] = true
	}
	return nil
}

// Release builds a release at opts.Out and returns its manifest. On any error, and when it is killed, what stood at
// opts.Out still stands there; what was under way is thrown away then or by the next build. It wraps ErrExists where
// a release stands in the way, ErrBusy where another build is at work and syscall.ENOSPC where the disk is full.
func Release(ctx context.Context, opts Options) (*schemas.Manifest, error) {
	return release(ctx, opts, realDisk)
}

func release(ctx context.Context, opts Options, d disk) (*schemas.Manifest, error) {
	if err := opts.check(); err != nil {
		return nil, fmt.Errorf("build release: %w", err)
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	s, err := occupy(opts.Out, opts.Force, d)
	if err != nil {
		return nil, fmt.Errorf("build release %s: %w", opts.Name, err)
	}
	defer s.leave()
	m, err := write(ctx, opts, s)
	if err != nil {
		return nil, fmt.Errorf("build release %s: %w", opts.Name, explain(err))
	}
	return m, nil
}

// step is a part of a build, as the log names it.
type step struct {
	name string
	run  func(context.Context) error
}

// write takes the steps from derived rows to a published release.
func write(ctx context.Context, opts Options, s *site) (m *schemas.Manifest, err error) {
	d := &draft{name: opts.Name, toolVersion: opts.ToolVersion}
	defer d.close()
	file := func(name string) string { return filepath.Join(s.release(), name) }
	steps := []step{
		{"open previous release", func(ctx context.Context) (err error) {
			d.previous, err = openPrevious(ctx, opts.Previous)
			return err
		}},
		{"assemble regions", func(ctx context.Context) (err error) {
			if d.assembly, err = assemble(ctx, s.scratch(), opts.Regions); err != nil {
				return err
			}
			return d.readProvenance(ctx)
		}},
		{"link and identify geographies", func(ctx context.Context) (err error) {
			if d.places, err = d.assembly.places(ctx); err != nil {
				return err
			}
			d.ids, err = d.previous.succeed(ctx, opts.Name, d.assembly, d.places)
			return err
		}},
		{"write geographies", func(ctx context.Context) error { return d.writeGeographies(ctx, file(schemas.GeographiesFile)) }},
		{"write pois", func(ctx context.Context) error { return d.writePOIs(ctx, file(schemas.POIsFile)) }},
		{"write streets and scores", func(ctx context.Context) error { return d.writeAccess(ctx, file(schemas.AccessFile)) }},
		{"write demographics", func(ctx context.Context) error { return d.writeDemographics(ctx, file(schemas.DemographicsFile)) }},
		{"write packs", func(ctx context.Context) error { return writePacks(ctx, s.release(), s.release(), packings) }},
		{"write manifest", func(ctx context.Context) (err error) {
			m, err = d.writeManifest(ctx, s)
			return err
		}},
		{"verify", func(ctx context.Context) error {
			_, err := verify(ctx, s.release(), s.scratch())
			return err
		}},
		{"compare with previous release", func(ctx context.Context) error { return changed(ctx, opts, s.release()) }},
		{"flush", func(context.Context) error { return s.flush() }},
		{"publish", func(context.Context) error { return s.publish() }},
	}
	for _, step := range steps {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", step.name, err)
		}
		start := time.Now()
		if err := step.run(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", step.name, err)
		}
		opts.Log.Info(step.name, "release", opts.Name, "seconds", strconv.FormatFloat(time.Since(start).Seconds(), 'f', 1, 64))
	}
	return m, nil
}

// changed reports what the release in dir changes.
func changed(ctx context.Context, opts Options, dir string) error {
	if opts.Previous == "" || opts.Changed == nil {
		return nil
	}
	c, err := Compare(ctx, opts.Previous, dir)
	if err != nil {
		return err
	}
	return opts.Changed(c)
}

func (d *draft) close() {
	if d.assembly != nil {
		d.assembly.Close()
	}
	d.previous.Close()
}

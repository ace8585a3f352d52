// Package build builds a release from the derived databases of regions: a folder with a manifest, six SpatiaLite files
// and seven packs. The same inputs give the same bytes. Its steps are packages of their own, which hand values to each
// other:
//
//	assembly   selects one row for each geography and POI of all regions
//	homes      reads where people live
//	previous   opens the previous release, identity assigns ids that continue it
//	scores     computes the scores of geographies from homes
//	files      writes the SpatiaLite files
//	estimates  computes the demographics of geographies
//	facts      collects what is known of geographies from the files so far, texts makes their profiles of it
//	facts      collects what profiles are made of
//	packs      writes the server's packs from the SpatiaLite files
//	verify     checks the finished release, compare reports what changed
//	publish    puts it in its place, atomically
package build

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strconv"
	"time"

	"quartier/build/assembly"
	"quartier/build/compare"
	"quartier/build/estimates"
	"quartier/build/facts"
	"quartier/build/files"
	"quartier/build/homes"
	"quartier/build/identity"
	"quartier/build/neighbours"
	"quartier/build/packs"
	"quartier/build/previous"
	"quartier/build/publish"
	"quartier/build/released"
	"quartier/build/scores"
	"quartier/build/texts"
	"quartier/build/verify"
	"quartier/internal/pack"
	"quartier/internal/pack/smallareas"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/profile"
)

// Options are the input and output of a build.
type Options struct {
	Name        string            // of the release, see schemas.ValidReleaseName
	Regions     []assembly.Region // at least one, in the order of the release file
	Previous    string            // folder of the release that is continued; "": none, all boundary versions are 1
	Out         string            // folder of the release
	Force       bool              // replace a release at Out
	ToolVersion string            // of the program, for the manifest
	Log         *slog.Logger      // nil: no log
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
// stays there; temporary files are removed, by the next build if necessary. It fails with publish.ErrExists where
// opts.Out cannot be replaced, publish.ErrBusy where another build is running, and syscall.ENOSPC where the disk is full.
func Release(ctx context.Context, opts Options) (*schemas.Manifest, error) {
	return release(ctx, opts, publish.OS)
}

func release(ctx context.Context, opts Options, fs publish.FileSystem) (*schemas.Manifest, error) {
	if err := opts.check(); err != nil {
		return nil, fmt.Errorf("build release: %w", err)
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	dir, err := publish.Open(opts.Out, opts.Force, fs)
	if err != nil {
		return nil, fmt.Errorf("build release %s: %w", opts.Name, err)
	}
	defer dir.Close()
	m, err := build(ctx, opts, dir)
	if err != nil {
		return nil, fmt.Errorf("build release %s: %w", opts.Name, files.NameDiskFull(err))
	}
	return m, nil
}

// build runs the steps from derived rows to a published release.
func build(ctx context.Context, opts Options, dir *publish.Dir) (m *schemas.Manifest, err error) {
	var (
		last   *previous.Release
		rows   *assembly.Assembly
		r      = &files.Release{Dir: dir.Release()}
		lived  previous.Lived
		scored []scores.Geography
		people *files.Demographics
		survey *scores.Survey
		notes  []string
	)
	defer func() {
		people.Close()
		rows.Close()
		last.Close()
	}()
	note := func(more []string, err error) error {
		notes = append(notes, more...)
		return err
	}
	steps := []step{
		{"open previous release", func() (err error) {
			last, err = previous.Open(ctx, opts.Previous)
			r.Previous = last
			return err
		}},
		{"assemble regions", func() (err error) {
			if rows, err = assembly.New(ctx, dir.Scratch(), opts.Regions); err == nil {
				r.Assembly = rows
				r.Provenance, err = provenance(ctx, opts, rows, last)
			}
			return err
		}},
		{"read homes", func() (err error) {
			lived.Homes, lived.Hulls, err = homes.Read(ctx, rows)
			return err
		}},
		{"identify geographies", func() (err error) {
			if r.Geographies, err = rows.Geographies(ctx); err != nil {
				return err
			}
			r.IDs, err = last.Assign(ctx, opts.Name, outlinesOf(r.Geographies), lived, rows.Outlines.Get)
			return err
		}},
		{"write geographies", func() error { return files.WriteGeographies(ctx, r) }},
		{"write pois", func() error { return files.WritePOIs(ctx, r) }},
		{"write schools", func() error { return files.WriteSchools(ctx, r) }},
		{"compute scores", func() (err error) {
			var more []string
			scored, more, err = scores.Compute(ctx, rows, lived.Homes, lived.Hulls, r.Geographies)
			return note(more, err)
		}},
		{"survey scores", func() (err error) {
			if survey, err = scores.NewSurvey(ctx, rows, calibration.Standard()); err == nil {
				err = survey.Err()
			}
			return err
		}},
		{"write streets and scores", func() error { return note(files.WriteAccess(ctx, r, scored)) }},
		{"write small areas", func() (err error) {
			var more []string
			if people, more, err = files.CreateDemographics(ctx, r); err != nil {
				return err
			}
			return note(more, packs.WriteSmallAreas(ctx, dir.Release(), dir.Release()))
		}},
		{"write demographics", func() error { return note(writeDemographics(ctx, r, people)) }},
		{"write profiles", func() error { return writeProfiles(ctx, r, dir, lived.Homes) }},
		{"write packs", func() error {
			r.Geographies, r.IDs, scored, lived = nil, nil, nil, previous.Lived{} // the packs take memory and are made from the files alone
			return packs.Write(ctx, dir.Release(), dir.Release())
		}},
		{"write manifest", func() (err error) {
			m, err = writeManifest(ctx, dir, r, opts.Regions, survey, notes)
			return err
		}},
		{"verify", func() error {
			_, err := verify.Release(ctx, dir.Release(), dir.Scratch())
			return err
		}},
		{"compare with previous release", func() error { return reportChanges(ctx, opts, dir.Release()) }},
		{"flush", dir.Flush},
		{"publish", dir.Publish},
	}
	for _, s := range steps {
		if err := s.run(ctx, opts); err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return m, nil
}

// step is a step of a build with its name in the log.
type step struct {
	name string
	do   func() error
}

// run runs the step, unless ctx is done, and logs it.
func (s *step) run(ctx context.Context, opts Options) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	start := time.Now()
	if err := s.do(); err != nil {
		return err
	}
	opts.Log.Info(s.name, "release", opts.Name, "seconds", strconv.FormatFloat(time.Since(start).Seconds(), 'f', 1, 64))
	return nil
}

// provenance returns the provenance of the release.
func provenance(ctx context.Context, opts Options, rows *assembly.Assembly, last *previous.Release) (released.Provenance, error) {
	p, err := rows.Provenance(ctx)
	p.Release.Name, p.Release.ToolVersion, p.Release.Previous = opts.Name, opts.ToolVersion, last.Digest()
	return p, err
}

// outlinesOf returns what the ids of geographies depend on.
func outlinesOf(geographies []assembly.Geography) []identity.Outline {
	outlines := make([]identity.Outline, len(geographies))
	for i, g := range geographies {
		outlines[i] = identity.Outline{
			Version: identity.Version{Key: g.Key}, Level: g.Level, Bound: g.Bound, AreaM2: g.AreaM2, Geometry: g.Digest,
		}
	}
	return outlines
}

// writeDemographics computes the demographics of the geographies from the pack of small areas, and completes
// demographics.sqlite.
func writeDemographics(ctx context.Context, r *files.Release, people *files.Demographics) (notes []string, err error) {
	file, err := pack.Open(filepath.Join(r.Dir, schemas.SmallAreasPack))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	areas, err := smallareas.Open(file)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(r.IDs.Versions))
	for i, v := range r.IDs.Versions {
		ids[i] = v.ID
	}
	input := estimates.Input{Assembly: r.Assembly, Geographies: r.Geographies, IDs: ids, Areas: areas}
	if notes, err = estimates.Geographies(ctx, input, people.Add); err != nil {
		return nil, err
	}
	return notes, people.Finish(ctx)
}

// writeProfiles collects the facts about geographies, makes texts of them and writes profiles.sqlite.
func writeProfiles(ctx context.Context, r *files.Release, dir *publish.Dir, lived *homes.Index) error {
	file, err := files.CreateProfiles(ctx, r)
	if err != nil {
		return err
	}
	defer file.Close()
	input := facts.Input{Dir: r.Dir, Scratch: dir.Scratch(), Assembly: r.Assembly, Homes: lived}
	touching, err := neighbours.Read(ctx, r.Dir)
	if err != nil {
		return err
	}
	err = texts.Write(ctx, touching.Of(),
		func(emit func(profile.Place, []profile.Fact) error) error { return facts.Collect(ctx, input, emit) },
		func(p *texts.Profile) error { return file.Add(&p.Place, p.Facts, p.Texts) })
	if err == nil {
		err = file.AddLandmarks(ctx)
	}
	if err != nil {
		return err
	}
	return file.Finish(ctx)
}

// reportChanges calls opts.Changed with the differences between the previous release and the one in dir.
func reportChanges(ctx context.Context, opts Options, dir string) error {
	if opts.Previous == "" || opts.Changed == nil {
		return nil
	}
	c, err := compare.Releases(ctx, opts.Previous, dir)
	if err != nil {
		return err
	}
	return opts.Changed(c)
}

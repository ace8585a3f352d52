// Package build builds a release from the derived databases of regions: a folder with a manifest, seven SpatiaLite files,
// nine packs and three archives of map tiles. The same inputs give the same bytes. It is a list of steps, of which each writes files and
// reads those
// of the steps before it, so that a build that was interrupted is continued. What steps do is in packages of their own:
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
//	steps      runs the steps that are not finished
package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strconv"

	"quartier/build/assembly"
	"quartier/build/compare"
	"quartier/build/files"
	"quartier/build/packs"
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
func build(ctx context.Context, opts Options, dir *publish.Dir, fs publish.FileSystem) (*schemas.Manifest, error) {
	b := newBuilder(opts, dir)
	all, err := b.build()
	if err == nil {
		err = all.Run(ctx, steps.Options{Log: opts.Log, Write: fs.Write, Done: opts.Done})
	}
	b.letGo()
	if err != nil && opts.Inputs != nil && all != nil && all.Finished() {
		opts.Log.Info("finished steps are kept for a build of the same inputs; without one, remove the folder", "folder", dir.Root())
		dir.Leave()
		return nil, err
	}
	dir.Close()
	return b.manifest, err
}

// Plan decides which steps of a build are reused, and why others run.
func Plan(ctx context.Context, opts Options) ([]steps.Planned, error) {
	dir, err := publish.At(opts.Out)
	if err != nil {
		return nil, err
	}
	all, err := newBuilder(opts, dir).build()
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
	return newBuilder(opts, dir).build()
}

// Alone runs the steps of an ID in a directory that has the files which they use. before are the notes of the steps before them.
func Alone(ctx context.Context, opts Options, dir *publish.Dir, id string, before []string) ([]string, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	b := newBuilder(opts, dir)
	defer b.letGo()
	all, err := b.build()
	if err != nil {
		return nil, err
	}
	notes, err := all.Alone(ctx, id, before)
	return notes, files.NameDiskFull(err)
}

// build returns the steps with what they depend on.
func (b *builder) build() (*steps.Build, error) {
	last, err := digestOf(b.opts.Previous)
	if err != nil {
		return nil, err
	}
	inputs := append(slices.Clone(b.opts.Inputs), stamp.Of("name of the release", b.opts.Name),
		stamp.Of("version of the program", b.opts.ToolVersion),
		stamp.Of("previous release", last))
	for i, r := range b.opts.Regions {
		accepted, err := json.Marshal([]map[string]string{r.AcceptCollapsed, r.AcceptDisagreement})
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, stamp.Of("region "+r.Name, strconv.Itoa(i), string(accepted)))
	}
	custom, err := b.customSteps()
	if err != nil {
		return nil, err
	}
	b.all = &steps.Build{Stamps: b.dir.Stamps(), Folders: []string{b.dir.Release(), b.dir.Scratch()}, Inputs: inputs, Steps: b.steps(custom)}
	if b.opts.Custom != nil {
		b.all.Folders = append(b.all.Folders, b.dir.Private())
	}
	return b.all, nil
}

// steps is the list of all steps, with those of the component private. A step writes files, and what it reads are files of the
// steps before it; see builder.
func (b *builder) steps(custom []steps.Step) []steps.Step {
	in, scratch := b.dir.Release(), b.dir.Scratch()
	var staged, derived, addresses, of []string // of: derived databases with addresses
	for _, r := range b.opts.Regions {
		staged, derived = append(staged, r.Staged), append(derived, r.Derived)
		if r.Addresses {
			addresses, of = paths(in, schemas.AddressesPack), append(of, r.Derived)
		}
	}
	rows, survey := paths(scratch, assemblyFile), paths(scratch, surveyFile)
	geographies, pois, schools := paths(in, schemas.GeographiesFile), paths(in, schemas.POIsFile), paths(in, schemas.SchoolsFile)
	access, profiles := paths(in, schemas.AccessFile), paths(in, schemas.ProfilesFile)
	people, manifest := paths(in, schemas.DemographicsFile, schemas.SmallAreasPack), paths(in, schemas.ManifestFile)
	databases := slices.Concat(geographies, pois, schools, access, people, profiles)
	tiled := paths(in, schemas.GroundFile, schemas.TilesFile, schemas.HeatFile)
	packed, timetables := paths(in, packs.Files...), paths(in, schemas.TravelPack)
	reached := paths(in, schemas.TravelFile, schemas.ReachPack)
	released := slices.Concat(databases, packed, timetables, addresses, reached, tiled, manifest)
	list := []steps.Step{
		{ID: "assemble", Name: "assemble regions", Share: 0.03, Disk: 0.09, Uses: slices.Concat(staged, derived), Writes: rows, Do: b.assemble},
		{ID: "survey", Name: "survey scores", Share: 0.02, Uses: slices.Concat(derived, rows), Writes: survey, Do: b.surveyScores},
		{ID: "write.geographies", Name: "write geographies", Share: 0.03, Disk: 0.01, Uses: slices.Concat(derived, rows),
			Writes: geographies, Do: b.writeGeographies},
		{ID: "write.pois", Name: "write pois", Share: 0.02, Disk: 0.16, Uses: slices.Concat(derived, rows, geographies),
			Writes: pois, Do: b.writePOIs},
		{ID: "write.schools", Name: "write schools", Share: 0.01, Disk: 0.01, Uses: slices.Concat(rows, geographies),
			Writes: schools, Do: b.writeSchools},
		{ID: "write.access", Name: "write streets and scores", Share: 0.22, Disk: 0.40, Uses: slices.Concat(derived, rows, geographies),
			Writes: access, Do: b.writeAccess},
		{ID: "write.demographics", Name: "write demographics", Share: 0.07, Disk: 0.05, Uses: slices.Concat(derived, rows, geographies),
			Writes: people, Do: b.writeDemographics},
		{ID: "write.profiles", Name: "write profiles", Share: 0.09, Disk: 0.03,
			Uses: slices.Concat(derived, rows, geographies, pois, schools, access, people), Writes: profiles, Do: b.writeProfiles},
		{ID: "write.packs", Name: "write packs", Share: 0.05, Disk: 0.22, Uses: databases, Writes: packed, Do: b.writePacks},
		{ID: "write.tiles", Name: "write tiles", Share: 0.25, Disk: 0.04,
			Uses: slices.Concat(staged, derived, rows, geographies, pois, access, profiles), Writes: tiled, Do: b.writeTiles},
		{ID: "write.travel", Name: "write travel", Share: 0.03, Disk: 0.10, Uses: slices.Concat(derived, paths(in, schemas.AccessPack)),
			Writes: timetables, Do: b.writeTravel},
		{ID: "write.measures", Name: "write travel measures", Share: 0.01, Disk: 0.01,
			Uses:   slices.Concat(derived, rows, geographies, access, people, packed, timetables),
			Writes: reached, Do: b.writeMeasures},
		{ID: "write.manifest", Name: "write manifest", Share: 0.04, Inputs: b.gateInputs(),
			Uses: slices.Concat(derived, rows, survey, databases, packed, timetables, addresses, reached, tiled), Writes: manifest,
			Do: b.writeManifest},
		{ID: "verify", Name: "verify", Share: 0.13, Disk: 0.22, Uses: released, Do: b.verify},
		{ID: "publish", Name: "compare with previous release", Always: true, Do: b.compare},
	}
	if addresses != nil {
		before := slices.IndexFunc(list, func(s steps.Step) bool { return s.ID == "write.manifest" })
		list = slices.Insert(list, before, steps.Step{ID: "write.addresses", Name: "write addresses", Share: 0.05, Disk: 0.05, Uses: of,
			Writes: addresses, Do: b.writeAddresses})
	}
	for i := range custom {
		if custom[i].Writes == nil { // it checks what the one before wrote
			custom[i].Uses = custom[i-1].Writes
			continue
		}
		custom[i].Uses = slices.Concat(derived, rows, databases, manifest)
		released = append(released, custom[i].Writes...)
	}
	return append(append(list, custom...),
		steps.Step{ID: "publish", Name: "flush", Always: true, Do: b.flush},
		steps.Step{ID: "publish", Name: "publish", Always: true, Uses: released, Do: b.publish})
}

// gateInputs are what the manifest alone depends on.
func (b *builder) gateInputs() stamp.Inputs {
	var gates []string
	for _, l := range b.opts.GateLimits {
		gates = append(gates, l.Gate, strconv.FormatFloat(l.Limit, 'g', -1, 64))
	}
	var accepted []string
	for _, a := range b.opts.Accepted {
		accepted = append(accepted, a.Gate, a.Reason)
	}
	return stamp.Inputs{stamp.Of("limits of gates", gates...), stamp.Of("accepted gates", accepted...)}
}

func paths(folder string, names ...string) (list []string) {
	for _, name := range names {
		list = append(list, filepath.Join(folder, name))
	}
	return list
}

// digestOf returns the digest of the release in a folder; "" if folder is "".
func digestOf(folder string) (string, error) {
	if folder == "" {
		return "", nil
	}
	h, err := schemas.ReadHead(folder)
	if err != nil {
		return "", err
	}
	return h.Digest, nil
}

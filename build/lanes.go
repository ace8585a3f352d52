package build

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"quartier/build/packs"
	"quartier/build/publish"
	"quartier/build/steps"
	"quartier/build/tiles"
	"quartier/build/verify"
	"quartier/internal/stamp"
	"quartier/schemas"
)

// lanes run the steps of a build, at most one at a time in each, with what it opened for the steps before.
type lanes struct {
	opts     Options
	dir      *publish.Dir
	builders []*builder
}

func newLanes(opts Options, dir *publish.Dir) *lanes {
	l := &lanes{opts: opts, dir: dir}
	for i := range max(1, opts.Lanes) {
		l.builders = append(l.builders, &builder{opts: opts, dir: dir, scratch: filepath.Join(dir.Scratch(), fmt.Sprint("lane", i))})
	}
	return l
}

// do is a step by what it does in a lane.
func (l *lanes) do(step func(*builder, context.Context) ([]string, error)) func(context.Context, int) ([]string, error) {
	return func(ctx context.Context, lane int) ([]string, error) {
		b := l.builders[lane]
		if err := os.MkdirAll(b.scratch, 0o700); err != nil {
			return nil, err
		}
		return step(b, ctx)
	}
}

func (l *lanes) close() {
	for _, b := range l.builders {
		b.letGo()
	}
}

// build returns the steps with what they depend on.
func (l *lanes) build() (*steps.Build, error) {
	last, err := digestOf(l.opts.Previous)
	if err != nil {
		return nil, err
	}
	inputs := append(slices.Clone(l.opts.Inputs), stamp.Of("name of the release", l.opts.Name),
		stamp.Of("version of the program", l.opts.ToolVersion),
		stamp.Of("previous release", last))
	for i, r := range l.opts.Regions {
		accepted, err := json.Marshal([]map[string]string{r.AcceptCollapsed, r.AcceptDisagreement})
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, stamp.Of("region "+r.Name, strconv.Itoa(i), string(accepted)))
	}
	custom, err := l.customSteps()
	if err != nil {
		return nil, err
	}
	all := &steps.Build{Stamps: l.dir.Stamps(), Folders: []string{l.dir.Release(), l.dir.Scratch()}, Inputs: inputs, Steps: l.steps(custom)}
	if l.opts.Custom != nil {
		all.Folders = append(all.Folders, l.dir.Private())
	}
	for _, b := range l.builders {
		b.all = all
	}
	return all, nil
}

// steps is the list of all steps, with those of the component private. A step writes files, and what it reads are files of the
// steps before it; see builder. Of those that can begin at once the first of the list does.
func (l *lanes) steps(custom []steps.Step) []steps.Step {
	in, scratch := l.dir.Release(), l.dir.Scratch()
	var staged, derived []string
	for _, r := range l.opts.Regions {
		staged, derived = append(staged, r.Staged), append(derived, r.Derived)
	}
	rows, survey := paths(scratch, assemblyFile), paths(scratch, surveyFile)
	geographies, pois, schools := paths(in, schemas.GeographiesFile), paths(in, schemas.POIsFile), paths(in, schemas.SchoolsFile)
	access, profiles := paths(in, schemas.AccessFile), paths(in, schemas.ProfilesFile)
	people := paths(in, schemas.DemographicsFile, schemas.SmallAreasPack)
	placed := slices.Concat(derived, rows, geographies)
	list := []steps.Step{
		{ID: "assemble", Name: "assemble regions", Takes: takes(0.01, 0.09), Uses: slices.Concat(staged, derived),
			Writes: rows, Do: l.do((*builder).assemble)},
		{ID: "survey", Name: "survey scores", Takes: takes(0.02, 0), Uses: slices.Concat(derived, rows),
			Writes: survey, Do: l.do((*builder).surveyScores)},
		{ID: "write.geographies", Name: "write geographies", Takes: takes(0.02, 0.01), Uses: slices.Concat(derived, rows),
			Writes: geographies, Do: l.do((*builder).writeGeographies)},
		{ID: "write.pois", Name: "write pois", Takes: takes(0.02, 0.16), Uses: placed, Writes: pois, Do: l.do((*builder).writePOIs)},
		{ID: "write.schools", Name: "write schools", Takes: takes(0.01, 0.01), Uses: slices.Concat(rows, geographies),
			Writes: schools, Do: l.do((*builder).writeSchools)},
		{ID: "write.access", Name: "write streets and scores", Takes: takes(0.16, 0.40), Uses: placed,
			Writes: access, Do: l.do((*builder).writeAccess)},
		{ID: "write.demographics", Name: "write demographics", Takes: takes(0.05, 0.05), Uses: placed,
			Writes: people, Do: l.do((*builder).writeDemographics)},
		{ID: "write.profiles", Name: "write profiles", Takes: takes(0.07, 0.03), Uses: slices.Concat(placed, pois, schools, access, people),
			Writes: profiles, Do: l.do((*builder).writeProfiles)},
	}
	var packed []string
	for _, p := range packs.Packs {
		packed = append(packed, paths(in, p.To)...)
		list = append(list, steps.Step{ID: "pack." + p.Name, Name: "pack " + p.Name, Takes: takes(0.05*p.Share, 0.22*p.Share),
			Uses: paths(in, append([]string{p.From}, p.Beside...)...), Writes: paths(in, p.To), Do: l.do(writePack(p))})
	}
	var tiled []string
	for i := range tiles.Archives {
		a := &tiles.Archives[i]
		tiled = append(tiled, paths(in, a.File)...)
		name := strings.TrimSuffix(a.File, filepath.Ext(a.File))
		s := steps.Step{ID: "write." + name, Name: "write " + name, Takes: takes(0.24*a.Share, 0.04*a.Share),
			Uses: slices.Concat(rows, paths(in, a.Reads...)), Writes: paths(in, a.File), Do: l.do(writeTiles(a))}
		if a.Regions {
			s.Uses = slices.Concat(s.Uses, staged, derived)
		}
		list = append(list, s)
	}
	streets, timetables := paths(in, schemas.AccessPack), paths(in, schemas.TravelPack)
	reached := paths(in, schemas.TravelFile, schemas.ReachPack)
	list = append(list,
		steps.Step{ID: "write.travel", Name: "write travel", Takes: takes(0.04, 0.10),
			Uses: slices.Concat(derived, streets), Writes: timetables, Do: l.do((*builder).writeTravel)},
		steps.Step{ID: "write.measures", Name: "write travel measures", Takes: takes(0.18, 0.01),
			Uses: slices.Concat(placed, access, people, streets, timetables), Writes: reached, Do: l.do((*builder).writeMeasures)})
	released := slices.Concat(geographies, pois, schools, access, people, profiles, packed, timetables, reached, tiled)
	if s, any := l.addresses(); any {
		list, released = append(list, s), append(released, s.Writes...)
	}
	list = l.finish(list, custom, released, slices.Concat(derived, rows), survey)
	for i := range list {
		of := ofPlaces[list[i].ID]
		list[i].Takes.PlaceTime, list[i].Takes.PlaceDisk = of[0], of[1]
	}
	return list
}

// takes are the shares of a step of what is no list of places.
func takes(time, disk float64) steps.Shares { return steps.Shares{Time: time, Disk: disk} }

// ofPlaces are the shares of time and disk that steps take of each place of a list; the others take nothing of it.
var ofPlaces = map[string][2]float64{
	"assemble": {0.02, 0.08}, "write.pois": {0.32, 0.34}, "write.profiles": {0.09, 0.03}, "pack.pois": {0.15, 0.26},
	"write.ground": {0.01, 0}, "write.tiles": {0.05, 0.03}, "write.manifest": {0.04, 0}, "verify.files": {0.05, 0},
	"verify.databases": {0.14, 0}, "verify.packs": {0.13, 0.26},
}

// addresses is the step of regions with addresses; false: none has any.
func (l *lanes) addresses() (steps.Step, bool) {
	s := steps.Step{ID: "write.addresses", Name: "write addresses", Takes: takes(0.05, 0.05),
		Writes: paths(l.dir.Release(), schemas.AddressesPack), Do: l.do((*builder).writeAddresses)}
	for _, r := range l.opts.Regions {
		if r.Addresses {
			s.Uses = append(s.Uses, r.Derived)
		}
	}
	return s, s.Uses != nil
}

// finish adds the steps from the files of a release, but its manifest, to the one that is published. rows are those of the regions.
func (l *lanes) finish(list, custom []steps.Step, released, rows, survey []string) []steps.Step {
	manifest := paths(l.dir.Release(), schemas.ManifestFile)
	list = append(list, steps.Step{ID: "write.manifest", Name: "write manifest", Takes: takes(0.03, 0), Inputs: l.gateInputs(),
		Uses: slices.Concat(rows, survey, released), Writes: manifest, Do: l.do((*builder).writeManifest)})
	released = slices.Concat(released, manifest)
	for _, p := range verify.Parts {
		s := steps.Step{ID: "verify." + p.Name, Name: "verify " + p.Name, Takes: takes(0.10*p.Share, 0), Uses: released, Do: l.do(verifyPart(p))}
		if p.Files != nil {
			s.Uses = slices.DeleteFunc(slices.Clone(released), func(path string) bool {
				return !slices.Contains(p.Files, filepath.Base(path))
			})
			if len(s.Uses) == 0 { // of files that not every release has
				continue
			}
			s.Uses = append(s.Uses, manifest...)
		}
		if p.Copies {
			s.Takes.Disk = 0.22
		}
		list = append(list, s)
	}
	list = append(list, steps.Step{ID: "publish", Name: "compare with previous release", Always: true, Do: l.do((*builder).compare)})
	for i := range custom {
		if custom[i].Writes == nil { // it checks what the one before wrote
			custom[i].Uses = custom[i-1].Writes
			continue
		}
		custom[i].Uses = slices.Concat(rows, released)
		released = append(released, custom[i].Writes...)
	}
	return append(append(list, custom...),
		steps.Step{ID: "publish", Name: "flush", Always: true, Do: l.do((*builder).flush)},
		steps.Step{ID: "publish", Name: "publish", Always: true, Uses: released, Do: l.do((*builder).publish)})
}

// gateInputs are what the manifest alone depends on.
func (l *lanes) gateInputs() stamp.Inputs {
	var gates []string
	for _, l := range l.opts.GateLimits {
		gates = append(gates, l.Gate, strconv.FormatFloat(l.Limit, 'g', -1, 64))
	}
	var accepted []string
	for _, a := range l.opts.Accepted {
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

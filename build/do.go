package build

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"quartier/build/addresses"
	"quartier/build/assembly"
	"quartier/build/compare"
	"quartier/build/estimates"
	"quartier/build/facts"
	"quartier/build/files"
	"quartier/build/measures"
	"quartier/build/neighbours"
	"quartier/build/packs"
	"quartier/build/scores"
	"quartier/build/texts"
	"quartier/build/tiles"
	"quartier/build/travel"
	"quartier/build/verify"
	_ "quartier/internal/duck/driver"
	"quartier/internal/pack"
	"quartier/internal/pack/smallareas"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/profile"
)

func (b *builder) assemble(ctx context.Context) ([]string, error) {
	return nil, assembly.Create(ctx, filepath.Join(b.dir.Scratch(), assemblyFile), b.opts.Regions)
}

func (b *builder) surveyScores(ctx context.Context) ([]string, error) {
	rows, err := b.assembly(ctx)
	if err != nil {
		return nil, err
	}
	survey, err := scores.NewSurvey(ctx, rows, calibration.Standard())
	if err == nil {
		err = survey.Err()
	}
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(survey)
	if err != nil {
		return nil, err
	}
	return nil, os.WriteFile(filepath.Join(b.dir.Scratch(), surveyFile), data, 0o644)
}

// survey reads what surveyScores wrote.
func (b *builder) survey() (*scores.Survey, error) {
	data, err := os.ReadFile(filepath.Join(b.dir.Scratch(), surveyFile))
	if err != nil {
		return nil, err
	}
	survey := &scores.Survey{}
	return survey, json.Unmarshal(data, survey)
}

func (b *builder) writeGeographies(ctx context.Context) ([]string, error) {
	r, err := b.release(ctx)
	if err != nil {
		return nil, err
	}
	if r.Geographies, err = r.Assembly.Geographies(ctx); err != nil {
		return nil, err
	}
	lived, err := b.homes(ctx)
	if err != nil {
		return nil, err
	}
	r.Outlines = r.Assembly.Outlines
	if r.IDs, err = r.Previous.Assign(ctx, b.opts.Name, assembly.Identities(r.Geographies), lived, r.Outlines.Get); err != nil {
		return nil, err
	}
	return r.IDs.Notes(), files.WriteGeographies(ctx, r)
}

func (b *builder) writePOIs(ctx context.Context) ([]string, error) {
	r, err := b.geographies(ctx)
	if err != nil {
		return nil, err
	}
	return nil, files.WritePOIs(ctx, r)
}

func (b *builder) writeSchools(ctx context.Context) ([]string, error) {
	r, err := b.geographies(ctx)
	if err != nil {
		return nil, err
	}
	return nil, files.WriteSchools(ctx, r)
}

func (b *builder) writeAccess(ctx context.Context) (notes []string, err error) {
	r, err := b.geographies(ctx)
	if err != nil {
		return nil, err
	}
	lived, err := b.homes(ctx)
	if err != nil {
		return nil, err
	}
	scored, notes, err := scores.Compute(ctx, r.Outlines, lived.Homes, lived.Hulls, r.Geographies)
	if err != nil {
		return nil, err
	}
	more, err := files.WriteAccess(ctx, r, scored)
	return append(notes, more...), err
}

// writeDemographics writes the small areas, their pack, and the demographics of geographies, which are computed from the
// pack.
func (b *builder) writeDemographics(ctx context.Context) (notes []string, err error) {
	r, err := b.geographies(ctx)
	if err != nil {
		return nil, err
	}
	people, notes, err := files.CreateDemographics(ctx, r)
	if err != nil {
		return nil, err
	}
	defer people.Close()
	if err := packs.WriteSmallAreas(ctx, r.Dir, r.Dir); err != nil {
		return nil, err
	}
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
	more, err := estimates.Geographies(ctx, input, people.Add)
	if err != nil {
		return nil, err
	}
	return append(notes, more...), people.Finish(ctx)
}

// writeProfiles collects the facts about geographies and makes texts of them.
func (b *builder) writeProfiles(ctx context.Context) ([]string, error) {
	r, err := b.geographies(ctx)
	if err != nil {
		return nil, err
	}
	lived, err := b.homes(ctx)
	if err != nil {
		return nil, err
	}
	file, err := files.CreateProfiles(ctx, r)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	input := facts.Input{Dir: r.Dir, Scratch: b.scratch, Assembly: r.Assembly, Homes: lived.Homes}
	touching, err := neighbours.Read(ctx, r.Dir)
	if err != nil {
		return nil, err
	}
	left, err := texts.Write(ctx, touching.Of(),
		func(emit func(profile.Place, []profile.Fact) error) error { return facts.Collect(ctx, input, emit) },
		func(p *texts.Profile) error { return file.Add(&p.Place, p.Facts, p.Texts) })
	if err == nil {
		err = file.AddLandmarks(ctx)
	}
	if err != nil {
		return nil, err
	}
	return nil, file.Finish(ctx, left)
}

// writePack makes a pack from the files alone, without what takes memory.
func writePack(p packs.Pack) func(*builder, context.Context) ([]string, error) {
	return func(b *builder, ctx context.Context) ([]string, error) {
		b.forget()
		return nil, p.Write(ctx, b.dir.Release(), b.dir.Release())
	}
}

// writeTiles makes an archive of the map from the files, and from what only the regions' databases have.
func writeTiles(a *tiles.Archive) func(*builder, context.Context) ([]string, error) {
	return func(b *builder, ctx context.Context) ([]string, error) {
		r, err := b.release(ctx)
		if err != nil {
			return nil, err
		}
		input := tiles.Input{Dir: r.Dir, Scratch: b.scratch, Release: r.Provenance.Release, Sources: r.Provenance.Sources}
		for _, region := range b.opts.Regions {
			input.Regions = append(input.Regions, tiles.Region{Name: region.Name, Staged: region.Staged, Derived: region.Derived})
		}
		return nil, a.Write(ctx, input)
	}
}

// writeTravel writes the timetables of the regions, with their networks of streets and those on foot of the packs.
func (b *builder) writeTravel(ctx context.Context) ([]string, error) {
	var regions []travel.Region
	for _, r := range b.opts.Regions {
		regions = append(regions, travel.Region{Name: r.Name, Derived: r.Derived})
	}
	dir := b.dir.Release()
	return travel.Write(ctx, regions, filepath.Join(dir, schemas.AccessPack), filepath.Join(dir, schemas.TravelPack))
}

// writeMeasures computes what is reached from homes, from the packs and files so far.
func (b *builder) writeMeasures(ctx context.Context) ([]string, error) {
	r, err := b.geographies(ctx)
	if err != nil {
		return nil, err
	}
	lived, err := b.homes(ctx)
	if err != nil {
		return nil, err
	}
	in := measures.Input{Dir: r.Dir, Assembly: r.Assembly, Homes: lived.Homes, Hulls: lived.Hulls, Outlines: r.Outlines,
		Geographies: r.Geographies}
	for _, v := range r.IDs.Versions {
		in.IDs = append(in.IDs, v.ID)
	}
	rows, notes, err := measures.Compute(ctx, &in)
	if err == nil {
		err = files.WriteTravel(ctx, r, rows)
	}
	if err == nil {
		err = packs.WriteReach(ctx, r.Dir, r.Dir)
	}
	return notes, err
}

// writeAddresses writes the addresses of the regions that have any.
func (b *builder) writeAddresses(ctx context.Context) ([]string, error) {
	var regions []addresses.Region
	for _, r := range b.opts.Regions {
		if r.Addresses {
			regions = append(regions, addresses.Region{Name: r.Name, Derived: r.Derived})
		}
	}
	return nil, addresses.Write(ctx, regions, filepath.Join(b.dir.Release(), schemas.AddressesPack), b.scratch)
}

func (b *builder) writeManifest(ctx context.Context) ([]string, error) {
	r, err := b.release(ctx)
	if err != nil {
		return nil, err
	}
	survey, err := b.survey()
	if err != nil {
		return nil, err
	}
	return nil, writeManifest(ctx, b.dir, r, &b.opts, survey, b.all.Notes())
}

func verifyPart(p verify.Part) func(*builder, context.Context) ([]string, error) {
	return func(b *builder, ctx context.Context) ([]string, error) {
		return nil, p.Verify(ctx, b.dir.Release(), b.scratch)
	}
}

// compare calls opts.Changed with the differences from the previous release.
func (b *builder) compare(ctx context.Context) ([]string, error) {
	if b.opts.Previous == "" || b.opts.Changed == nil {
		return nil, nil
	}
	c, err := compare.Releases(ctx, b.opts.Previous, b.dir.Release())
	if err != nil {
		return nil, err
	}
	return nil, b.opts.Changed(c)
}

func (b *builder) flush(context.Context) ([]string, error) { return nil, b.dir.Flush() }

func (b *builder) publish(context.Context) ([]string, error) { return nil, b.dir.Publish() }

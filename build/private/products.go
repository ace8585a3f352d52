package private

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/paulmach/orb"

	"quartier/build/assembly"
	"quartier/build/estimates"
	"quartier/build/facts"
	"quartier/build/files"
	"quartier/build/packs"
	"quartier/build/released"
	"quartier/build/texts"
	"quartier/schemas"
	"quartier/schemas/profile"
)

// writeDemographics computes the demographics of the geographies and writes demographics.sqlite. Those of the metro areas that
// they are in are computed too, because affordability depends on them, and those of counties that larger areas are composed of.
func (b *builder) writeDemographics(ctx context.Context) error {
	file, _, err := files.CreateDemographics(ctx, b.r)
	if err != nil {
		return err
	}
	defer file.Close()
	first := len(b.public)
	all := append(b.public[:first:first], b.r.Geographies...)
	input := estimates.Input{Assembly: b.rows, Geographies: all, IDs: make([]string, len(all)), Wanted: b.wanted(), Areas: b.areas}
	own := map[string]bool{}
	for i := range all {
		if input.IDs[i] = all[i].Key; i >= first {
			input.IDs[i] = b.r.IDs.Versions[i-first].ID
			own[input.IDs[i]] = true
		}
	}
	_, err = estimates.Geographies(ctx, input, func(g *estimates.Geography) error {
		if !own[g.ID] {
			return nil
		}
		return file.Add(g)
	})
	if err != nil {
		return err
	}
	return file.Finish(ctx)
}

// wanted are the geographies whose demographics are computed: of the regions, then those of requests.
func (b *builder) wanted() []bool {
	wanted := make([]bool, len(b.public)+len(b.r.Geographies))
	metros := map[string]bool{}
	var composed []orb.Bound // boxes of what is composed of counties
	for i := range b.r.Geographies {
		g := &b.r.Geographies[i]
		wanted[len(b.public)+i] = true
		if metro := g.Parents[assembly.Metro]; metro != "" {
			metros[metro] = true
		}
		if g.Level == schemas.Region {
			composed = append(composed, g.Bound)
		}
	}
	for i := range b.public {
		if g := &b.public[i]; metros[g.Key] {
			wanted[i] = true
			composed = append(composed, g.Bound)
		}
	}
	for i := range b.public {
		if g := &b.public[i]; g.Level == schemas.County {
			wanted[i] = slices.ContainsFunc(composed, g.Bound.Intersects)
		}
	}
	return wanted
}

// writeProfiles writes profiles.sqlite: facts and texts of the geographies, and those of the others from their last facts.
func (b *builder) writeProfiles(ctx context.Context) error {
	file, err := files.CreateProfiles(ctx, b.r)
	if err != nil {
		return err
	}
	defer file.Close()
	input := facts.Input{
		Dir: b.Places, Own: b.r.Dir, Only: map[string]bool{}, Scratch: b.scratch, Assembly: b.rows, Homes: b.lived,
	}
	for _, v := range b.r.IDs.Versions {
		input.Only[v.ID] = true
	}
	types := map[string]string{} // of the requests, by geog_id
	for i := range b.r.Geographies {
		types[b.r.IDs.Versions[i].ID] = b.byKey[b.r.Geographies[i].Key].Type
	}
	collect := func(emit func(profile.Place, []profile.Fact) error) error {
		typed := func(place profile.Place, facts []profile.Fact) error {
			place.Type = cmp.Or(types[place.ID], place.Type)
			return emit(place, facts)
		}
		if err := facts.Collect(ctx, input, typed); err != nil {
			return err
		}
		return b.lastFacts(ctx, emit)
	}
	left, err := texts.Write(ctx, nil, collect, func(p *texts.Profile) error { return file.Add(&p.Place, p.Facts, p.Texts) })
	if err != nil {
		return err
	}
	return file.Finish(ctx, left)
}

// lastFacts emits the facts that the previous component has of what is not computed any more.
func (b *builder) lastFacts(ctx context.Context, emit func(profile.Place, []profile.Fact) error) error {
	if b.last == nil {
		return nil
	}
	db, err := released.Open(b.last.Path(schemas.ProfilesFile))
	if err != nil {
		return err
	}
	defer db.Close()
	copied := map[string]bool{}
	for _, id := range b.r.Copied() {
		copied[id] = true
	}
	return released.Profiles(ctx, db, "", func(p *released.Profile) error {
		if !copied[p.Place.ID] {
			return nil
		}
		return emit(p.Place, p.Facts)
	})
}

// writePacks writes the packs and the outcomes.
func (b *builder) writePacks(ctx context.Context) error {
	if err := packs.WritePrivate(ctx, b.r.Dir, b.r.Dir); err != nil {
		return err
	}
	data, err := b.outcomes().Encode()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.r.Dir, schemas.OutcomesFile), data, 0o644)
}

// writeManifest writes the manifest of the files.
func (b *builder) writeManifest(ctx context.Context) error {
	m := &schemas.PrivateManifest{
		Schema: schemas.ManifestSchema, History: schemas.HistorySchema, Component: schemas.Private, AsOf: b.Requests.AsOf,
		ToolVersion: b.ToolVersion, Places: b.places.Digest,
		Previous: b.last.Digest(), Update: b.Requests.Update, Requests: b.SHA256, Notes: b.notes,
	}
	var err error
	if m.Steps, err = released.AllSteps(ctx, b.r.Dir); err != nil {
		return err
	}
	for _, name := range released.PrivateFiles {
		f, err := released.Describe(ctx, filepath.Join(b.r.Dir, name), name)
		if err != nil {
			return err
		}
		m.Files = append(m.Files, f)
	}
	if m.Counts, err = released.CountPrivate(ctx, b.r.Dir); err != nil {
		return err
	}
	if m.Digest, err = m.ComputeDigest(); err != nil {
		return err
	}
	if err := m.Check(); err != nil {
		return err
	}
	data, err := m.Encode()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.r.Dir, schemas.ManifestFile), data, 0o644)
}

package files

import (
	"context"
	"fmt"
	"slices"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/bundle"
	"quartier/schemas/derived"
	"quartier/schemas/profile"
	"quartier/schemas/release"
)

// Profiles is profiles.sqlite under way.
type Profiles struct {
	file    *file
	release *Release
	place   *sqlrow.Inserter[release.ProfilePlace]
	fact    *sqlrow.Inserter[release.ProfileFact]
	text    *sqlrow.Inserter[release.ProfileText]
}

// CreateProfiles creates profiles.sqlite.
func CreateProfiles(ctx context.Context, r *Release) (*Profiles, error) {
	// Texts about superseded geographies are not copied but made of facts, as all others.
	unattached := Release{Dir: r.Dir}
	f, err := unattached.create(schemas.ProfilesFile, bundle.Profiles, bundle.Provenance)
	if err != nil {
		return nil, err
	}
	return &Profiles{file: f, release: r,
		place: sqlrow.NewInserter[release.ProfilePlace](ctx, f.tx, "profile_place"),
		fact:  sqlrow.NewInserter[release.ProfileFact](ctx, f.tx, "profile_fact"),
		text:  sqlrow.NewInserter[release.ProfileText](ctx, f.tx, "profile_text"),
	}, nil
}

// Close closes the file; it is incomplete unless it was finished.
func (p *Profiles) Close() error { return p.file.Close() }

// Add writes a place with its facts and its texts by language.
func (p *Profiles) Add(place *profile.Place, facts []profile.Fact, texts map[string]profile.Text) error {
	err := p.place.Row(release.NewProfilePlace(place))
	for i := range facts {
		if err == nil {
			err = p.fact.Row(release.NewProfileFact(place.ID, i, &facts[i]))
		}
	}
	for _, language := range profile.Languages(place) {
		text := texts[language]
		for _, row := range release.ProfileTexts(place.ID, language, &text) {
			if err == nil {
				err = p.text.Row(row)
			}
		}
	}
	if err != nil {
		return fmt.Errorf("profile of geography %s: %w", place.ID, err)
	}
	return nil
}

// AddLandmarks writes the landmarks of all regions.
func (p *Profiles) AddLandmarks(ctx context.Context) error {
	insert := sqlrow.NewInserter[release.Landmark](ctx, p.file.tx, "landmark")
	fid := int64(0)
	return p.release.Assembly.Landmarks(ctx, func(region string, l *derived.Landmark, g orb.Geometry) error {
		fid++
		row := release.Landmark{FID: fid, Region: region, Kind: l.Kind, Class: l.Class, SourceID: l.SourceID, SourceKey: l.SourceKey,
			Name: l.Name, NameFR: l.NameFR, LengthM: l.LengthM}
		switch g := g.(type) {
		case orb.Point:
			row.Geometry = released.PointBlob(g)
		case orb.LineString:
			row.Geometry = released.LineBlob(g)
		case orb.MultiPolygon:
			row.Geometry = released.MultiPolygonBlob(g)
		default:
			return fmt.Errorf("is a %T", g)
		}
		return insert.Row(row)
	})
}

// Finish completes the file. left counts the texts that were left out.
func (p *Profiles) Finish(ctx context.Context, left []release.Issue) error {
	provenance := p.release.Provenance
	provenance.Issues = slices.Concat(left, provenance.Issues)
	return p.file.finish(ctx, &provenance, bundle.ProfileColumns)
}

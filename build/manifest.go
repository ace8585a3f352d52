package build

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"quartier/build/addresses"
	"quartier/build/files"
	"quartier/build/identity"
	"quartier/build/publish"
	"quartier/build/released"
	"quartier/build/scores"
	"quartier/build/tiles"
	"quartier/build/travel"
	"quartier/schemas"
	"quartier/schemas/calibration"
)

// writeManifest writes the manifest of the files in dir.
func writeManifest(ctx context.Context, dir *publish.Dir, r *files.Release, opts *Options, survey *scores.Survey, notes []string) error {
	release := r.Provenance.Release
	m := &schemas.Manifest{
		Schema:      schemas.ManifestSchema,
		History:     schemas.HistorySchema,
		Component:   schemas.Places,
		Release:     release.Name,
		AsOf:        release.AsOf,
		ToolVersion: release.ToolVersion,
		Previous:    release.Previous,
		Parameters:  append(released.CalibrationParameters(calibration.Standard().Version, calibration.Digest()), identity.Parameters()...),
		Sources:     r.Provenance.ManifestSources(),
		Spreads:     survey.Spreads,
		Agreements:  survey.Agreements,
		GateLimits:  opts.GateLimits,
		Accepted:    opts.Accepted,
		Notes:       notes,
	}
	var err error
	if m.Steps, err = released.AllSteps(ctx, dir.Release()); err != nil {
		return err
	}
	if m.Classes, err = r.Assembly.Classes(ctx, &calibration.Standard().Known); err != nil {
		return err
	}
	m.Errands = scores.Errands(calibration.Standard(), m.Classes)
	for _, region := range opts.Regions {
		m.Regions = append(m.Regions, region.Name)
	}
	for _, name := range released.FilesOf(m.Sources) {
		f, err := released.Describe(ctx, filepath.Join(dir.Release(), name), name)
		if err != nil {
			return err
		}
		m.Files = append(m.Files, f)
		if len(f.Tables) == 0 {
			continue
		}
		if err := count(ctx, filepath.Join(dir.Release(), name), name, &m.Counts); err != nil {
			return err
		}
	}
	if err := tiles.Count(dir.Release(), &m.Counts); err != nil {
		return err
	}
	if err := travel.Count(dir.Release(), &m.Counts); err != nil {
		return err
	}
	if err := addresses.Count(dir.Release(), m.Files, &m.Counts); err != nil {
		return err
	}
	overlaps, err := r.Assembly.Overlaps(ctx, &m.Counts)
	if err != nil {
		return err
	}
	m.Notes = append(append(m.Notes, overlaps...), missingLevels(m.Counts.Geographies)...)
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
	return dir.WriteFile(schemas.ManifestFile, data)
}

// count sets the counts of c that come from the SpatiaLite file at path.
func count(ctx context.Context, path, name string, c *schemas.ReleaseCounts) error {
	db, err := released.Open(path)
	if err != nil {
		return err
	}
	defer db.Close()
	return released.Count(ctx, db, name, c)
}

// missingLevels returns a note on the levels without geographies.
func missingLevels(counts []schemas.LevelCount) []string {
	var missing []string
	present := map[schemas.Level]bool{}
	for _, c := range counts {
		present[c.Level] = true
	}
	for _, level := range schemas.Levels {
		if !present[level] {
			missing = append(missing, fmt.Sprintf("%d (%s)", level, level.Label("US", "").EN))
		}
	}
	if missing == nil {
		return nil
	}
	return []string{"levels without geographies, because no source has complete outlines of them: " + strings.Join(missing, ", ")}
}

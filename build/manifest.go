package build

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"

	"quartier/schemas"
	"quartier/schemas/calibration"
)

// The parameters that name the constants of measures and scores.
const (
	calibrationDigest  = "calibration_sha256"
	calibrationVersion = "calibration_version"
)

// releaseFiles are the files of a release folder but for its manifest, by name.
var releaseFiles = []string{
	schemas.AccessPack, schemas.AccessFile, schemas.DemographicsPack, schemas.DemographicsFile,
	schemas.GeographiesPack, schemas.GeographiesFile, schemas.POIsPack, schemas.POIsFile, schemas.SmallAreasPack,
}

// parameters are the constants that geog_ids, measures and scores depend on.
func parameters() []schemas.Parameter {
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	return []schemas.Parameter{
		{Name: calibrationDigest, Value: calibration.Digest()},
		{Name: calibrationVersion, Value: calibration.Standard().Version},
		{Name: "succession_measure", Value: "area"},
		{Name: "succession_part_share", Value: number(partShare)},
		{Name: "succession_same_hausdorff_m", Value: number(sameHausdorffM)},
		{Name: "succession_same_iou", Value: number(sameIoU)},
		{Name: "succession_split_share", Value: number(splitShare)},
		{Name: "succession_version_iou", Value: number(versionIoU)},
		{Name: "succession_whole_share", Value: number(wholeShare)},
	}
}

// writeManifest describes the files of the release under way and everything they were made from.
func (d *draft) writeManifest(ctx context.Context, s *site) (*schemas.Manifest, error) {
	m := &schemas.Manifest{
		Schema:      schemas.ManifestSchema,
		Release:     d.name,
		AsOf:        d.asOf,
		ToolVersion: d.toolVersion,
		Parameters:  parameters(),
		Sources:     d.manifestSources(),
		Steps:       d.manifestSteps(),
	}
	if d.previous != nil {
		m.Previous = d.previous.manifest.Digest
	}
	for _, r := range d.regions {
		m.Regions = append(m.Regions, r.Name)
	}
	for _, name := range releaseFiles {
		f, err := describeFile(ctx, filepath.Join(s.release(), name), name)
		if err != nil {
			return nil, err
		}
		m.Files = append(m.Files, f)
	}
	if err := d.remark(ctx); err != nil {
		return nil, err
	}
	m.Counts, m.Notes = d.counts, d.notes
	var err error
	if m.Digest, err = m.ComputeDigest(); err != nil {
		return nil, err
	}
	if err := m.Check(); err != nil {
		return nil, err
	}
	data, err := m.Encode()
	if err != nil {
		return nil, err
	}
	return m, s.write(filepath.Join(s.release(), schemas.ManifestFile), data)
}

func (d *draft) manifestSources() []schemas.ReleaseSource {
	issues := map[[2]string][]schemas.ReleaseIssue{}
	for _, i := range d.issues {
		key := [2]string{d.regions[i.region].Name, i.source}
		issues[key] = schemas.AddIssue(issues[key], i.Reason, i.rows, i.example)
	}
	list := make([]schemas.ReleaseSource, len(d.sources))
	for i, s := range d.sources {
		list[i] = s.ReleaseSource
		list[i].Issues = issues[[2]string{s.Region, s.ID}]
	}
	return list
}

func (d *draft) manifestSteps() (list []schemas.StepIssue) {
	for _, i := range d.issues {
		if i.step != ingestStep {
			list = schemas.AddStepIssue(list, d.regions[i.region].Name, i.step, i.Reason, i.rows, i.example)
		}
	}
	return list
}

// remark counts what regions told twice and notes what a reader of the release would not expect.
func (d *draft) remark(ctx context.Context) error {
	for _, c := range []struct {
		target    *int64
		statement string
	}{
		{&d.counts.OverlappingGeos, "SELECT (SELECT count(*) FROM geography_row) - (SELECT count(*) FROM geography_pick)"},
		{&d.counts.OverlappingPOIs, "SELECT (SELECT count(*) FROM poi_row) - (SELECT count(*) FROM poi_pick)"},
	} {
		n, err := d.count(ctx, c.statement)
		if err != nil {
			return fmt.Errorf("count overlaps: %w", err)
		}
		*c.target = n
	}
	older, err := d.count(ctx, query("older_outlines"))
	if err != nil {
		return fmt.Errorf("count overlaps: %w", err)
	}
	if older > 0 {
		d.note("outlines of older sources that gave way to those of newer ones in another region: %d", older)
	}
	stateless, err := d.count(ctx, "SELECT count(*) FROM poi_order AS o JOIN poi_row AS r USING (poi_key, region) WHERE r.state_code IS NULL")
	if err != nil {
		return fmt.Errorf("count pois: %w", err)
	}
	if stateless > 0 {
		d.note("pois in no known state or province: %d", stateless)
	}
	if d.toldAgain > 0 {
		d.note("cells with a typology that a second region told again: %d", d.toldAgain)
	}
	if err := d.noteLostSources(ctx); err != nil {
		return fmt.Errorf("find lost sources: %w", err)
	}
	present := map[schemas.Level]bool{}
	for _, c := range d.counts.Geographies {
		present[c.Level] = true
	}
	for _, level := range schemas.Levels {
		if !present[level] {
			d.note("level %d (%s) is absent: no source of the release gives a whole outline of it", level, level.Label("US", "").EN)
		}
	}
	return nil
}

func (d *draft) note(format string, args ...any) {
	d.notes = append(d.notes, fmt.Sprintf(format, args...))
}

// noteLostSources tells of sources that came to nothing, as one with swapped coordinates does.
func (d *draft) noteLostSources(ctx context.Context) error {
	rows, err := d.assembly.conn.QueryContext(ctx, query("lost_sources"))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var region int
		var source, what string
		var staged int64
		if err := rows.Scan(&region, &source, &what, &staged); err != nil {
			return err
		}
		d.note("source %s of region %s: none of its %d staged %s is in the release", source, d.assembly.regions[region].Name, staged, what)
	}
	return rows.Err()
}

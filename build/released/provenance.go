package released

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"

	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/reason"
	"quartier/schemas/release"
)

// IngestStep is the step of issues that belong to a source, TextsStep that of texts that are left out, which are issues of
// profiles.sqlite alone and of no region. Other steps are those of transform.
const (
	IngestStep = "ingest"
	TextsStep  = "texts"
)

// Provenance is the content of the tables release, source and issue, which are the same in all SpatiaLite files but for the
// issues of texts. Issues are ordered by region, step, source, severity, code and detail.
type Provenance struct {
	Release release.Release
	Sources []release.Source
	Issues  []release.Issue
}

// ReadProvenance reads the provenance that a SpatiaLite file has, with sources by region and id.
func ReadProvenance(ctx context.Context, db *sql.DB) (p Provenance, err error) {
	rows, err := sqlrow.All[release.Release](ctx, db, "SELECT * FROM release")
	if err == nil && len(rows) != 1 {
		err = fmt.Errorf("%d rows, want 1", len(rows))
	}
	if err != nil {
		return p, fmt.Errorf("read release: %w", err)
	}
	p.Release = rows[0]
	p.Sources, err = sqlrow.All[release.Source](ctx, db, "SELECT * FROM source ORDER BY region, source_id")
	if err != nil {
		return p, fmt.Errorf("read sources: %w", err)
	}
	p.Issues, err = sqlrow.All[release.Issue](ctx, db, "SELECT * FROM issue ORDER BY region, step, source_id, severity, code, detail")
	if err != nil {
		return p, fmt.Errorf("read issues: %w", err)
	}
	return p, nil
}

// RequestsSource is the id and kind of the requests file as a source of a component private.
const RequestsSource = "custom-geographies"

// ManifestSources returns the sources with their issues, as a manifest has them.
func (p *Provenance) ManifestSources() []schemas.ReleaseSource {
	issues := map[[2]string][]schemas.ReleaseIssue{} // by region and source
	for _, i := range p.Issues {
		if i.Step == IngestStep {
			key := [2]string{i.Region, i.SourceID}
			issues[key] = schemas.AddIssue(issues[key], reasonOf(i), i.Rows, i.Example)
		}
	}
	list := make([]schemas.ReleaseSource, len(p.Sources))
	for i, s := range p.Sources {
		list[i] = schemas.ReleaseSource{
			Region: s.Region, ID: s.SourceID, Kind: s.Kind, Path: s.Path, SHA256: s.SHA256, Bytes: s.Bytes, AsOf: s.AsOf,
			Licence: s.Licence, Attribution: s.Attribution, URL: s.URL, RowsRead: s.RowsRead, RowsStaged: s.RowsStaged, NoFootpaths: s.NoFootpaths,
			Issues: issues[[2]string{s.Region, s.SourceID}],
		}
	}
	return list
}

// AllSteps returns the issues of steps of the SpatiaLite files in a folder, as a manifest has them: those of profiles.sqlite.
func AllSteps(ctx context.Context, dir string) ([]schemas.StepIssue, error) {
	db, err := Open(filepath.Join(dir, schemas.ProfilesFile))
	if err != nil {
		return nil, err
	}
	defer db.Close()
	p, err := ReadProvenance(ctx, db)
	return p.ManifestSteps(), err
}

// StepsIn selects the issues of steps that a SpatiaLite file has of those of a manifest.
func StepsIn(file string, steps []schemas.StepIssue) []schemas.StepIssue {
	if file == schemas.ProfilesFile {
		return steps
	}
	return slices.DeleteFunc(slices.Clone(steps), func(i schemas.StepIssue) bool { return i.Step == TextsStep })
}

// ManifestSteps returns the issues of transform and of texts, as a manifest has them.
func (p *Provenance) ManifestSteps() (list []schemas.StepIssue) {
	for _, i := range p.Issues {
		if i.Step != IngestStep {
			list = schemas.AddStepIssue(list, i.Region, i.Step, reasonOf(i), i.Rows, i.Example)
		}
	}
	return list
}

func reasonOf(i release.Issue) reason.Reason {
	return reason.Reason{Code: i.Code, Severity: reason.Severity(i.Severity), Description: i.Description, Detail: i.Detail}
}

// CalibrationParameters are the parameters of a manifest that identify a calibration.
func CalibrationParameters(version, digest string) []schemas.Parameter {
	return []schemas.Parameter{{Name: "calibration_sha256", Value: digest}, {Name: "calibration_version", Value: version}}
}

package verify

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"

	"quartier/build/packs"
	"quartier/build/released"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/release"
)

// Private verifies the component private in dir like Release a release.
func Private(ctx context.Context, dir, scratch string) (Report, error) {
	scratch, err := os.MkdirTemp(scratch, "quartier-verify-*")
	if err != nil {
		return Report{}, err
	}
	defer os.RemoveAll(scratch)
	report, err := verifyPrivate(ctx, dir, scratch)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w: %w", ErrUnverified, err)
	}
	return report, err
}

func verifyPrivate(ctx context.Context, dir, scratch string) (report Report, err error) {
	m, err := schemas.ReadPrivateManifest(dir)
	if err != nil {
		return report, err
	}
	report = Report{Release: schemas.Private, Digest: m.Digest, AsOf: m.AsOf, Files: 1 + len(m.Files)}
	if err := Folder(dir, m.Files, released.PrivateFiles); err != nil {
		return report, err
	}
	if err := report.CheckFiles(ctx, dir, m.Files); err != nil {
		return report, err
	}
	if report.Facts, err = checkPrivateDatabases(ctx, dir, m); err != nil {
		return report, err
	}
	counts, err := released.CountPrivate(ctx, dir)
	if err == nil && counts != m.Counts {
		err = fmt.Errorf("counts are %+v, the manifest has %+v", counts, m.Counts)
	}
	if err == nil {
		err = checkOutcomes(ctx, dir, m)
	}
	if err == nil {
		err = packs.WritePrivate(ctx, dir, scratch)
	}
	if err == nil {
		err = comparePacks(ctx, scratch, m.Files, m.ToolVersion)
	}
	return report, err
}

// checkPrivateDatabases checks the content of the SpatiaLite files and returns the number of facts that were checked. Where
// geographies alone do not verify, the error is the Faults of all of them.
func checkPrivateDatabases(ctx context.Context, dir string, m *schemas.PrivateManifest) (checked int, err error) {
	var found Faults
	for _, f := range []struct {
		name, facts string
		check       func(ctx context.Context, db *sql.DB) error
	}{
		{schemas.GeographiesFile, "geographies", func(ctx context.Context, db *sql.DB) error { return checkIDs(ctx, db, "", nil) }},
		{schemas.AccessFile, "access", func(ctx context.Context, db *sql.DB) error {
			return checkGeographiesExist(ctx, db, dir, "scores", "SELECT DISTINCT geog_id FROM geography_score")
		}},
		{schemas.DemographicsFile, "demographics", func(ctx context.Context, db *sql.DB) error { return checkDemographics(ctx, db, dir, nil) }},
		{schemas.ProfilesFile, "profiles", func(ctx context.Context, db *sql.DB) error {
			return checkProfiles(ctx, db, dir, &schemas.Manifest{ToolVersion: m.ToolVersion})
		}},
		{schemas.PrivateFile, "private", func(ctx context.Context, db *sql.DB) error { return checkOwners(ctx, db, dir) }},
	} {
		db, err := released.Open(filepath.Join(dir, f.name))
		if err != nil {
			return checked, err
		}
		defer db.Close()
		n, err := checkDatabase(ctx, db, f.facts)
		checked += n
		for _, check := range []func() error{
			func() error { return err },
			func() error { return checkPrivateProvenance(ctx, db, f.name, m) },
			func() error { return f.check(ctx, db) },
		} {
			if err := found.take(check()); err != nil {
				return checked, fmt.Errorf("%s: %w", f.name, err)
			}
		}
	}
	return checked, found.orNil()
}

// checkPrivateProvenance compares what the SpatiaLite file of a name says of the component with the manifest.
func checkPrivateProvenance(ctx context.Context, db *sql.DB, name string, m *schemas.PrivateManifest) error {
	p, err := released.ReadProvenance(ctx, db)
	if err != nil {
		return err
	}
	if r := p.Release; r.AsOf != m.AsOf || r.ToolVersion != m.ToolVersion || r.Previous != m.Previous {
		return fmt.Errorf("is of %s by %s, the manifest is of %s by %s", r.AsOf, r.ToolVersion, m.AsOf, m.ToolVersion)
	}
	requests := 0
	for _, s := range p.Sources {
		if s.SourceID != released.RequestsSource {
			continue
		}
		if requests++; s.SHA256 != m.Requests || s.AsOf != m.AsOf {
			return fmt.Errorf("the requests are %s of %s, the manifest has %s of %s", s.SHA256, s.AsOf, m.Requests, m.AsOf)
		}
	}
	steps, stated := p.ManifestSteps(), released.StepsIn(name, m.Steps)
	if requests == 0 || len(steps) != len(stated) || len(steps) > 0 && !reflect.DeepEqual(steps, stated) {
		return errors.New("its sources or issues are not those of the manifest")
	}
	return nil
}

// checkOwners compares the geographies of private.sqlite with those of geographies.sqlite.
func checkOwners(ctx context.Context, db *sql.DB, dir string) error {
	type version struct {
		id, key, name, nameFR, replacedBy, outline string
		number, level                              int
		current                                    bool
	}
	read := func(db *sql.DB, query string) ([]version, error) {
		return released.Collect(ctx, db, query, func(rows *sql.Rows, v *version) error {
			var blob sql.RawBytes
			err := rows.Scan(&v.id, &v.key, &v.number, &v.level, &v.name, &v.nameFR, &v.replacedBy, &v.current, &blob)
			sum := sha256.Sum256(blob)
			v.outline = hex.EncodeToString(sum[:])
			return err
		})
	}
	const columns = "geog_id, source_key, boundary_version, level, name_en, name_fr"
	geographies, err := released.Open(filepath.Join(dir, schemas.GeographiesFile))
	if err != nil {
		return err
	}
	defer geographies.Close()
	want, err := read(geographies, "SELECT "+columns+", '', 1, geometry FROM geography UNION ALL SELECT "+columns+
		", coalesce(replaced_by, ''), 0, geometry FROM geography_superseded ORDER BY geog_id")
	if err != nil {
		return err
	}
	got, err := read(db, `SELECT geog_id, 'custom:' || geo_entity_id, boundary_version, level, name_en, name_fr, coalesce(replaced_by, ''),
		status = 'current', geometry FROM custom_geography ORDER BY geog_id`)
	if err != nil {
		return err
	}
	if len(got) != len(want) {
		return fmt.Errorf("%d geographies, %s has %d", len(got), schemas.GeographiesFile, len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			return fmt.Errorf("geography %s is not that of %s", got[i].id, schemas.GeographiesFile)
		}
	}
	return nil
}

// checkOutcomes compares outcomes.json with the requests in private.sqlite.
func checkOutcomes(ctx context.Context, dir string, m *schemas.PrivateManifest) error {
	got, err := schemas.ReadOutcomes(filepath.Join(dir, schemas.OutcomesFile))
	if err != nil {
		return err
	}
	db, err := released.Open(filepath.Join(dir, schemas.PrivateFile))
	if err != nil {
		return err
	}
	defer db.Close()
	want := &schemas.Outcomes{Schema: schemas.RequestsSchema, Update: m.Update, Requests: m.Requests, Outcomes: []schemas.Outcome{}}
	for q, err := range sqlrow.Select[release.CustomRequest](ctx, db, "SELECT * FROM request ORDER BY position") {
		if err != nil {
			return err
		}
		want.Outcomes = append(want.Outcomes, schemas.Outcome{ID: q.GeoEntityID, Version: q.Version, GeogID: q.GeogID, Problem: q.Problem,
			Code: q.Code})
	}
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("%s is not what the requests of %s result in", schemas.OutcomesFile, schemas.PrivateFile)
	}
	return nil
}

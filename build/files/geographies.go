package files

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"quartier/build/assembly"
	"quartier/build/identity"
	"quartier/build/released"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/bundle"
	"quartier/schemas/release"
)

// WriteGeographies writes geographies.sqlite.
func WriteGeographies(ctx context.Context, r *Release) error {
	f, err := r.create(schemas.GeographiesFile, bundle.Geographies, bundle.Provenance)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.insertGeographies(ctx, r); err != nil {
		return err
	}
	if err := f.insertSuperseded(ctx, r.IDs, r.Provenance.Release.AsOf); err != nil {
		return err
	}
	if r.Assembly != nil {
		if err := f.insertNames(ctx, r); err != nil {
			return err
		}
		if err := f.insertCoverage(ctx, r.Assembly); err != nil {
			return err
		}
	}
	return f.finish(ctx, &r.Provenance, bundle.GeographyColumns)
}

// ReadGeographies sets the geographies and their ids to those of the finished geographies.sqlite.
func (r *Release) ReadGeographies(ctx context.Context) (err error) {
	path := filepath.Join(r.Dir, schemas.GeographiesFile)
	if r.Geographies, err = r.Assembly.ReadGeographies(ctx, path); err != nil {
		return err
	}
	r.Outlines = r.Assembly.Outlines
	db, err := released.Open(path)
	if err != nil {
		return err
	}
	defer db.Close()
	history, err := released.History(ctx, db)
	if err != nil {
		return err
	}
	byKey := make(map[string]identity.Version, len(history.Current))
	for _, o := range history.Current {
		byKey[o.Key] = o.Version
	}
	r.IDs = &identity.Assignment{Superseded: history.Superseded, Bridges: history.Bridges}
	for _, g := range r.Geographies {
		r.IDs.Versions = append(r.IDs.Versions, byKey[g.Key])
	}
	return nil
}

func (f *file) insertGeographies(ctx context.Context, r *Release) error {
	ids := make(map[string]string, len(r.Geographies)+len(r.Parents))
	maps.Copy(ids, r.Parents)
	for i, g := range r.Geographies {
		ids[g.Key] = r.IDs.Versions[i].ID
	}
	insert := sqlrow.NewInserter[release.Geography](ctx, f.tx, "geography")
	parents := sqlrow.NewInserter[release.GeographyParent](ctx, f.tx, "geography_parent")
	for i, g := range r.Geographies {
		if err := ctx.Err(); err != nil {
			return err
		}
		blob, err := r.Outlines.Blob(i)
		if err != nil {
			return err
		}
		v := r.IDs.Versions[i]
		err = insert.Row(release.Geography{
			FID: int64(i + 1), GeogID: v.ID, SourceKey: v.Key, IDKey: v.IDKey, BoundaryVersion: int64(v.Number),
			Region: g.Region, SourceID: g.SourceID, Level: int64(g.Level), NameEN: g.Name.EN, NameFR: g.Name.FR,
			CountryCode: g.Country, StateCodes: g.States,
			CityID: ids[g.Parents[assembly.City]], MetroID: ids[g.Parents[assembly.Metro]],
			StateID: ids[g.Parents[assembly.State]], CountryID: ids[g.Parents[assembly.Country]],
			AreaM2: g.AreaM2, West: g.Bound.Min[0], South: g.Bound.Min[1], East: g.Bound.Max[0], North: g.Bound.Max[1],
			CentroidLng: g.Centroid[0], CentroidLat: g.Centroid[1], Population: g.Population, Geometry: blob,
		})
		if err != nil {
			return fmt.Errorf("geography %s: %w", g.Key, err)
		}
		err = g.Above(func(level schemas.Level, key string) error {
			return parents.Row(release.GeographyParent{GeogID: v.ID, Level: int64(level), ParentID: ids[key]})
		})
		if err != nil {
			return fmt.Errorf("parents of geography %s: %w", g.Key, err)
		}
	}
	columns := strings.TrimPrefix(sqlrow.List[release.Geography](""), "fid, ")
	for i, id := range r.Kept {
		_, err := f.tx.Exec(fmt.Sprintf("INSERT INTO geography (fid, %s) SELECT ?, %[1]s FROM previous.geography WHERE geog_id = ?", columns),
			len(r.Geographies)+i+1, id)
		if err != nil {
			return fmt.Errorf("keep geography %s: %w", id, err)
		}
	}
	return copyRows[release.GeographyParent](ctx, f, "geography_parent", r.Kept)
}

func (f *file) insertNames(ctx context.Context, r *Release) error {
	ids := make(map[string]string, len(r.Geographies))
	for i, g := range r.Geographies {
		ids[g.Key] = r.IDs.Versions[i].ID
	}
	insert := sqlrow.NewInserter[release.GeographyName](ctx, f.tx, "geography_name")
	for n, err := range r.Assembly.GeographyNames(ctx) {
		if err != nil {
			return fmt.Errorf("read names of geographies: %w", err)
		}
		err = insert.Row(release.GeographyName{
			GeogID: ids[n.SourceKey], Name: n.Name, Kind: n.Kind, Language: n.Language, Region: n.Region, SourceID: n.SourceID,
		})
		if err != nil {
			return fmt.Errorf("name %q of %s: %w", n.Name, n.SourceKey, err)
		}
	}
	return nil
}

// insertSuperseded copies the last data of superseded geographies from the previous release. Those that were current there
// are superseded as of the date of this release.
func (f *file) insertSuperseded(ctx context.Context, ids *identity.Assignment, asOf string) error {
	const since = "superseded_as_of"
	before := "NULL" // of a previous release by a program that recorded no dates
	if f.attached {
		present, err := released.Columns(ctx, f.tx, "previous", "geography_superseded")
		if err != nil {
			return err
		}
		if slices.Contains(present, since) {
			before = since
		}
	}
	copied := strings.TrimPrefix(sqlrow.List[release.Geography](""), "fid, ")
	move := fmt.Sprintf(`INSERT INTO geography_superseded (fid, replaced_by, superseded_in, superseded_as_of, %s)
		SELECT ?2, nullif(?3, ''), ?4, since, %[1]s FROM (
			SELECT ?5 AS since, %[1]s FROM previous.geography WHERE geog_id = ?1
			UNION ALL
			SELECT %[2]s, %[1]s FROM previous.geography_superseded WHERE geog_id = ?1)`, copied, before)
	for i, s := range ids.Superseded {
		if err := ctx.Err(); err != nil {
			return err
		}
		result, err := f.tx.Exec(move, s.ID, i+1, s.ReplacedBy, s.Release, asOf)
		if err != nil {
			return fmt.Errorf("write superseded geography %s: %w", s.ID, err)
		}
		if n, err := result.RowsAffected(); err != nil || n != 1 {
			return fmt.Errorf("write superseded geography %s: %d rows in the previous release, %v", s.ID, n, err)
		}
	}
	insert := sqlrow.NewInserter[release.Bridge](ctx, f.tx, "geog_bridge")
	for _, b := range ids.Bridges {
		err := insert.Row(release.Bridge{Release: b.Release, OldGeogID: b.Old, NewGeogID: b.New, Kind: string(b.Kind),
			AreaShare: b.AreaShare, HouseholdShare: b.HouseholdShare, Measure: string(b.Measure)})
		if err != nil {
			return fmt.Errorf("bridge from %s to %s: %w", b.Old, b.New, err)
		}
	}
	return nil
}

func (f *file) insertCoverage(ctx context.Context, a *assembly.Assembly) error {
	insert := sqlrow.NewInserter[release.Coverage](ctx, f.tx, "coverage")
	fid := int64(0)
	for c, err := range a.Coverage(ctx) {
		if err != nil {
			return fmt.Errorf("read coverage: %w", err)
		}
		m, err := assembly.DecodeOutline(c.Geom)
		if err != nil {
			return fmt.Errorf("coverage of %s by %s: %w", c.RegionCode, c.SourceKey, err)
		}
		fid++
		err = insert.Row(release.Coverage{
			FID: fid, RegionCode: c.RegionCode, Region: c.Region, SourceKey: c.SourceKey, Geometry: released.MultiPolygonBlob(m),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

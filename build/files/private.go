package files

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"

	"quartier/build/released"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/bundle"
	"quartier/schemas/release"
)

// CustomKey is the source key of the custom geography of a request.
func CustomKey(request string) string { return customScheme + request }

const customScheme = "custom:"

// WritePrivate writes private.sqlite: the requests, and whose the geographies in geographies.sqlite are, which is finished.
// nameOf is the name of a geography of a release that others are in.
func WritePrivate(ctx context.Context, r *Release, requests []release.CustomRequest, nameOf func(id string) (schemas.Text, error)) error {
	f, err := r.create(schemas.PrivateFile, bundle.Private, bundle.Provenance)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := sqlrow.Insert(ctx, f.tx, "request", requests...); err != nil {
		return err
	}
	db, err := released.Open(filepath.Join(r.Dir, schemas.GeographiesFile))
	if err != nil {
		return err
	}
	defer db.Close()
	list, err := readCustom(ctx, db)
	if err != nil {
		return err
	}
	if err := setOwners(list, requests); err != nil {
		return err
	}
	if err := sqlrow.Insert(ctx, f.tx, "custom_geography", list...); err != nil {
		return err
	}
	parents, err := released.Values[string](ctx, db, `SELECT city_id FROM geography UNION SELECT city_id FROM geography_superseded
		UNION SELECT metro_id FROM geography UNION SELECT metro_id FROM geography_superseded
		EXCEPT SELECT geog_id FROM geography EXCEPT SELECT geog_id FROM geography_superseded EXCEPT SELECT NULL ORDER BY 1`)
	if err != nil {
		return err
	}
	for _, id := range parents {
		name, err := nameOf(id)
		if err == nil {
			err = sqlrow.Insert(ctx, f.tx, "parent", release.Parent{GeogID: id, NameEN: name.EN, NameFR: name.FR})
		}
		if err != nil {
			return fmt.Errorf("name of %s: %w", id, err)
		}
	}
	return f.finish(ctx, &r.Provenance, bundle.PrivateColumns)
}

// readCustom reads all boundary versions, by geog_id, without their owners. Of those that are not current the status is
// SupersededStatus.
func readCustom(ctx context.Context, db *sql.DB) ([]release.CustomGeography, error) {
	const columns = "geog_id, source_key, boundary_version, level, name_en, name_fr, geometry"
	const query = "SELECT '" + release.CurrentStatus + "', '', " + columns + " FROM geography UNION ALL SELECT '" + release.SupersededStatus +
		"', coalesce(replaced_by, ''), " + columns + " FROM geography_superseded ORDER BY geog_id"
	fid := int64(0)
	return released.Collect(ctx, db, query, func(rows *sql.Rows, g *release.CustomGeography) error {
		var key string
		fid++
		g.FID = fid
		err := rows.Scan(&g.Status, &g.ReplacedBy, &g.GeogID, &key, &g.BoundaryVersion, &g.Level, &g.NameEN, &g.NameFR, &g.Geometry)
		g.GeoEntityID = strings.TrimPrefix(key, customScheme)
		return err
	})
}

// setOwners sets the owners of geographies, and which of them are deprecated: the last versions of what is not current.
func setOwners(list []release.CustomGeography, requests []release.CustomRequest) error {
	owners := make(map[string]string, len(requests))
	for i := range requests {
		owners[requests[i].GeoEntityID] = requests[i].Owner
	}
	newest := map[string]*release.CustomGeography{}
	for i := range list {
		g := &list[i]
		if g.Owner = owners[g.GeoEntityID]; g.Owner == "" {
			return fmt.Errorf("geography %s is of no request", g.GeogID)
		}
		if last := newest[g.GeoEntityID]; last == nil || g.BoundaryVersion > last.BoundaryVersion {
			newest[g.GeoEntityID] = g
		}
	}
	for _, g := range newest {
		if g.Status == release.SupersededStatus {
			g.Status = release.DeprecatedStatus
		}
	}
	return nil
}

// CustomStep is the step of the issues of requests that cannot be built.
const CustomStep = "custom"

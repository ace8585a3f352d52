package packs

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"

	"quartier/build/released"
	"quartier/internal/pack"
	"quartier/internal/pack/geographies"
	"quartier/internal/pack/owners"
	"quartier/internal/sqlrow"
	"quartier/schemas"
)

// WritePrivate writes the packs of a component private to folder dir, from the SpatiaLite files in folder from.
func WritePrivate(ctx context.Context, from, dir string) error {
	places := Pack{Name: "geographies", From: schemas.GeographiesFile, To: schemas.GeographiesPack,
		write: func(ctx context.Context, db *sql.DB, from, to string) error {
			parents, err := readParents(ctx, filepath.Join(from, schemas.PrivateFile))
			if err != nil {
				return err
			}
			return writeGeographies(ctx, db, parents, from, to)
		}}
	if err := run(ctx, from, dir, []Pack{places, profilesPack, streetsPack, demographicsPack}); err != nil {
		return err
	}
	return Pack{Name: "owners", From: schemas.PrivateFile, To: schemas.OwnersPack,
		write: func(ctx context.Context, db *sql.DB, _, to string) error {
			return writeOwners(ctx, db, filepath.Join(dir, schemas.GeographiesPack), to)
		}}.Write(ctx, from, dir)
}

// readParents returns the names of the geographies of the release that custom geographies are in, by geog_id.
func readParents(ctx context.Context, path string) (map[string]schemas.Text, error) {
	db, err := released.Open(path)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	parents := map[string]schemas.Text{}
	err = released.Each(ctx, db, "SELECT geog_id, name_en, name_fr FROM parent", nil, sqlrow.Visit3(func(id, en, fr string) error {
		parents[id] = schemas.Text{EN: en, FR: fr}
		return nil
	}))
	return parents, err
}

// writeOwners writes the owners in the order of the geographies in the pack at path.
func writeOwners(ctx context.Context, db *sql.DB, path, to string) error {
	file, err := pack.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	table, err := geographies.Open(file)
	if err != nil {
		return err
	}
	list := make([]owners.Owner, table.Len())
	err = released.Each(ctx, db, "SELECT geog_id, owner, status = 'deprecated' FROM custom_geography", nil,
		sqlrow.Visit3(func(id, customer string, deprecated bool) error {
			i, ok := table.ByID(id)
			if !ok {
				return fmt.Errorf("owner of geography %s, which is not in the component", id)
			}
			list[i] = owners.Owner{Customer: customer, Deprecated: deprecated}
			return nil
		}))
	if err != nil {
		return err
	}
	return finishPack(to, func(out *pack.Writer) error { return owners.Write(out, list) })
}

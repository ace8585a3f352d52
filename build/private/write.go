package private

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"quartier/build/files"
	"quartier/build/released"
	"quartier/build/verify"
	"quartier/schemas"
)

// Write writes the files of the component to an empty folder, with the outcome of each request in the order of the file. Where
// what was built of some requests does not verify, it is written again without them. Temporary files are created in folder
// scratch.
func Write(ctx context.Context, o Options, dir, scratch string) error {
	if o.Faults == nil {
		o.Faults = verify.PrivateFaults
	}
	for out := map[string]string{}; ; {
		if err := write(ctx, o, out, dir, scratch); err != nil {
			return err
		}
		faults, err := o.Faults(ctx, dir)
		if err != nil || len(faults) == 0 {
			return err
		}
		if err := takeOut(ctx, out, faults, dir); err != nil {
			return err
		}
		if err := empty(dir); err != nil {
			return err
		}
		o.Log.Warn("custom geographies do not verify; the component is written again without them", "requests", len(out))
	}
}

// write writes the component without some requests.
func write(ctx context.Context, o Options, unverified map[string]string, dir, scratch string) error {
	scratch, err := os.MkdirTemp(scratch, "write-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	b := &builder{Options: o, unverified: unverified, scratch: scratch, r: &files.Release{Dir: dir}}
	defer b.close()
	return b.build(ctx)
}

// built selects the request of a geography that was built.
const built = `SELECT r.geo_entity_id FROM custom_geography AS g JOIN request AS r USING (geo_entity_id)
	WHERE g.geog_id = ? AND g.status = 'current' AND r.action <> 'deprecate' AND r.problem IS NULL`

// longestReason is the number of characters after which the reason of an outcome is cut.
const longestReason = 300

// takeOut adds the requests of geographies that do not verify to out, with the reason. It fails with the faults where none of them
// was built: what stays of the previous component does not verify.
func takeOut(ctx context.Context, out map[string]string, faults verify.Faults, dir string) error {
	db, err := released.Open(filepath.Join(dir, schemas.PrivateFile))
	if err != nil {
		return err
	}
	defer db.Close()
	before := len(out)
	for _, f := range faults {
		var id string
		err := db.QueryRowContext(ctx, built, f.GeogID).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) || err == nil && out[id] != "" {
			continue
		} else if err != nil {
			return err
		}
		out[id] = f.Err.Error()
		if why := []rune(out[id]); len(why) > longestReason {
			out[id] = string(why[:longestReason]) + " …"
		}
	}
	if len(out) == before {
		return fmt.Errorf("%w: %w", verify.ErrUnverified, faults)
	}
	return nil
}

// empty removes what a folder has.
func empty(dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
	}
	return err
}

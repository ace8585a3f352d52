package released

import (
	"context"
	"fmt"
	"path/filepath"

	"quartier/schemas"
)

// CountPrivate counts what the files of the component private in dir have.
func CountPrivate(ctx context.Context, dir string) (c schemas.PrivateCounts, err error) {
	const of = "SELECT count(*) FROM custom_geography WHERE status = "
	for _, counter := range []struct {
		file, query string
		count       *int64
	}{
		{schemas.PrivateFile, "SELECT count(DISTINCT owner) FROM custom_geography", &c.Customers},
		{schemas.PrivateFile, of + "'current'", &c.Geographies},
		{schemas.PrivateFile, of + "'deprecated'", &c.Deprecated},
		{schemas.PrivateFile, of + "'superseded'", &c.Superseded},
		{schemas.PrivateFile, "SELECT count(*) FROM request WHERE problem IS NOT NULL", &c.Unbuildable},
		{schemas.AccessFile, "SELECT count(DISTINCT geog_id) FROM geography_score", &c.ScoredGeographies},
		{schemas.DemographicsFile, "SELECT count(*) FROM geography_vintage", &c.DescribedGeographies},
		{schemas.ProfilesFile, "SELECT count(DISTINCT geog_id) FROM profile_text", &c.Profiles},
	} {
		db, err := Open(filepath.Join(dir, counter.file))
		if err == nil {
			err = db.QueryRowContext(ctx, counter.query).Scan(counter.count)
			db.Close()
		}
		if err != nil {
			return c, fmt.Errorf("count rows of %s: %w", counter.file, err)
		}
	}
	return c, nil
}

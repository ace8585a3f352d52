package build

import (
	"context"
	"database/sql"
	"fmt"
	"math"

	"quartier/build/released"
	"quartier/schemas"
	"quartier/schemas/demographics"
)

// verifyDemographics recounts what the manifest says of figures about people, looks up every described geography, and
// adds up the shares of each category.
func verifyDemographics(ctx context.Context, db *sql.DB, dir string, m *schemas.Manifest) error {
	if err := verifyCounts(ctx, db, demographicsCounts, m); err != nil {
		return err
	}
	if err := verifyKnown(db, dir, "demographics", "SELECT geog_id FROM geography_vintage"); err != nil {
		return err
	}
	return verifyShares(ctx, db)
}

// shareSlack is how far from one the shares of a category may add up: they are rounded to add up to one.
const shareSlack = 1e-6

// verifyShares refuses variables that nobody knows, and categories whose shares do not add up to one.
func verifyShares(ctx context.Context, db *sql.DB) error {
	shares := map[[2]string]bool{} // whether the variable is one, by category and variable
	for _, c := range demographics.ByGeography {
		for _, v := range c.Variables {
			shares[[2]string{c.ID, v.ID}] = v.Method == demographics.Share
		}
	}
	var current [2]string // geography and category
	sum, any := 0.0, false
	whole := func() error {
		if any && math.Abs(sum-1) > shareSlack {
			return fmt.Errorf("geography %s: the shares of %s add up to %v", current[0], current[1], sum)
		}
		return nil
	}
	const query = "SELECT geog_id, category, variable, value FROM geography_variable ORDER BY geog_id, category, variable"
	err := released.Each(ctx, db, query, nil, func(rows *sql.Rows) error {
		var at [2]string
		var variable string
		var value float64
		if err := rows.Scan(&at[0], &at[1], &variable, &value); err != nil {
			return err
		}
		if at != current {
			if err := whole(); err != nil {
				return err
			}
			current, sum, any = at, 0, false
		}
		share, ok := shares[[2]string{at[1], variable}]
		if !ok {
			return fmt.Errorf("geography %s: there is no variable %s of %s", at[0], variable, at[1])
		}
		if share {
			sum, any = sum+value, true
		}
		return nil
	})
	if err != nil {
		return err
	}
	return whole()
}

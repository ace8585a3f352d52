package verify

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"quartier/build/identity"
	"quartier/build/released"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/demographics"
)

//go:embed sql/*.sql
var facts embed.FS

// checkDatabases checks the content of the SpatiaLite files and returns the number of facts that were checked.
func checkDatabases(ctx context.Context, dir string, m *schemas.Manifest) (checked int, err error) {
	for _, f := range []struct {
		name, facts string
		check       func(ctx context.Context, db *sql.DB, dir string, m *schemas.Manifest) error
	}{
		{schemas.GeographiesFile, "geographies parents", checkIDs},
		{schemas.POIsFile, "pois", nil},
		{schemas.AccessFile, "access", checkScores},
		{schemas.DemographicsFile, "demographics", checkDemographics},
		{schemas.SchoolsFile, "schools", nil},
		{schemas.ProfilesFile, "profiles", checkProfiles},
		{schemas.TravelFile, "travel", checkTravel},
	} {
		db, err := released.Open(filepath.Join(dir, f.name))
		if err != nil {
			return checked, err
		}
		defer db.Close()
		n, err := checkDatabase(ctx, db, f.facts)
		checked += n
		if err == nil {
			err = checkStated(ctx, db, f.name, m)
		}
		if err == nil && f.check != nil {
			err = f.check(ctx, db, dir, m)
		}
		if err != nil {
			return checked, fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return checked, nil
}

// checkDatabase checks a SpatiaLite file's integrity, and the facts of some files of folder sql.
func checkDatabase(ctx context.Context, db *sql.DB, files string) (checked int, err error) {
	var answer string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check").Scan(&answer); err != nil || answer != "ok" {
		return 0, fmt.Errorf("quick_check: %s %v", answer, err)
	}
	var found Faults
	for _, name := range strings.Fields(files) {
		text, err := facts.ReadFile("sql/" + name + ".sql")
		if err != nil {
			return checked, err
		}
		n, err := checkFacts(ctx, db, string(text))
		checked += n
		if err := found.take(err); err != nil {
			return checked, err
		}
	}
	return checked, found.orNil()
}

// checkStated compares the provenance and the counts of a SpatiaLite file with the manifest.
func checkStated(ctx context.Context, db *sql.DB, name string, m *schemas.Manifest) error {
	if err := checkProvenance(ctx, db, name, m); err != nil {
		return err
	}
	var counts schemas.ReleaseCounts
	if err := released.Count(ctx, db, name, &counts); err != nil {
		return err
	}
	return released.CompareCounts(name, counts, m.Counts)
}

// checkFacts runs the queries after the "-- fact:" lines of text. Each selects the exceptions from its fact; where all of them
// are of geographies, the error is Faults.
func checkFacts(ctx context.Context, db *sql.DB, text string) (checked int, err error) {
	var found Faults
	for _, part := range strings.Split(text, "-- fact: ")[1:] {
		fact, statement, _ := strings.Cut(part, "\n")
		if err := found.take(exceptions(ctx, db, fact, statement)); err != nil {
			return checked, err
		}
		checked++
	}
	return checked, found.orNil()
}

// checkIDs recomputes every geog_id.
func checkIDs(ctx context.Context, db *sql.DB, _ string, _ *schemas.Manifest) error {
	h, err := released.History(ctx, db)
	if err != nil {
		return err
	}
	return identity.NewRegistry().AddAll(h)
}

// checkScores compares the calibration and the survey with the manifest's and looks up every geography with scores.
func checkScores(ctx context.Context, db *sql.DB, dir string, m *schemas.Manifest) error {
	var version, digest string
	if err := db.QueryRow("SELECT version, sha256 FROM calibration").Scan(&version, &digest); err != nil {
		return fmt.Errorf("read calibration: %w", err)
	}
	for _, p := range released.CalibrationParameters(version, digest) {
		if !slices.Contains(m.Parameters, p) {
			return fmt.Errorf("%s is %q, unlike in the manifest", p.Name, p.Value)
		}
	}
	if err := checkSurvey(ctx, db, m); err != nil {
		return err
	}
	return checkGeographiesExist(ctx, db, dir, "scores", "SELECT DISTINCT geog_id FROM geography_score")
}

// checkGeographiesExist looks up the geographies that a query selects in geographies.sqlite.
func checkGeographiesExist(ctx context.Context, db *sql.DB, dir, what, query string) error {
	geographies, err := released.Open(filepath.Join(dir, schemas.GeographiesFile))
	if err != nil {
		return err
	}
	defer geographies.Close()
	known, err := released.Values[string](ctx, geographies,
		"SELECT geog_id FROM geography UNION SELECT geog_id FROM geography_superseded ORDER BY 1")
	if err != nil {
		return err
	}
	ids, err := released.Values[string](ctx, db, query)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, found := slices.BinarySearch(known, id); !found {
			return fmt.Errorf("%s of geography %s, which is not in the release", what, id)
		}
	}
	return nil
}

// checkDemographics looks up every geography with demographics, and adds up the shares of each category.
func checkDemographics(ctx context.Context, db *sql.DB, dir string, _ *schemas.Manifest) error {
	if err := checkGeographiesExist(ctx, db, dir, "demographics", "SELECT geog_id FROM geography_vintage"); err != nil {
		return err
	}
	return checkShares(ctx, db)
}

// checkTravel looks up every geography with medians.
func checkTravel(ctx context.Context, db *sql.DB, dir string, _ *schemas.Manifest) error {
	return checkGeographiesExist(ctx, db, dir, "travel measures", "SELECT DISTINCT geog_id FROM geography_travel")
}

// shareTolerance is how far from 1 the shares of a category may add up to: they are rounded such that they add up to 1.
const shareTolerance = 1e-6

// checkShares returns an error for unknown variables, and for categories whose shares do not add up to 1.
func checkShares(ctx context.Context, db *sql.DB) error {
	isShare := map[[2]string]bool{} // by category and variable; has all variables
	for _, c := range demographics.ByGeography {
		for _, v := range c.Variables {
			isShare[[2]string{c.ID, v.ID}] = v.Method == demographics.Share
		}
	}
	var current [2]string // geography and category
	var found Faults
	sum, any := 0.0, false
	checkSum := func() {
		if any && math.Abs(sum-1) > shareTolerance {
			found = append(found, Fault{current[0], fmt.Errorf("geography %s: the shares of %s add up to %v", current[0], current[1], sum)})
		}
	}
	const query = "SELECT geog_id, category, variable, value FROM geography_variable ORDER BY geog_id, category, variable"
	err := released.Each(ctx, db, query, nil, sqlrow.Visit4(func(id, category, variable string, value float64) error {
		at := [2]string{id, category}
		if at != current {
			checkSum()
			current, sum, any = at, 0, false
		}
		share, known := isShare[[2]string{at[1], variable}]
		if !known {
			return fmt.Errorf("geography %s: unknown variable %s of %s", at[0], variable, at[1])
		}
		if share {
			sum, any = sum+value, true
		}
		return nil
	}))
	if err != nil {
		return err
	}
	checkSum()
	return found.orNil()
}

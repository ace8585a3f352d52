// Package transform computes the derived tables of a region from its staged ones: geographies with parents, areas and
// interior points; POIs with categories, brands and tags, without duplicates; small areas and geographies with their
// figures; the walking network with measures and scores at its nodes, homes and typologies.
//
// Input: one staged DuckDB file. Output: one derived DuckDB file.
//
// Its packages are wings that import each other in one direction: places (geographies and POIs), network (streets,
// destinations), measures (measures and scores at nodes) and people (small areas, homes, typologies).
package transform

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	_ "quartier/internal/duck/driver"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/derived"
	"quartier/schemas/staged"
	"quartier/transform/addresses"
	"quartier/transform/issue"
	"quartier/transform/jobs"
	"quartier/transform/people/demography"
	"quartier/transform/places/geography"
	"quartier/transform/places/landmark"
	"quartier/transform/places/placement"
	"quartier/transform/places/poi"
	"quartier/transform/places/schools"
	"quartier/transform/places/transitstop"
	"quartier/transform/travel"
)

// fix has a name of its own, because staged is a database here.
type fix = staged.Correction

// Report counts the rows that were read and written.
type Report struct {
	Boundaries  int                   // outlines read
	Geographies int                   // written
	ByLevel     map[schemas.Level]int // geographies of each level
	Records     int                   // POI records read
	POIs        int                   // written
	Merged      int                   // records that are duplicates of another one
	Brands      int                   // written
	ByCategory  map[string]int        // POIs of each category that occurs
	Issues      []issue.Issue         // of all steps

	SchoolRecords, Schools int // read and written
	Catchments             int // of schools, written

	SmallAreas, SmallAreaParts int // written
	Described, Published       int // small areas and geographies with figures of a survey

	StreetNodes, StreetEdges int // of the walking network
	Destinations, Typologies int // written
}

// databaseMemory is what each database of a transform keeps in memory at most.
const databaseMemory = "512MB"

// Region reads the staged database at stagedPath and what neighbouring regions lend it at lentPath, "" if nothing, and writes
// a new derived database at derivedPath. The same staged
// rows give the same derived rows in the same order. It fails if derivedPath exists, and removes the file if it fails
// later. log may be nil; it receives the steps and, at level debug, every issue.
func Region(ctx context.Context, stagedPath, lentPath, derivedPath string, log *slog.Logger) (report Report, err error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	staged, err := duck.Open(stagedPath)
	if err != nil {
		return Report{}, fmt.Errorf("transform %s: %w", stagedPath, err)
	}
	defer staged.Close()
	around := staged
	if lentPath != "" {
		if around, err = duck.Union(ctx, stagedPath, lentPath); err != nil {
			return Report{}, fmt.Errorf("transform %s: %w", stagedPath, err)
		}
		defer around.Close()
	}
	derived, err := duck.Create(derivedPath, schemas.Derived)
	if err != nil {
		return Report{}, fmt.Errorf("transform %s: %w", stagedPath, err)
	}
	defer func() {
		if cerr := derived.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			os.Remove(derivedPath)
			os.Remove(derivedPath + ".wal")
			err = failed(stagedPath, err)
		}
	}()
	for _, db := range []*duck.DB{staged, around, derived} {
		if err := db.Limit(ctx, databaseMemory, derivedPath+".tmp"); err != nil {
			return Report{}, err
		}
	}
	return derive(ctx, staged, around, derived, filepath.Dir(derivedPath), log)
}

// failed adds the name of the staged database to an error, unless the error is about the sources and names them.
func failed(stagedPath string, err error) error {
	if errors.Is(err, demography.ErrMismatch) || errors.Is(err, placement.ErrOutside) {
		return fmt.Errorf("transform: %w", err)
	}
	return fmt.Errorf("transform %s: %w", stagedPath, err)
}

// derive derives a region from its own rows, and its places and streets from those around it too. Temporary files are in folder.
func derive(ctx context.Context, staged, around, derived *duck.DB, folder string, log *slog.Logger) (Report, error) {
	var report Report
	notes := map[string]string{}
	corrections, err := poi.Corrections(ctx, around)
	if err != nil {
		return Report{}, err
	}
	places, err := deriveGeographies(ctx, staged, derived, corrections, &report, notes)
	if err != nil {
		return Report{}, err
	}
	if err := placement.Check(ctx, staged, places.coverage); err != nil {
		return Report{}, err
	}
	log.Info("geographies", "outlines", report.Boundaries, "geographies", report.Geographies)
	if err := deriveDemography(ctx, staged, derived, places.coverage, &report, notes); err != nil {
		return Report{}, err
	}
	log.Info("demographics", "areas", report.SmallAreas, "parts", report.SmallAreaParts, "described", report.Described, "published",
		report.Published)
	if err := derivePOIs(ctx, around, derived, folder, corrections, places, &report); err != nil {
		return Report{}, err
	}
	log.Info("pois", "records", report.Records, "pois", report.POIs, "merged", report.Merged, "brands", report.Brands)
	if err := landmark.Derive(ctx, around, derived); err != nil {
		return Report{}, fmt.Errorf("landmarks: %w", err)
	}
	if err := deriveJobs(ctx, staged, around, derived, &report, notes); err != nil {
		return Report{}, err
	}
	if err := deriveAddresses(ctx, staged, derived, folder, places, &report, notes); err != nil {
		return Report{}, err
	}
	if err := deriveSchools(ctx, around, derived, places, &report); err != nil {
		return Report{}, err
	}
	log.Info("schools", "records", report.SchoolRecords, "schools", report.Schools, "catchments", report.Catchments)
	if err := deriveStreets(ctx, around, derived, places.coverage.Land, &report, notes, log); err != nil {
		return Report{}, err
	}
	log.Info("network", "nodes", report.StreetNodes, "edges", report.StreetEdges, "destinations", report.Destinations, "typologies",
		report.Typologies)
	issues, err := travel.Timetables(ctx, staged, derived, &calibration.Standard().Coverage.Hull)
	if err != nil {
		return Report{}, err
	}
	report.Issues = append(report.Issues, issues...)
	if err := writeNotes(ctx, derived, notes); err != nil {
		return Report{}, err
	}
	return report, writeIssues(ctx, derived, report.Issues, log)
}

func deriveGeographies(ctx context.Context, staged, derived *duck.DB, corrections []fix, report *Report,
	notes map[string]string) (places, error) {
	boundaries, extents, err := geography.Read(ctx, staged)
	if err != nil {
		return places{}, err
	}
	gazetteer, err := geography.ReadGazetteer(ctx, staged)
	if err != nil {
		return places{}, err
	}
	report.Boundaries = len(boundaries)
	boundaries, corrected, issues := geography.Correct(boundaries, corrections)
	result, err := geography.Derive(ctx, boundaries, extents, gazetteer)
	if err != nil {
		return places{}, err
	}
	report.Geographies = len(result.Geographies)
	report.ByLevel = map[schemas.Level]int{}
	for _, g := range result.Geographies {
		report.ByLevel[g.Level]++
	}
	report.Issues = slices.Concat(issues, result.Issues)
	if codes := result.Coverage.WithoutOutline(); len(codes) > 0 {
		notes["states"] = "no source has the outlines of these states and provinces, so that the coarse ones of the program locate their " +
			"places: " + strings.Join(codes, ", ")
	}
	return places{result.Coverage, geography.NewCities(result.Geographies), corrected}, geography.Write(ctx, derived, result)
}

func deriveDemography(ctx context.Context, staged, derived *duck.DB, coverage *geography.Coverage, report *Report,
	notes map[string]string) error {
	result, issues, err := demography.Derive(ctx, staged, derived, coverage, calibration.Standard().Demographics)
	if err != nil {
		return fmt.Errorf("demographics: %w", err)
	}
	report.SmallAreas, report.SmallAreaParts = result.Areas, result.Parts
	report.Described, report.Published = result.Described, result.Published
	report.Issues = append(report.Issues, issues...)
	maps.Copy(notes, result.Notes)
	return nil
}

func derivePOIs(ctx context.Context, staged, derived *duck.DB, folder string, corrections []fix, places places, report *Report) error {
	rules, err := poi.Rules(ctx, staged)
	if err != nil {
		return err
	}
	result, err := poi.Derive(ctx, folder, rules, places, func(visit func(poi.Record) error) error {
		if err := poi.Records(ctx, staged, visit); err != nil {
			return err
		}
		return transitstop.Records(ctx, staged, &calibration.Standard().Transit, visit)
	})
	if err != nil {
		return err
	}
	defer result.Close()
	if err := result.Correct(corrections, places.corrected, places); err != nil {
		return err
	}
	report.Records, report.Brands = result.Records, len(result.Brands)
	report.POIs, report.Merged, report.ByCategory = result.Counts()
	report.Issues = append(report.Issues, result.Issues...)
	return poi.Write(ctx, derived, result)
}

func deriveJobs(ctx context.Context, staged, around, derived *duck.DB, report *Report, notes map[string]string) error {
	result, err := jobs.Derive(ctx, staged, around, derived)
	if err != nil {
		return fmt.Errorf("jobs: %w", err)
	}
	if result.Note != "" {
		notes["jobs"] = result.Note
	}
	report.Issues = append(report.Issues, result.Issues...)
	return nil
}

func deriveAddresses(ctx context.Context, staged, derived *duck.DB, folder string, places places, report *Report,
	notes map[string]string) error {
	result, err := addresses.Derive(ctx, staged, derived, folder, places)
	if err != nil {
		return fmt.Errorf("addresses: %w", err)
	}
	if result.Note != "" {
		notes["addresses"] = result.Note
	}
	report.Issues = append(report.Issues, result.Issues...)
	return nil
}

func deriveSchools(ctx context.Context, staged, derived *duck.DB, places places, report *Report) error {
	result, err := schools.Derive(ctx, staged, derived, places, &calibration.Standard().Schools)
	if err != nil {
		return fmt.Errorf("schools: %w", err)
	}
	report.SchoolRecords, report.Schools, report.Catchments = result.Records, len(result.Schools), result.Catchments
	report.Issues = append(report.Issues, result.Issues...)
	return nil
}

// places locates POIs and schools in the geographies of the region.
type places struct {
	coverage *geography.Coverage
	cities   geography.Cities

	corrected map[int]bool // corrections of outlines, by index
}

func (p places) StateAt(at orb.Point) (country, state string, ok bool) {
	cover := p.coverage.At(at)
	if cover == nil {
		return "", "", false
	}
	return cover.Country, cover.State, true
}

func (p places) CityAt(at orb.Point) string { return p.cities.At(at) }

func writeIssues(ctx context.Context, db *duck.DB, issues []issue.Issue, log *slog.Logger) error {
	return duck.WriteEach(ctx, db, "transform_issue", issues, func(_ int, i issue.Issue) (derived.Issue, error) {
		log.Debug("issue", "step", i.Step, "severity", i.Severity, "code", i.Code, "detail", i.Detail, "rows", i.Rows, "example", i.Example)
		return derived.Issue{Step: i.Step, Severity: string(i.Severity), Code: i.Code, Detail: i.Detail, Description: i.Description,
			Rows: i.Rows, Example: i.Example}, nil
	})
}

// writeNotes writes the notes of all steps.
func writeNotes(ctx context.Context, db *duck.DB, notes map[string]string) error {
	return duck.WriteEach(ctx, db, "note", slices.Sorted(maps.Keys(notes)), func(_ int, topic string) (derived.Note, error) {
		return derived.Note{Topic: topic, Text: notes[topic]}, nil
	})
}

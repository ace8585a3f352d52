package explain

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/release"
)

// ErrNoSchool is returned for a key of no school and of no record of one.
var ErrNoSchool = errors.New("no school has the key, nor a record of one")

// SchoolReport explains a school: its records, and why they are one.
type SchoolReport struct {
	Release    Release        `json:"release"`
	Key        string         `json:"key"`
	Region     string         `json:"region"`
	Point      Point          `json:"point"`
	Fields     []Field        `json:"fields"`  // that are known
	Records    []SchoolRecord `json:"records"` // the kept one first
	Rating     *SchoolRecord  `json:"rating,omitempty"`
	Catchments []SchoolArea   `json:"catchments"`
	Others     []OtherSchool  `json:"others"` // schools within half a kilometre that are not this one, the nearest first
	Sources    []Source       `json:"sources"`
}

// Field is a column of a school.
type Field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// SchoolRecord is a record of a source that is the school, or rates it.
type SchoolRecord struct {
	Region     string   `json:"region"`
	SourceID   string   `json:"source_id"`
	SourceKey  string   `json:"source_key"`
	Name       string   `json:"name,omitempty"`
	Reason     string   `json:"reason"`
	Meaning    string   `json:"meaning"`
	M          *float64 `json:"m,omitempty"`          // from the kept record
	Similarity *float64 `json:"similarity,omitempty"` // of the folded names
}

// SchoolArea is a catchment.
type SchoolArea struct {
	Region    string  `json:"region"`
	SourceID  string  `json:"source_id"`
	SourceKey string  `json:"source_key"`
	Level     string  `json:"level"`
	Program   string  `json:"program,omitempty"`
	Grade     string  `json:"grade,omitempty"`
	JoinedBy  string  `json:"joined_by"`
	AreaKM2   float64 `json:"area_km2"`
	Inside    bool    `json:"inside"` // the school stands in it
}

// OtherSchool is another school nearby.
type OtherSchool struct {
	Key    string  `json:"key"`
	Name   string  `json:"name"`
	Levels string  `json:"levels"`
	Grades string  `json:"grades,omitempty"`
	M      float64 `json:"m"`
}

// OfSchool explains the school with a key, or with a record of the key, in the release in a folder.
func OfSchool(ctx context.Context, dir, key string) (*SchoolReport, error) {
	manifest, err := schemas.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	db, err := released.Open(filepath.Join(dir, schemas.SchoolsFile))
	if err != nil {
		return nil, err
	}
	defer db.Close()
	const query = `SELECT * FROM school WHERE school_key = ?1
		OR school_key IN (SELECT school_key FROM school_source WHERE source_key = ?1 AND reason <> 'rating') ORDER BY school_key <> ?1, fid LIMIT 1`
	found, err := sqlrow.All[release.School](ctx, db, query, key)
	if err != nil {
		return nil, fmt.Errorf("read schools: %w", err)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%q: %w", key, ErrNoSchool)
	}
	s := &found[0]
	at, err := released.ReadPoint(s.Geometry)
	if err != nil {
		return nil, fmt.Errorf("school %s: %w", s.Key, err)
	}
	r := &SchoolReport{Release: Release{manifest.Release, manifest.AsOf, manifest.Digest}, Key: s.Key, Region: s.Region,
		Point:  Point{at[0], at[1]},
		Fields: fieldsOf(s), Records: []SchoolRecord{}, Catchments: []SchoolArea{}, Others: []OtherSchool{}}
	used := map[[2]string]bool{}
	for _, read := range []func() error{
		func() error { return r.readRecords(ctx, db, used) },
		func() error { return r.readCatchments(ctx, db, s.FID, at, used) },
		func() error { return r.readOthers(ctx, db, s.FID, at) },
	} {
		if err := read(); err != nil {
			return nil, fmt.Errorf("school %s: %w", s.Key, err)
		}
	}
	r.Sources = (&Reader{manifest: manifest}).sources(used)
	return r, nil
}

// fieldsOf are the known columns of a school.
func fieldsOf(s *release.School) (fields []Field) {
	sqlrow.Texts(&s.SchoolDetails, func(column string, text *string) {
		if *text != "" {
			fields = append(fields, Field{column, *text})
		}
	})
	add := func(name string, known bool, value func() any) {
		if known {
			fields = append(fields, Field{name, fmt.Sprint(value())})
		}
	}
	f := &s.SchoolFigures
	for _, n := range []struct {
		name  string
		value *int64
	}{{"students", f.Students}, {"female", f.Female}, {"male", f.Male}, {"free_lunch", f.FreeLunch}, {"reduced_lunch", f.ReducedLunch}} {
		add(n.name, n.value != nil, func() any { return *n.value })
	}
	add("student_teacher_ratio", f.StudentTeacherRatio != nil, func() any { return *f.StudentTeacherRatio })
	for _, n := range []struct {
		name  string
		value *bool
	}{{"charter", f.Charter}, {"magnet", f.Magnet}, {"title_i", f.TitleI}, {"advanced_placement", f.AdvancedPlacement},
		{"library", f.Library}} {
		add(n.name, n.value != nil, func() any { return *n.value })
	}
	return fields
}

func (r *SchoolReport) readRecords(ctx context.Context, db *sql.DB, used map[[2]string]bool) error {
	const query = "SELECT * FROM school_source WHERE school_key = ? ORDER BY reason <> 'kept', region, source_id, source_key"
	for row, err := range sqlrow.Select[release.SchoolSource](ctx, db, query, r.Key) {
		if err != nil {
			return fmt.Errorf("read records: %w", err)
		}
		used[[2]string{row.Region, row.SourceID}] = true
		record := SchoolRecord{Region: row.Region, SourceID: row.SourceID, SourceKey: row.SourceKey, Name: row.Name, Reason: row.Reason,
			Meaning: schemas.SchoolReasonText(row.Reason), M: row.DistanceM, Similarity: row.NameSimilarity}
		if row.Reason == schemas.SchoolRating {
			r.Rating = &record
			continue
		}
		r.Records = append(r.Records, record)
	}
	return nil
}

func (r *SchoolReport) readCatchments(ctx context.Context, db *sql.DB, fid int64, at orb.Point, used map[[2]string]bool) error {
	for row, err := range sqlrow.Select[release.SchoolCatchment](ctx, db, "SELECT * FROM school_catchment WHERE school_fid = ? ORDER BY fid",
		fid) {
		if err != nil {
			return fmt.Errorf("read catchments: %w", err)
		}
		outline, err := released.ReadMultiPolygon(row.Geometry)
		if err != nil {
			return fmt.Errorf("catchment %s: %w", row.SourceKey, err)
		}
		used[[2]string{row.Region, row.SourceID}] = true
		r.Catchments = append(r.Catchments, SchoolArea{Region: row.Region, SourceID: row.SourceID, SourceKey: row.SourceKey, Level: row.Level,
			Program: row.Program, Grade: row.Grade, JoinedBy: row.Reason, AreaKM2: round(geo.Area(outline)/1e6, 3),
			Inside: geo.Contains(outline, at)})
	}
	return nil
}

// othersM is how far other schools are listed, in metres.
const othersM = 500

// readOthers lists the schools nearby that records may be taken for.
func (r *SchoolReport) readOthers(ctx context.Context, db *sql.DB, fid int64, at orb.Point) error {
	box := geo.CircleBound(at, othersM)
	const query = `SELECT * FROM school WHERE fid <> ? AND fid IN (
		SELECT pkid FROM idx_school_geometry WHERE xmin >= ? AND xmax <= ? AND ymin >= ? AND ymax <= ?) ORDER BY school_key`
	for row, err := range sqlrow.Select[release.School](ctx, db, query, fid, box.Min[0], box.Max[0], box.Min[1], box.Max[1]) {
		if err != nil {
			return fmt.Errorf("read schools nearby: %w", err)
		}
		p, err := released.ReadPoint(row.Geometry)
		if err != nil {
			return fmt.Errorf("school %s: %w", row.Key, err)
		}
		if m := geo.Distance(at, p); m <= othersM {
			r.Others = append(r.Others, OtherSchool{row.Key, row.Name, row.Levels, row.Grades, round(m, 1)})
		}
	}
	sortOthers(r.Others)
	return nil
}

// mergedRecords reads the records of schools of several by the key of the school: "city city:12 (name, 21 m)".
func mergedRecords(path string) (map[string]string, error) {
	db, err := released.Open(path)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	found := map[string]string{}
	const query = "SELECT * FROM school_source WHERE reason NOT IN ('kept', 'rating') ORDER BY school_key, region, source_id, source_key"
	for row, err := range sqlrow.Select[release.SchoolSource](context.Background(), db, query) {
		if err != nil {
			return nil, fmt.Errorf("read records of schools: %w", err)
		}
		why := strings.ReplaceAll(row.Reason, "_", " ")
		if row.DistanceM != nil {
			why += fmt.Sprintf(", %.0f m", *row.DistanceM)
		}
		found[row.SchoolKey] = joined(found[row.SchoolKey], ", ", fmt.Sprintf("%s %s (%s)", row.SourceID, row.SourceKey, why))
	}
	return found, nil
}

func sortOthers(list []OtherSchool) {
	slices.SortFunc(list, func(a, b OtherSchool) int { return cmp.Or(cmp.Compare(a.M, b.M), cmp.Compare(a.Key, b.Key)) })
}

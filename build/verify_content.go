package build

import (
	"cmp"
	"database/sql"
	"fmt"
	"reflect"
	"slices"

	"quartier/schemas"
	"quartier/schemas/reason"
)

// verifyIDs recomputes every geog_id and the counts of geographies.
func verifyIDs(db *sql.DB, m *schemas.Manifest) error {
	h, err := readHistory(db, m.Digest)
	if err != nil {
		return err
	}
	book := newLedger()
	levels := map[schemas.Level]int64{}
	for _, o := range h.Current {
		if err := book.record(o.Level, o.edition); err != nil {
			return err
		}
		levels[o.Level]++
	}
	for _, t := range h.Superseded {
		if err := book.record(t.Level, t.edition); err != nil {
			return err
		}
	}
	if n := int64(len(h.Superseded)); n != m.Counts.Superseded {
		return fmt.Errorf("%d superseded geographies, the manifest says %d", n, m.Counts.Superseded)
	}
	var counts []schemas.LevelCount
	for _, level := range schemas.Levels {
		if levels[level] > 0 {
			counts = append(counts, schemas.LevelCount{Level: level, Rows: levels[level]})
		}
	}
	if !slices.Equal(counts, m.Counts.Geographies) {
		return fmt.Errorf("geographies by level %v, the manifest says %v", counts, m.Counts.Geographies)
	}
	return nil
}

// verifyPOICounts recounts what the manifest says of POIs.
func verifyPOICounts(db *sql.DB, m *schemas.Manifest) error {
	for _, c := range []struct {
		table string
		want  int64
	}{
		{"poi", m.Counts.POIs}, {"brand", m.Counts.Brands}, {"tag", m.Counts.Tags}, {"poi_merge", m.Counts.MergedPOIs},
	} {
		var n int64
		if err := db.QueryRow("SELECT count(*) FROM " + c.table).Scan(&n); err != nil {
			return err
		}
		if n != c.want {
			return fmt.Errorf("%d rows of %s, the manifest says %d", n, c.table, c.want)
		}
	}
	counts, err := collect(db, "SELECT category_id, pois FROM category", func(rows *sql.Rows, c *schemas.CategoryCount) error {
		return rows.Scan(&c.Category, &c.Rows)
	})
	if err != nil {
		return err
	}
	slices.SortFunc(counts, byCategory)
	want := slices.Clone(m.Counts.POIsByCategory)
	slices.SortFunc(want, byCategory)
	if !slices.Equal(counts, want) {
		return fmt.Errorf("pois by category %v, the manifest says %v", counts, want)
	}
	return nil
}

func byCategory(a, b schemas.CategoryCount) int { return cmp.Compare(a.Category, b.Category) }

// verifyProvenance compares the release, its sources and their issues with the manifest's.
func verifyProvenance(db *sql.DB, m *schemas.Manifest) error {
	var name, asOf, version, previous string
	err := db.QueryRow("SELECT name, as_of, tool_version, coalesce(previous, '') FROM release").Scan(&name, &asOf, &version, &previous)
	if err != nil {
		return fmt.Errorf("read release: %w", err)
	}
	if name != m.Release || asOf != m.AsOf || version != m.ToolVersion || previous != m.Previous {
		return fmt.Errorf("is of release %s of %s by %s, the manifest is of %s of %s by %s",
			name, asOf, version, m.Release, m.AsOf, m.ToolVersion)
	}
	sources, err := collect(db, `SELECT region, source_id, kind, path, sha256, bytes, as_of, licence, attribution,
		coalesce(url, ''), rows_read, rows_staged FROM source`, func(rows *sql.Rows, s *schemas.ReleaseSource) error {
		return rows.Scan(&s.Region, &s.ID, &s.Kind, &s.Path, &s.SHA256, &s.Bytes, &s.AsOf, &s.Licence, &s.Attribution,
			&s.URL, &s.RowsRead, &s.RowsStaged)
	})
	if err != nil {
		return fmt.Errorf("read sources: %w", err)
	}
	if len(sources) != len(m.Sources) {
		return fmt.Errorf("%d sources, the manifest says %d", len(sources), len(m.Sources))
	}
	newest := ""
	for _, s := range sources {
		if s.Issues, err = sourceIssues(db, s.Region, s.ID); err != nil {
			return fmt.Errorf("read issues: %w", err)
		}
		if !slices.ContainsFunc(m.Sources, func(w schemas.ReleaseSource) bool { return sameSource(s, w) }) {
			return fmt.Errorf("source %s of region %s is not as the manifest says", s.ID, s.Region)
		}
		newest = max(newest, s.AsOf)
	}
	if newest != m.AsOf {
		return fmt.Errorf("the newest source is of %s, the manifest says %s", newest, m.AsOf)
	}
	return verifySteps(db, m)
}

func verifySteps(db *sql.DB, m *schemas.Manifest) error {
	issues, err := collect(db, `SELECT region, step, severity, code, detail, description, rows, example FROM issue
		WHERE step <> '`+ingestStep+`' ORDER BY region, step, severity, code, detail`, func(rows *sql.Rows, i *storedIssue) error {
		return rows.Scan(&i.region, &i.step, &i.Severity, &i.Code, &i.Detail, &i.Description, &i.rows, &i.example)
	})
	if err != nil {
		return fmt.Errorf("read issues: %w", err)
	}
	var steps []schemas.StepIssue
	for _, i := range issues {
		steps = schemas.AddStepIssue(steps, i.region, i.step, i.Reason, i.rows, i.example)
	}
	if len(steps) != len(m.Steps) {
		return fmt.Errorf("%d issues of steps, the manifest says %d", len(steps), len(m.Steps))
	}
	for _, s := range steps {
		if !slices.ContainsFunc(m.Steps, func(w schemas.StepIssue) bool { return reflect.DeepEqual(s, w) }) {
			return fmt.Errorf("issue %s of step %s of region %s is not as the manifest says", s.Code, s.Step, s.Region)
		}
	}
	return nil
}

// storedIssue is a row of the table issue.
type storedIssue struct {
	reason.Reason
	region, step, example string
	rows                  int64
}

func sourceIssues(db *sql.DB, region, source string) ([]schemas.ReleaseIssue, error) {
	rows, err := db.Query(`SELECT severity, code, detail, description, rows, example FROM issue
		WHERE region = ? AND source_id = ? AND step = ? ORDER BY severity, code, detail`, region, source, ingestStep)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []schemas.ReleaseIssue
	for rows.Next() {
		var i storedIssue
		if err := rows.Scan(&i.Severity, &i.Code, &i.Detail, &i.Description, &i.rows, &i.example); err != nil {
			return nil, err
		}
		list = schemas.AddIssue(list, i.Reason, i.rows, i.example)
	}
	return list, rows.Err()
}

func sameSource(a, b schemas.ReleaseSource) bool {
	if len(a.Issues) == 0 && len(b.Issues) == 0 { // a nil list and an empty one differ for DeepEqual
		a.Issues, b.Issues = nil, nil
	}
	return reflect.DeepEqual(a, b)
}

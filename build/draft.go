package build

import (
	"context"
	"database/sql"
	"fmt"

	"quartier/schemas"
	"quartier/schemas/reason"
)

// draft is a release under way: what the writers of its files share.
type draft struct {
	*assembly
	name, toolVersion string
	asOf              string
	previous          *previous
	sources           []sourceRow
	issues            []issueRow
	places            []place
	ids               *identities
	counts            schemas.ReleaseCounts
	notes             []string
	toldAgain         int64           // cells with a typology that a region before told
	vintages          []regionVintage // by region and country
}

// ingestStep is the step of issues that belong to one source; other steps are transform's.
const ingestStep = "ingest"

// sourceRow is a source of a region.
type sourceRow struct {
	schemas.ReleaseSource
	region, priority int
}

// issueRow counts the rows of a step that were rejected, repaired or skipped for one reason and detail.
type issueRow struct {
	reason.Reason
	rows         int64
	example      string
	region       int
	step, source string
}

// readProvenance reads the sources and issues, and from them the day that the release is of.
func (d *draft) readProvenance(ctx context.Context) error {
	rows, err := d.conn.QueryContext(ctx, `SELECT region, source_id, priority, kind, path, sha256, bytes, as_of, licence,
		attribution, coalesce(url, ''), rows_read, rows_staged FROM source ORDER BY region, priority, source_id`)
	if err != nil {
		return fmt.Errorf("read sources: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var s sourceRow
		if err := rows.Scan(&s.region, &s.ID, &s.priority, &s.Kind, &s.Path, &s.SHA256, &s.Bytes, &s.AsOf, &s.Licence,
			&s.Attribution, &s.URL, &s.RowsRead, &s.RowsStaged); err != nil {
			return fmt.Errorf("read sources: %w", err)
		}
		s.Region = d.regions[s.region].Name
		d.asOf = max(d.asOf, s.AsOf)
		d.sources = append(d.sources, s)
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read sources: %w", err)
	}
	if len(d.sources) == 0 {
		return fmt.Errorf("no region declares a source")
	}
	return d.readIssues(ctx)
}

func (d *draft) readIssues(ctx context.Context) error {
	rows, err := d.conn.QueryContext(ctx, `SELECT region, step, source_id, severity, code, detail, description, rows, example
		FROM issue ORDER BY region, step, source_id, severity, code, detail`)
	if err != nil {
		return fmt.Errorf("read issues: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var i issueRow
		if err := rows.Scan(&i.region, &i.step, &i.source, &i.Severity, &i.Code, &i.Detail, &i.Description, &i.rows, &i.example); err != nil {
			return fmt.Errorf("read issues: %w", err)
		}
		d.issues = append(d.issues, i)
	}
	return rows.Err()
}

// writeProvenance fills the tables that every SpatiaLite file carries.
func (d *draft) writeProvenance(tx *sql.Tx) error {
	var digest any
	if d.previous != nil {
		digest = d.previous.manifest.Digest
	}
	if _, err := tx.Exec("INSERT INTO release VALUES (?, ?, ?, ?)", d.name, d.asOf, d.toolVersion, digest); err != nil {
		return fmt.Errorf("write release: %w", err)
	}
	for _, s := range d.sources {
		if _, err := tx.Exec("INSERT INTO source VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			s.Region, s.ID, s.priority, s.Kind, s.Path, s.SHA256, s.Bytes, s.AsOf, s.Licence, s.Attribution,
			null(s.URL), s.RowsRead, s.RowsStaged); err != nil {
			return fmt.Errorf("write source %s: %w", s.ID, err)
		}
	}
	for _, i := range d.issues {
		if _, err := tx.Exec("INSERT INTO issue VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
			d.regions[i.region].Name, i.step, i.source, i.Severity, i.Code, i.Detail, i.Description, i.rows, i.example); err != nil {
			return fmt.Errorf("write issue %s: %w", i.Reason, err)
		}
	}
	return nil
}

// null turns an empty string into NULL.
func null(s string) any {
	if s == "" {
		return nil
	}
	return s
}

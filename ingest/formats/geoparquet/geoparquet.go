// Package geoparquet opens Parquet files with geometries in well-known binary as a table of DuckDB, whose rows are read in
// pages, because the driver keeps the result of a query in memory.
package geoparquet

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"quartier/ingest/source"
	"quartier/internal/duck"
	_ "quartier/internal/duck/driver"
)

// Memory is the usual limit of DuckDB's memory, beyond which it spills to disk. Each thread needs a share of it, therefore
// there are only two.
const Memory = "512MB"

// Table is one or several files with the columns of all of them.
type Table struct {
	From    string            // for queries: the rows, with the columns filename and file_row_number
	Names   []string          // columns in the order of the files
	Columns map[string]string // their DuckDB types
	DB      *duck.DB

	files  []string
	folder string // of temporary files
}

// Open opens files of at least one row group. It fails where their columns expand beyond the limits.
func Open(ctx context.Context, files []string, limits source.Limits, memory string) (*Table, error) {
	folder, err := os.MkdirTemp("", "quartier-parquet-")
	if err != nil {
		return nil, err
	}
	t := &Table{files: files, folder: folder, Columns: map[string]string{}}
	if t.DB, err = duck.Memory(); err == nil {
		_, err = t.DB.ExecContext(ctx, "SET memory_limit='"+memory+"'; SET threads=2; SET temp_directory="+Quote(folder))
	}
	if err == nil {
		err = t.describe(ctx)
	}
	for i := 0; i < len(files) && err == nil; i++ {
		err = t.checkSize(ctx, files[i], limits)
	}
	if err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// Close closes the table and removes its temporary files.
func (t *Table) Close() error {
	var err error
	if t.DB != nil {
		err = t.DB.Close()
	}
	return errors.Join(err, os.RemoveAll(t.folder)) // after the database is closed, which fails if its files are removed
}

func (t *Table) describe(ctx context.Context) error {
	var names []string
	for _, file := range t.files {
		names = append(names, Quote(literal.Replace(file)))
	}
	t.From = "read_parquet([" + strings.Join(names, ",") +
		"], union_by_name=true, filename=true, file_row_number=true, hive_partitioning=false)"
	rows, err := t.DB.QueryContext(ctx, "SELECT column_name, column_type FROM (DESCRIBE SELECT * EXCLUDE (filename, file_row_number) FROM "+
		t.From+")")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var name, kind string
		if err := rows.Scan(&name, &kind); err != nil {
			return err
		}
		t.Names = append(t.Names, name)
		t.Columns[name] = kind
	}
	return rows.Err()
}

// checkSize checks what the columns of a file expand to, by its metadata.
func (t *Table) checkSize(ctx context.Context, file string, limits source.Limits) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	var bytes int64
	query := "SELECT coalesce(sum(total_uncompressed_size), 0)::BIGINT FROM parquet_metadata(" + Quote(literal.Replace(file)) + ")"
	if err := t.DB.QueryRowContext(ctx, query).Scan(&bytes); err != nil {
		return err
	}
	return limits.CheckExpansion(filepath.Base(file), info.Size(), bytes)
}

// IsWKB reports whether a column can have well-known binary.
func (t *Table) IsWKB(column string) bool {
	return t.Columns[column] == "BLOB" || t.Columns[column] == "GEOMETRY"
}

// FileNumber is an expression: the number of a row's file, 1 first.
func (t *Table) FileNumber() string {
	var quoted []string
	for _, file := range t.files {
		quoted = append(quoted, Quote(file))
	}
	return "list_position([" + strings.Join(quoted, ",") + "], filename)"
}

// First visits the columns of the first rows, at most the given number, without a copy.
func (t *Table) First(ctx context.Context, columns string, most int, visit func(*sql.Rows) error) (n int, err error) {
	return t.each(ctx, fmt.Sprintf("SELECT %s FROM %s LIMIT %d", columns, t.From, most), visit)
}

func (t *Table) each(ctx context.Context, query string, visit func(*sql.Rows) error) (n int, err error) {
	rows, err := t.DB.QueryContext(ctx, query)
	if err != nil {
		return 0, cmp.Or(ctx.Err(), err)
	}
	defer rows.Close()
	for ; rows.Next(); n++ {
		if err := visit(rows); err != nil {
			return n, err
		}
		if err := ctx.Err(); err != nil {
			return n, err
		}
	}
	return n, cmp.Or(ctx.Err(), rows.Err())
}

// Geometry is what the metadata of GeoParquet say of its geometries.
type Geometry struct {
	Column string // primary column; "geometry" without metadata
	CRS    string // code such as EPSG:4269; OGC:CRS84 where there are no metadata or they have none, "" where it has no code
}

// Geometry reads the metadata of the first file.
func (t *Table) Geometry(ctx context.Context) (Geometry, error) {
	g := Geometry{"geometry", "OGC:CRS84"}
	var text []byte
	query := "SELECT value FROM parquet_kv_metadata(" + Quote(literal.Replace(t.files[0])) + ") WHERE key = 'geo'::BLOB LIMIT 1"
	err := t.DB.QueryRowContext(ctx, query).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return g, nil
	} else if err != nil {
		return g, err
	}
	var meta struct {
		Primary string `json:"primary_column"`
		Columns map[string]struct {
			Encoding string          `json:"encoding"`
			CRS      json.RawMessage `json:"crs"` // PROJJSON; null: not known, absent: OGC:CRS84
		} `json:"columns"`
	}
	if err := json.Unmarshal(text, &meta); err != nil {
		return g, fmt.Errorf("metadata of GeoParquet: %w", err)
	}
	g.Column = cmp.Or(meta.Primary, g.Column)
	column := meta.Columns[g.Column]
	if column.Encoding != "" && !strings.EqualFold(column.Encoding, "WKB") {
		return g, fmt.Errorf("column %s has the encoding %s, not WKB", g.Column, column.Encoding)
	}
	if column.CRS == nil {
		return g, nil
	}
	var crs struct {
		ID struct {
			Authority string          `json:"authority"`
			Code      json.RawMessage `json:"code"` // a number or text
		} `json:"id"`
	}
	g.CRS = ""
	if json.Unmarshal(column.CRS, &crs) == nil && crs.ID.Authority != "" {
		g.CRS = crs.ID.Authority + ":" + strings.Trim(string(crs.ID.Code), `"`)
	}
	return g, nil
}

// literal escapes a path, which DuckDB would read as a pattern.
var literal = strings.NewReplacer("[", "[[]", "*", "[*]", "?", "[?]")

// Quote returns a text as a literal of SQL.
func Quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

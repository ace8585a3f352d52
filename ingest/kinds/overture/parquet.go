package overture

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/geoparquet"
	"quartier/ingest/source"
	"quartier/internal/wellknown"
	"quartier/schemas/reason"
)

// optional are the columns that are read if a release has them. Nested ones are read as JSON, since their structure
// differs from release to release.
var optional = []string{
	"names", "categories", "basic_category", "taxonomy", "brand", "addresses", "phones", "websites", "confidence",
	"operating_status", "sources",
}

// page is the number of rows in one query.
const page = 50_000

// parquet stages the rows of all files, sorted by id.
func (s stager) parquet(ctx context.Context, path string, files []string) error {
	table, err := openTable(ctx, files, s.limits, s.memory)
	if err != nil {
		return finish(ctx, path, err)
	}
	defer table.Close()
	query, properties, err := s.query(ctx, table)
	if err != nil {
		return finish(ctx, path, err)
	}
	sorted, err := table.Sorted(ctx, query, []string{"id", "file", "number"}, geoparquet.SortedRows, page)
	if err != nil {
		return finish(ctx, path, err)
	}
	json := "CAST(to_json(" + properties + ") AS VARCHAR)"
	columns := fmt.Sprintf("id, geometry, if(strlen(%[1]s) > %[2]d, NULL, %[1]s), file, number", json, s.limits.Feature())
	for number := 0; ; number++ {
		n, err := sorted.Page(ctx, columns, number, func(rows *sql.Rows) error { return s.row(rows, files) })
		if err != nil || n == 0 {
			return err
		}
	}
}

// Rows implements source.Counted, for Parquet.
func (k kind) Rows(ctx context.Context, in source.Input) (rows int64) {
	o, err := k.Settings(in)
	files, missing := list(in.Path)
	if err != nil || missing != nil {
		return 0
	}
	if parquet, err := isParquet(files[0]); err != nil || !parquet {
		return 0
	}
	table, err := openTable(ctx, files, in.Limits, geoparquet.Memory)
	if err != nil {
		return 0
	}
	defer table.Close()
	if table.DB.QueryRowContext(ctx, "SELECT count(*) FROM "+table.From+" WHERE "+o.inside(table)).Scan(&rows) != nil {
		return 0
	}
	return rows
}

// inside is the condition of rows that the option bbox does not exclude.
func (o Options) inside(table *geoparquet.Table) string {
	if b := o.BBox; b != nil && strings.Contains(table.Columns["bbox"], "xmin") {
		return fmt.Sprintf("bbox IS NULL OR (bbox.xmax >= %v AND bbox.xmin <= %v AND bbox.ymax >= %v AND bbox.ymin <= %v)", b[0], b[2],
			b[1], b[3])
	}
	return "true"
}

// checkParquet checks the columns of the files.
func checkParquet(ctx context.Context, path string, files []string, limits source.Limits) error {
	table, err := openTable(ctx, files, limits, geoparquet.Memory)
	if err != nil {
		return finish(ctx, path, err)
	}
	return table.Close()
}

// openTable opens the files as a table that has the required columns.
func openTable(ctx context.Context, files []string, limits source.Limits, memory string) (*geoparquet.Table, error) {
	table, err := geoparquet.Open(ctx, files, limits, memory)
	if err != nil {
		return nil, err
	}
	if err := checkColumns(table); err != nil {
		table.Close()
		return nil, err
	}
	return table, nil
}

// query counts all rows. It returns the SELECT of those that the option bbox does not exclude, and the struct expression
// of a place from its columns.
func (s stager) query(ctx context.Context, table *geoparquet.Table) (query, properties string, err error) {
	where := s.options.inside(table)
	var all, inside int
	if err := table.DB.QueryRowContext(ctx, "SELECT count(*), count(*) FILTER ("+where+") FROM "+table.From).Scan(&all, &inside); err != nil {
		return "", "", err
	}
	s.out.Read(all)
	for range all - inside {
		s.out.Issue(source.OutsideBBox, "by the bbox column")
	}
	var present, fields []string
	for _, name := range optional {
		if table.Columns[name] != "" {
			present = append(present, name)
			fields = append(fields, "'"+name+"': "+name)
		}
	}
	query = "SELECT CAST(id AS VARCHAR) AS id, geometry, " + strings.Join(present, ", ") + ", " + table.FileNumber() +
		" AS file, file_row_number AS number FROM " + table.From + " WHERE " + where
	return query, "{" + strings.Join(fields, ", ") + "}", nil
}

// checkColumns returns an error that names the missing required columns.
func checkColumns(table *geoparquet.Table) error {
	var missing []string
	for _, name := range []string{"id", "geometry", "names"} {
		if table.Columns[name] == "" {
			missing = append(missing, name)
		}
	}
	if table.Columns["categories"] == "" && table.Columns["taxonomy"] == "" && table.Columns["basic_category"] == "" {
		missing = append(missing, "categories (or taxonomy, or basic_category)")
	}
	if missing != nil {
		return fmt.Errorf("no column %s", strings.Join(missing, ", "))
	}
	if !table.IsWKB("geometry") {
		return fmt.Errorf("column geometry is %s, not WKB", table.Columns["geometry"])
	}
	return nil
}

// row stages one row of a page.
func (s stager) row(rows *sql.Rows, files []string) error {
	var id sql.NullString
	var geometry []byte
	var properties sql.NullString
	var file, number int64
	if err := rows.Scan(&id, &geometry, &properties, &file, &number); err != nil {
		return err
	}
	s.out.Part(filepath.Base(files[file-1]))
	where := fmt.Sprintf("%s row %d (%s)", filepath.Base(files[file-1]), number+1, id.String)
	if id.String == "" {
		s.out.Issue(source.MissingKey, where)
		return nil
	}
	if !properties.Valid {
		return s.limits.FeatureTooLarge(where)
	}
	var p place
	if err := p.decode([]byte(properties.String)); err != nil {
		s.out.Issue(source.MalformedRecord, where)
		return nil
	}
	p.ID = id.String
	point, why := pointOf(geometry)
	if !why.OK() {
		s.out.Issue(why, where)
		return nil
	}
	return s.put(&p, point, where)
}

// pointOf returns the point of a geometry, or why there is none.
func pointOf(data []byte) (orb.Point, reason.Reason) {
	if len(data) == 0 {
		return orb.Point{}, source.MissingGeometry
	}
	g, err := wellknown.Read(data)
	if err != nil {
		return orb.Point{}, source.UnreadableGeometry
	}
	if point, ok := g.(orb.Point); ok {
		return point, reason.Reason{}
	}
	return orb.Point{}, source.WrongGeometryType
}

package overture

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"

	"quartier/ingest/source"
	"quartier/internal/duck"
	"quartier/schemas/reason"
)

// optional are the columns that are read if a release has them. Nested ones are read as JSON, since their structure
// differs from release to release.
var optional = []string{
	"names", "categories", "basic_category", "taxonomy", "brand", "addresses", "phones", "websites", "confidence",
	"operating_status",
}

// memoryLimit is the memory for sorting by id, beyond which DuckDB spills to disk. Each thread needs a share of it,
// therefore there are only two.
const memoryLimit = "512MB"

// page is the number of rows in one query, since the driver keeps the result of a query in memory.
const page = 50_000

// parquet stages the rows of all files, sorted by id: it writes one sorted file, which it reads in pages.
func (s stager) parquet(ctx context.Context, path string, files []string) error {
	folder, err := os.MkdirTemp("", "quartier-overture-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder) // after the database is closed, which fails if its files are removed
	db, err := duck.Memory()
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, "SET memory_limit='"+s.memory+"'; SET threads=2; SET temp_directory="+quote(folder)); err != nil {
		return err
	}
	query, properties, err := s.query(ctx, db.DB, files)
	if err != nil {
		return finish(ctx, path, err)
	}
	sorted := quote(filepath.Join(folder, "sorted.parquet"))
	if _, err := db.ExecContext(ctx, "COPY (SELECT row_number() OVER () AS n, * FROM ("+query+")) TO "+sorted+
		" (FORMAT parquet, ROW_GROUP_SIZE "+strconv.Itoa(page)+")"); err != nil {
		return finish(ctx, path, err)
	}
	for from := 1; ; from += page {
		// literals, not parameters, so that DuckDB skips the other row groups
		n, err := s.page(ctx, db.DB, fmt.Sprintf("SELECT id, geometry, if(strlen(json) > %d, NULL, json), file, number FROM (SELECT *, CAST(to_json(%s) AS VARCHAR) AS json FROM read_parquet(%s) WHERE n >= %d AND n < %d) ORDER BY n",
			s.limits.Feature(), properties, sorted, from, from+page), files)
		if err != nil || n == 0 {
			return err
		}
	}
}

// page stages the rows of a query and returns their number.
func (s stager) page(ctx context.Context, db *sql.DB, query string, files []string) (n int, err error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return 0, cmp.Or(ctx.Err(), err)
	}
	defer rows.Close()
	for ; rows.Next(); n++ {
		if err := s.row(rows, files); err != nil {
			return n, err
		}
		if err := ctx.Err(); err != nil {
			return n, err
		}
	}
	return n, cmp.Or(ctx.Err(), rows.Err())
}

// checkParquet checks the columns of the files.
func checkParquet(ctx context.Context, path string, files []string, limits source.Limits) error {
	db, err := duck.Memory()
	if err != nil {
		return err
	}
	defer db.Close()
	_, _, err = table(ctx, db.DB, files, limits)
	return finish(ctx, path, err)
}

// table returns the files as a table of DuckDB, and the types of its columns by name.
func table(ctx context.Context, db *sql.DB, files []string, limits source.Limits) (from string, columns map[string]string, err error) {
	var names []string
	for _, file := range files {
		names = append(names, quote(literal.Replace(file)))
	}
	from = "read_parquet([" + strings.Join(names, ",") +
		"], union_by_name=true, filename=true, file_row_number=true, hive_partitioning=false)"
	if columns, err = columnsOf(ctx, db, from); err == nil {
		err = checkColumns(columns)
	}
	for i := 0; i < len(files) && err == nil; i++ {
		err = checkSize(ctx, db, files[i], names[i], limits)
	}
	return from, columns, err
}

// checkSize checks what the columns of a file expand to, by its metadata.
func checkSize(ctx context.Context, db *sql.DB, file, name string, limits source.Limits) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	var bytes int64
	if err := db.QueryRowContext(ctx, "SELECT coalesce(sum(total_uncompressed_size), 0)::BIGINT FROM parquet_metadata("+name+")").Scan(&bytes); err != nil {
		return err
	}
	return limits.CheckExpansion(filepath.Base(file), info.Size(), bytes)
}

// query counts all rows. It returns the SELECT of those that the option bbox does not exclude, and the struct expression
// of a place from its columns.
func (s stager) query(ctx context.Context, db *sql.DB, files []string) (query, properties string, err error) {
	from, columns, err := table(ctx, db, files, s.limits)
	if err != nil {
		return "", "", err
	}
	where := "true"
	if b := s.options.BBox; b != nil && strings.Contains(columns["bbox"], "xmin") {
		where = fmt.Sprintf("bbox IS NULL OR (bbox.xmax >= %v AND bbox.xmin <= %v AND bbox.ymax >= %v AND bbox.ymin <= %v)", b[0], b[2], b[1], b[3])
	}
	var all, inside int
	if err := db.QueryRowContext(ctx, "SELECT count(*), count(*) FILTER ("+where+") FROM "+from).Scan(&all, &inside); err != nil {
		return "", "", err
	}
	s.out.Read(all)
	for range all - inside {
		s.out.Issue(source.OutsideBBox, "by the bbox column")
	}
	var present, fields []string
	for _, name := range optional {
		if columns[name] != "" {
			present = append(present, name)
			fields = append(fields, "'"+name+"': "+name)
		}
	}
	query = "SELECT CAST(id AS VARCHAR) AS id, geometry, " + strings.Join(present, ", ") + ", list_position([" + strings.Join(quoted(files), ",") +
		"], filename) AS file, file_row_number AS number FROM " + from + " WHERE " + where + " ORDER BY CAST(id AS VARCHAR), filename, file_row_number"
	return query, "{" + strings.Join(fields, ", ") + "}", nil
}

// columnsOf returns the types of the files' columns by name.
func columnsOf(ctx context.Context, db *sql.DB, from string) (map[string]string, error) {
	rows, err := db.QueryContext(ctx, "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM "+from+")")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns := map[string]string{}
	for rows.Next() {
		var name, kind string
		if err := rows.Scan(&name, &kind); err != nil {
			return nil, err
		}
		columns[name] = kind
	}
	return columns, rows.Err()
}

// checkColumns returns an error that names the missing required columns.
func checkColumns(columns map[string]string) error {
	var missing []string
	for _, name := range []string{"id", "geometry", "names"} {
		if columns[name] == "" {
			missing = append(missing, name)
		}
	}
	if columns["categories"] == "" && columns["taxonomy"] == "" && columns["basic_category"] == "" {
		missing = append(missing, "categories (or taxonomy, or basic_category)")
	}
	if missing != nil {
		return fmt.Errorf("no column %s", strings.Join(missing, ", "))
	}
	if kind := columns["geometry"]; !slices.Contains([]string{"BLOB", "GEOMETRY"}, kind) {
		return fmt.Errorf("column geometry is %s, not WKB", kind)
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
	g, err := wkb.Unmarshal(data)
	if err != nil {
		return orb.Point{}, source.UnreadableGeometry
	}
	if point, ok := g.(orb.Point); ok {
		return point, reason.Reason{}
	}
	return orb.Point{}, source.WrongGeometryType
}

// literal escapes a path, which DuckDB would read as a pattern.
var literal = strings.NewReplacer("[", "[[]", "*", "[*]", "?", "[?]")

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func quoted(list []string) []string {
	var q []string
	for _, s := range list {
		q = append(q, quote(s))
	}
	return q
}

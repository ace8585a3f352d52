package overture

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
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
)

// wanted are the columns that are read where a release has them. Nested ones come as JSON, so that whatever is inside
// may change from release to release.
var wanted = []string{
	"names", "categories", "basic_category", "taxonomy", "brand", "addresses", "phones", "websites", "confidence",
	"operating_status",
}

// memoryLimit bounds what sorting by id takes; beyond it DuckDB spills to disk. Each thread needs a share of it, so
// that there are two whatever the machine has.
const memoryLimit = "512MB"

// page is how many rows leave DuckDB at a time, because the driver holds the whole answer of a query in memory.
const page = 50_000

// parquet stages the rows of all files together. They are sorted into one file first, which is then read page by page.
func (s stager) parquet(ctx context.Context, path string, files []string) error {
	folder, err := os.MkdirTemp("", "quartier-overture-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder) // after the database is closed, which aborts where its files are gone
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
		// literals, not parameters: by them DuckDB leaves out the other row groups
		n, err := s.page(ctx, db.DB, fmt.Sprintf("SELECT id, geometry, CAST(to_json(%s) AS VARCHAR), file, number FROM read_parquet(%s) WHERE n >= %d AND n < %d ORDER BY n",
			properties, sorted, from, from+page), files)
		if err != nil || n == 0 {
			return err
		}
	}
}

// page stages the rows of a query and returns how many there were.
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

// query counts all rows and writes the SELECT for those that the bbox option does not rule out beforehand, and the
// struct that makes an Overture place of its columns.
func (s stager) query(ctx context.Context, db *sql.DB, files []string) (query, properties string, err error) {
	var names []string
	for _, file := range files {
		names = append(names, quote(literal.Replace(file)))
	}
	from := "read_parquet([" + strings.Join(names, ",") +
		"], union_by_name=true, filename=true, file_row_number=true, hive_partitioning=false)"
	columns, err := columnsOf(ctx, db, from)
	if err != nil {
		return "", "", err
	}
	if err := checkColumns(columns); err != nil {
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
		s.out.Issue(source.Uncoded(source.Skipped, outsideBBox), "by the bbox column")
	}
	var there, fields []string
	for _, name := range wanted {
		if columns[name] != "" {
			there = append(there, name)
			fields = append(fields, "'"+name+"': "+name)
		}
	}
	query = "SELECT CAST(id AS VARCHAR) AS id, geometry, " + strings.Join(there, ", ") + ", list_position([" + strings.Join(quoted(files), ",") +
		"], filename) AS file, file_row_number AS number FROM " + from + " WHERE " + where + " ORDER BY CAST(id AS VARCHAR), filename, file_row_number"
	return query, "{" + strings.Join(fields, ", ") + "}", nil
}

// columnsOf maps the files' column names to their types.
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

// checkColumns names the columns without which a row is of no use.
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
	var properties string
	var file, number int64
	if err := rows.Scan(&id, &geometry, &properties, &file, &number); err != nil {
		return err
	}
	where := fmt.Sprintf("%s row %d (%s)", filepath.Base(files[file-1]), number+1, id.String)
	if id.String == "" {
		s.out.Issue(source.Uncoded(source.Rejected, "no id"), where)
		return nil
	}
	var p place
	if err := json.Unmarshal([]byte(properties), &p); err != nil {
		s.out.Issue(source.Uncoded(source.Rejected, "not laid out as an Overture place"), where)
		return nil
	}
	p.ID = id.String
	point, err := pointOf(geometry)
	if err != nil {
		s.out.Issue(source.Uncoded(source.Rejected, err.Error()), where)
		return nil
	}
	return s.put(&p, point, where)
}

var errNoPoint = errors.New("geometry is no point")

func pointOf(data []byte) (orb.Point, error) {
	if len(data) == 0 {
		return orb.Point{}, errors.New("no geometry")
	}
	g, err := wkb.Unmarshal(data)
	if err != nil {
		return orb.Point{}, errNoPoint
	}
	point, ok := g.(orb.Point)
	if !ok {
		return orb.Point{}, errNoPoint
	}
	return point, nil
}

// literal keeps DuckDB from taking a path for a pattern.
var literal = strings.NewReplacer("[", "[[]", "*", "[*]", "?", "[?]")

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func quoted(list []string) []string {
	var q []string
	for _, s := range list {
		q = append(q, quote(s))
	}
	return q
}

package overture

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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

// memoryLimit bounds what sorting by id takes; beyond it DuckDB spills to disk.
const memoryLimit = "1GB"

// parquet stages the rows of all files together.
func (s stager) parquet(ctx context.Context, path string, files []string) error {
	db, err := duck.Memory()
	if err != nil {
		return err
	}
	defer db.Close()
	spill, err := os.MkdirTemp("", "quartier-overture-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(spill)
	if _, err := db.ExecContext(ctx, "SET memory_limit='"+memoryLimit+"'; SET temp_directory="+quote(spill)); err != nil {
		return err
	}
	query, err := s.query(ctx, db.DB, files)
	if err != nil {
		return finish(ctx, path, err)
	}
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return finish(ctx, path, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := s.row(rows); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return finish(ctx, path, rows.Err())
}

// query counts all rows and writes the SELECT for those that the bbox option does not rule out beforehand.
func (s stager) query(ctx context.Context, db *sql.DB, files []string) (string, error) {
	var names []string
	for _, file := range files {
		names = append(names, quote(literal.Replace(file)))
	}
	from := "read_parquet([" + strings.Join(names, ",") +
		"], union_by_name=true, filename=true, file_row_number=true, hive_partitioning=false)"
	columns, err := columnsOf(ctx, db, from)
	if err != nil {
		return "", err
	}
	if err := checkColumns(columns); err != nil {
		return "", err
	}
	where := "true"
	if b := s.options.BBox; b != nil && strings.Contains(columns["bbox"], "xmin") {
		where = fmt.Sprintf("bbox IS NULL OR (bbox.xmax >= %v AND bbox.xmin <= %v AND bbox.ymax >= %v AND bbox.ymin <= %v)", b[0], b[2], b[1], b[3])
	}
	var all, inside int
	if err := db.QueryRowContext(ctx, "SELECT count(*), count(*) FILTER ("+where+") FROM "+from).Scan(&all, &inside); err != nil {
		return "", err
	}
	s.out.Read(all)
	for range all - inside {
		s.out.Issue(source.Skipped, outsideBBox, "by the bbox column")
	}
	var fields []string
	for _, name := range wanted {
		if columns[name] != "" {
			fields = append(fields, "'"+name+"': "+name)
		}
	}
	return "SELECT CAST(id AS VARCHAR), geometry, CAST(to_json({" + strings.Join(fields, ", ") + "}) AS VARCHAR), filename, file_row_number FROM " +
		from + " WHERE " + where + " ORDER BY id, filename, file_row_number", nil
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

// row stages one row of the query.
func (s stager) row(rows *sql.Rows) error {
	var id sql.NullString
	var geometry []byte
	var properties, file string
	var number int64
	if err := rows.Scan(&id, &geometry, &properties, &file, &number); err != nil {
		return err
	}
	where := fmt.Sprintf("%s row %d (%s)", filepath.Base(file), number+1, id.String)
	if id.String == "" {
		s.out.Issue(source.Rejected, "no id", where)
		return nil
	}
	var p place
	if err := json.Unmarshal([]byte(properties), &p); err != nil {
		s.out.Issue(source.Rejected, "not laid out as an Overture place", where)
		return nil
	}
	p.ID = id.String
	point, err := pointOf(geometry)
	if err != nil {
		s.out.Issue(source.Rejected, err.Error(), where)
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

package listings

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quartier/internal/duck"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/staged"
)

// readersVersion changes when the readers make other rows of the same files.
const readersVersion = "1"

// layoutDigest identifies the tables and the readers.
func layoutDigest() string {
	sum := sha256.Sum256([]byte(readersVersion + "\n" + schemas.Listings))
	return hex.EncodeToString(sum[:])
}

func createStore(ctx context.Context, path string) (*duck.DB, error) {
	db, err := duck.Create(path, schemas.Listings)
	if err != nil {
		return nil, err
	}
	if _, err := db.ExecContext(ctx, "INSERT INTO layout VALUES (?, uuid()::VARCHAR)", layoutDigest()); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

func sameLayout(ctx context.Context, db *duck.DB) bool {
	var digest string
	err := db.QueryRowContext(ctx, "SELECT sha256 FROM layout").Scan(&digest)
	return err == nil && digest == layoutDigest()
}

// files returns the files that were taken in. Rows of files that were not, because an intake was interrupted, are removed.
func (t *taking) files() ([]staged.ListingFile, error) {
	for _, table := range []string{"listing_record", "change_record"} {
		_, err := t.db.ExecContext(t.ctx, "DELETE FROM "+table+" WHERE file_id NOT IN (SELECT file_id FROM listing_file)")
		if err != nil {
			return nil, err
		}
	}
	return sqlrow.All[staged.ListingFile](t.ctx, t.db, "SELECT * FROM listing_file ORDER BY file_id")
}

// listEverything is the share of the listings above which an intake does not list what changed, and the number up to which
// it always does.
const (
	listedShare = 0.1
	listedRows  = 20_000
)

// merge makes the fresh files part of the listings and removes those that are gone, in one transaction.
func (t *taking) merge(c *Changes) error {
	tx, err := t.db.BeginTx(t.ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	s := &settling{ctx: t.ctx, tx: tx}
	s.run("CREATE TEMP TABLE fresh_file AS SELECT * FROM listing_file LIMIT 0")
	for _, f := range t.fresh {
		s.insert("fresh_file", f.row)
	}
	s.number()
	s.twoStates()
	s.touch(t)
	c.Whole = s.whole
	s.before()
	s.replaceFiles(t)
	s.choose()
	s.record(c)
	s.run("DROP TABLE fresh_file; DROP TABLE touched; DROP TABLE touched_change; DROP TABLE before")
	if s.err != nil {
		return s.err
	}
	return tx.Commit()
}

// settling is the transaction of an intake; after an error it does nothing more.
type settling struct {
	ctx   context.Context
	tx    *sql.Tx
	whole bool
	err   error
}

func (s *settling) run(query string, args ...any) {
	if s.err != nil {
		return
	}
	if _, err := s.tx.ExecContext(s.ctx, query, args...); err != nil {
		line, _, _ := strings.Cut(query, "\n")
		s.err = fmt.Errorf("%s …: %w", line, err)
	}
}

func (s *settling) number64(query string) (n int64) {
	if s.err == nil {
		s.err = s.tx.QueryRowContext(s.ctx, query).Scan(&n)
	}
	return n
}

// insert inserts a row of listing_file.
func (s *settling) insert(table string, f staged.ListingFile) {
	s.run("INSERT INTO "+table+" (file_id, source_id, position, path, sha256, bytes, state, settings, rows_read, rows_staged) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		f.FileID, f.SourceID, f.Position, f.Path, f.SHA256, f.Bytes, f.State, f.Settings, f.RowsRead, f.RowsStaged)
}

// number gives equal sales of one file that have no key of their own one number each: of two homes that are sold on one day
// for one price none is lost, and a sale that two files have is one.
func (s *settling) number() {
	s.run(`UPDATE listing_record SET listing_key = listing_key || '#' || n, key_hash = xor(key_hash, n * 2654435761)
FROM (
    SELECT r.rowid AS id, row_number() OVER (PARTITION BY file_id, system, listing_key ORDER BY row) AS n
    FROM listing_record r SEMI JOIN (
        SELECT file_id, key_hash FROM listing_record
        WHERE file_id IN (SELECT file_id FROM fresh_file) AND public_sale AND starts_with(listing_key, '` + staged.SaleKey + `')
        GROUP BY ALL HAVING count(*) > 1
    ) twice USING (file_id, key_hash)
) numbered WHERE listing_record.rowid = numbered.id AND n > 1`)
}

// twoStates counts listings that a file has twice, with one time and different states.
func (s *settling) twoStates() {
	s.run(`INSERT INTO listing_issue
SELECT file_id, ?, ?, '', ?, count(*), min(example) FROM (
    SELECT file_id, min(file || ' ' || listing_key) AS example FROM listing_record r
    SEMI JOIN (
        SELECT file_id, key_hash FROM listing_record WHERE file_id IN (SELECT file_id FROM fresh_file) GROUP BY ALL HAVING count(*) > 1
    ) twice USING (file_id, key_hash)
    GROUP BY file_id, system, listing_key, modified HAVING count(DISTINCT status) > 1
) GROUP BY file_id`, string(twoStates.Severity), twoStates.Code, twoStates.Description)
}

// touch lists the keys of fresh files and of those that are gone.
func (s *settling) touch(t *taking) {
	ids := []string{"-1"}
	for _, id := range t.gone {
		ids = append(ids, strconv.Itoa(int(id)))
	}
	s.run("CREATE TEMP TABLE gone_file AS SELECT unnest([" + strings.Join(ids, ",") + "])::INTEGER AS file_id")
	moved := "file_id IN (SELECT file_id FROM fresh_file UNION ALL SELECT file_id FROM gone_file)"
	old := s.number64("SELECT count(*) FROM listing_record WHERE file_id NOT IN (SELECT file_id FROM fresh_file)")
	rows := s.number64("SELECT (SELECT count(*) FROM listing_record WHERE " + moved + ") + (SELECT count(*) FROM change_record WHERE " + moved + ")")
	s.whole = rows > max(listedRows, int64(listedShare*float64(old)))
	if s.whole { // the keys of one record need no choice
		s.run("CREATE TEMP TABLE touched AS SELECT key_hash FROM listing_record GROUP BY key_hash HAVING count(*) > 1")
		s.run("CREATE TEMP TABLE touched_change AS SELECT key_hash FROM change_record GROUP BY key_hash, at HAVING count(*) > 1")
	} else {
		s.run("CREATE TEMP TABLE touched AS SELECT DISTINCT key_hash FROM listing_record WHERE " + moved)
		s.run("CREATE TEMP TABLE touched_change AS SELECT DISTINCT key_hash FROM change_record WHERE " + moved)
	}
}

// content are the columns of a record by which two are different.
func content() string {
	var columns []string
	for _, name := range sqlrow.Names[staged.Listing]() {
		if name != "file" && name != "row" {
			columns = append(columns, name)
		}
	}
	return "hash(" + strings.Join(columns, ", ") + ")"
}

// changeContent are the columns of a change without which two are the same.
const changeContent = "system, listing_key, at, field, status, price, previous_status, previous_price"

// counting is what counts of the touched keys: listings with their content, and changes, which a key may have without a
// listing.
func counting(where string) string {
	return `SELECT key_hash, system, listing_key, ` + content() + ` AS content, 0::HUGEINT AS changes FROM listing_record
WHERE counts AND status <> 11 AND key_hash IN (SELECT key_hash FROM touched)` + where + `
UNION ALL
SELECT key_hash, system, listing_key, NULL, sum(hash(` + changeContent + `)) FROM change_record
WHERE counts AND key_hash IN (SELECT key_hash FROM touched_change)` + where + `
GROUP BY key_hash, system, listing_key`
}

// before keeps what counted of the touched keys before this intake.
func (s *settling) before() {
	query := "CREATE TEMP TABLE before AS " + counting(" AND file_id NOT IN (SELECT file_id FROM fresh_file)")
	if s.whole {
		query += " LIMIT 0"
	}
	s.run(query)
}

// replaceFiles removes the files that are gone with their rows, and adds the fresh ones.
func (s *settling) replaceFiles(t *taking) {
	for _, table := range []string{"listing_record", "change_record", "listing_issue"} {
		s.run("DELETE FROM " + table + " WHERE file_id IN (SELECT file_id FROM gone_file)")
	}
	s.run("DROP TABLE gone_file; DELETE FROM listing_file; DELETE FROM listing_source")
	all := append(slices.Clone(t.kept), t.fresh...)
	slices.SortFunc(all, func(a, b *file) int { return int(a.row.FileID - b.row.FileID) })
	for _, f := range all {
		s.insert("listing_file", f.row)
	}
	null := func(text string) any {
		if text == "" {
			return nil
		}
		return text
	}
	for _, o := range t.options.Sources {
		s.run("INSERT INTO listing_source (source_id, position, as_of, licence, attribution, url) VALUES (?, ?, ?, ?, ?, ?)",
			o.SourceID, o.Position, null(o.AsOf), null(o.Licence), null(o.Attribution), null(o.URL))
	}
	for _, i := range t.issues {
		s.run("INSERT INTO listing_issue (file_id, severity, code, detail, description, rows, example) VALUES (?, ?, ?, ?, ?, ?, ?)",
			i.FileID, i.Severity, i.Code, i.Detail, i.Description, i.Rows, i.Example)
	}
}

// choose marks the records that count: of each key the latest, and of equal changes the first.
func (s *settling) choose() {
	s.run(`UPDATE listing_record SET counts = chosen.wins FROM (
    SELECT r.rowid AS id, r.counts AS counted, row_number() OVER (
        PARTITION BY key_hash, system, listing_key
        ORDER BY modified DESC NULLS LAST, position DESC, f.path DESC, r.row DESC) = 1 AS wins
    FROM listing_record r JOIN listing_file f USING (file_id)
    WHERE key_hash IN (SELECT key_hash FROM touched)
) chosen WHERE listing_record.rowid = chosen.id AND counted <> wins`)
	s.run(`UPDATE change_record SET counts = chosen.wins FROM (
    SELECT r.rowid AS id, r.counts AS counted, row_number() OVER (
        PARTITION BY key_hash, ` + changeContent + ` ORDER BY position, f.path, r.row) = 1 AS wins
    FROM change_record r JOIN listing_file f USING (file_id)
    WHERE key_hash IN (SELECT key_hash FROM touched_change)
) chosen WHERE change_record.rowid = chosen.id AND counted <> wins`)
}

// record lists what changed, under a new generation if anything did.
func (s *settling) record(c *Changes) {
	c.Generation = s.number64("SELECT coalesce(max(generation), 0) FROM intake")
	if s.whole {
		c.Generation++
		s.run("INSERT INTO intake VALUES (?, true)", c.Generation)
		s.run("DELETE FROM listing_changed") // the whole covers it
	} else {
		s.list(c)
	}
	c.Listings = s.number64("SELECT count(*) FROM listing")
}

func (s *settling) list(c *Changes) {
	s.run("CREATE TEMP TABLE difference AS WITH after AS (" + counting("") + `)
, old AS (SELECT system, listing_key, sum(content) AS content, sum(changes) AS changes FROM before GROUP BY ALL)
, new AS (SELECT system, listing_key, sum(content) AS content, sum(changes) AS changes FROM after GROUP BY ALL)
SELECT system, listing_key, CASE
    WHEN old.content IS NULL AND new.content IS NOT NULL THEN 'added'
    WHEN new.content IS NULL AND old.content IS NOT NULL THEN 'removed'
    ELSE 'changed' END AS change
FROM old FULL JOIN new USING (system, listing_key)
WHERE old.content IS DISTINCT FROM new.content OR old.changes IS DISTINCT FROM new.changes`)
	for change, n := range map[string]*int64{"added": &c.Added, "changed": &c.Changed, "removed": &c.Removed} {
		*n = s.number64("SELECT count(*) FROM difference WHERE change = '" + change + "'")
	}
	if c.Added+c.Changed+c.Removed > 0 {
		c.Generation++
		s.run("INSERT INTO intake VALUES (?, false)", c.Generation)
		s.run("INSERT INTO listing_changed SELECT ?, system, listing_key, change FROM difference ORDER BY ALL", c.Generation)
	}
	s.run("DROP TABLE difference")
}

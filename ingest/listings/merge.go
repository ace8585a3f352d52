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
	_ "quartier/internal/duck/driver"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/staged"
)

// readersVersion changes when the readers make other rows of the same files.
const readersVersion = "2"

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

// files returns the files that were taken in. Rows of files that were not, because an intake was interrupted, are removed:
// those have later numbers.
func (t *taking) files() ([]staged.ListingFile, error) {
	for _, table := range []string{"listing_record", "change_record"} {
		_, err := t.db.ExecContext(t.ctx, "DELETE FROM "+table+" WHERE file_id > (SELECT coalesce(max(file_id), -1) FROM listing_file)")
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
	s := &settling{ctx: t.ctx, tx: tx, fresh: fmt.Sprintf("file_id >= %d", t.first), gone: inFiles(t.gone)}
	s.whole = t.movedRows() > max(listedRows, int64(listedShare*float64(t.oldRows)))
	c.Whole = s.whole
	s.number()
	s.copies()
	s.twoStates()
	s.collect()
	s.replaceFiles(t)
	s.choose()
	s.record(c)
	s.run("DROP TABLE candidate; DROP TABLE candidate_change; DROP TABLE chosen; DROP TABLE chosen_change")
	if s.err != nil {
		return s.err
	}
	return tx.Commit()
}

// movedRows is the number of rows of the files that are fresh or gone.
func (t *taking) movedRows() (rows int64) {
	for _, f := range t.fresh {
		rows += f.row.RowsStaged
	}
	return rows + t.goneRows
}

// settling is the transaction of an intake; after an error it does nothing more.
type settling struct {
	ctx         context.Context
	tx          *sql.Tx
	fresh, gone string // conditions of the rows of files that are fresh, which have the latest numbers, and gone
	whole       bool
	err         error
}

// inFiles is the condition of the rows of some files, in ascending order.
func inFiles(ids []int32) string {
	if len(ids) == 0 {
		return "false"
	}
	var list []string
	for _, id := range ids {
		list = append(list, strconv.Itoa(int(id)))
	}
	// The range spares reading what is before and after.
	return fmt.Sprintf("(file_id BETWEEN %s AND %s AND file_id IN (%s))", list[0], list[len(list)-1], strings.Join(list, ", "))
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
func (s *settling) insert(f staged.ListingFile) {
	s.run("INSERT INTO listing_file (file_id, source_id, position, path, sha256, bytes, state, settings, rows_read, rows_staged) VALUES (?, "+
		"?, ?, ?, ?, ?, ?, ?, ?, ?)",
		f.FileID, f.SourceID, f.Position, f.Path, f.SHA256, f.Bytes, f.State, f.Settings, f.RowsRead, f.RowsStaged)
}

// number gives equal sales of one file that have neither a key of their own, nor parcel and address, one number each: of two
// homes that are sold on one day for one price none is lost, and a sale that two files have is one.
func (s *settling) number() {
	// The number of a key (keyHash) goes on with what is appended, byte after byte.
	s.run(`UPDATE listing_record SET listing_key = listing_key || '#' || n, key_hash = CASE WHEN hash < 1::HUGEINT << 63 THEN hash ELSE hash - (1::HUGEINT << 64) END
FROM (
    SELECT id, n, list_reduce(list_prepend(CASE WHEN key_hash < 0 THEN key_hash + (1::HUGEINT << 64) ELSE key_hash::HUGEINT END,
        list_transform(string_split('#' || n, ''), c -> ord(c)::HUGEINT)), (h, b) -> xor(h, b) * 1099511628211 % (1::HUGEINT << 64)) AS hash
    FROM (
        SELECT r.rowid AS id, r.key_hash, row_number() OVER (PARTITION BY file_id, system, listing_key ORDER BY row) AS n
        FROM listing_record r SEMI JOIN (
            SELECT file_id, key_hash FROM listing_record
            WHERE ` + s.fresh + ` AND public_sale AND starts_with(listing_key, '` + staged.SaleKey + `') AND parcel IS NULL AND address IS NULL
            GROUP BY ALL HAVING count(*) > 1
        ) twice USING (file_id, key_hash) WHERE r.` + s.fresh + `
    ) WHERE n > 1
) numbered WHERE listing_record.rowid = numbered.id`)
}

// copies counts the copies of sales in a file, of which one counts.
func (s *settling) copies() {
	s.run(`INSERT INTO listing_issue
SELECT file_id, ?, ?, '', ?, sum(copies), min(example) FROM (
    SELECT file_id, count(*) - 1 AS copies, min(file || ' row ' || "row") AS example FROM listing_record
    WHERE `+s.fresh+` AND public_sale AND starts_with(listing_key, '`+staged.SaleKey+`')
    GROUP BY file_id, key_hash HAVING count(*) > 1
) GROUP BY file_id`, string(copyOfSale.Severity), copyOfSale.Code, copyOfSale.Description)
}

// twoStates counts listings that a file has twice, with one time and different states.
func (s *settling) twoStates() {
	s.run(`INSERT INTO listing_issue
SELECT file_id, ?, ?, '', ?, count(*), min(example) FROM (
    SELECT file_id, min(file || ' ' || listing_key) AS example FROM listing_record r
    SEMI JOIN (
        SELECT file_id, key_hash FROM listing_record WHERE `+s.fresh+` GROUP BY ALL HAVING count(*) > 1
    ) twice USING (file_id, key_hash) WHERE r.`+s.fresh+`
    GROUP BY file_id, system, listing_key, modified HAVING count(DISTINCT status) > 1
) GROUP BY file_id`, string(twoStates.Severity), twoStates.Code, twoStates.Description)
}

// changeContent are the columns of a change without which two are the same.
const changeContent = "system, listing_key, at, field, status, price, previous_status, previous_price"

// collect makes the tables of the records and changes of the keys that fresh files and those that are gone have: candidate
// and candidate_change. If everything may have changed they have the keys of more than one record: others need no choice.
// Each table is read once, and only the columns by which records are chosen.
func (s *settling) collect() {
	records, changes := "SELECT DISTINCT key_hash FROM listing_record WHERE "+s.fresh+" OR "+s.gone,
		"SELECT DISTINCT key_hash FROM change_record WHERE "+s.fresh+" OR "+s.gone
	if s.whole {
		records = "SELECT key_hash FROM listing_record GROUP BY key_hash HAVING count(*) > 1"
		changes = "SELECT key_hash FROM change_record GROUP BY key_hash, at HAVING count(*) > 1"
	}
	s.run(`CREATE TEMP TABLE candidate AS
SELECT rowid AS id, file_id, key_hash, counts, system, listing_key, status, modified, row, content, ` + s.fresh + ` AS fresh, ` + s.gone + ` AS gone
FROM listing_record WHERE key_hash IN (` + records + `)`)
	s.run(`CREATE TEMP TABLE candidate_change AS
SELECT rowid AS id, file_id, key_hash, counts, row, ` + changeContent + `, ` + s.fresh + ` AS fresh, ` + s.gone + ` AS gone
FROM change_record WHERE key_hash IN (` + changes + `)`)
}

// counting is what counts of the candidates: listings with their content, and changes, which a key may have without a listing.
func counting(records, changes string) string {
	return `SELECT key_hash, system, listing_key, content, 0::HUGEINT AS changes FROM candidate WHERE status <> 11 AND ` + records + `
UNION ALL
SELECT key_hash, system, listing_key, NULL, sum(hash(` + changeContent + `)) FROM candidate_change WHERE ` + changes + `
GROUP BY key_hash, system, listing_key`
}

// replaceFiles removes the files that are gone with their rows, and adds the fresh ones.
func (s *settling) replaceFiles(t *taking) {
	for _, table := range []string{"listing_record", "change_record", "listing_issue"} {
		if s.gone != "false" {
			s.run("DELETE FROM " + table + " WHERE " + s.gone)
		}
	}
	s.run("DELETE FROM listing_file; DELETE FROM listing_source")
	all := append(slices.Clone(t.kept), t.fresh...)
	slices.SortFunc(all, func(a, b *file) int { return int(a.row.FileID - b.row.FileID) })
	for _, f := range all {
		s.insert(f.row)
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
	s.run(`CREATE TEMP TABLE chosen AS SELECT c.id, c.counts AS counted, row_number() OVER (
    PARTITION BY key_hash, system, listing_key
    ORDER BY modified DESC NULLS LAST, position DESC, f.path DESC, c.row DESC) = 1 AS wins
FROM candidate c JOIN listing_file f USING (file_id)`)
	s.run(`CREATE TEMP TABLE chosen_change AS SELECT c.id, c.counts AS counted, row_number() OVER (
    PARTITION BY key_hash, ` + changeContent + ` ORDER BY position, f.path, c.row) = 1 AS wins
FROM candidate_change c JOIN listing_file f USING (file_id)`)
	for _, table := range []string{"listing_record", "change_record"} {
		chosen := map[string]string{"listing_record": "chosen", "change_record": "chosen_change"}[table]
		s.run("UPDATE " + table + " SET counts = c.wins FROM (SELECT id, wins FROM " + chosen + " WHERE counted <> wins) c WHERE " + table +
			".rowid = c.id")
	}
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
	s.run(`CREATE TEMP TABLE difference AS WITH before AS (` + counting("counts AND NOT fresh", "counts AND NOT fresh") + `)
, after AS (` + counting("id IN (SELECT id FROM chosen WHERE wins)", "id IN (SELECT id FROM chosen_change WHERE wins)") + `)
, old AS (SELECT key_hash, system, listing_key, sum(content) AS content, sum(changes) AS changes FROM before GROUP BY ALL)
, new AS (SELECT key_hash, system, listing_key, sum(content) AS content, sum(changes) AS changes FROM after GROUP BY ALL)
SELECT key_hash, system, listing_key, CASE
    WHEN old.content IS NULL AND new.content IS NOT NULL THEN 'added'
    WHEN new.content IS NULL AND old.content IS NOT NULL THEN 'removed'
    ELSE 'changed' END AS change
FROM old FULL JOIN new USING (key_hash, system, listing_key)
WHERE old.content IS DISTINCT FROM new.content OR old.changes IS DISTINCT FROM new.changes`)
	for change, n := range map[string]*int64{"added": &c.Added, "changed": &c.Changed, "removed": &c.Removed} {
		*n = s.number64("SELECT count(*) FROM difference WHERE change = '" + change + "'")
	}
	if c.Added+c.Changed+c.Removed > 0 {
		c.Generation++
		s.run("INSERT INTO intake VALUES (?, false)", c.Generation)
		s.run("INSERT INTO listing_changed SELECT ?, key_hash, system, listing_key, change FROM difference ORDER BY ALL", c.Generation)
	}
	s.run("DROP TABLE difference")
}

package build

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"path/filepath"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/internal/geo"
)

// outlines keeps the picked outlines on disk as SpatiaLite blobs, where one is read in microseconds: by fid, which is
// one more than the place in the list of places.
type outlines struct {
	db  *sql.DB
	get *sql.Stmt
}

// newOutlines makes an empty store at path.
func newOutlines(path string) (*outlines, error) {
	db, err := sql.Open("sqlite3", "file:"+path+"?_journal_mode=OFF&_synchronous=OFF&_locking_mode=EXCLUSIVE")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	o := &outlines{db: db}
	if _, err = db.Exec("CREATE TABLE outline (fid INTEGER PRIMARY KEY, blob BLOB NOT NULL)"); err == nil {
		o.get, err = db.Prepare("SELECT blob FROM outline WHERE fid = ?")
	}
	if err != nil {
		db.Close()
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	return o, nil
}

// Close lets go of the store.
func (o *outlines) Close() error { return o.db.Close() }

// blob is the outline of a geography as SpatiaLite keeps it.
func (o *outlines) blob(fid int) (blob []byte, err error) {
	if err := o.get.QueryRow(fid).Scan(&blob); err != nil {
		return nil, fmt.Errorf("read outline %d: %w", fid, err)
	}
	return blob, nil
}

// outline is the outline of a geography.
func (o *outlines) outline(fid int) (orb.MultiPolygon, error) {
	blob, err := o.blob(fid)
	if err != nil {
		return nil, err
	}
	return released.ReadMultiPolygon(blob)
}

// storeOutlines copies the outlines of places to the store and notes their digests, by which unchanged ones are known.
func (a *assembly) storeOutlines(ctx context.Context, list []place) (err error) {
	if a.outlines, err = newOutlines(filepath.Join(a.scratch, "outlines.sqlite")); err != nil {
		return err
	}
	fids := make(map[string]int, len(list))
	for i, p := range list {
		fids[p.Key] = i + 1
	}
	rows, err := a.conn.QueryContext(ctx, query("outlines"))
	if err != nil {
		return err
	}
	defer rows.Close()
	tx, err := a.outlines.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	insert, err := tx.Prepare("INSERT INTO outline VALUES (?, ?)")
	if err != nil {
		return err
	}
	for rows.Next() {
		var key string
		var data sql.RawBytes
		if err := rows.Scan(&key, &data); err != nil {
			return err
		}
		m, err := decodeOutline(data)
		if err != nil {
			return fmt.Errorf("outline of %s: %w", key, err)
		}
		blob := released.MultiPolygonBlob(m)
		list[fids[key]-1].Geometry = sha256.Sum256(blob)
		if _, err := insert.Exec(fids[key], blob); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return tx.Commit()
}

// decodeOutline reads WKB of closed rings of points on earth.
func decodeOutline(data []byte) (orb.MultiPolygon, error) {
	m, err := geo.MultiPolygon(data)
	if err != nil {
		return nil, err
	}
	return m, checkOutline(m)
}

// checkOutline refuses what no outline of a release may be.
func checkOutline(m orb.MultiPolygon) error {
	if len(m) == 0 {
		return fmt.Errorf("is empty")
	}
	for _, polygon := range m {
		if len(polygon) == 0 {
			return fmt.Errorf("has a polygon without rings")
		}
		for _, ring := range polygon {
			if len(ring) < 4 || ring[0] != ring[len(ring)-1] {
				return fmt.Errorf("has an open ring of %d points", len(ring))
			}
			for _, p := range ring {
				if !geo.Valid(p) {
					return fmt.Errorf("has a point at %v, %v", p[0], p[1])
				}
			}
		}
	}
	return nil
}

package assembly

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"path/filepath"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
)

// Outlines reads the outlines of the geographies as SpatiaLite blobs, by the geographies' index: from a temporary file
// until geographies.sqlite is written, and from there afterwards. It is safe for concurrent use.
type Outlines struct {
	db    *sql.DB
	get   *sql.Stmt
	first int // index in the file of geography 0
	count int // of the file
}

func newOutlines(path string) (*Outlines, error) {
	db, err := sql.Open("sqlite3", "file:"+path+"?_journal_mode=OFF&_synchronous=OFF&_locking_mode=EXCLUSIVE")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	o := &Outlines{db: db}
	if _, err = db.Exec("CREATE TABLE outline (i INTEGER PRIMARY KEY, blob BLOB NOT NULL)"); err == nil {
		o.get, err = db.Prepare("SELECT blob FROM outline WHERE i = ?")
	}
	if err != nil {
		db.Close()
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	return o, nil
}

// openOutlines sets the outlines to those of a finished geographies.sqlite, whose fids count geographies from 1.
func (a *Assembly) openOutlines(path string) error {
	db, err := released.Open(path)
	if err != nil {
		return err
	}
	get, err := db.Prepare("SELECT geometry FROM geography WHERE fid = ? + 1")
	if err != nil {
		db.Close()
		return fmt.Errorf("open %s: %w", path, err)
	}
	if a.Outlines != nil {
		a.Outlines.close()
	}
	a.Outlines = &Outlines{db: db, get: get}
	return nil
}

func (o *Outlines) close() error { return o.db.Close() }

// Blob returns the outline of a geography as a SpatiaLite blob.
func (o *Outlines) Blob(i int) (blob []byte, err error) {
	if err := o.get.QueryRow(o.first + i).Scan(&blob); err != nil {
		return nil, fmt.Errorf("read outline %d: %w", i, err)
	}
	return blob, nil
}

// Get returns the outline of a geography.
func (o *Outlines) Get(i int) (orb.MultiPolygon, error) {
	blob, err := o.Blob(i)
	if err != nil {
		return nil, err
	}
	return released.ReadMultiPolygon(blob)
}

// From is the outlines of the geographies from index first on, renumbered from 0, in the same file.
func (o *Outlines) From(first int) *Outlines {
	return &Outlines{db: o.db, get: o.get, first: o.first + first}
}

// Append adds the outline of one geography more, and returns its digest.
func (o *Outlines) Append(m orb.MultiPolygon) (digest [sha256.Size]byte, err error) {
	if err := released.CheckOutline(m); err != nil {
		return digest, err
	}
	blob := released.MultiPolygonBlob(m)
	if _, err := o.db.Exec("INSERT INTO outline (i, blob) VALUES (?, ?)", o.count, blob); err != nil {
		return digest, err
	}
	o.count++
	return sha256.Sum256(blob), nil
}

// storeOutlines writes the outlines of the geographies to a file and sets their digests.
func (a *Assembly) storeOutlines(ctx context.Context, list []Geography) (err error) {
	if a.Outlines, err = newOutlines(filepath.Join(a.scratch, "outlines.sqlite")); err != nil {
		return err
	}
	index := make(map[string]int, len(list))
	for i, g := range list {
		index[g.Key] = i
	}
	tx, err := a.Outlines.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	insert, err := tx.Prepare("INSERT INTO outline (i, blob) VALUES (?, ?)")
	if err != nil {
		return err
	}
	err = a.each(ctx, query("outlines"), sqlrow.Visit2(func(key string, data sql.RawBytes) error {
		m, err := DecodeOutline(data)
		if err != nil {
			return fmt.Errorf("outline of %s: %w", key, err)
		}
		blob := released.MultiPolygonBlob(m)
		list[index[key]].Digest = sha256.Sum256(blob)
		_, err = insert.Exec(index[key], blob)
		return err
	}))
	if err != nil {
		return err
	}
	a.Outlines.count = len(list)
	return tx.Commit()
}

// DecodeOutline decodes the WKB of a multipolygon of closed rings with valid coordinates.
func DecodeOutline(data []byte) (orb.MultiPolygon, error) {
	m, err := geo.MultiPolygon(data)
	if err != nil {
		return nil, err
	}
	return m, released.CheckOutline(m)
}

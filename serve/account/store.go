package account

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"database/sql"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	_ "github.com/mattn/go-sqlite3" // the embedded state store
)

//go:embed state.sql
var stateDDL string

// LiveKeys is the number of live signing keys: the newest signs, all of them verify.
const LiveKeys = 2

// Store is the state that is not part of a release. Several processes can use one concurrently.
type Store struct {
	db  *sql.DB
	now func() time.Time
}

// Open opens the store at dsn, and creates it, readable by its owner only, if it does not exist.
func Open(dsn string) (*Store, error) {
	path, err := sqlitePath(dsn)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("open state %s: %w", dsn, err)
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open state %s: %w", dsn, err)
	}
	file.Close()
	uri := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: "_journal_mode=WAL&_busy_timeout=5000&_txlock=immediate&_synchronous=FULL"}
	db, err := sql.Open("sqlite3", uri.String())
	if err != nil {
		return nil, fmt.Errorf("open state %s: %w", dsn, err)
	}
	store := &Store{db: db, now: time.Now}
	if err := store.prepare(); err != nil {
		db.Close()
		return nil, fmt.Errorf("open state %s: %w", dsn, err)
	}
	return store, nil
}

// Close closes the store.
func (s *Store) Close() error { return s.db.Close() }

func sqlitePath(dsn string) (string, error) {
	if scheme, _, found := strings.Cut(dsn, "://"); found {
		return "", fmt.Errorf("%w %q: scheme %q is not supported; use sqlite:PATH", ErrBadDSN, scheme+"://…", scheme)
	}
	path := strings.TrimPrefix(dsn, "sqlite:")
	if path == "" {
		return "", fmt.Errorf("%w: it is empty; use sqlite:PATH", ErrBadDSN)
	}
	return filepath.Abs(path)
}

// prepare creates the tables and the first signing key if they do not exist.
func (s *Store) prepare() error {
	return s.change(func(tx *sql.Tx) (bool, error) {
		if _, err := tx.Exec(stateDDL); err != nil {
			return false, err
		}
		var keys int
		if err := tx.QueryRow(`SELECT count(*) FROM signing_key`).Scan(&keys); err != nil || keys > 0 {
			return false, err
		}
		return true, s.addKey(tx)
	})
}

// change runs do in a write transaction. If it reports a change, the revision that servers watch is incremented.
func (s *Store) change(do func(*sql.Tx) (bool, error)) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	changed, err := do(tx)
	if err != nil {
		return err
	}
	if changed {
		if _, err := tx.Exec(`UPDATE revision SET n = n + 1`); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// Create adds a client and returns its credentials. The secret cannot be retrieved later.
func (s *Store) Create(customer string, agreement Agreement) (*Client, Credentials, error) {
	client, made, err := newClient(customer, agreement)
	if err != nil {
		return nil, Credentials{}, err
	}
	client.CreatedAt = s.timestamp()
	terms, err := json.Marshal(client.Agreement)
	if err != nil {
		return nil, Credentials{}, err
	}
	err = s.change(func(tx *sql.Tx) (bool, error) {
		_, err := tx.Exec(`INSERT INTO client (client_id, customer, salt, secret_hash, agreement, created_at) VALUES (?, ?, ?, ?, ?, ?)`,
			client.ID, client.Customer, client.salt, client.hash, string(terms), client.CreatedAt)
		return true, err
	})
	if err != nil {
		return nil, Credentials{}, fmt.Errorf("create account for %s: %w", customer, err)
	}
	return client, made, nil
}

// Revoke revokes a client permanently. Revoking it again is not an error; an unknown id is ErrUnknownClient.
func (s *Store) Revoke(clientID string) error {
	err := s.change(func(tx *sql.Tx) (bool, error) {
		done, err := tx.Exec(`UPDATE client SET revoked_at = coalesce(revoked_at, ?) WHERE client_id = ?`, s.timestamp(), clientID)
		if err != nil {
			return false, err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return false, errors.Join(err, ErrUnknownClient)
		}
		return true, nil
	})
	if err != nil {
		return fmt.Errorf("revoke account %s: %w", clientID, err)
	}
	return nil
}

// Clients lists all clients, including revoked ones, ordered by customer and id.
func (s *Store) Clients(ctx context.Context) ([]*Client, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT client_id, customer, salt, secret_hash, agreement, created_at, coalesce(revoked_at, '') FROM client ORDER BY customer, client_id`)
	if err != nil {
		return nil, fmt.Errorf("list accounts: %w", err)
	}
	defer rows.Close()
	var clients []*Client
	for rows.Next() {
		var c Client
		var terms string
		if err := rows.Scan(&c.ID, &c.Customer, &c.salt, &c.hash, &terms, &c.CreatedAt, &c.RevokedAt); err != nil {
			return nil, fmt.Errorf("list accounts: %w", err)
		}
		if err := json.Unmarshal([]byte(terms), &c.Agreement); err != nil {
			return nil, fmt.Errorf("list accounts: agreement of %s: %w", c.ID, err)
		}
		clients = append(clients, &c)
	}
	return clients, rows.Err()
}

// Key is one signing key.
type Key struct {
	ID        string // kid
	Private   ed25519.PrivateKey
	CreatedAt string
}

// Keys lists the live signing keys, newest first.
func (s *Store) Keys(ctx context.Context) ([]Key, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT kid, seed, created_at FROM signing_key ORDER BY n DESC`)
	if err != nil {
		return nil, fmt.Errorf("list signing keys: %w", err)
	}
	defer rows.Close()
	var keys []Key
	for rows.Next() {
		var k Key
		var seed []byte
		if err := rows.Scan(&k.ID, &seed, &k.CreatedAt); err != nil {
			return nil, fmt.Errorf("list signing keys: %w", err)
		}
		if len(seed) != ed25519.SeedSize {
			return nil, fmt.Errorf("list signing keys: key %s has a seed of %d bytes", k.ID, len(seed))
		}
		k.Private = ed25519.NewKeyFromSeed(seed)
		keys = append(keys, k)
	}
	return keys, rows.Err()
}

// RotateKey adds a signing key and deletes all but the newest LiveKeys. Tokens signed with the previous key stay valid.
func (s *Store) RotateKey() error {
	err := s.change(func(tx *sql.Tx) (bool, error) {
		if err := s.addKey(tx); err != nil {
			return false, err
		}
		_, err := tx.Exec(`DELETE FROM signing_key WHERE n NOT IN (SELECT n FROM signing_key ORDER BY n DESC LIMIT ?)`, LiveKeys)
		return true, err
	})
	if err != nil {
		return fmt.Errorf("rotate signing key: %w", err)
	}
	return nil
}

func (s *Store) addKey(tx *sql.Tx) error {
	var id [8]byte
	var seed [ed25519.SeedSize]byte
	rand.Read(id[:])
	rand.Read(seed[:])
	_, err := tx.Exec(`INSERT INTO signing_key (kid, seed, created_at) VALUES (?, ?, ?)`, hex.EncodeToString(id[:]), seed[:], s.timestamp())
	return err
}

// revision is incremented by every change.
func (s *Store) revision(ctx context.Context) (int64, error) {
	var n int64
	err := s.db.QueryRowContext(ctx, `SELECT n FROM revision`).Scan(&n)
	return n, err
}

func (s *Store) timestamp() string { return s.now().UTC().Format(time.RFC3339) }

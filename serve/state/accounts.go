package state

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"quartier/serve/account"
)

// change runs do in a transaction that no other change of accounts and keys overlaps. If it reports a change, the revision
// that servers watch is another one.
func (s *Store) change(do func(*sql.Tx) (bool, error)) error {
	return s.transact(context.Background(), func(tx *sql.Tx) error {
		var n int64
		if err := tx.QueryRow(`SELECT n FROM revision WHERE id = 1` + s.dialect.lockRow).Scan(&n); err != nil {
			return err
		}
		changed, err := do(tx)
		if err != nil || !changed {
			return err
		}
		_, err = tx.Exec(`UPDATE revision SET n = $1, mark = $2 WHERE id = 1`, n+1, rand.Text())
		return err
	})
}

// Create adds a client and returns its credentials. The secret cannot be retrieved later.
func (s *Store) Create(customer string, agreement account.Agreement) (*account.Client, account.Credentials, error) {
	client, made, err := account.New(customer, agreement, s.timestamp())
	if err != nil {
		return nil, account.Credentials{}, err
	}
	terms, err := json.Marshal(client.Agreement)
	if err != nil {
		return nil, account.Credentials{}, err
	}
	err = s.change(func(tx *sql.Tx) (bool, error) {
		_, err := tx.Exec(`INSERT INTO client (client_id, customer, salt, secret_hash, agreement, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
			client.ID, client.Customer, client.Salt, client.Hash, string(terms), client.CreatedAt)
		return true, err
	})
	if err != nil {
		return nil, account.Credentials{}, fmt.Errorf("create account for %s: %w", customer, err)
	}
	return client, made, nil
}

// Revoke revokes a client permanently, and its access keys with it. Revoking it again is not an error; an unknown id is
// account.ErrUnknownClient.
func (s *Store) Revoke(clientID string) error {
	return s.revoke("account", clientID, `UPDATE client SET revoked_at = coalesce(revoked_at, $1) WHERE client_id = $2`,
		account.ErrUnknownClient)
}

// revoke runs a statement that revokes what has an id; unknown is returned where there is nothing.
func (s *Store) revoke(what, id, statement string, unknown error) error {
	err := s.change(func(tx *sql.Tx) (bool, error) {
		done, err := tx.Exec(statement, s.timestamp(), id)
		if err != nil {
			return false, err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return false, errors.Join(err, unknown)
		}
		return true, nil
	})
	if err != nil {
		return fmt.Errorf("revoke %s %s: %w", what, id, err)
	}
	return nil
}

// Accounts reads all accounts and the live signing keys, as they are at one moment. A row that cannot be used is damaged, and
// does not keep the others from being read.
func (s *Store) Accounts(ctx context.Context) (*account.Accounts, error) {
	tx, err := s.read.BeginTx(ctx, &sql.TxOptions{Isolation: s.dialect.snapshot, ReadOnly: true})
	if err != nil {
		return nil, fmt.Errorf("read accounts: %w", err)
	}
	defer tx.Rollback()
	var all account.Accounts
	for _, read := range []func(context.Context, *sql.Tx, *account.Accounts) error{readRevision, readClients, readKeys, readAccessKeys} {
		if err := read(ctx, tx, &all); err != nil {
			return nil, fmt.Errorf("read accounts: %w", err)
		}
	}
	return &all, nil
}

func readRevision(ctx context.Context, tx *sql.Tx, all *account.Accounts) error {
	return tx.QueryRowContext(ctx, `SELECT n, mark FROM revision`).Scan(&all.Revision.Number, &all.Revision.Mark)
}

// readClients reads all clients, by customer and id.
func readClients(ctx context.Context, tx *sql.Tx, all *account.Accounts) error {
	rows, err := tx.QueryContext(ctx,
		`SELECT client_id, customer, salt, secret_hash, agreement, created_at, coalesce(revoked_at, '') FROM client ORDER BY customer, client_id`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var c account.Client
		var terms string
		err := rows.Scan(&c.ID, &c.Customer, &c.Salt, &c.Hash, &terms, &c.CreatedAt, &c.RevokedAt)
		if err == nil {
			if err = json.Unmarshal([]byte(terms), &c.Agreement); err == nil {
				err = c.Check()
			}
		}
		if err != nil {
			all.Damaged = append(all.Damaged, fmt.Errorf("account %q: %w", c.ID, err))
			continue
		}
		all.Clients = append(all.Clients, &c)
	}
	return rows.Err()
}

// readKeys reads the live signing keys, newest first.
func readKeys(ctx context.Context, tx *sql.Tx, all *account.Accounts) error {
	rows, err := tx.QueryContext(ctx, `SELECT kid, seed, created_at FROM signing_key ORDER BY n DESC`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var k account.Key
		var seed []byte
		err := rows.Scan(&k.ID, &seed, &k.CreatedAt)
		if err == nil && len(seed) != ed25519.SeedSize {
			err = fmt.Errorf("a seed of %d bytes, not %d", len(seed), ed25519.SeedSize)
		}
		if err != nil {
			all.Damaged = append(all.Damaged, fmt.Errorf("signing key %q: %w", k.ID, err))
			continue
		}
		k.Private = ed25519.NewKeyFromSeed(seed)
		all.Keys = append(all.Keys, k)
	}
	return rows.Err()
}

// RotateKey adds a signing key and deletes all but the newest account.LiveKeys. Tokens signed with the previous key stay valid.
func (s *Store) RotateKey() error {
	err := s.change(func(tx *sql.Tx) (bool, error) {
		if err := s.addKey(tx); err != nil {
			return false, err
		}
		_, err := tx.Exec(`DELETE FROM signing_key WHERE n NOT IN (SELECT n FROM signing_key ORDER BY n DESC LIMIT $1)`, account.LiveKeys)
		return true, err
	})
	if err != nil {
		return fmt.Errorf("rotate signing key: %w", err)
	}
	return nil
}

// firstKey adds a signing key where there is none.
func (s *Store) firstKey(ctx context.Context) error {
	const count = `SELECT count(*) FROM signing_key`
	var keys int
	if err := s.read.QueryRowContext(ctx, count).Scan(&keys); err != nil || keys > 0 {
		return err
	}
	return s.change(func(tx *sql.Tx) (bool, error) {
		if err := tx.QueryRow(count).Scan(&keys); err != nil || keys > 0 {
			return false, err
		}
		return true, s.addKey(tx)
	})
}

func (s *Store) addKey(tx *sql.Tx) error {
	key := account.NewKey(s.timestamp())
	_, err := tx.Exec(`INSERT INTO signing_key (kid, seed, created_at) VALUES ($1, $2, $3)`, key.ID, key.Private.Seed(), key.CreatedAt)
	return err
}

// Revision is another one after every change of accounts and keys. It is that of the database that is at the DSN now.
func (s *Store) Revision(ctx context.Context) (r account.Revision, err error) {
	if err := s.look(); err != nil {
		return r, err
	}
	s.empty(ctx)
	err = s.read.QueryRowContext(ctx, `SELECT n, mark FROM revision`).Scan(&r.Number, &r.Mark)
	return r, err
}

func (s *Store) timestamp() string { return s.now().UTC().Format(time.RFC3339) }

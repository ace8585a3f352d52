package state

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"quartier/serve/account"
)

// CreateKey adds an access key for an account that is not revoked, by its id or, where that is "", the only one of the customer.
// Neither a publishable key nor the secret of a signing key is shown again.
func (s *Store) CreateKey(customer, clientID string, terms account.AccessKey) (k *account.AccessKey, made account.AccessCredentials, err error) {
	err = s.change(func(tx *sql.Tx) (bool, error) {
		var all account.Accounts
		if err := readClients(context.Background(), tx, &all); err != nil {
			return false, err
		}
		var of *account.Client
		for _, c := range all.Clients {
			switch {
			case c.Customer != customer || c.RevokedAt != "" || clientID != "" && c.ID != clientID:
			case of != nil:
				return false, fmt.Errorf("%w: the customer has several accounts that are not revoked; name one", account.ErrBadAgreement)
			default:
				of = c
			}
		}
		if of == nil {
			return false, fmt.Errorf("%w: the customer has no such account that is not revoked", account.ErrUnknownClient)
		}
		if k, made, err = account.NewAccessKey(terms, of, s.timestamp()); err != nil {
			return false, err
		}
		text, err := json.Marshal(account.AccessKey{Origins: k.Origins, Scores: k.Scores, Regions: k.Regions, Rate: k.Rate})
		if err != nil {
			return false, err
		}
		_, err = tx.Exec(`INSERT INTO access_key (key_id, kind, client_id, verifier, terms, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
			k.ID, k.Kind, k.ClientID, k.Verifier, string(text), k.CreatedAt)
		return true, err
	})
	if err != nil {
		return nil, account.AccessCredentials{}, fmt.Errorf("create key for %s: %w", customer, err)
	}
	return k, made, nil
}

// RevokeKey revokes an access key permanently, by its id. Revoking it again is not an error; an unknown id is account.ErrUnknownKey.
func (s *Store) RevokeKey(id string) error {
	return s.revoke("key", id, `UPDATE access_key SET revoked_at = coalesce(revoked_at, $1) WHERE key_id = $2`, account.ErrUnknownKey)
}

// readAccessKeys reads all access keys, by account and id.
func readAccessKeys(ctx context.Context, tx *sql.Tx, all *account.Accounts) error {
	rows, err := tx.QueryContext(ctx, `SELECT terms, key_id, kind, client_id, verifier, created_at, coalesce(revoked_at, '')
		FROM access_key ORDER BY client_id, created_at, key_id`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var k account.AccessKey
		var terms []byte
		err := rows.Scan(&terms, &k.ID, &k.Kind, &k.ClientID, &k.Verifier, &k.CreatedAt, &k.RevokedAt)
		if err = errors.Join(err, json.Unmarshal(terms, &k), k.Check()); err != nil { // terms has no other column
			all.Damaged = append(all.Damaged, fmt.Errorf("access key %q: %w", k.ID, err))
			continue
		}
		all.Access = append(all.Access, &k)
	}
	return rows.Err()
}

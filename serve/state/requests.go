package state

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// What a call about requests for custom geographies can refuse. The texts are shown to callers.
var (
	ErrNoRequest = errors.New("no such custom geography")
	ErrConflict  = errors.New("the custom geography does not allow this now")
	ErrChanged   = errors.New("the custom geography has changed since the version that If-Match names")
	ErrKeyReused = errors.New("the Idempotency-Key was used with another body within 24 hours")
	ErrQuota     = errors.New("as many requests for custom geographies are open as the agreement of the customer allows")
	ErrFailed    = errors.New("the state cannot be read or written")
)

// callWithin limits a call about requests, so that a database that hangs does not hold all requests of a server.
const callWithin = 5 * time.Second

// keyLifetime is how long an Idempotency-Key is remembered.
const keyLifetime = 24 * time.Hour

// Fields are those of a request that its customer sets.
type Fields struct {
	NameEN     string `json:"name_en"`
	NameFR     string `json:"name_fr"` // "": none
	Type       string `json:"type"`
	Boundaries string `json:"boundaries"` // WKT
}

// Request is a request for a custom geography.
type Request struct {
	ID      string // UUID
	Version int64  // 1, and one more with every change
	Fields
	Status      Status
	GeogID      string    // "" unless the current version is published
	PublishedAt string    // RFC 3339, UTC; as GeogID
	Earlier     Answering // while the current version waits: what answers until then
	Problem     Failed    // while it waits after an update that could not build it
	UpdatedAt   time.Time // UTC, microseconds; strictly later with every change
}

// Answering is a publication of a request; its zero value is none.
type Answering struct {
	GeogID string
	At     string // RFC 3339, UTC
}

// Failed is why updates could not build a request in its current version; its zero value says that none failed.
type Failed struct {
	Code    string // of the reason, such as "no_land"
	Message string
	Since   string // RFC 3339, UTC, the end of the first update that could not
}

// Caller is who asks: requests belong to the customer, and the history names the client.
type Caller struct {
	Customer, ClientID string
	MostOpen           int          // requests of the customer that may wait for their publication; 0: any number
	Work               func() error // takes a processor for a change when it is its turn, if the state is embedded; nil: there is none to take
	Rest               func()       // gives it back
}

// CreateRequest adds a request. The same fields with the same key, unless it is "", are the same request for 24 hours.
func (s *Store) CreateRequest(ctx context.Context, by Caller, fields Fields, key string) (r Request, err error) {
	now := s.now().UTC().Truncate(time.Microsecond)
	r = Request{ID: newUUID(), Version: 1, Fields: fields, UpdatedAt: now}
	if r.Status, err = next("", Created, true); err != nil {
		return r, err
	}
	var digest [sha256.Size]byte
	if key != "" {
		text, err := json.Marshal(fields)
		if err != nil {
			return r, err
		}
		digest = sha256.Sum256(text)
	}
	ctx, cancel := context.WithTimeout(ctx, callWithin)
	defer cancel()
	err = s.transactFor(ctx, by, func(tx *sql.Tx) error {
		if key != "" {
			if known, err := s.requestOfKey(ctx, tx, by.Customer, key, digest[:], now); err != nil || known != nil {
				if known != nil {
					r = *known
				}
				return err
			}
		}
		if err := insertRequest(ctx, tx, by, &r); err != nil {
			return err
		}
		if key != "" {
			_, err := tx.ExecContext(ctx, `INSERT INTO idempotency_key (customer, key, digest, request_id, created_at) VALUES ($1, $2, $3, $4, $5)`,
				by.Customer, key, digest[:], r.ID, stamp(now))
			return err
		}
		return nil
	})
	return r, failure(err)
}

// requestOfKey is the request that was created with a key; nil if there is none. Old keys of the customer are forgotten first.
func (s *Store) requestOfKey(ctx context.Context, tx *sql.Tx, customer, key string, digest []byte, now time.Time) (*Request, error) {
	if err := s.lock(ctx, tx, customer+"\n"+key); err != nil {
		return nil, err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM idempotency_key WHERE customer = $1 AND created_at <= $2`, customer,
		stamp(now.Add(-keyLifetime))); err != nil {
		return nil, err
	}
	var sent []byte
	var id string
	err := tx.QueryRowContext(ctx, `SELECT digest, request_id FROM idempotency_key WHERE customer = $1 AND key = $2`, customer,
		key).Scan(&sent, &id)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, err
	case !bytes.Equal(sent, digest):
		return nil, ErrKeyReused
	}
	r, err := oneRequest(ctx, tx, customer, id, "")
	return &r, err
}

func insertRequest(ctx context.Context, tx *sql.Tx, by Caller, r *Request) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO geography_request (id, customer, version, name_en, name_fr, folded_names, type, boundaries, status, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		r.ID, by.Customer, r.Version, r.NameEN, orNull(r.NameFR), foldNames(&r.Fields), r.Type, r.Boundaries, r.Status, stamp(r.UpdatedAt),
		stamp(r.UpdatedAt))
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx,
		`INSERT INTO request_count (customer, n) VALUES ($1, 1) ON CONFLICT (customer) DO UPDATE SET n = request_count.n + 1`, by.Customer)
	if err != nil {
		return err
	}
	if err := checkQuota(ctx, tx, by); err != nil {
		return err
	}
	if err := recordChanges(ctx, tx, r.Status, r.Status, r.UpdatedAt, ` AND r.id = $1`, r.ID); err != nil {
		return err
	}
	return recordVersion(ctx, tx, by, r, Created)
}

// checkQuota counts the open requests of a customer, with the one that is being added. Another one that is added at the same
// time waits for the count of the customer's requests.
func checkQuota(ctx context.Context, tx *sql.Tx, by Caller) error {
	if by.MostOpen == 0 {
		return nil
	}
	var open int
	err := tx.QueryRowContext(ctx, `SELECT count(*) FROM geography_request WHERE customer = $1 AND status IN ($2, $3)`, by.Customer,
		PublicationPending, PublicationProcessing).Scan(&open)
	if err == nil && open > by.MostOpen {
		err = fmt.Errorf("%w: %d wait for their publication, open_requests is %d", ErrQuota, open-1, by.MostOpen)
	}
	return err
}

// recordVersion adds the version of a request to the history.
func recordVersion(ctx context.Context, tx *sql.Tx, by Caller, r *Request, event Event) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO geography_request_history (id, version, event, client_id, at, name_en, name_fr, type, boundaries, status)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		r.ID, r.Version, event, by.ClientID, stamp(r.UpdatedAt), r.NameEN, orNull(r.NameFR), r.Type, r.Boundaries, r.Status)
	return err
}

// ChangeRequest applies an event of the API, Edited or Removed, to a request. edit, if any, changes its fields; one that leaves
// them as they are changes nothing. matches, if any, reports whether the caller knows the version that would be changed:
// ErrChanged where it does not.
func (s *Store) ChangeRequest(ctx context.Context, by Caller, id string, event Event, edit func(*Fields),
	matches func(*Request) bool) (r Request, err error) {
	ctx, cancel := context.WithTimeout(ctx, callWithin)
	defer cancel()
	err = s.transactFor(ctx, by, func(tx *sql.Tx) error {
		if err := s.holdEvents(ctx, tx, by.Customer); err != nil {
			return err
		}
		if r, err = oneRequest(ctx, tx, by.Customer, id, s.dialect.lockRow); err != nil {
			return err
		}
		isNew := r.GeogID == "" && r.Earlier == Answering{}
		status, err := next(r.Status, event, isNew)
		if err != nil {
			return err
		}
		if matches != nil && !matches(&r) {
			return ErrChanged
		}
		before := r.Fields
		if edit != nil {
			edit(&r.Fields)
		}
		if event == Edited && r.Fields == before {
			return nil
		}
		after := s.after(r.UpdatedAt)
		if status != r.Status {
			if err := recordChanges(ctx, tx, r.Status, status, after, ` AND r.id = $1`, r.ID); err != nil {
				return err
			}
		}
		r.Version++
		r.Status, r.Problem = status, Failed{}
		r.hideUnpublished()
		r.UpdatedAt = after
		var never any // geog_id and published_at of a request that will never have them
		if status == Deprecated {
			never = ""
		}
		_, err = tx.ExecContext(ctx, `UPDATE geography_request SET version = $1, name_en = $2, name_fr = $3, folded_names = $4, type = $5, boundaries = $6, status = $7, updated_at = $8,
			geog_id = coalesce(geog_id, $9), published_at = coalesce(published_at, $9), problem = NULL, problem_code = NULL, problem_since = NULL WHERE id = $10`,
			r.Version, r.NameEN, orNull(r.NameFR), foldNames(&r.Fields), r.Type, r.Boundaries, r.Status, stamp(r.UpdatedAt), never, r.ID)
		if err != nil {
			return err
		}
		if err := recordVersion(ctx, tx, by, &r, event); err != nil {
			return err
		}
		if err := forgetVersions(ctx, tx, &r); err != nil || status != Deprecated {
			return err
		}
		return forgetWithdrawn(ctx, tx, by.Customer)
	})
	return r, failure(err)
}

// after is now, but later than an earlier time even where the clock was set back.
func (s *Store) after(earlier time.Time) time.Time {
	now := s.now().UTC().Truncate(time.Microsecond)
	if !now.After(earlier) {
		return earlier.Add(time.Microsecond)
	}
	return now
}

// Request returns a request of a customer; ErrNoRequest if there is none with the id.
func (s *Store) Request(ctx context.Context, customer, id string) (Request, error) {
	ctx, cancel := context.WithTimeout(ctx, callWithin)
	defer cancel()
	r, err := oneRequest(ctx, s.reader(), customer, id, "")
	return r, failure(err)
}

const requestColumns = `id, version, name_en, coalesce(name_fr, ''), type, status, coalesce(geog_id, ''), coalesce(published_at, ''), updated_at,
	coalesce(problem_code, ''), coalesce(problem, ''), coalesce(problem_since, '')`

// oneRequest reads a request; lock is appended to the query.
func oneRequest(ctx context.Context, db queryer, customer, id, lock string) (Request, error) {
	if !isUUID(id) {
		id = "" // the same work as for an id that does not exist
	}
	var boundaries string
	r, err := scanRequest(db.QueryRowContext(ctx,
		`SELECT `+requestColumns+`, boundaries FROM geography_request WHERE id = $1 AND customer = $2`+lock, id, customer), &boundaries)
	if errors.Is(err, sql.ErrNoRows) {
		return Request{}, ErrNoRequest
	}
	r.Boundaries = boundaries
	return r, err
}

func scanRequest(row interface{ Scan(...any) error }, more ...any) (r Request, err error) {
	into := []any{&r.ID, &r.Version, &r.NameEN, &r.NameFR, &r.Type, &r.Status, &r.GeogID, &r.PublishedAt, (*moment)(&r.UpdatedAt),
		&r.Problem.Code, &r.Problem.Message, &r.Problem.Since}
	if err := row.Scan(append(into, more...)...); err != nil {
		return Request{}, err
	}
	r.hideUnpublished()
	return r, nil
}

// hideUnpublished separates what an older version was published with, and a problem of which it is not the time.
func (r *Request) hideUnpublished() {
	if !r.Status.shows() && r.GeogID != "" {
		r.Earlier = Answering{r.GeogID, r.PublishedAt}
		r.GeogID, r.PublishedAt = "", ""
	}
	if r.Status != PublicationPending && r.Status != DeprecationPending {
		r.Problem = Failed{}
	}
}

// RequestList selects some requests of a customer.
type RequestList struct {
	Search     string    // part of a name in either language, without regard to case and accents; "": all
	Statuses   []Status  // nil: all
	Since      time.Time // of the last change; zero: all
	Page, Size int       // the first page is 1
}

// deep is the number of requests before a page from which its ids are looked up first.
const deep = 1000

// Requests lists requests without their boundaries, those changed last first, then by id, and counts all that are selected.
func (s *Store) Requests(ctx context.Context, customer string, list RequestList) (page []Request, total int, err error) {
	ctx, cancel := context.WithTimeout(ctx, callWithin)
	defer cancel()
	selected, args := list.condition(customer, s.dialect)
	counted := `SELECT coalesce(max(n), 0) FROM request_count WHERE customer = $1`
	if len(args) > 1 {
		counted = `SELECT count(*)` + selected
	}
	if err := s.reader().QueryRowContext(ctx, counted, args...).Scan(&total); err != nil {
		return nil, 0, failure(err)
	}
	skipped := int64(list.Page-1) * int64(list.Size)
	if skipped >= int64(total) {
		return nil, total, nil
	}
	const order = ` ORDER BY updated_at DESC, id`
	limited := fmt.Sprintf(`%s LIMIT $%d OFFSET $%d`, order, len(args)+1, len(args)+2)
	query := `SELECT ` + requestColumns + selected + limited
	if skipped >= deep || list.Search != "" { // the index alone has the rows before, and those that are not found
		query = `SELECT ` + requestColumns + ` FROM geography_request WHERE id IN (SELECT id` + selected + limited + `)` + order
	}
	rows, err := s.rows(ctx, query, append(args, list.Size, skipped)...)
	page, err = collect(rows, err, func(r *Request) (err error) {
		*r, err = scanRequest(rows)
		return err
	})
	return page, total, failure(err)
}

// condition is the clause of what a list selects, with its values. Names are not compared by LIKE, which takes more than twice as
// long where what is searched begins everywhere in them.
func (l *RequestList) condition(customer string, d *dialect) (clause string, args []any) {
	clause, args = ` FROM geography_request WHERE customer = $1`, []any{customer}
	value := func(v any) string {
		args = append(args, v)
		return fmt.Sprintf("$%d", len(args))
	}
	if l.Statuses != nil {
		var all []string
		for _, s := range l.Statuses {
			all = append(all, value(s))
		}
		clause += ` AND status IN (` + strings.Join(all, ", ") + `)`
	}
	if !l.Since.IsZero() {
		clause += ` AND updated_at >= ` + value(stamp(l.Since.UTC()))
	}
	if l.Search != "" {
		clause += ` AND ` + d.position + `(folded_names, ` + value(fold(l.Search)) + `) > 0`
	}
	return clause, args
}

// failure marks an error of the database; those that callers distinguish, and a caller that left, stay as they are.
func failure(err error) error {
	for _, known := range []error{ErrNoRequest, ErrConflict, ErrChanged, ErrKeyReused, ErrQuota, ErrCrowded, ErrUpdateRuns, ErrNoUpdate,
		ErrPublishing, ErrOutcomes, context.Canceled} {
		if errors.Is(err, known) {
			return err
		}
	}
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrFailed, err)
}

const timeFormat = "2006-01-02T15:04:05.000000Z"

func stamp(t time.Time) string { return t.Format(timeFormat) }

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// newUUID is a random UUID of version 4.
func newUUID() string {
	var b [16]byte
	rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

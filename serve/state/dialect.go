package state

import (
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	_ "github.com/mattn/go-sqlite3" // the embedded state store
)

// dialect is what differs between the databases. Statements are written once: both take $1, $2 … as long as these first occur
// in ascending order.
type dialect struct {
	words     *strings.Replacer // of migrations
	tables    string            // counts the tables with the name $1
	exclusive string            // makes migrations wait for each other; "": every write transaction does
	lockRow   string            // appended to a SELECT, locks its rows until the transaction ends
	lockKey   string            // locks the text $1 until the transaction ends; "": transactions do not overlap
}

var sqlite = &dialect{
	words:  migrationWords("TEXT", "INTEGER", "BLOB", "INTEGER PRIMARY KEY AUTOINCREMENT"),
	tables: `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = $1`,
}

var postgres = &dialect{
	words:     migrationWords(`text COLLATE "C"`, "bigint", "bytea", "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY"), // "C" sorts by code point, as SQLite does
	tables:    `SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = $1`,
	exclusive: `SELECT pg_advisory_xact_lock(7355608174)`,
	lockRow:   ` FOR UPDATE`,
	lockKey:   `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`,
}

func migrationWords(text, integer, blob, serial string) *strings.Replacer {
	var all, published []string
	for _, s := range Statuses {
		all = append(all, "'"+string(s.Status)+"'")
		if s.Published {
			published = append(published, "'"+string(s.Status)+"'")
		}
	}
	return strings.NewReplacer("{text}", text, "{integer}", integer, "{blob}", blob, "{serial}", serial,
		"{statuses}", strings.Join(all, ", "), "{published}", strings.Join(published, ", "))
}

// The limits of connections.
const (
	maxConnections = 16
	idleFor        = time.Minute
	connectWithin  = 10 * time.Second // unless the DSN has connect_timeout
)

// connect opens the database of a DSN without looking at what is in it.
func connect(dsn string) (*Store, error) {
	scheme, _, found := strings.Cut(dsn, "://")
	switch {
	case !found:
		return connectSQLite(dsn)
	case scheme == "postgres" || scheme == "postgresql":
		return connectPostgres(dsn)
	}
	return nil, fmt.Errorf("%w %q: scheme %q is not supported; use sqlite:PATH or postgres://…", ErrBadDSN, scheme+"://…", scheme)
}

func connectPostgres(dsn string) (*Store, error) {
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBadDSN, err) // pgx leaves the password out
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectWithin
	}
	db := stdlib.OpenDB(*config)
	db.SetMaxOpenConns(maxConnections)
	db.SetMaxIdleConns(maxConnections)
	db.SetConnMaxIdleTime(idleFor)
	name := fmt.Sprintf("postgres://%s:%d/%s", config.Host, config.Port, config.Database)
	return &Store{dialect: postgres, name: name, read: db, write: db, now: time.Now}, nil
}

// connectSQLite opens the file of a DSN, and creates it, readable by its owner only, if it does not exist. Transactions have a
// connection of their own, for which they queue: SQLite takes one at a time, and otherwise makes the others poll.
func connectSQLite(dsn string) (*Store, error) {
	path := strings.TrimPrefix(dsn, "sqlite:")
	if path == "" {
		return nil, fmt.Errorf("%w: it is empty; use sqlite:PATH or postgres://…", ErrBadDSN)
	}
	path, err := filepath.Abs(path)
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
	uri := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(),
		RawQuery: "_journal_mode=WAL&_busy_timeout=5000&_txlock=immediate&_synchronous=FULL&_foreign_keys=on"}
	read, err := sql.Open("sqlite3", uri.String())
	if err != nil {
		return nil, fmt.Errorf("open state %s: %w", dsn, err)
	}
	write, err := sql.Open("sqlite3", uri.String())
	if err != nil {
		return nil, fmt.Errorf("open state %s: %w", dsn, err)
	}
	read.SetMaxIdleConns(maxConnections) // each has its cache of pages and its statements
	write.SetMaxOpenConns(1)
	return &Store{dialect: sqlite, name: dsn, read: read, write: write, now: time.Now}, nil
}

package state

import (
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"quartier/serve/admit"
)

// dialect is what differs between the databases. Statements are written once: both take $1, $2 … as long as these first occur
// in ascending order.
type dialect struct {
	words     *strings.Replacer  // of migrations
	tables    string             // counts the tables with the name $1
	exclusive string             // makes migrations wait for each other; "": every write transaction does
	lockRow   string             // appended to a SELECT, locks its rows until the transaction ends
	position  string             // the function of where the second of two texts begins in the first, 0 if it does not
	lockKey   string             // locks the text $1 until the transaction ends; "": transactions do not overlap
	snapshot  sql.IsolationLevel // of transactions that see one moment
}

var sqlite = &dialect{
	words:    migrationWords("TEXT", "INTEGER", "BLOB", "INTEGER PRIMARY KEY AUTOINCREMENT"),
	tables:   `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = $1`,
	position: "instr",
}

var postgres = &dialect{
	// "C" sorts by code point, as SQLite does
	words:     migrationWords(`text COLLATE "C"`, "bigint", "bytea", "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
	tables:    `SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = $1`,
	exclusive: `SELECT pg_advisory_xact_lock(7355608174)`,
	position:  "strpos",
	lockRow:   ` FOR UPDATE`,
	lockKey:   `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`,
	snapshot:  sql.LevelRepeatableRead,
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
	return &Store{dialect: postgres, name: name, read: db, write: db, turns: admit.NewTurns(maxConnections/2, mostWaiting), now: time.Now}, nil
}

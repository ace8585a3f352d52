package addresses

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/jackc/pgx/v5"

	"quartier/bench/fail"
	"quartier/bench/programs"
	"quartier/bench/ratio"
	packed "quartier/internal/pack/addresses"
)

// Peer is PostgreSQL.
type Peer struct {
	Conn *pgx.Conn
	// Compare times a function and a query with two columns in interleaved rounds, and returns the rates of both by round.
	Compare func(queries int, ask func(i int), query string, args func(i int) []any) [][]float64
}

// peerShare is the part of the addresses that the peer has: indexes of all of them take it longer than all else here, and fewer
// are found faster.
const peerShare = 10

// The peer finds lines by trigrams, of those at least half alike the most alike, and the nearest address by an index of points.
const (
	findSQL    = `SELECT lng, lat FROM address WHERE line % $1 ORDER BY similarity(line, $1) DESC LIMIT 1`
	nearestSQL = `SELECT lng, lat FROM address ORDER BY at <-> ST_SetSRID(ST_MakePoint($1, $2), 4326) LIMIT 1`
)

// load puts n addresses into PostgreSQL.
func (p *Peer) load(ctx context.Context, n int) {
	execute := func(statements ...string) {
		for _, statement := range statements {
			fail.Must(p.Conn.Exec(ctx, statement))
		}
	}
	execute(`CREATE EXTENSION postgis`, `CREATE EXTENSION pg_trgm`, `ALTER DATABASE postgres SET pg_trgm.similarity_threshold = 0.5`,
		`CREATE TABLE address (line text, lng float8, lat float8, at geometry(Point, 4326)
			GENERATED ALWAYS AS (ST_SetSRID(ST_MakePoint(lng, lat), 4326)) STORED)`)
	rows := make(chan []any, 1000)
	go func() {
		defer close(rows)
		each(n, func(r *packed.Record) {
			lng, lat := r.Point.Degrees()
			rows <- []any{line(r), lng, lat}
		})
	}()
	next := pgx.CopyFromFunc(func() ([]any, error) { return <-rows, nil })
	fail.Must(p.Conn.CopyFrom(ctx, pgx.Identifier{"address"}, []string{"line", "lng", "lat"}, next))
	execute(`CREATE INDEX ON address USING gin (line gin_trgm_ops)`, `CREATE INDEX ON address USING gist (at)`, `VACUUM ANALYZE address`)
}

// compare asks a table of a part of the addresses and PostgreSQL with the same ones.
func (f *Frame) compare(ctx context.Context) {
	n := f.Addresses / peerShare
	path := filepath.Join(f.Dir, "part.pack")
	programs.RunSelf(ctx, "addresses", strconv.Itoa(n), path)
	q, closed := open(path, n, 2000)
	defer closed()
	p := f.Peer(filepath.Join(f.Dir, fmt.Sprintf("postgres-%d", n)), func(p Peer) { p.load(ctx, n) })
	typed := func(lines []string) func(int) []any { return func(i int) []any { return []any{lines[i]} } }
	for _, k := range []struct {
		name, peer string
		ask        func(i int) bool
		query      string
		args       func(i int) []any
	}{
		{"addresses as they are", "pg_trgm GIN, 0.5", func(i int) bool { return q.find(q.lines, i) }, findSQL, typed(q.lines)},
		{"addresses with a typing error", "pg_trgm GIN, 0.5", func(i int) bool { return q.find(q.wrong, i) }, findSQL, typed(q.wrong)},
		{"nearest address", "PostGIS GiST", q.nearest, nearestSQL, func(i int) []any {
			lng, lat := q.about[i].Point.Degrees()
			return []any{lng + 1e-5, lat}
		}},
	} {
		ours, theirs, asked := 0, 0, 0
		for i := 0; i < len(q.about); i += 40 { // the peer takes long
			var lng, lat float64
			if asked++; k.ask(i) {
				ours++
			}
			if err := p.Conn.QueryRow(ctx, k.query, k.args(i)...).Scan(&lng, &lat); err == nil && q.at(i, lng, lat) {
				theirs++
			}
		}
		rates := p.Compare(len(q.about), func(i int) { k.ask(i) }, k.query, k.args)
		f.Record(k.name, k.peer, 1, "answers/s", ratio.Of(rates[0], rates[1]), 50,
			fmt.Sprintf("%.0f/s, theirs %.0f/s, %d addresses; right %d of %d, theirs %d", ratio.SpreadOf(rates[0]).Median,
				ratio.SpreadOf(rates[1]).Median, n, ours, asked, theirs))
	}
}

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"

	"quartier/bench/typed"
	"quartier/bench/wire"
	"quartier/internal/pack"
	"quartier/internal/pack/geographies"
	"quartier/internal/pack/names"
	"quartier/schemas"
)

// measureNames compares name searches to trigrams in PostgreSQL: names with a typing error, and names as people type them. It
// also measures the recall of the five best results of an exhaustive ranking.
func (b *bench) measureNames(ctx context.Context) {
	w := b.serve(ctx)
	pg := b.startPostgres(ctx)
	for _, kind := range typed.Kinds {
		list, total := w.askedNames(kind.Write)
		targets := make([]string, len(list))
		for i, q := range list {
			targets[i] = "/v3/geographies?limit=5&name=" + url.QueryEscape(q.Text)
		}
		requests := w.requests(targets)
		bodies := wire.FetchAll(ctx, w.addr, requests)
		n := &naming{b, kind.Name, w, pg, list, httpSide("quartierd", w.addr, requests)}
		for _, p := range kind.Peers {
			n.compare(ctx, p, total, bodies)
		}
		recall := w.recall(list, bodies)
		b.Record("top-5 recall of the same", "exhaustive ranking", 1, "share", spreadOf([]float64{recall}), 0.95, "every fourth query")
	}
}

// naming is queries of names.
type naming struct {
	*bench
	name  string
	world *world
	pg    *postgres
	asked []typed.Query
	ours  side
}

// compare times the server and a peer, by rate and by processor time. Each round begins with other queries, because a peer
// answers few of them in a slice of time.
func (n *naming) compare(ctx context.Context, p typed.Peer, total int, bodies [][]byte) {
	folded := make([]any, len(n.asked))
	for i, q := range n.asked {
		folded[i] = typed.Unaccented(q.Text)
	}
	theirs := n.pg.side(p.Name, p.SQL, typed.Columns, func(i int) []any { return folded[i : i+1] }, p.Before...)
	found := n.found(ctx, p, folded, bodies)
	for _, c := range concurrencies {
		var times latencies
		round := 0
		values := n.Repeat(func() []float64 {
			round++
			ours, spent := times.measure(ctx, n.ours.from(round*37, len(n.asked)), n.world.server.Seconds, len(n.asked), c, n.slice)
			rate, theirSpent := times.measure(ctx, theirs.from(round*37, len(n.asked)), n.pg.seconds, len(n.asked), c, n.slice)
			return []float64{ours, rate, spent, theirSpent}
		})
		n.Record(n.name, p.Name, c, "answers/s", ratios(values[0], values[1]), p.Target,
			fmt.Sprintf("%s, %d names, %s", against(values[0], values[1]), total, found))
		n.Record(n.name, p.Name, c, "1/processor time", ratios(values[3], values[2]), p.Target,
			fmt.Sprintf("%.0f µs, theirs %.0f µs", spreadOf(values[2]).Median, spreadOf(values[3]).Median))
	}
}

// found says how many of every ninth query have the name that is looked for among their five results, here and at a peer.
func (n *naming) found(ctx context.Context, p typed.Peer, folded []any, bodies [][]byte) string {
	n.pg.execute(ctx, p.Before...)
	defer n.pg.execute(ctx, "RESET ALL")
	ours, theirs, queries := 0, 0, 0
	for i := 0; i < len(n.asked); i += 9 { // typed.AsTyped has eight ways
		var answer schemas.GeographiesAnswer
		check(json.Unmarshal(bodies[i], &answer))
		wanted := func(name any) bool { return name == n.asked[i].Name }
		if slices.ContainsFunc(answer.Meta.Order, func(id string) bool { return wanted(answer.Data.Geographies[id].Name.EN) }) {
			ours++
		}
		if slices.ContainsFunc(n.pg.rows(ctx, p.SQL, folded[i]), func(row []any) bool { return wanted(row[2]) }) {
			theirs++
		}
		queries++
	}
	return fmt.Sprintf("found %d of %d, theirs %d", ours, queries, theirs)
}

// from is the side with its queries in an order that begins with number first.
func (s side) from(first, queries int) side {
	return side{s.name, func(ctx context.Context) (func(int), func()) {
		ask, done := s.worker(ctx)
		return func(i int) { ask((first + i) % queries) }, done
	}}
}

// askedNames returns sampleSize names, spread evenly over the release, as change writes them, and the number of all names.
func (w *world) askedNames(change func(name string, k int) string) (list []typed.Query, total int) {
	const file = "geographies.sqlite"
	total = query(w, file, `SELECT count(*) FROM geography`, func(n *int) []any { return []any{n} })[0]
	list = query(w, file, fmt.Sprintf(`SELECT name_en FROM geography WHERE fid %% %d = 0 AND length(name_en) >= 6 ORDER BY fid LIMIT %d`,
		max(1, total/(sampleSize*5/4)), sampleSize), func(q *typed.Query) []any { return []any{&q.Name} })
	for k := range list {
		list[k].Text = change(list[k].Name, k)
	}
	return list, total
}

// recall is the share of the five best results of the exhaustive ranking that the answers to every fourth query contain.
func (w *world) recall(list []typed.Query, bodies [][]byte) float64 {
	file := must(pack.Open(filepath.Join(w.release, schemas.GeographiesPack)))
	defer file.Close()
	table := must(geographies.Open(file))
	index := must(names.Open(file))
	var found, wanted int
	var best names.Result
	for i := 0; i < len(list); i += 4 {
		var answer schemas.GeographiesAnswer
		check(json.Unmarshal(bodies[i], &answer))
		index.SearchAll(&names.Query{Name: list[i].Text, Language: "en", Limit: 5}, &best)
		for _, match := range best.Matches {
			wanted++
			if slices.Contains(answer.Meta.Order, table.ID(match.Index)) {
				found++
			}
		}
	}
	return float64(found) / float64(wanted)
}

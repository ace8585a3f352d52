package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/jackc/pgx/v5"
	"golang.org/x/text/unicode/norm"

	"quartier/internal/pack"
	"quartier/internal/pack/geographies"
	"quartier/internal/pack/names"
	"quartier/schemas"
)

// The five best names by trigrams: of those similar enough, which an index of type GIN finds, the most similar; the nearest, in
// the order of an index of type GiST; and those of which a part is similar to the query.
const (
	namedColumns = `geog_id, level, name_en, name_fr, country_code, state_codes, area_m2, west, south, east, north, centroid_lng, centroid_lat`
	similarSQL   = `SELECT ` + namedColumns + `
		FROM outline WHERE folded % $1 ORDER BY similarity(folded, $1) DESC, population DESC NULLS LAST, geog_id LIMIT 5`
	nearestNameSQL = `SELECT ` + namedColumns + `
		FROM (SELECT *, folded <-> $1 AS distance FROM outline ORDER BY folded <-> $1 LIMIT 5) o ORDER BY distance, population DESC NULLS LAST, geog_id`
	partSQL = `SELECT ` + namedColumns + `
		FROM outline WHERE $1 <% folded ORDER BY word_similarity($1, folded) DESC, similarity(folded, $1) DESC, population DESC NULLS LAST, geog_id LIMIT 5`
	halfSimilar = `SET pg_trgm.similarity_threshold = 0.5` // default 0.3
)

// asked is a query with the name of the geography that is looked for.
type asked struct{ text, name string }

// measureNames compares name searches to trigrams in PostgreSQL: names with a typing error, and names as people type them. It
// also measures the recall of the five best results of an exhaustive ranking.
func (b *bench) measureNames(ctx context.Context) {
	w := b.serve(ctx)
	pg := b.startPostgres(ctx)
	const misspelt, typed = "name look-up, one typing error", "name look-up, as people type"
	for _, row := range []struct {
		name   string
		change func(name string, k int) string
		peers  []namePeer
	}{
		{misspelt, misspell, []namePeer{{"pg_trgm GIN", similarSQL, nil, 300}, {"pg_trgm GIN, 0.5", similarSQL, []string{halfSimilar}, 0}, {"pg_trgm GiST", nearestNameSQL, nil, 0}}},
		{typed, asTyped, []namePeer{{"pg_trgm GIN", similarSQL, nil, 300}, {"pg_trgm GIN, parts", partSQL, nil, 0}}},
	} {
		list, total := w.askedNames(row.change)
		targets := make([]string, len(list))
		for i, q := range list {
			targets[i] = "/v3/geographies?limit=5&name=" + url.QueryEscape(q.text)
		}
		requests := w.requests(targets)
		bodies := fetchAll(ctx, w.addr, requests)
		n := &naming{b, row.name, w, pg, list, httpSide("quartierd", w.addr, requests)}
		for _, p := range row.peers {
			n.compare(ctx, p, total, bodies)
		}
		recall := w.recall(list, bodies)
		b.record(result{"top-5 recall of the same", "exhaustive ranking", 1, "share", spread{recall, recall, recall}, 0.95, false}, fmt.Sprintf("%d queries", len(list)))
	}
}

// namePeer is a way to search names in PostgreSQL, with the statements that a connection begins with.
type namePeer struct {
	name, query string
	before      []string
	target      float64
}

// naming is queries of names.
type naming struct {
	*bench
	name  string
	world *world
	pg    *postgres
	asked []asked
	ours  side
}

// compare times the server and a peer, by rate and by processor time. Each round begins with other queries, because a peer
// answers few of them in a slice of time.
func (n *naming) compare(ctx context.Context, p namePeer, total int, bodies [][]byte) {
	folded := make([]any, len(n.asked))
	for i, q := range n.asked {
		folded[i] = unaccented(q.text)
	}
	theirs := n.pg.side(p.name, p.query, 13, func(i int) []any { return folded[i : i+1] }, p.before...)
	found := n.found(ctx, p, folded, bodies)
	for _, c := range concurrencies {
		var times latencies
		round := 0
		values := n.repeat(func() []float64 {
			round++
			ours, spent := times.measure(ctx, n.ours.from(round*37, len(n.asked)), n.world.server.Seconds, len(n.asked), c, n.slice)
			rate, theirSpent := times.measure(ctx, theirs.from(round*37, len(n.asked)), n.pg.seconds, len(n.asked), c, n.slice)
			return []float64{ours, rate, spent, theirSpent}
		})
		n.record(result{n.name, p.name, c, "answers/s", ratios(values[0], values[1]), p.target, false}, fmt.Sprintf("%s, %d names, %s", against(values[0], values[1]), total, found))
		n.record(result{n.name, p.name, c, "1/processor time", ratios(values[3], values[2]), p.target, false},
			fmt.Sprintf("%.0f µs, theirs %.0f µs", spreadOf(values[2]).Median, spreadOf(values[3]).Median))
	}
}

// found says how many of every tenth query have the name that is looked for among their five results, here and at a peer.
func (n *naming) found(ctx context.Context, p namePeer, folded []any, bodies [][]byte) string {
	conn := must(pgx.Connect(ctx, n.pg.dsn))
	defer conn.Close(ctx)
	for _, statement := range p.before {
		must(conn.Exec(ctx, statement))
	}
	ours, theirs, queries := 0, 0, 0
	for i := 0; i < len(n.asked); i += 10 {
		queries++
		var answer schemas.GeographiesAnswer
		check(json.Unmarshal(bodies[i], &answer))
		for _, id := range answer.Meta.Order {
			if answer.Data.Geographies[id].Name.EN == n.asked[i].name {
				ours++
				break
			}
		}
		rows := must(conn.Query(ctx, p.query, folded[i]))
		for _, row := range must(pgx.CollectRows(rows, pgx.RowToMap)) {
			if row["name_en"] == n.asked[i].name {
				theirs++
				break
			}
		}
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
func (w *world) askedNames(change func(name string, k int) string) (list []asked, total int) {
	const file = "geographies.sqlite"
	total = query(w, file, `SELECT count(*) FROM geography`, func(n *int) []any { return []any{n} })[0]
	list = query(w, file, fmt.Sprintf(`SELECT name_en FROM geography WHERE fid %% %d = 0 AND length(name_en) >= 6 ORDER BY fid LIMIT %d`,
		max(1, total/(sampleSize*5/4)), sampleSize), func(q *asked) []any { return []any{&q.name} })
	for k := range list {
		list[k].text = change(list[k].name, k)
	}
	return list, total
}

// unaccented is what the extension unaccent and lower make of a name, which is what PostgreSQL compares.
func unaccented(name string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(name)))
}

// asTyped is a name as people type it, in the kth of eight ways: with a typing error, without accents, its first letters, its
// first two words, as it is, with an error and without accents, without its first word, with two errors.
func asTyped(name string, k int) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == '-' })
	switch k % 8 {
	case 0:
		return misspell(name, k/8)
	case 1:
		return unaccented(name)
	case 2:
		return string([]rune(name)[:6])
	case 3:
		return strings.Join(words[:min(2, len(words))], " ")
	case 5:
		return unaccented(misspell(name, k/8))
	case 6:
		return strings.Join(words[min(1, len(words)-1):], " ")
	case 7:
		return misspell(misspell(name, k/8), k/8+1)
	}
	return name
}

// misspell applies the kth typing error: a letter deleted, doubled, replaced or transposed with the next.
func misspell(name string, k int) string {
	letters := []rune(name)
	at := 1 + (k*7)%(len(letters)-2)
	switch k % 4 {
	case 0:
		return string(letters[:at]) + string(letters[at+1:])
	case 1:
		return string(letters[:at]) + string(letters[at]) + string(letters[at:])
	case 2:
		letters[at] = 'a' + rune((k*11)%26)
	case 3:
		letters[at], letters[at+1] = letters[at+1], letters[at]
	}
	return string(letters)
}

// recall is the share of the five best results of the exhaustive ranking that the answers contain.
func (w *world) recall(list []asked, bodies [][]byte) float64 {
	file := must(pack.Open(filepath.Join(w.release, schemas.GeographiesPack)))
	defer file.Close()
	table := must(geographies.Open(file))
	index := must(names.Open(file))
	var found, wanted int
	var best names.Result
	for i, q := range list {
		var answer schemas.GeographiesAnswer
		check(json.Unmarshal(bodies[i], &answer))
		index.SearchAll(&names.Query{Name: q.text, Language: "en", Limit: 5}, &best)
		for _, match := range best.Matches {
			wanted++
			if slices.Contains(answer.Meta.Order, table.ID(match.Index)) {
				found++
			}
		}
	}
	return float64(found) / float64(wanted)
}

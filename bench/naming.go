package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"

	"quartier/internal/pack"
	"quartier/internal/pack/geographies"
	"quartier/internal/pack/names"
	"quartier/schemas"
)

const similarSQL = `SELECT geog_id, level, name_en, name_fr, country_code, state_codes, area_m2, west, south, east, north, centroid_lng, centroid_lat
	FROM outline WHERE folded % $1 ORDER BY similarity(folded, $1) DESC, population DESC NULLS LAST, geog_id LIMIT 5`

// measureNames compares name searches with a typing error to trigrams in PostgreSQL, and measures the recall of the five
// best results of an exhaustive ranking.
func (b *bench) measureNames(ctx context.Context) {
	w := b.serve(ctx)
	pg := b.startPostgres(ctx)
	asked, total := w.misspelt()
	targets := make([]string, len(asked))
	for i, name := range asked {
		targets[i] = "/v3/geographies?limit=5&name=" + url.QueryEscape(name)
	}
	requests := w.requests(targets)
	bodies := fetchAll(ctx, w.addr, requests)
	recall := w.recall(asked, bodies)
	ours := httpSide("quartierd", w.addr, requests)
	theirs := pg.side("pg_trgm", similarSQL, 13, func(i int) []any { return []any{asked[i]} })
	for _, c := range concurrencies {
		rates := b.compare(ctx, len(asked), c, ours, theirs)
		figure := fmt.Sprintf("%s, %d names", against(rates[0], rates[1]), total)
		b.record(result{"name look-up, one typing error", "pg_trgm GIN", c, "answers/s", ratios(rates[0], rates[1]), 300, false}, figure)
	}
	b.record(result{"top-5 recall of name look-up", "exhaustive ranking", 1, "share", spread{recall, recall, recall}, 0.95, false}, fmt.Sprintf("%d queries", len(asked)))
}

// misspelt returns sampleSize names, spread evenly over the release, with one typing error each, and the number of all names.
func (w *world) misspelt() (asked []string, total int) {
	const file = "geographies.sqlite"
	total = query(w, file, `SELECT count(*) FROM geography`, func(n *int) []any { return []any{n} })[0]
	asked = query(w, file, fmt.Sprintf(`SELECT name_en FROM geography WHERE fid %% %d = 0 AND length(name_en) >= 6 ORDER BY fid LIMIT %d`,
		max(1, total/(sampleSize*5/4)), sampleSize), func(name *string) []any { return []any{name} })
	for i, name := range asked {
		asked[i] = misspell(name, i)
	}
	return asked, total
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
func (w *world) recall(asked []string, bodies [][]byte) float64 {
	file := must(pack.Open(filepath.Join(w.release, schemas.GeographiesPack)))
	defer file.Close()
	table := must(geographies.Open(file))
	index := must(names.Open(file))
	var found, wanted int
	var best names.Result
	for i, name := range asked {
		var answer schemas.GeographiesAnswer
		check(json.Unmarshal(bodies[i], &answer))
		index.SearchAll(&names.Query{Name: name, Language: "en", Limit: 5}, &best)
		for _, match := range best.Matches {
			wanted++
			if slices.Contains(answer.Meta.Order, table.ID(match.Index)) {
				found++
			}
		}
	}
	return float64(found) / float64(wanted)
}

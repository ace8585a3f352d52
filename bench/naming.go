package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"

	"quartier/internal/pack"
	"quartier/internal/pack/geographies"
	"quartier/internal/pack/names"
	"quartier/schemas"
)

const similarSQL = `SELECT geog_id, level, name_en, name_fr, country_code, state_codes, area_m2, west, south, east, north, centroid_lng, centroid_lat
	FROM outline WHERE folded % $1 ORDER BY similarity(folded, $1) DESC, population DESC NULLS LAST, geog_id LIMIT 5`

// measureNames compares name searches with a typing error to trigrams in PostgreSQL, and measures the recall of the five
// best results of an exhaustive ranking.
func (b *bench) measureNames(ctx context.Context) error {
	w, err := b.serve(ctx)
	if err != nil {
		return err
	}
	pg, err := b.startPostgres(ctx)
	if err != nil {
		return err
	}
	asked, total, err := w.misspelt(sampleSize)
	if err != nil {
		return err
	}
	targets := make([]string, len(asked))
	for i, name := range asked {
		targets[i] = "/v3/geographies?limit=5&name=" + url.QueryEscape(name)
	}
	requests := w.requests(targets)
	bodies, err := fetchAll(ctx, w.addr, requests)
	if err != nil {
		return err
	}
	recall, err := w.recall(asked, bodies)
	if err != nil {
		return err
	}
	ours := httpSide("quartierd", w.addr, requests)
	theirs := pg.side("pg_trgm", similarSQL, 13, func(i int) []any { return []any{asked[i]} })
	for _, c := range concurrencies {
		rates, err := b.compare(ctx, len(asked), c, ours, theirs)
		if err != nil {
			return err
		}
		figure := fmt.Sprintf("%s, %d names", against(rates[0], rates[1]), total)
		b.record(result{"name look-up, one typing error", "pg_trgm GIN", c, "answers/s", ratios(rates[0], rates[1]), 20, false}, figure)
	}
	b.record(result{"top-5 recall of name look-up", "exhaustive ranking", 1, "share", spread{recall, recall, recall}, 0.95, false}, fmt.Sprintf("%d queries", len(asked)))
	return nil
}

// misspelt returns n names, spread evenly over the release, with one typing error each.
func (w *world) misspelt(n int) ([]string, int, error) {
	var total int
	if err := w.query("geographies.sqlite", `SELECT count(*) FROM geography`, nil, func(rows *sql.Rows) error { return rows.Scan(&total) }); err != nil {
		return nil, 0, err
	}
	var asked []string
	err := w.query("geographies.sqlite", `SELECT name_en FROM geography WHERE fid % ? = 0 AND length(name_en) >= 6 ORDER BY fid LIMIT ?`, []any{max(1, total/(n+n/4)), n},
		func(rows *sql.Rows) error {
			var name string
			if err := rows.Scan(&name); err != nil {
				return err
			}
			asked = append(asked, misspell(name, len(asked)))
			return nil
		})
	return asked, total, err
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
func (w *world) recall(asked []string, bodies [][]byte) (float64, error) {
	file, err := pack.Open(filepath.Join(w.release, schemas.GeographiesPack))
	if err != nil {
		return 0, err
	}
	defer file.Close()
	table, err := geographies.Open(file)
	if err != nil {
		return 0, err
	}
	index, err := names.Open(file)
	if err != nil {
		return 0, err
	}
	var found, wanted int
	var best names.Result
	for i, name := range asked {
		var answer struct {
			Meta struct {
				Order []string `json:"order"`
			} `json:"meta"`
		}
		if err := json.Unmarshal(bodies[i], &answer); err != nil {
			return 0, err
		}
		have := map[string]bool{}
		for _, id := range answer.Meta.Order {
			have[id] = true
		}
		index.SearchAll(&names.Query{Name: name, Language: "en", Limit: 5}, &best)
		for _, match := range best.Matches {
			wanted++
			if have[table.ID(match.Index)] {
				found++
			}
		}
	}
	return float64(found) / float64(wanted), nil
}

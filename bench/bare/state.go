package bare

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // PostgreSQL
	_ "github.com/mattn/go-sqlite3"    // SQLite

	"quartier/bench/fail"
	"quartier/schemas"
)

// bareState answers lists, reads and edits of requests with the SQL that they need, and nothing else: no tokens, limits, checks,
// versions or compression. The customer is in a header.
type bareState struct {
	read, write *sql.DB
	lock        string // of rows
}

// ServeState serves the requests of the store that args name at an address.
func ServeState(args []string) {
	s := &bareState{}
	if path, found := strings.CutPrefix(args[0], "sqlite:"); found {
		source := "file:" + path + "?_journal_mode=WAL&_busy_timeout=5000&_txlock=immediate&_synchronous=FULL&_foreign_keys=on"
		s.read, s.write = fail.Must(sql.Open("sqlite3", source)), fail.Must(sql.Open("sqlite3", source))
		s.read.SetMaxIdleConns(16)
		s.write.SetMaxOpenConns(1)
	} else {
		s.read, s.lock = fail.Must(sql.Open("pgx", args[0])), " FOR UPDATE"
		s.read.SetMaxOpenConns(16)
		s.read.SetMaxIdleConns(16)
		s.write = s.read
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v3/geographies/custom", s.list)
	mux.HandleFunc("GET /v3/geographies/custom/{id}", s.get)
	mux.HandleFunc("PATCH /v3/geographies/custom/{id}", s.edit)
	fail.Check(http.ListenAndServe(args[1], mux))
}

func (s *bareState) answer(w http.ResponseWriter, value any) {
	body := fail.Must(json.Marshal(value))
	h := w.Header()
	h["Content-Type"] = []string{"application/json"}
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.Write(body)
}

const bareColumns = `id, name_en, coalesce(name_fr, ''), type, status, geog_id, published_at, updated_at`

func bareFields(g *schemas.CustomGeography) []any {
	return []any{&g.GeoEntityID, &g.NameEN, &g.NameFR, &g.Type, &g.ProcessingStatus, &g.GeogID, &g.PublishedAt, &g.UpdatedAt}
}

func (s *bareState) list(w http.ResponseWriter, r *http.Request) {
	page, size := 1, 20
	fmt.Sscan(r.URL.Query().Get("page"), &page)
	fmt.Sscan(r.URL.Query().Get("page_size"), &size)
	customer, out := r.Header.Get("Customer"), schemas.CustomGeographiesAnswer{Page: page, PageSize: size, Meta: customMeta(200)}
	fail.Check(s.read.QueryRowContext(r.Context(), `SELECT n FROM request_count WHERE customer = $1`, customer).Scan(&out.Total))
	out.Pages = (out.Total + size - 1) / size
	query := `SELECT ` + bareColumns + ` FROM geography_request WHERE customer = $1 ORDER BY updated_at DESC, id LIMIT $2 OFFSET $3`
	if page*size > 1000 {
		query = `SELECT ` + bareColumns + ` FROM geography_request WHERE id IN (SELECT id FROM geography_request WHERE customer = $1
			ORDER BY updated_at DESC, id LIMIT $2 OFFSET $3) ORDER BY updated_at DESC, id`
	}
	rows := fail.Must(s.read.QueryContext(r.Context(), query, customer, size, (page-1)*size))
	defer rows.Close()
	for rows.Next() {
		var g schemas.CustomGeography
		fail.Check(rows.Scan(bareFields(&g)...))
		out.Items = append(out.Items, g)
	}
	fail.Check(rows.Err())
	s.answer(w, out)
}

func (s *bareState) one(ctx context.Context, db interface {
	QueryRowContext(context.Context, string, ...any) *sql.Row
}, r *http.Request, lock string) (g schemas.CustomGeography, version int64) {
	fail.Check(db.QueryRowContext(ctx, `SELECT `+bareColumns+`, boundaries, version FROM geography_request WHERE id = $1 AND customer = $2`+
		lock, r.PathValue("id"), r.Header.Get("Customer")).
		Scan(append(bareFields(&g), &g.Boundaries, &version)...))
	return g, version
}

func (s *bareState) get(w http.ResponseWriter, r *http.Request) {
	g, _ := s.one(r.Context(), s.read, r, "")
	s.answer(w, schemas.CustomGeographyAnswer{CustomGeography: g, Meta: customMeta(200)})
}

// edit looks the request up before its body is judged, as the server must, then changes it in a transaction.
func (s *bareState) edit(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	s.one(ctx, s.read, r, "")
	var body schemas.CustomGeographyChange
	fail.Check(json.NewDecoder(r.Body).Decode(&body))
	tx := fail.Must(s.write.BeginTx(ctx, nil))
	defer tx.Rollback()
	g, version := s.one(ctx, tx, r, s.lock)
	g.NameEN, g.UpdatedAt = body.NameEN, time.Now().UTC().Format("2006-01-02T15:04:05.000000Z")
	fail.Must(tx.ExecContext(ctx,
		`UPDATE geography_request SET version = $1, name_en = $2, folded_names = $3, status = $4, updated_at = $5 WHERE id = $6`,
		version+1, g.NameEN, strings.ToLower(g.NameEN)+"\n", "PUBLICATION_PENDING", g.UpdatedAt, g.GeoEntityID))
	fail.Must(tx.ExecContext(ctx,
		`INSERT INTO geography_request_history (id, version, event, client_id, at, name_en, type, boundaries, status) VALUES ($1, $2, $3, $4, `+
			`$5, $6, $7, $8, $9)`,
		g.GeoEntityID, version+1, "PATCH", "qc_bench", g.UpdatedAt, g.NameEN, g.Type, *g.Boundaries, "PUBLICATION_PENDING"))
	fail.Check(tx.Commit())
	s.answer(w, schemas.CustomGeographyReceipt{GeoEntityID: g.GeoEntityID, ProcessingStatus: "PUBLICATION_PENDING", Meta: customMeta(200)})
}

func customMeta(status int) schemas.Meta { return schemas.NewMeta("geographies/custom", status) }

package main

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	_ "github.com/mattn/go-sqlite3" // samples of the released files
)

// world is the scaled synthetic world with its release and server.
type world struct {
	release string // folder
	addr    string // of quartierd
	token   string
	server  *process
}

// prepare builds the release once per program version and size.
func (b *bench) prepare(ctx context.Context) (string, error) {
	release := filepath.Join(b.dir, "release")
	program, err := fileDigest(filepath.Join(b.bin, "quartier"))
	if err != nil {
		return "", fmt.Errorf("%w; run make build first", err)
	}
	stamp := filepath.Join(b.dir, "release.stamp")
	want := fmt.Sprintf("%s scale=%d places=%d\n", program, b.scale, b.places)
	if have, err := os.ReadFile(stamp); err == nil && string(have) == want {
		return release, nil
	}
	sources := filepath.Join(b.dir, "sources")
	for _, old := range []string{stamp, sources, filepath.Join(b.dir, "postgres")} {
		if err := os.RemoveAll(old); err != nil {
			return "", err
		}
	}
	quartier := filepath.Join(b.bin, "quartier")
	if _, wall, _, err := runToEnd(ctx, quartier, "fixtures", "--out", sources, "--scale", fmt.Sprint(b.scale), "--places", fmt.Sprint(b.places)); err != nil {
		return "", err
	} else {
		fmt.Printf("fixtures --scale %d --places %d: %.1f s\n", b.scale, b.places, wall.Seconds())
	}
	_, wall, peak, err := runToEnd(ctx, quartier, "build", "--release", filepath.Join(sources, "release.yaml"), "--out", release, "--force")
	if err != nil {
		return "", err
	}
	fmt.Printf("build: %.1f s, peak memory %d MB\n", wall.Seconds(), peak>>20)
	return release, os.WriteFile(stamp, []byte(want), 0o644)
}

func fileDigest(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// serve starts quartierd with the release, and an account with a high rate limit.
func (b *bench) serve(ctx context.Context) (*world, error) {
	if b.world != nil {
		return b.world, nil
	}
	release, err := b.prepare(ctx)
	if err != nil {
		return nil, err
	}
	w := &world{release: release}
	if err := w.start(ctx, b); err != nil {
		return nil, err
	}
	b.world = w
	return w, nil
}

func (w *world) start(ctx context.Context, b *bench) error {
	state := b.state()
	out, _, _, err := runToEnd(ctx, filepath.Join(b.bin, "quartier"), "account", "create", "--state", state, "--customer", "bench", "--rate", "100000000")
	if err != nil {
		return err
	}
	var made struct {
		ClientID     string `json:"client_id"`
		ClientSecret string `json:"client_secret"`
	}
	if err := json.Unmarshal([]byte(out), &made); err != nil {
		return err
	}
	if err := w.startOnly(ctx, b); err != nil {
		return err
	}
	answer, err := http.Post("http://"+w.addr+"/oauth/token", "application/json", strings.NewReader(fmt.Sprintf(`{"client_id":%q,"client_secret":%q}`, made.ClientID, made.ClientSecret)))
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	var grant struct {
		AccessToken string `json:"access_token"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&grant); err != nil {
		return err
	}
	w.token = grant.AccessToken
	return nil
}

// startOnly starts the server and waits until it is ready.
func (w *world) startOnly(ctx context.Context, b *bench) error {
	var err error
	if w.addr, err = freeAddress(); err != nil {
		return err
	}
	if w.server, err = start(ctx, filepath.Join(b.bin, "quartierd"), "--release", w.release, "--state", b.state(), "--addr", w.addr, "--access-log=false"); err != nil {
		return err
	}
	return w.server.await(ctx, func() bool { return ready(w.addr) })
}

func (b *bench) state() string { return "sqlite:" + filepath.Join(b.dir, "state.db") }

func ready(addr string) bool {
	client := http.Client{Timeout: time.Second}
	answer, err := client.Get("http://" + addr + "/readyz")
	if err != nil {
		return false
	}
	answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}

// requests returns the bytes of GET requests to the server.
func (w *world) requests(targets []string) [][]byte {
	out := make([][]byte, len(targets))
	for i, target := range targets {
		out[i] = get(w.addr, target, w.token)
	}
	return out
}

// point is a position of queries.
type point struct{ lng, lat float64 }

// sample returns the south-western corners of n rows of a table, spread evenly over it.
func (w *world) sample(file, table string, n int) ([]point, error) {
	var points []point
	err := w.query(file, fmt.Sprintf(`SELECT box.xmin, box.ymin FROM idx_%[1]s_geometry AS box
		WHERE box.pkid %% (SELECT max(1, count(*) / ?) FROM %[1]s) = 0 ORDER BY box.pkid LIMIT ?`, table), []any{n, n}, func(rows *sql.Rows) error {
		var p point
		if err := rows.Scan(&p.lng, &p.lat); err != nil {
			return err
		}
		p.lng, p.lat = math.Round(p.lng*1e6)/1e6, math.Round(p.lat*1e6)/1e6
		points = append(points, p)
		return nil
	})
	return points, err
}

// query reads a SpatiaLite file with the plain SQLite driver.
func (w *world) query(file, text string, args []any, each func(*sql.Rows) error) error {
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(w.release, file)+"?mode=ro&immutable=1")
	if err != nil {
		return err
	}
	defer db.Close()
	rows, err := db.Query(text, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := each(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// close stops all processes that the bench started.
func (b *bench) close() {
	if b.world != nil {
		b.world.server.stop()
	}
	if b.city != nil {
		b.city.server.stop()
	}
	if b.postgres != nil {
		b.postgres.close()
	}
}

var errDifferent = errors.New("answers differ")

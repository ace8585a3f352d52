package main

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	_ "github.com/mattn/go-sqlite3" // samples of the released files

	"quartier/bench/wire"
	"quartier/schemas"
)

// world is a release with its server.
type world struct {
	release string // folder
	addr    string // of quartierd
	token   string
	server  *process
}

// prepare builds the release of the scaled synthetic world.
func (b *bench) prepare(ctx context.Context) string {
	size := []string{"--scale", fmt.Sprint(b.scale), "--bare", fmt.Sprint(b.bare), "--places", fmt.Sprint(b.places)}
	return b.buildOnce(ctx, filepath.Join(b.dir, "world"), strings.Join(size, " "), func(sources string) {
		runToEnd(ctx, b.program("quartier"), append([]string{"fixtures", "--out", sources}, size...)...)
	})
}

// buildOnce builds a release in a folder from the sources that write writes, once per program version and size, and
// returns the folder of the release.
func (b *bench) buildOnce(ctx context.Context, dir, size string, write func(sources string)) string {
	code, err := os.ReadFile(b.program("quartier"))
	if err != nil {
		failf("%w; run make build first", err)
	}
	stamp, release, sources := filepath.Join(dir, "stamp"), filepath.Join(dir, "release"), filepath.Join(dir, "sources")
	want := fmt.Sprintf("%x %s\n", sha256.Sum256(code), size)
	if have, err := os.ReadFile(stamp); err == nil && string(have) == want {
		return release
	}
	check(os.RemoveAll(dir))
	begun := time.Now()
	write(sources)
	written := time.Since(begun).Seconds()
	built := runToEnd(ctx, b.program("quartier"), "build", "--release", filepath.Join(sources, "release.yaml"),
		"--out", release, "--force")
	fmt.Printf("%s, %s: sources %.1f s, build %.1f s, peak memory %.0f MB\n", dir, size, written, built.Seconds, built.PeakMB)
	check(os.WriteFile(stamp, []byte(want), 0o644))
	return release
}

// serve starts quartierd with the release of the synthetic world, once.
func (b *bench) serve(ctx context.Context) *world {
	if b.world == nil {
		b.world = b.startWorld(ctx, b.prepare(ctx))
	}
	return b.world
}

// startWorld starts quartierd, which does not read its packs again meanwhile, and gets a token of an account with a high rate.
func (b *bench) startWorld(ctx context.Context, release string) *world {
	var made struct {
		ClientID     string `json:"client_id"`
		ClientSecret string `json:"client_secret"`
	}
	account := runToEnd(ctx, b.program("quartier"), "account", "create", "--state", b.state(),
		"--customer", "bench", "--custom-geographies", "--rate", "100000000")
	check(json.Unmarshal([]byte(account.Output), &made))
	w := b.startServer(ctx, release, "--scrub", "0")
	body := strings.NewReader(fmt.Sprintf(`{"client_id":%q,"client_secret":%q}`, made.ClientID, made.ClientSecret))
	answer := must(http.Post("http://"+w.addr+"/oauth/token", "application/json", body))
	defer answer.Body.Close()
	var grant struct {
		AccessToken string `json:"access_token"`
	}
	check(json.NewDecoder(answer.Body).Decode(&grant))
	w.token = grant.AccessToken
	return w
}

// startServer starts quartierd, with more options if given, and waits until it is ready.
func (b *bench) startServer(ctx context.Context, release string, more ...string) *world {
	w := &world{release: release, addr: freeAddress()}
	served := "--release"
	if _, err := os.Stat(filepath.Join(release, schemas.PointerFile)); err == nil {
		served = "--releases"
	}
	w.server = start(ctx, nil, b.program("quartierd"), append([]string{served, release, "--state", b.state(),
		"--addr", w.addr, "--access-log=false"}, more...)...)
	b.stops = append(b.stops, w.server.Stop)
	client := http.Client{Timeout: time.Second}
	w.server.Await(ctx, func() bool {
		answer, err := client.Get("http://" + w.addr + "/readyz")
		if err != nil {
			return false
		}
		answer.Body.Close()
		return answer.StatusCode == http.StatusOK
	})
	return w
}

func (b *bench) program(name string) string { return filepath.Join(b.bin, name) }

func (b *bench) state() string { return "sqlite:" + filepath.Join(b.dir, "state.db") }

// requests returns the bytes of GET requests to the server.
func (w *world) requests(targets []string) [][]byte {
	out := make([][]byte, len(targets))
	for i, target := range targets {
		out[i] = wire.Get(w.addr, target, w.token)
	}
	return out
}

// point is a position of queries.
type point struct{ lng, lat float64 }

// sample returns the south-western corners of sampleSize rows of a table, spread evenly over it.
func (w *world) sample(file, table string) []point {
	points := query(w, file, fmt.Sprintf(`SELECT box.xmin, box.ymin FROM idx_%[1]s_geometry AS box
		WHERE box.pkid %% (SELECT max(1, count(*) / %[2]d) FROM %[1]s) = 0 ORDER BY box.pkid LIMIT %[2]d`, table, sampleSize),
		func(p *point) []any { return []any{&p.lng, &p.lat} })
	for i, p := range points {
		points[i] = point{math.Round(p.lng*1e6) / 1e6, math.Round(p.lat*1e6) / 1e6}
	}
	return points
}

// query reads rows of a SpatiaLite file with the plain SQLite driver.
func query[T any](w *world, file, text string, columns func(*T) []any) (out []T) {
	db := must(sql.Open("sqlite3", "file:"+filepath.Join(w.release, file)+"?mode=ro&immutable=1"))
	defer db.Close()
	rows := must(db.Query(text))
	defer rows.Close()
	for rows.Next() {
		var row T
		check(rows.Scan(columns(&row)...))
		out = append(out, row)
	}
	check(rows.Err())
	return out
}

// close stops all processes that the bench started.
func (b *bench) close() {
	for _, stop := range b.stops {
		stop()
	}
}

var errDifferent = errors.New("answers differ")

// startBare starts the ceiling with a list of bodies and returns it as a side.
func (b *bench) startBare(ctx context.Context, bodies [][]byte, token string) (side, *process) {
	path := filepath.Join(b.dir, "bodies.gob")
	file := must(os.Create(path))
	check(gob.NewEncoder(file).Encode(bodies))
	check(file.Close())
	addr := freeAddress()
	p := start(ctx, nil, must(os.Executable()), "bare", addr, path)
	b.stops = append(b.stops, p.Stop)
	p.Await(ctx, func() bool {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
	requests := make([][]byte, len(bodies))
	for i := range bodies {
		requests[i] = wire.Get(addr, fmt.Sprintf("/%d", i), token)
	}
	return httpSide("bare handler", addr, requests), p
}

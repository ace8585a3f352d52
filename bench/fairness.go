package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"quartier/bench/attack"
	"quartier/serve/account"
	"quartier/serve/servetest"
	"quartier/serve/state"
)

// The sizes of the world of the fairness group, and the memory beside what is mapped that a server may take.
const (
	fairPOIs    = 60_000
	fairOutline = 170_000 // vertices of a country: 4.5 MB
	fairMemory  = 512     // MB
	fairTime    = 3 * time.Second
)

// measureFairness lets one customer attack a server in each of the ways of attacks, and compares how long another one waits
// for its answers with how long it waits while nobody else asks.
func (b *bench) measureFairness(ctx context.Context) {
	dir := filepath.Join(b.dir, "fairness")
	check(os.RemoveAll(dir))
	must(servetest.Write(filepath.Join(dir, "release"), servetest.Release{POIs: fairPOIs, Outline: fairOutline}))
	served, peak := 1.0, 0.0
	for _, a := range attack.All {
		if !strings.Contains(a.Name, b.attacks) {
			continue
		}
		share, mb := b.measureAttack(ctx, dir, a)
		served, peak = min(served, share), max(peak, mb)
	}
	exact := func(v float64) spread { return spread{v, v, v} }
	b.record(result{"answers of another customer under attack", "all of them", 1, "share", exact(served), 1, false}, fmt.Sprintf("%.4g", served))
	b.record(result{"anonymous memory under attack", fmt.Sprintf("limit of %d MB", fairMemory), 1, "limit/MB", exact(round3(fairMemory / peak)), 1, false},
		fmt.Sprintf("%.0f MB", peak))
}

// measureAttack returns which share of the other customer's requests was answered, and the most memory of the server in MB.
func (b *bench) measureAttack(ctx context.Context, dir string, a attack.Attack) (share, peak float64) {
	path := filepath.Join(dir, "state.sqlite")
	os.Remove(path)
	store := must(state.Open("sqlite:" + path))
	var grants [2]account.Credentials
	for i, rate := range []int{account.DefaultRate, 100_000} {
		_, grant, err := store.Create([]string{"mallory", "alice"}[i], account.Agreement{CustomGeographies: true, Rate: rate})
		check(err)
		grants[i] = grant
	}
	check(store.Close())
	server, addr := b.startPlain(ctx, filepath.Join(dir, "release"), "sqlite:"+path)
	defer server.stop()
	mallory, alice := grantedToken(addr, grants[0]), grantedToken(addr, grants[1])

	askFor(addr, alice, time.Second)
	before := askFor(addr, alice, fairTime)
	// The attacker runs behind everything else: what it takes of the processors is not what it does to the server.
	attacker := start(ctx, nil, "nice", "-n", "39", must(os.Executable()), "attack", a.Name, addr, mallory)
	defer attacker.stop()
	done, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		for {
			peak = max(peak, server.memoryMB("RssAnon"))
			select {
			case <-done:
				return
			case <-time.After(100 * time.Millisecond):
			}
		}
	}()
	time.Sleep(a.Lead)
	during := askFor(addr, alice, 2*fairTime)
	close(done)
	<-watched
	attacker.stop()
	time.Sleep(time.Second)
	after := askFor(addr, alice, fairTime)
	quiet := append(before.took, after.took...)
	p99, calm := percentile(during.took, 0.99), percentile(quiet, 0.99)
	ratio := round3(calm.Seconds() / p99.Seconds())
	b.record(result{"p99 beside " + a.Name, "p99 alone", 2, "quiet/attacked", spread{ratio, ratio, ratio}, 0.5, false},
		fmt.Sprintf("%.2f ms, alone %.2f ms, %d of %d not answered, %.0f MB", ms(p99), ms(calm), during.failed, during.failed+len(during.took), peak))
	if during.failed > 0 {
		fmt.Printf("  first failure: %s\n", during.first)
	}
	return float64(len(during.took)) / float64(max(1, during.failed+len(during.took))), peak
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func percentile(of []time.Duration, p float64) time.Duration {
	if len(of) == 0 {
		return time.Hour
	}
	slices.Sort(of)
	return of[int(p*float64(len(of)-1))]
}

// startPlain starts quartierd with its default limits.
func (b *bench) startPlain(ctx context.Context, release, dsn string) (*process, string) {
	addr := freeAddress()
	server := start(ctx, nil, b.program("quartierd"), "--release", release, "--state", dsn, "--addr", addr, "--access-log=false", "--drain", "0s", "--grace", "1s")
	client := http.Client{Timeout: time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	server.await(ctx, func() bool {
		answer, err := client.Get("http://" + addr + "/readyz")
		if err != nil {
			return false
		}
		defer answer.Body.Close()
		return answer.StatusCode == http.StatusOK
	})
	return server, addr
}

func grantedToken(addr string, c account.Credentials) string {
	body := fmt.Sprintf(`{"client_id":%q,"client_secret":%q}`, c.ClientID, c.ClientSecret)
	for range 50 { // the server follows its store within a second
		answer := must(http.Post("http://"+addr+"/oauth/token", "application/json", strings.NewReader(body)))
		var grant struct {
			AccessToken string `json:"access_token"`
		}
		err := json.NewDecoder(answer.Body).Decode(&grant)
		answer.Body.Close()
		if err == nil && grant.AccessToken != "" {
			return grant.AccessToken
		}
		time.Sleep(100 * time.Millisecond)
	}
	failf("no token for %s", c.ClientID)
	return ""
}

// experience is what a customer had of a server.
type experience struct {
	took   []time.Duration // of answers of status 200
	failed int             // requests with another status or no answer
	first  string          // failure
}

// askFor sends requests of several kinds over two connections, with pauses, as a caller within its rate does.
func askFor(addr, token string, span time.Duration) (all experience) {
	targets := []string{
		fmt.Sprintf("/v3/geographies?lat=%v&lng=%v", servetest.NorthLat, servetest.Lng),
		fmt.Sprintf("/v3/scores?lat=%v&lng=%v", servetest.NorthLat, servetest.Lng),
		fmt.Sprintf("/v3/enhanced-pois?lat=%v&lng=%v&radius=1000&limit=20", servetest.NorthLat, servetest.Lng),
	}
	var mu sync.Mutex
	var callers sync.WaitGroup
	end := time.Now().Add(span)
	for range 2 {
		callers.Go(func() {
			var conn net.Conn
			var in *bufio.Reader
			for i := 0; time.Now().Before(end); i++ {
				time.Sleep(2 * time.Millisecond)
				begun := time.Now()
				var err error
				if conn == nil {
					if conn, err = net.DialTimeout("tcp", addr, 5*time.Second); err == nil {
						in = bufio.NewReader(conn)
					}
				}
				if err == nil {
					err = askOnce(conn, in, get(addr, targets[i%len(targets)], token))
				}
				mu.Lock()
				if err == nil {
					all.took = append(all.took, time.Since(begun))
				} else if all.failed++; all.first == "" {
					all.first = err.Error()
				}
				mu.Unlock()
				if err != nil && conn != nil {
					conn.Close()
					conn = nil
				}
			}
			if conn != nil {
				conn.Close()
			}
		})
	}
	callers.Wait()
	return all
}

// askOnce sends a request, and fails unless it is answered with 200 within some seconds.
func askOnce(conn net.Conn, in *bufio.Reader, request []byte) error {
	conn.SetDeadline(time.Now().Add(5 * time.Second))
	if _, err := conn.Write(request); err != nil {
		return err
	}
	answer, err := http.ReadResponse(in, nil)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", answer.StatusCode)
	}
	return nil
}

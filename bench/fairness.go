package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quartier/bench/attack"
	"quartier/serve/servetest"
)

// The sizes of the world of the fairness group, and the memory beside what is mapped that a server may take.
const (
	fairPOIs    = 60_000
	fairOutline = 170_000 // vertices of a country: 4.5 MB
	fairMemory  = 512     // MB
	fairTime    = 3 * time.Second
)

// measureFairness lets one customer, or twelve, attack a server in each of the ways of attacks, and compares how long another one
// waits for its answers with how long it waits while nobody else asks.
func (b *bench) measureFairness(ctx context.Context) {
	dir := filepath.Join(b.dir, "fairness")
	check(os.RemoveAll(dir))
	must(servetest.Write(filepath.Join(dir, "release"), servetest.Release{POIs: fairPOIs, Outline: fairOutline}))
	served, peak := 1.0, 0.0
	for _, a := range slices.Concat(attack.All, attack.Scattered, attack.Together) {
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

// measureAttack returns which share of the other customer's requests was answered, and the most memory of the server in MB. Its
// p99 may be twice that of when it is alone, three times beside several customers.
func (b *bench) measureAttack(ctx context.Context, dir string, a attack.Attack) (share, peak float64) {
	path := filepath.Join(dir, "state.sqlite")
	customer, attackers := a.Prepare(path)
	server, addr := b.startPlain(ctx, filepath.Join(dir, "release"), "sqlite:"+path)
	defer server.Stop()
	alice := attack.Token(addr, customer)
	var tokens []string
	for _, c := range attackers {
		tokens = append(tokens, attack.Token(addr, c))
	}

	attack.Ask(addr, alice, time.Second)
	before := attack.Ask(addr, alice, fairTime)
	// The attacker runs behind everything else, also if the bench has real-time priority: what it takes of the processors is not
	// what it does to the server.
	attacker := start(ctx, nil, "chrt", "--other", "0", "nice", "-n", "39", must(os.Executable()), "attack", a.Name, addr, strings.Join(tokens, ","))
	defer attacker.Stop()
	done, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		for {
			peak = max(peak, server.MemoryMB("RssAnon"))
			select {
			case <-done:
				return
			case <-time.After(100 * time.Millisecond):
			}
		}
	}()
	time.Sleep(a.Lead)
	during := attack.Ask(addr, alice, 2*fairTime)
	close(done)
	<-watched
	attacker.Stop()
	time.Sleep(time.Second)
	after := attack.Ask(addr, alice, fairTime)
	quiet := append(before.Took, after.Took...)
	p99, calm, times := attack.P99(during.Took), attack.P99(quiet), float64(2+min(1, a.Customers()-1))
	ratio := round3(calm.Seconds() / p99.Seconds())
	b.record(result{"p99 beside " + a.Name, "p99 alone", 2, "quiet/attacked", spread{ratio, ratio, ratio}, round3(1 / times), false},
		fmt.Sprintf("%.2f ms, alone %.2f ms, %d of %d not answered, %.0f MB", 1000*p99.Seconds(), 1000*calm.Seconds(), during.Failed, during.Failed+len(during.Took), peak))
	if during.Failed > 0 {
		fmt.Printf("  first failure: %s\n", during.First)
	}
	return float64(len(during.Took)) / float64(max(1, during.Failed+len(during.Took))), peak
}

// startPlain starts quartierd with its default limits.
func (b *bench) startPlain(ctx context.Context, release, dsn string) (*process, string) {
	addr := freeAddress()
	server := start(ctx, nil, b.program("quartierd"), "--release", release, "--state", dsn, "--addr", addr, "--access-log=false", "--drain", "0s", "--grace", "1s")
	client := http.Client{Timeout: time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	server.Await(ctx, func() bool {
		answer, err := client.Get("http://" + addr + "/readyz")
		if err != nil {
			return false
		}
		defer answer.Body.Close()
		return answer.StatusCode == http.StatusOK
	})
	return server, addr
}

package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"quartier/bench/attack"
	"quartier/bench/ratio"
	"quartier/serve/servetest"
)

// The sizes of the world of the fairness group, and the memory beside what is mapped that a server may take.
const (
	fairPOIs    = 60_000
	fairOutline = 170_000 // vertices of a country: 4.5 MB
	fairMemory  = 512     // MB
	fairTime    = 3 * time.Second
	fairRounds  = 4
)

// measureFairness lets one customer, or twelve, attack a server in each of the ways of attacks, and compares how long another one
// waits for its answers with how long it waits while nobody else asks, and with how long it waits meanwhile for those of a second
// server that nobody attacks: that is what attackers do by the processors that they take, on the machine that they share.
func (b *bench) measureFairness(ctx context.Context) {
	dir := filepath.Join(b.dir, "fairness")
	check(os.RemoveAll(dir))
	must(servetest.Write(filepath.Join(dir, "release"), servetest.Release{POIs: fairPOIs, Outline: fairOutline}))
	served, peak := 1.0, 0.0
	for _, a := range attack.Named(b.attacks) {
		share, mb := b.measureAttack(ctx, dir, a)
		served, peak = min(served, share), max(peak, mb)
	}
	exact := func(v float64) ratio.Spread { return spreadOf([]float64{v}) }
	b.Record("answers of another customer under attack", "all of them", 1, "share", exact(served), 1, fmt.Sprintf("%.4g", served))
	b.Record("anonymous memory under attack", fmt.Sprintf("limit of %d MB", fairMemory), 1, "limit/MB",
		exact(fairMemory/peak), 1, fmt.Sprintf("%.0f MB", peak))
}

// measureAttack returns which share of the other customer's requests was answered, and the most memory of the server in MB.
func (b *bench) measureAttack(ctx context.Context, dir string, a attack.Attack) (share, peak float64) {
	path, second := filepath.Join(dir, "state.sqlite"), filepath.Join(dir, "second.sqlite")
	customer, attackers := a.Prepare(path)
	check(os.WriteFile(second, must(os.ReadFile(path)), 0o600))
	server, addr := b.startPlain(ctx, filepath.Join(dir, "release"), "sqlite:"+path)
	defer server.Stop()
	spared, sparedAddr := b.startPlain(ctx, filepath.Join(dir, "release"), "sqlite:"+second)
	defer spared.Stop()
	alice, aliceThere := attack.Token(addr, customer), attack.Token(sparedAddr, customer)
	var tokens []string
	for _, c := range attackers {
		tokens = append(tokens, attack.Token(addr, c))
	}

	attack.Ask(addr, alice, time.Second)
	attack.Ask(sparedAddr, aliceThere, time.Second)
	quiet := attack.Ask(addr, alice, fairTime)
	// The attacker has what is left of the processors, also if the bench has real-time priority: what it takes of them is not what
	// it does to the server.
	attacker := start(ctx, nil, "chrt", "--idle", "0", must(os.Executable()), "attack", a.Name, addr, strings.Join(tokens, ","))
	defer attacker.Stop()
	stopWatching := watch(func() { peak = max(peak, server.MemoryMB("RssAnon")) })
	time.Sleep(a.Lead)
	var during, beside attack.Experience
	for range fairRounds {
		during.Add(attack.Ask(addr, alice, time.Second))
		beside.Add(attack.Ask(sparedAddr, aliceThere, time.Second))
	}
	stopWatching()
	attacker.Stop()
	time.Sleep(time.Second)
	quiet.Add(attack.Ask(addr, alice, fairTime))

	p99, calm, other := ms(attack.P99(during.Took)), ms(attack.P99(quiet.Took)), ms(attack.P99(beside.Took))
	b.recordWait(a, "alone", calm/p99, fmt.Sprintf("%.2f ms, alone %.2f ms, %d of %d not answered, %.0f MB",
		p99, calm, during.Failed, during.Failed+len(during.Took), peak))
	b.recordWait(a, "of a server beside it", other/p99, fmt.Sprintf("%.2f ms, server beside it %.2f ms", p99, other))
	if during.Failed > 0 {
		fmt.Printf("  first failure: %s\n", during.First)
	}
	return float64(len(during.Took)) / float64(max(1, during.Failed+len(during.Took))), peak
}

// recordWait records how the 99th percentile beside an attack compares with another one. It may be twice that, three times beside
// several customers.
func (b *bench) recordWait(a attack.Attack, with string, share float64, text string) {
	times := float64(2 + min(1, a.Customers()-1))
	b.Record("p99 beside "+a.Name, "p99 "+with, 2, "quiet/attacked", spreadOf([]float64{share}), round3(1/times), text)
}

// watch looks ten times a second until the returned function is called, and at its end.
func watch(look func()) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			look()
			select {
			case <-done:
				return
			case <-time.After(100 * time.Millisecond):
			}
		}
	}()
	return func() { close(done); <-ended }
}

func ms(d time.Duration) float64 { return 1000 * d.Seconds() }

// startPlain starts quartierd with its default limits.
func (b *bench) startPlain(ctx context.Context, release, dsn string) (*process, string) {
	addr := freeAddress()
	server := start(ctx, nil, b.program("quartierd"), "--release", release, "--state", dsn, "--addr", addr, "--access-log=false", "--drain",
		"0s", "--grace", "1s")
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

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"quartier/bench/wire"
	"quartier/schemas"
	"quartier/serve/release"
)

const (
	swapEvery   = time.Second
	swapSeconds = 5    // of each slice of a round
	swapClients = 8    // connections
	swapRate    = 2000 // requests a second, of all connections, which leaves the server time
	swapLimitMS = 5.0  // that swaps may add to the 99th percentile
)

// swapFolder is a folder of releases that a server follows.
type swapFolder struct {
	root       string
	generation int64
	pointers   []schemas.ComponentRef // the release of each, by folder
}

// newSwapFolder makes a folder with a release and copies of it, which differ in their name alone.
func newSwapFolder(root, from string, copies int) *swapFolder {
	check(os.RemoveAll(root))
	f := &swapFolder{root: root}
	m := must(schemas.ReadManifest(from))
	for i := range copies {
		folder := fmt.Sprint("release-", i)
		dir := filepath.Join(root, folder)
		check(os.MkdirAll(dir, 0o755))
		for _, file := range m.Files {
			if !strings.HasSuffix(file.Name, ".pack") {
				continue
			}
			if i < 2 { // bytes of their own, so that a swap maps other pages
				copyTo(filepath.Join(dir, file.Name), filepath.Join(from, file.Name))
				continue
			}
			check(os.Link(filepath.Join(root, "release-0", file.Name), filepath.Join(dir, file.Name)))
		}
		m.Release = folder
		m.Digest = must(m.ComputeDigest())
		check(os.WriteFile(filepath.Join(dir, schemas.ManifestFile), must(m.Encode()), 0o644))
		f.pointers = append(f.pointers, schemas.ComponentRef{Name: schemas.Places, Folder: folder, Digest: m.Digest, AsOf: m.AsOf})
	}
	f.publish(0)
	return f
}

func copyTo(to, from string) {
	in := must(os.Open(from))
	defer in.Close()
	out := must(os.Create(to))
	must(io.Copy(out, in))
	check(out.Close())
}

// publish writes the pointer to a release.
func (f *swapFolder) publish(i int) {
	f.generation++
	p := schemas.Pointer{Schema: schemas.PointerSchema, Generation: f.generation, Components: f.pointers[i : i+1]}
	path := filepath.Join(f.root, schemas.PointerFile)
	check(os.WriteFile(path+".new", must(p.Encode()), 0o644))
	check(os.Rename(path+".new", path))
}

// measureSwaps measures what swaps every second add to the 99th percentile of the time of answers, and whether the number of
// releases that are kept changes the time of a look at the folder or the memory of a server.
func (b *bench) measureSwaps(ctx context.Context) {
	from := b.prepare(ctx)
	folder := newSwapFolder(filepath.Join(b.dir, "swaps"), from, 2)
	w := b.startWorld(ctx, folder.root)
	w.release = from
	defer w.server.Stop()
	requests := w.mixed()
	values := b.Repeat(func() []float64 {
		still := p99(ctx, w.addr, requests)
		swapping, stop := context.WithCancel(ctx)
		var swapper errgroup.Group
		swapper.Go(func() error { return try(func() { folder.swap(swapping, w) }) })
		moved := p99(ctx, w.addr, requests)
		stop()
		check(swapper.Wait())
		return []float64{still, moved, max(moved-still, 0.01)}
	})
	b.Record("99th percentile of answers with a swap every second", "limit of 5 ms more than without", swapClients, "limit/ms",
		inverse(swapLimitMS, values[2]), 1,
		fmt.Sprintf("%.2f ms, %.2f ms without, %d swaps", spreadOf(values[1]).Median, spreadOf(values[0]).Median, folder.generation-1))
	b.measureKept(ctx, from)
}

// mixed are requests of four products that the server answers.
func (w *world) mixed() (requests [][]byte) {
	formats := []string{"/v3/geographies?lat=%.6f&lng=%.6f", "/v3/scores?lat=%.6f&lng=%.6f", "/v3/enhanced-pois?lat=%.6f&lng=%.6f&radius=1000",
		"/v3/demographics?lat=%.6f&lng=%.6f"}
	for i, p := range w.sample(schemas.POIsFile, "poi") {
		target := fmt.Sprintf(formats[i%len(formats)], p.lat, p.lng)
		request := must(http.NewRequest(http.MethodGet, "http://"+w.addr+target, nil))
		request.Header.Set("Authorization", "Bearer "+w.token)
		answer := must(http.DefaultClient.Do(request))
		answer.Body.Close()
		if answer.StatusCode == http.StatusOK {
			requests = append(requests, wire.Get(w.addr, target, w.token))
		}
	}
	return requests
}

// swap publishes the two releases in turn until ctx ends, and waits for each to be served.
func (f *swapFolder) swap(ctx context.Context, w *world) {
	ticker := time.NewTicker(swapEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		f.publish(int(f.generation % 2))
		check(w.server.Command.Process.Signal(syscall.SIGHUP))
		w.server.Await(context.Background(), func() bool { return servedGeneration(w.addr) == f.generation })
	}
}

func servedGeneration(addr string) int64 {
	answer := must(http.Get("http://" + addr + "/readyz"))
	defer answer.Body.Close()
	var ready struct{ Generation int64 }
	check(json.NewDecoder(answer.Body).Decode(&ready))
	return ready.Generation
}

// p99 is the 99th percentile of the time of answers, in milliseconds, at a steady rate of requests. A request that is sent late
// because the one before took long counts from when it was due.
func p99(ctx context.Context, addr string, requests [][]byte) float64 {
	each := time.Second * swapClients / swapRate
	times := make([][]float64, swapClients)
	running, ctx := errgroup.WithContext(ctx)
	begun := time.Now().Add(20 * time.Millisecond)
	for client := range swapClients {
		running.Go(func() error {
			return try(func() {
				conn := wire.Dial(ctx, addr)
				defer conn.Close()
				due := begun.Add(each * time.Duration(client) / swapClients)
				for i := client; due.Sub(begun) < swapSeconds*time.Second && ctx.Err() == nil; i += swapClients {
					time.Sleep(time.Until(due))
					conn.Do(requests[i%len(requests)])
					times[client] = append(times[client], float64(time.Since(due).Microseconds())/1000)
					due = due.Add(each)
				}
			})
		})
	}
	check(running.Wait())
	all := slices.Sorted(slices.Values(slices.Concat(times...)))
	return all[len(all)*99/100]
}

// measureKept compares a folder of one release with one of 200.
func (b *bench) measureKept(ctx context.Context, from string) {
	const few, many, looks = 1, 200, 200
	roots := map[int]string{}
	memory := map[int]float64{}
	for _, n := range []int{few, many} {
		roots[n] = newSwapFolder(filepath.Join(b.dir, fmt.Sprint("kept-", n)), from, n).root
		w := b.startServer(ctx, roots[n])
		memory[n] = w.server.MemoryMB("RssAnon")
		w.server.Stop()
	}
	look := func(root string) float64 {
		h := must(release.NewHolder(root, slog.New(slog.DiscardHandler)))
		defer h.Close()
		begun := time.Now()
		for range looks {
			check(h.Reload(ctx))
		}
		return time.Since(begun).Seconds() / looks
	}
	values := b.Repeat(func() []float64 { return []float64{look(roots[few]), look(roots[many])} })
	b.Record("a look at a folder of 200 releases", "1 release", 1, "seconds", ratios(values[0], values[1]), 0.8,
		fmt.Sprintf("%.0f µs, %.0f µs", 1e6*spreadOf(values[1]).Median, 1e6*spreadOf(values[0]).Median))
	b.Record("memory of a server of a folder of 200 releases", "1 release", 1, "MB", spreadOf([]float64{memory[few] / memory[many]}),
		0.8, fmt.Sprintf("%.0f MB, %.0f MB", memory[many], memory[few]))
}

package main

import (
	"context"
	"encoding/gob"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
)

// serveBare is the ceiling: a net/http handler that writes bodies from memory. The path /N returns the Nth.
func serveBare(args []string) {
	var bodies [][]byte
	file := must(os.Open(args[1]))
	check(gob.NewDecoder(file).Decode(&bodies))
	file.Close()
	check(http.ListenAndServe(args[0], http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i, err := strconv.Atoi(r.URL.Path[1:])
		if err != nil || i < 0 || i >= len(bodies) {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		h["Content-Type"] = []string{"application/json"}
		h["Content-Length"] = []string{strconv.Itoa(len(bodies[i]))}
		w.Write(bodies[i])
	})))
}

// startBare starts the ceiling with a list of bodies and returns it as a side.
func (b *bench) startBare(ctx context.Context, bodies [][]byte, token string) (side, *process) {
	path := filepath.Join(b.dir, "bodies.gob")
	file := must(os.Create(path))
	check(gob.NewEncoder(file).Encode(bodies))
	check(file.Close())
	addr := freeAddress()
	p := start(ctx, nil, must(os.Executable()), "bare", addr, path)
	b.stops = append(b.stops, p.stop)
	p.await(ctx, func() bool {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
	requests := make([][]byte, len(bodies))
	for i := range bodies {
		requests[i] = get(addr, fmt.Sprintf("/%d", i), token)
	}
	return httpSide("bare handler", addr, requests), p
}

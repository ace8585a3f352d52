package main

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
)

// serveBare is the ceiling: a net/http handler that writes bodies from memory. Its arguments are an address and a file of
// bodies; the path /N returns the Nth.
func serveBare(args []string) error {
	if len(args) != 2 {
		return errors.New("bare ADDR FILE")
	}
	file, err := os.Open(args[1])
	if err != nil {
		return err
	}
	var bodies [][]byte
	if err := gob.NewDecoder(file).Decode(&bodies); err != nil {
		return err
	}
	file.Close()
	return http.ListenAndServe(args[0], http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i, err := strconv.Atoi(r.URL.Path[1:])
		if err != nil || i < 0 || i >= len(bodies) {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		h["Content-Type"] = []string{"application/json"}
		h["Content-Length"] = []string{strconv.Itoa(len(bodies[i]))}
		w.Write(bodies[i])
	}))
}

// startBare starts the ceiling with a list of bodies and returns it as a side.
func (b *bench) startBare(ctx context.Context, bodies [][]byte, token string) (side, *process, error) {
	path := filepath.Join(b.dir, "bodies.gob")
	file, err := os.Create(path)
	if err != nil {
		return side{}, nil, err
	}
	if err := errors.Join(gob.NewEncoder(file).Encode(bodies), file.Close()); err != nil {
		return side{}, nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return side{}, nil, err
	}
	addr, err := freeAddress()
	if err != nil {
		return side{}, nil, err
	}
	p, err := start(ctx, self, "bare", addr, path)
	if err != nil {
		return side{}, nil, err
	}
	if err := p.await(ctx, func() bool { return accepts(addr) }); err != nil {
		p.stop()
		return side{}, nil, err
	}
	requests := make([][]byte, len(bodies))
	for i := range bodies {
		requests[i] = get(addr, fmt.Sprintf("/%d", i), token)
	}
	return httpSide("bare handler", addr, requests), p, nil
}

// freeAddress returns an unused loopback address.
func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	return listener.Addr().String(), nil
}

func accepts(addr string) bool {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return false
	}
	conn.Close()
	return true
}

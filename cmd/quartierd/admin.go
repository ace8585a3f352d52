package main

import (
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"quartier/serve"
)

// adminTimeout limits answers to operators: a profile or trace takes as long as it is asked for.
const adminTimeout = 5 * time.Minute

// listenAdmin serves the address for operators, "" for none, until the returned server is closed; its Addr is where it
// listens. It answers as long as the process runs, while requests are drained too.
func listenAdmin(addr string, server *serve.Server, log *slog.Logger) (*http.Server, error) {
	web := &http.Server{
		Handler:           server.Admin(),
		ReadHeaderTimeout: readTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      adminTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes, // the explorer's calls have the limits of the API
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	if addr == "" {
		return web, nil
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	if host := listener.Addr().(*net.TCPAddr).IP; !host.IsLoopback() && !host.IsPrivate() {
		log.Warn("the address for operators asks for no credential; keep it from customers by a firewall", "admin", listener.Addr().String())
	}
	web.Addr = listener.Addr().String()
	go func() {
		if err := web.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			log.Error("the address for operators is not served any more", "error", err)
		}
	}()
	log.Info("serving operators", "admin", listener.Addr().String())
	return web, nil
}

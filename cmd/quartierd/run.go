package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"quartier/internal/signature"
	"quartier/schemas"
	"quartier/serve"
	"quartier/serve/admit"
	"quartier/serve/cork"
	"quartier/serve/deadline"
	"quartier/serve/mirror"
	"quartier/serve/monitor"
	"quartier/serve/release"
)

// Limits of one connection.
const (
	readTimeout = 10 * time.Second // of the headers, and of the whole request
	idleTimeout = 2 * time.Minute
	// includes the URL, which has no other limit: a polygon of 5000 characters, all percent-encoded, takes half of it
	maxHeaderBytes = 32 << 10
)

// serveUntilDone serves until ctx is cancelled.
func serveUntilDone(ctx context.Context, c config) error {
	log := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	if err := c.check(); err != nil {
		return err
	}
	proxies, err := c.proxies()
	if err != nil {
		return err
	}
	log.Info("configuration", "config", c)
	var fetched *mirror.Mirror
	var releases *release.Holder
	if c.Cache != "" {
		if fetched, releases, err = c.openStore(ctx, log); err == nil {
			defer fetched.Close()
		}
	} else {
		releases, err = c.openReleases(log)
	}
	if err != nil {
		return err
	}
	defer releases.Close()
	store, live, authority, err := accounts(ctx, c, log)
	if err != nil {
		return err
	}
	defer store.Close()
	conns := c.listener(proxies)
	options := serve.Options{Releases: releases, Authority: authority, State: store, Accounts: live, Store: fetched, Log: log,
		Proxies: proxies, MaxAge: c.MaxAge, Admission: c.limits(), Conns: conns.Usage, Admin: c.Admin != "", AcceptUncovered: c.AcceptUncovered}
	if options.AdminHosts, err = hostsOf("--admin-host", c.AdminHosts); err != nil {
		return err
	}
	c.Protocol.apply(&options)
	if c.AccessLog {
		lines := monitor.NewLogWriter(os.Stdout)
		defer lines.Close()
		options.AccessLog = lines
	}
	limits, err := c.Limits.open(log)
	if err != nil {
		return err
	}
	if limits != nil {
		defer limits.Close()
		options.Limiter = limits
	}
	if options.Explorer, err = c.Explore.open(ctx, releases, store, live, log); err != nil {
		return err
	}
	if options.Explorer != nil {
		defer options.Explorer.Close()
	}
	server, err := serve.New(options)
	if err != nil {
		return err
	}
	without := net.ListenConfig{KeepAlive: -1} // connections have deadlines, and setting it up costs more than to refuse one
	listener, err := without.Listen(ctx, "tcp", c.Addr)
	if err != nil {
		return err
	}
	conns.Listener = deadline.Listener{Listener: cork.Listener{Listener: listener}}
	admin, err := listenAdmin(c.Admin, server, log)
	if err != nil {
		conns.Close()
		return err
	}
	defer admin.Close()
	log.Info("serving", "addr", conns.Addr().String(), "digest", releases.Status().Digest)

	background, cancel := context.WithCancel(context.Background())
	var followers sync.WaitGroup
	defer followers.Wait()
	defer cancel()
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	followers.Go(func() { live.Run(background) })
	if limits != nil {
		followers.Go(func() { limits.Run(background) })
	}
	followers.Go(func() { releases.Follow(background, release.PollEvery, hangups) })
	if fetched != nil {
		followers.Go(func() { fetched.Run(background) })
	}
	if options.Explorer != nil {
		at := cmp.Or(admin.Addr, conns.Addr().String())
		followers.Go(func() { printLinks(background, options.Explorer, at, os.Stderr) })
	}
	return listen(ctx, conns, server, c, log)
}

// openReleases opens the release to serve. A folder of releases need not have one yet: the server is not ready until it does.
func (c config) openReleases(log *slog.Logger) (*release.Holder, error) {
	if c.Release != "" {
		if _, err := os.Stat(filepath.Join(c.Release, schemas.PointerFile)); err == nil {
			return nil, fmt.Errorf("%w: %s has a %s: serve it with --releases", release.ErrRejected, c.Release, schemas.PointerFile)
		}
		return c.hold(c.Release, log)
	}
	if info, err := os.Stat(c.Releases); err != nil {
		return nil, fmt.Errorf("%w: --releases: %w", release.ErrRejected, err)
	} else if !info.IsDir() {
		return nil, fmt.Errorf("%w: --releases %s is not a folder", release.ErrRejected, c.Releases)
	}
	_, pointer := os.Stat(filepath.Join(c.Releases, schemas.PointerFile))
	if _, err := os.Stat(filepath.Join(c.Releases, schemas.ManifestFile)); err == nil && pointer != nil {
		return nil, fmt.Errorf("%w: %s is one release: serve it with --release", release.ErrRejected, c.Releases)
	}
	releases, err := c.hold(c.Releases, log)
	if releases == nil {
		return nil, err
	}
	if errors.Is(err, schemas.ErrLayout) { // waiting would hide that program and releases do not fit
		releases.Close()
		return nil, fmt.Errorf("--releases: %w", err)
	}
	if err != nil {
		log.Warn("no release to serve yet; one is waited for", "path", c.Releases, "error", err)
	}
	return releases, nil
}

// patience is how long the start waits for the verification of the release. After that the server listens, and answers 503 until
// it is verified.
const patience = 500 * time.Millisecond

// hold opens the release at a path.
func (c config) hold(dir string, log *slog.Logger) (*release.Holder, error) {
	trust, err := signature.ReadTrust(c.Trust...)
	if err != nil {
		return nil, cli.Exit(fmt.Sprintf("--trust: %v", err), exitUsage)
	}
	return release.Hold(release.Options{Dir: dir, Log: log, Patience: patience, Record: c.Verified, Trust: trust, Tiles: true,
		NoTiles: !c.Explore.On, Scrub: int64(c.Scrub) << 20})
}

// listen serves on the listener until ctx is cancelled. Then it keeps serving for the drain period or until another signal,
// closes the listener and waits at most the grace period for running requests.
func listen(ctx context.Context, listener *admit.Listener, server *serve.Server, c config, log *slog.Logger) error {
	web := &http.Server{
		Handler:           server,
		ReadHeaderTimeout: readTimeout,
		ReadTimeout:       readTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ConnState:         listener.State,
		ConnContext:       listener.Context,

		DisableGeneralOptionsHandler: true, // OPTIONS * is answered like any other request
		ErrorLog:                     slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() { failed <- web.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	log.Info("stopping", "drain", c.Drain.String(), "grace", c.Grace.String())
	again := make(chan os.Signal, 1)
	signal.Notify(again, syscall.SIGINT, syscall.SIGTERM)
	defer signal.Stop(again)
	server.Drain()
	select {
	case err := <-failed:
		return err
	case <-again:
	case <-time.After(c.Drain):
	}
	limited, cancel := context.WithTimeout(context.Background(), c.Grace)
	defer cancel()
	if err := web.Shutdown(limited); err != nil {
		web.Close()
		return errors.Join(errors.New("requests were aborted after the grace period"), err)
	}
	return nil
}

// Command quartierd serves a release as the Location Insights API. It needs no database server and no shared library
// beyond the C library.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"quartier/serve/account"
	"quartier/serve/release"
	"quartier/serve/token"
)

// Exit codes.
const (
	exitFailed  = 1 // anything not below
	exitUsage   = 2 // flags or environment
	exitRelease = 3 // the release cannot be served
	exitState   = 4 // the state cannot be opened
	exitAddress = 5 // the address cannot be listened on
)

const description = `Serves the release in a folder until SIGINT or SIGTERM. Then /readyz says 503 for a moment, so that a
balancer sends no more, and the requests that run are finished.
When the folder, or what a symbolic link in its place points at, holds another release, that one is
verified and taken over within seconds, or at once on SIGHUP; a bad one is refused and the one before
is served on.

Every flag can be given by the environment variable that its line names.

Exit codes: 0 stopped as asked, 1 failed, 2 wrong flags, 3 the release cannot be served, 4 the state
cannot be opened, 5 the address cannot be listened on.`

// gcPercent trades memory for speed: nearly all of what the server reads is mapped and not on the heap, which without
// this is so small that it is collected hundreds of times a second under load. GOGC overrides it.
const gcPercent = 400

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args))
}

// run is the whole program; it returns the exit code.
func run(ctx context.Context, args []string) int {
	app := &cli.App{
		Name:            "quartierd",
		Usage:           "serve a release as the Location Insights API",
		Description:     description,
		HideHelpCommand: true,
		Flags:           flags,
		Action:          action,
		ExitErrHandler:  func(*cli.Context, error) {}, // the code is ours to choose
		OnUsageError: func(_ *cli.Context, err error, _ bool) error {
			return cli.Exit(fmt.Sprintf("%v; see quartierd --help", err), exitUsage)
		},
	}
	err := app.RunContext(ctx, args)
	if err == nil {
		return 0
	}
	fmt.Fprintf(os.Stderr, "quartierd: %v\n", err)
	return exitCode(err)
}

func action(c *cli.Context) error {
	if c.NArg() > 0 {
		return cli.Exit(fmt.Sprintf("%q is no flag; see quartierd --help", c.Args().First()), exitUsage)
	}
	return serveUntilDone(c.Context, configOf(c))
}

func exitCode(err error) int {
	var coded cli.ExitCoder
	var network *net.OpError
	switch {
	case errors.As(err, &coded):
		return coded.ExitCode()
	case errors.Is(err, release.ErrRejected):
		return exitRelease
	case errors.Is(err, errState):
		return exitState
	case errors.As(err, &network):
		return exitAddress
	}
	return exitFailed
}

// errState marks what went wrong with the accounts.
var errState = errors.New("state cannot be used")

// accounts opens the state and the authority over it.
func accounts(ctx context.Context, c config, log *slog.Logger) (*account.Store, *account.Live, *token.Authority, error) {
	store, err := account.Open(c.State)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%w: %w", errState, err)
	}
	live, err := account.Follow(ctx, store, log)
	if err != nil {
		store.Close()
		return nil, nil, nil, fmt.Errorf("%w: %w", errState, err)
	}
	authority, err := token.NewAuthority(live, c.TokenLifetime, time.Now)
	if err != nil {
		store.Close()
		return nil, nil, nil, cli.Exit(err, exitUsage)
	}
	return store, live, authority, nil
}

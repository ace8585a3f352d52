// Command quartierd serves a release as the Location Insights API v3. It requires no database server and no shared
// library except the C library.
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
	"slices"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"quartier/serve/account"
	"quartier/serve/release"
	"quartier/serve/state"
	"quartier/serve/token"
)

// Exit codes.
const (
	exitFailed  = 1 // any other failure
	exitUsage   = 2 // invalid flags or environment variables
	exitRelease = 3 // the release cannot be served
	exitState   = 4 // the state cannot be opened
	exitAddress = 5 // cannot listen on the address
)

const description = `Serves what current.json in a folder of releases names (--releases), or one release folder (--release), until
SIGINT or SIGTERM. Then /readyz answers 503 for the drain period, which a second signal ends, so that load
balancers stop sending requests, and running requests are completed.
When current.json names another release, or the folder or the target of a symbolic link in its place
has another one, that release is verified and then served, within seconds or immediately on SIGHUP. One
that is incomplete or invalid is rejected and tried again when its files change; the current one stays
in service. A folder of releases may be empty at the start: /readyz answers 503 until there is a release.
Nothing is served before all of its packs were read and compared with the manifest.

Each flag can also be set by the environment variable listed with it.

Exit codes: 0 stopped by a signal, 1 other failure, 2 invalid flags, 3 the release cannot be served,
4 the state cannot be opened, 5 cannot listen on the address.`

// gcPercent trades memory for speed: nearly all data are memory-mapped, so that the heap is small and would be collected
// hundreds of times per second under load. GOGC overrides it.
const gcPercent = 400

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args))
}

// run runs the program with the given arguments and returns the exit code.
func run(ctx context.Context, args []string) int {
	app := &cli.App{
		Name:            "quartierd",
		Usage:           "serve a release as the Location Insights API",
		Description:     description,
		HideHelpCommand: true,
		Flags:           slices.Concat(flags, limitsFlags, protocolFlags, exploreFlags),
		Action:          action,
		ExitErrHandler:  func(*cli.Context, error) {}, // run sets the exit code
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
		return cli.Exit(fmt.Sprintf("unexpected argument %q; see quartierd --help", c.Args().First()), exitUsage)
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

// errState is wrapped by errors of the state store.
var errState = errors.New("cannot use the state")

// accounts opens the state store, follows its changes and creates the token authority.
func accounts(ctx context.Context, c config, log *slog.Logger) (*state.Store, *account.Live, *token.Authority, error) {
	store, err := state.Open(c.State)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%w: %w", errState, err)
	}
	live, err := account.Follow(ctx, store, log)
	if err != nil {
		store.Close()
		return nil, nil, nil, fmt.Errorf("%w: %w", errState, err)
	}
	live.MaxAge = c.MaxStateAge
	authority, err := token.NewAuthority(live, c.TokenLifetime, time.Now)
	if err != nil {
		store.Close()
		return nil, nil, nil, cli.Exit(err, exitUsage)
	}
	return store, live, authority, nil
}

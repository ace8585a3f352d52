package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/urfave/cli/v2"

	"quartier/serve/account"
	"quartier/serve/explore"
	"quartier/serve/release"
	"quartier/serve/state"
)

// exploreConfig has the flags of the explorer.
type exploreConfig struct {
	On      bool
	Account string
	Hosts   []string
	Against string // folder; "": none
}

var exploreFlags = []cli.Flag{
	&cli.BoolFlag{Name: "explore", EnvVars: []string{"QUARTIER_EXPLORE"},
		Usage: "serve a page at /explore to look at the release, and print a link to standard error that opens it once; SIGUSR1 prints another " +
			"one"},
	&cli.StringFlag{Name: "explore-account", EnvVars: []string{"QUARTIER_EXPLORE_ACCOUNT"},
		Usage: "client_id or customer `NAME` of the account with whose rights /explore is looked at; by default the only one there is"},
	&cli.StringSliceFlag{Name: "explore-host", EnvVars: []string{"QUARTIER_EXPLORE_HOST"},
		Usage: "`HOST` or https://HOST, with a port if need be, by which browsers reach /explore, besides localhost and the server's " +
			"addresses; repeatable"},
	&cli.StringFlag{Name: "explore-against", EnvVars: []string{"QUARTIER_EXPLORE_AGAINST"},
		Usage: "folder `DIR` of an older release, or of releases, with which /explore compares the one that is served, as quartier diff does"},
}

func exploreConfigOf(c *cli.Context) exploreConfig {
	return exploreConfig{On: c.Bool("explore"), Account: c.String("explore-account"), Hosts: c.StringSlice("explore-host"),
		Against: c.String("explore-against")}
}

func (c exploreConfig) check() error {
	if !c.On && (c.Account != "" || len(c.Hosts) > 0 || c.Against != "") {
		return cli.Exit("--explore-account, --explore-host and --explore-against need --explore", exitUsage)
	}
	_, err := c.hosts()
	return err
}

func (c exploreConfig) hosts() ([]explore.Host, error) { return hostsOf("--explore-host", c.Hosts) }

// hostsOf parses the values of a flag.
func hostsOf(flag string, texts []string) (hosts []explore.Host, err error) {
	for _, text := range texts {
		host, err := explore.ParseHost(text)
		if err != nil {
			return nil, cli.Exit(fmt.Sprintf("%s: %v", flag, err), exitUsage)
		}
		hosts = append(hosts, host)
	}
	return hosts, nil
}

// LogValue lists what is set.
func (c exploreConfig) LogValue() slog.Value {
	return slog.GroupValue(slog.Bool("on", c.On), slog.String("account", c.Account), slog.Any("hosts", c.Hosts),
		slog.String("against", c.Against))
}

// open makes the explorer; nil without --explore.
func (c exploreConfig) open(ctx context.Context, releases *release.Holder, store *state.Store, live *account.Live,
	log *slog.Logger) (*explore.Explorer, error) {
	if !c.On {
		return nil, nil
	}
	all, err := store.Accounts(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errState, err)
	}
	client, err := explore.Choose(all.Clients, c.Account)
	if err != nil {
		return nil, cli.Exit(err, exitUsage)
	}
	hosts, err := c.hosts()
	if err != nil {
		return nil, err
	}
	against, err := c.comparison()
	if err != nil {
		return nil, err
	}
	log.Info("explorer", "account", client.ID, "customer", client.Customer)
	return explore.New(explore.Options{
		Releases: releases, Accounts: live, Account: client.ID, Hosts: hosts, Against: against, Log: log, Explainer: openExplainer,
	})
}

// printLinks prints a link now, and another one whenever the process gets SIGUSR1, until ctx ends. The links are not in the
// log: what reads it may keep it for long.
func printLinks(ctx context.Context, explorer *explore.Explorer, at string, out io.Writer) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGUSR1)
	defer signal.Stop(signals)
	for {
		fmt.Fprintf(out, "\nExplorer (the link opens once, within %.0f minutes): %s\n\n", explore.LinkValid.Minutes(),
			explorer.Link(explorer.Base(at)))
		select {
		case <-ctx.Done():
			return
		case <-signals:
		}
	}
}

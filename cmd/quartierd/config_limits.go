package main

import (
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"quartier/serve/limit/shared"
)

// limitsConfig has the flags of limits that several servers share.
type limitsConfig struct {
	URL     string // "": limits are of this server alone
	Servers int
	Timeout time.Duration
}

var limitsFlags = []cli.Flag{
	&cli.StringFlag{Name: "limits", EnvVars: []string{"QUARTIER_LIMITS"},
		Usage: "`URL` of the Redis or Valkey by which several servers share the limits of requests, redis://user:password@host:6379/0 or " +
			"rediss:// for TLS"},
	&cli.IntFlag{Name: "servers", Value: shared.DefaultServers, EnvVars: []string{"QUARTIER_SERVERS"},
		Usage: "minimum `N` of servers that share limits, by which rates are divided while the store of --limits is away; more are counted " +
			"through it"},
	&cli.DurationFlag{Name: "limits-timeout", Value: shared.DefaultTimeout, EnvVars: []string{"QUARTIER_LIMITS_TIMEOUT"},
		Usage: "maximum `DURATION` for which a request waits for the store of --limits"},
}

func limitsConfigOf(c *cli.Context) limitsConfig {
	return limitsConfig{c.String("limits"), c.Int("servers"), c.Duration("limits-timeout")}
}

func (c limitsConfig) check() error {
	if c.Servers < 1 || c.Servers > shared.MaxServers {
		return cli.Exit(fmt.Sprintf("--servers %d: 1 to %d can share limits", c.Servers, shared.MaxServers), exitUsage)
	}
	if c.Timeout < time.Millisecond || c.Timeout > time.Second {
		return cli.Exit(fmt.Sprintf("--limits-timeout %v must be 1ms to 1s", c.Timeout), exitUsage)
	}
	return nil
}

// LogValue has no password.
func (c limitsConfig) LogValue() slog.Value {
	store := c.URL
	if store != "" {
		scheme, _, found := strings.Cut(store, "://")
		store = "…"
		if found {
			store = scheme + "://…"
		}
	}
	return slog.GroupValue(slog.String("store", store), slog.Int("servers", c.Servers), slog.String("timeout", c.Timeout.String()))
}

// open makes the limiter; nil where limits are of this server alone.
func (c limitsConfig) open(log *slog.Logger) (*shared.Limiter, error) {
	if c.URL == "" {
		return nil, nil
	}
	l, err := shared.Open(c.URL, shared.Options{Servers: c.Servers, Timeout: c.Timeout, Log: log})
	if err != nil {
		return nil, cli.Exit(fmt.Sprintf("--limits: %v", err), exitUsage)
	}
	return l, nil
}

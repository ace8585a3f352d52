package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"quartier/serve"
	"quartier/serve/token"
)

// config has the values of flags and environment variables.
type config struct {
	Releases, Release string // one of them
	State, Addr       string
	Admin             string // "": none
	AdminHosts        []string
	TokenLifetime     time.Duration
	MaxAge            time.Duration
	Proxies           []string
	AccessLog         bool
	AcceptUncovered   bool
	Drain             time.Duration
	Grace             time.Duration
	Limits            limitsConfig
	Protocol          protocolConfig
	Explore           exploreConfig

	admission
	followConfig
	storeConfig
}

var flags = slices.Concat([]cli.Flag{
	&cli.StringFlag{Name: "releases", EnvVars: []string{"QUARTIER_RELEASES"},
		Usage: "folder of releases `DIR` whose current.json names what to serve, or with --cache the address of a store of releases"},
	&cli.StringFlag{Name: "release", EnvVars: []string{"QUARTIER_RELEASE"},
		Usage: "folder `DIR` of one release, to serve it without current.json"},
	&cli.StringFlag{Name: "state", EnvVars: []string{"QUARTIER_STATE"},
		Usage: "`DSN` of accounts, keys and requests for custom geographies, sqlite:PATH or postgres://user@host/database; created if empty"},
	&cli.StringFlag{Name: "addr", Value: "127.0.0.1:8080", EnvVars: []string{"QUARTIER_ADDR"},
		Usage: "`HOST:PORT` to listen on"},
	&cli.StringFlag{Name: "admin", EnvVars: []string{"QUARTIER_ADMIN"},
		Usage: "`HOST:PORT` for operators, without credentials: /metrics, /readyz in detail, /debug/pprof/. --addr then has no /metrics, and " +
			"the status alone at /readyz"},
	&cli.StringSliceFlag{Name: "admin-host", EnvVars: []string{"QUARTIER_ADMIN_HOST"},
		Usage: "`HOST` or HOST:PORT by which operators reach --admin, besides localhost and the server's addresses; any other is answered 421; " +
			"repeatable"},
	&cli.DurationFlag{Name: "token-lifetime", Value: token.DefaultLifetime, EnvVars: []string{"QUARTIER_TOKEN_LIFETIME"},
		Usage: "lifetime of tokens, a `DURATION` under 24h"},
	&cli.DurationFlag{Name: "max-age", Value: serve.DefaultMaxAge, EnvVars: []string{"QUARTIER_MAX_AGE"},
		Usage: "`DURATION` for which clients may cache answers"},
	&cli.StringSliceFlag{Name: "trusted-proxy", EnvVars: []string{"QUARTIER_TRUSTED_PROXY"},
		Usage: "`NETWORK` such as 10.0.0.0/8 of load balancers whose X-Forwarded-For has the callers' addresses, by which token requests are " +
			"limited; repeatable"},
	&cli.BoolFlag{Name: "access-log", Value: true, EnvVars: []string{"QUARTIER_ACCESS_LOG"},
		Usage: "write one JSON line per request to standard output"},
	&cli.BoolFlag{Name: "accept-uncovered", EnvVars: []string{"QUARTIER_ACCEPT_UNCOVERED"},
		Usage: "accept custom geographies where no source of the release has data, because there will be one"},
	&cli.DurationFlag{Name: "drain", Value: 2 * time.Second, EnvVars: []string{"QUARTIER_DRAIN"},
		Usage: "on shutdown, `DURATION` to keep answering while /readyz answers 503"},
	&cli.DurationFlag{Name: "grace", Value: 15 * time.Second, EnvVars: []string{"QUARTIER_GRACE"},
		Usage: "on shutdown, maximum `DURATION` to wait for running requests"},
}, storeFlags, followFlags, admissionFlags)

func configOf(c *cli.Context) config {
	return config{
		Releases: c.String("releases"), Release: c.String("release"), State: c.String("state"), Addr: c.String("addr"), Admin: c.String("admin"),
		AdminHosts:    c.StringSlice("admin-host"),
		TokenLifetime: c.Duration("token-lifetime"), MaxAge: c.Duration("max-age"),
		Proxies: c.StringSlice("trusted-proxy"), AccessLog: c.Bool("access-log"), AcceptUncovered: c.Bool("accept-uncovered"),
		Drain: c.Duration("drain"), Grace: c.Duration("grace"),
		Limits: limitsConfigOf(c), Protocol: protocolConfigOf(c), Explore: exploreConfigOf(c), admission: admissionOf(c),
		followConfig: followConfigOf(c), storeConfig: storeConfigOf(c),
	}
}

// check returns an error for the first invalid value.
func (c config) check() error {
	switch {
	case (c.Releases == "") == (c.Release == ""):
		return cli.Exit("either --releases DIR (QUARTIER_RELEASES) or --release DIR (QUARTIER_RELEASE) is required", exitUsage)
	case c.State == "":
		return cli.Exit("--state DSN or QUARTIER_STATE is required, such as sqlite:state.sqlite", exitUsage)
	case c.MaxAge < time.Second:
		return cli.Exit("--max-age must be at least 1s", exitUsage)
	case c.Admin == "" && len(c.AdminHosts) > 0:
		return cli.Exit("--admin-host needs --admin", exitUsage)
	case c.Drain < 0 || c.Grace < 0:
		return cli.Exit("--drain and --grace must not be negative", exitUsage)
	}
	_, err := hostsOf("--admin-host", c.AdminHosts)
	return errors.Join(err, c.checkStore(), c.Limits.check(), c.Protocol.check(), c.Explore.check(), c.admission.check(),
		c.followConfig.check())
}

// proxies parses the networks of trusted proxies.
func (c config) proxies() ([]netip.Prefix, error) {
	var networks []netip.Prefix
	for _, text := range c.Proxies {
		network, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, cli.Exit(fmt.Sprintf("--trusted-proxy %q is not a network such as 10.0.0.0/8 or 2001:db8::1/128", text), exitUsage)
		}
		networks = append(networks, network)
	}
	return networks, nil
}

// LogValue hides the parts of a DSN that may contain a password.
func (c config) LogValue() slog.Value {
	state := c.State
	if scheme, _, found := strings.Cut(state, "://"); found {
		state = scheme + "://…"
	}
	return slog.GroupValue(
		slog.String("releases", c.Releases), slog.String("release", c.Release), slog.String("state", state), slog.String("addr", c.Addr),
		slog.String("admin", c.Admin), slog.Any("admin_hosts", c.AdminHosts),
		slog.String("token_lifetime", c.TokenLifetime.String()), slog.String("max_age", c.MaxAge.String()),
		slog.Int("in_flight", c.InFlight), slog.Int("connections", c.Connections), slog.Int64("memory", c.memory()),
		slog.Any("trusted_proxy", c.Proxies), slog.Bool("access_log", c.AccessLog), slog.Bool("accept_uncovered", c.AcceptUncovered),
		slog.String("drain", c.Drain.String()), slog.String("grace", c.Grace.String()), slog.Any("limits", c.Limits),
		slog.Any("protocol", c.Protocol), slog.Any("explore", c.Explore),
		slog.String("max_state_age", c.MaxStateAge.String()), slog.String("verified", c.Verified), slog.Int("scrub", c.Scrub),
		slog.Any("trust", c.Trust), slog.String("cache", c.Cache), slog.Int("keep", c.Keep), slog.String("roll", c.Roll.String()))
}

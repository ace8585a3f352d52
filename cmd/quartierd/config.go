package main

import (
	"log/slog"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"quartier/serve"
	"quartier/serve/token"
)

// config is what the flags and the environment came to.
type config struct {
	Release, State, Addr string
	TokenLifetime        time.Duration
	MaxAge               time.Duration
	InFlight             int
	AccessLog            bool
	Drain                time.Duration
	Grace                time.Duration
}

var flags = []cli.Flag{
	&cli.StringFlag{Name: "release", EnvVars: []string{"QUARTIER_RELEASE"},
		Usage: "serve the release in `DIR`"},
	&cli.StringFlag{Name: "state", EnvVars: []string{"QUARTIER_STATE"},
		Usage: "accounts and keys are at `DSN`, sqlite:PATH; made where there is nothing"},
	&cli.StringFlag{Name: "addr", Value: "127.0.0.1:8080", EnvVars: []string{"QUARTIER_ADDR"},
		Usage: "listen on `HOST:PORT`"},
	&cli.DurationFlag{Name: "token-lifetime", Value: token.DefaultLifetime, EnvVars: []string{"QUARTIER_TOKEN_LIFETIME"},
		Usage: "tokens are good for `DURATION`, under 24h"},
	&cli.DurationFlag{Name: "max-age", Value: serve.DefaultMaxAge, EnvVars: []string{"QUARTIER_MAX_AGE"},
		Usage: "callers may keep answers for `DURATION`"},
	&cli.IntFlag{Name: "in-flight", Value: serve.DefaultInFlight, EnvVars: []string{"QUARTIER_IN_FLIGHT"},
		Usage: "answer 503 to what is over `N` requests at a time"},
	&cli.BoolFlag{Name: "access-log", Value: true, EnvVars: []string{"QUARTIER_ACCESS_LOG"},
		Usage: "write one line a request to standard output, as JSON"},
	&cli.DurationFlag{Name: "drain", Value: 2 * time.Second, EnvVars: []string{"QUARTIER_DRAIN"},
		Usage: "when stopped, answer on for `DURATION` while /readyz says 503"},
	&cli.DurationFlag{Name: "grace", Value: 15 * time.Second, EnvVars: []string{"QUARTIER_GRACE"},
		Usage: "when stopped, wait up to `DURATION` for requests that run"},
}

func configOf(c *cli.Context) config {
	return config{
		Release: c.String("release"), State: c.String("state"), Addr: c.String("addr"),
		TokenLifetime: c.Duration("token-lifetime"), MaxAge: c.Duration("max-age"), InFlight: c.Int("in-flight"),
		AccessLog: c.Bool("access-log"), Drain: c.Duration("drain"), Grace: c.Duration("grace"),
	}
}

// check says which value cannot be, and what can.
func (c config) check() error {
	switch {
	case c.Release == "":
		return cli.Exit("--release DIR is missing; QUARTIER_RELEASE can give it too", exitUsage)
	case c.State == "":
		return cli.Exit("--state DSN is missing, such as sqlite:state.sqlite; QUARTIER_STATE can give it too", exitUsage)
	case c.MaxAge < time.Second:
		return cli.Exit("--max-age must be at least 1s", exitUsage)
	case c.InFlight < 1:
		return cli.Exit("--in-flight must be at least 1", exitUsage)
	case c.Drain < 0 || c.Grace < 0:
		return cli.Exit("--drain and --grace must not be below zero", exitUsage)
	}
	return nil
}

// LogValue is the config without what a DSN may hold besides a path.
func (c config) LogValue() slog.Value {
	state := c.State
	if scheme, _, found := strings.Cut(state, "://"); found {
		state = scheme + "://…"
	}
	return slog.GroupValue(
		slog.String("release", c.Release), slog.String("state", state), slog.String("addr", c.Addr),
		slog.String("token_lifetime", c.TokenLifetime.String()), slog.String("max_age", c.MaxAge.String()),
		slog.Int("in_flight", c.InFlight), slog.Bool("access_log", c.AccessLog), slog.String("drain", c.Drain.String()), slog.String("grace", c.Grace.String()))
}

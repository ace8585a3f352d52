package main

import (
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"quartier/serve/account"
)

// followConfig has the values of flags about what is verified and how accounts are followed.
type followConfig struct {
	MaxStateAge time.Duration
	Verified    string
	Scrub       int
	Trust       []string
}

// followFlags are those of followConfig.
var followFlags = []cli.Flag{
	&cli.DurationFlag{Name: "max-state-age", Value: 15 * time.Minute, EnvVars: []string{"QUARTIER_MAX_STATE_AGE"},
		Usage: "`DURATION` for which requests are answered by the last known accounts while the state cannot be read; then they are answered " +
			"503"},
	&cli.StringFlag{Name: "verified", EnvVars: []string{"QUARTIER_VERIFIED"},
		Usage: "`FILE` that remembers which packs were verified, so that a restart does not read them again; by default beside a SQLite state, " +
			"none with PostgreSQL"},
	&cli.IntFlag{Name: "scrub", Value: 8, EnvVars: []string{"QUARTIER_SCRUB"},
		Usage: "`MB` a second at which packs that are served are read and compared again; 0: never"},
	&cli.StringSliceFlag{Name: "trust", EnvVars: []string{"QUARTIER_TRUST"},
		Usage: "public key `FILE`: serve only what one of these keys signed (quartier key, publish --sign); repeatable"},
}

func followConfigOf(c *cli.Context) followConfig {
	f := followConfig{MaxStateAge: c.Duration("max-state-age"), Verified: c.String("verified"), Scrub: c.Int("scrub"),
		Trust: c.StringSlice("trust")}
	if path := strings.TrimPrefix(c.String("state"), "sqlite:"); f.Verified == "" && path != "" && !strings.Contains(path, "://") {
		f.Verified = path + ".verified"
	}
	return f
}

func (f followConfig) check() error {
	switch {
	case f.MaxStateAge < account.LateAfter:
		return cli.Exit("--max-state-age must be at least 5s", exitUsage)
	case f.Scrub < 0:
		return cli.Exit("--scrub must not be negative", exitUsage)
	}
	return nil
}

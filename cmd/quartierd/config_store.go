package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"quartier/internal/machine"
	"quartier/internal/store"
	"quartier/internal/store/releases"
	_ "quartier/internal/store/s3" // opens addresses of buckets
	"quartier/serve/mirror"
	"quartier/serve/release"
)

// storeConfig has the flags of a store of releases, which --releases names by an address with "://".
type storeConfig struct {
	Cache string // folder; "": --releases is a folder of releases
	Keep  int
	Roll  time.Duration
}

// lookEvery is the interval at which a store is looked at, give or take a half.
const lookEvery = 5 * time.Second

var storeFlags = []cli.Flag{
	&cli.StringFlag{Name: "cache", EnvVars: []string{"QUARTIER_CACHE"},
		Usage: "folder `DIR` for what is fetched where --releases is the address of a store, s3://BUCKET/PREFIX or file:///DIR; of one server " +
			"alone"},
	&cli.IntFlag{Name: "keep", Value: 2, EnvVars: []string{"QUARTIER_KEEP"},
		Usage: "`N` releases that stay in --cache, with the one that is served"},
	&cli.DurationFlag{Name: "roll", Value: 30 * time.Second, EnvVars: []string{"QUARTIER_ROLL"},
		Usage: "longest `DURATION` for which a fetched release waits before it replaces the one that is served; each wait is random, so that " +
			"servers hardly do so at once"},
}

func storeConfigOf(c *cli.Context) storeConfig {
	return storeConfig{c.String("cache"), c.Int("keep"), c.Duration("roll")}
}

func (c config) checkStore() error {
	switch address := strings.Contains(c.Releases, "://"); {
	case address && c.Cache == "":
		return cli.Exit("--releases with the address of a store needs --cache DIR (QUARTIER_CACHE)", exitUsage)
	case !address && c.Cache != "":
		return cli.Exit("--cache is for --releases s3://BUCKET/PREFIX or file:///DIR; a folder of releases is served where it is", exitUsage)
	case c.Keep < 1 || c.Roll < 0:
		return cli.Exit("--keep must be at least 1, and --roll not negative", exitUsage)
	}
	if _, err := store.ParseAddress(c.Releases); c.Cache != "" && err != nil {
		return cli.Exit(fmt.Sprintf("--releases: %v", err), exitUsage)
	}
	return nil
}

// openStore opens the cache of a store of releases, and what is to be served of it, which need not be there yet.
func (c config) openStore(ctx context.Context, log *slog.Logger) (*mirror.Mirror, *release.Holder, error) {
	from, err := store.Open(ctx, c.Releases)
	if err != nil {
		return nil, nil, cli.Exit(fmt.Sprintf("--releases: %v", err), exitUsage)
	}
	o := mirror.Options{Store: from, Dir: c.Cache, Keep: c.Keep, Every: lookEvery, Roll: c.Roll, Log: log}
	if !c.Explore.On {
		o.Wanted = releases.Served
	}
	o.Free = func(dir string) (int64, error) { _, free, err := machine.Disk(dir); return free, err }
	m, err := mirror.Open(o)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: --cache: %w", release.ErrRejected, err)
	}
	if m.Releases, err = c.hold(m.Path(), log); m.Releases == nil {
		return nil, nil, errors.Join(err, m.Close())
	}
	if err != nil {
		log.Warn("the cache has no release to serve; it is fetched", "cache", c.Cache, "error", err)
	}
	return m, m.Releases, nil
}

package main

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/urfave/cli/v2"

	"quartier/serve"
)

// protocolConfig has the flags of HTTP itself.
type protocolConfig struct {
	Origins []string
	Timing  bool
	Sunset  string // YYYY-MM-DD; "": never
}

var protocolFlags = []cli.Flag{
	&cli.StringSliceFlag{Name: "cors-origin", EnvVars: []string{"QUARTIER_CORS_ORIGIN"},
		Usage: "`ORIGIN` such as https://maps.example.com of pages whose scripts may read v3 answers with a token of their back end; repeatable"},
	&cli.BoolFlag{Name: "server-timing", EnvVars: []string{"QUARTIER_SERVER_TIMING"},
		Usage: "state in the header Server-Timing, to clients with a token, how long their answer took"},
	&cli.StringFlag{Name: "sunset", EnvVars: []string{"QUARTIER_SUNSET"},
		Usage: "`DATE` YYYY-MM-DD that answers about superseded geographies name in Sunset, if clients know that their ids end then"},
}

func protocolConfigOf(c *cli.Context) protocolConfig {
	return protocolConfig{c.StringSlice("cors-origin"), c.Bool("server-timing"), c.String("sunset")}
}

func (c protocolConfig) check() error {
	if err := serve.CheckOrigins(c.Origins); err != nil {
		return cli.Exit(fmt.Sprintf("--cors-origin: %v", err), exitUsage)
	}
	if _, err := c.sunset(); err != nil {
		return cli.Exit(fmt.Sprintf("--sunset %q is not a date such as 2027-01-31", c.Sunset), exitUsage)
	}
	return nil
}

// sunset is the zero time without a date.
func (c protocolConfig) sunset() (time.Time, error) {
	if c.Sunset == "" {
		return time.Time{}, nil
	}
	return time.Parse(time.DateOnly, c.Sunset)
}

// apply sets the options of the server.
func (c protocolConfig) apply(o *serve.Options) {
	o.Origins, o.ServerTiming = c.Origins, c.Timing
	o.Sunset, _ = c.sunset() // checked
}

// LogValue lists what is set.
func (c protocolConfig) LogValue() slog.Value {
	return slog.GroupValue(slog.Any("cors_origin", c.Origins), slog.Bool("server_timing", c.Timing), slog.String("sunset", c.Sunset))
}

package main

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/urfave/cli/v2"

	"quartier/serve"
	"quartier/serve/reply"
)

// protocolConfig has the flags of HTTP itself.
type protocolConfig struct {
	Origins []string
	Timing  bool
	Sunset  string // YYYY-MM-DD; "": never
	Next    string // YYYY-MM-DD of the next general update; "": not announced
}

var protocolFlags = []cli.Flag{
	&cli.StringSliceFlag{Name: "cors-origin", EnvVars: []string{"QUARTIER_CORS_ORIGIN"},
		Usage: "`ORIGIN` such as https://maps.example.com of pages whose scripts may read v3 answers with a token of their back end; repeatable"},
	&cli.BoolFlag{Name: "server-timing", EnvVars: []string{"QUARTIER_SERVER_TIMING"},
		Usage: "state in the header Server-Timing, to clients with a token, how long their answer took"},
	&cli.StringFlag{Name: "sunset", EnvVars: []string{"QUARTIER_SUNSET"},
		Usage: "`DATE` YYYY-MM-DD that answers about superseded geographies name in Sunset, if clients know that their ids end then"},
	&cli.StringFlag{Name: "next-update", EnvVars: []string{"QUARTIER_NEXT_UPDATE"},
		Usage: "`DATE` YYYY-MM-DD on which the next general update is expected, which /v3/status says until that day is over"},
}

func protocolConfigOf(c *cli.Context) protocolConfig {
	return protocolConfig{c.StringSlice("cors-origin"), c.Bool("server-timing"), c.String("sunset"), c.String("next-update")}
}

func (c protocolConfig) check() error {
	if err := reply.CheckOrigins(c.Origins); err != nil {
		return cli.Exit(fmt.Sprintf("--cors-origin: %v", err), exitUsage)
	}
	for _, d := range []struct{ flag, value string }{{"--sunset", c.Sunset}, {"--next-update", c.Next}} {
		if _, err := dateOf(d.value); err != nil {
			return cli.Exit(fmt.Sprintf("%s %q is not a date such as 2027-01-31", d.flag, d.value), exitUsage)
		}
	}
	return nil
}

// dateOf is the zero time without a date.
func dateOf(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	return time.Parse(time.DateOnly, text)
}

// apply sets the options of the server.
func (c protocolConfig) apply(o *serve.Options) {
	o.Origins, o.ServerTiming = c.Origins, c.Timing
	o.Sunset, _ = dateOf(c.Sunset) // checked
	o.NextUpdate, _ = dateOf(c.Next)
}

// LogValue lists what is set.
func (c protocolConfig) LogValue() slog.Value {
	return slog.GroupValue(slog.Any("cors_origin", c.Origins), slog.Bool("server_timing", c.Timing), slog.String("sunset", c.Sunset),
		slog.String("next_update", c.Next))
}

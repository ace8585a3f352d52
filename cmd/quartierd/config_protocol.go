package main

import (
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/urfave/cli/v2"

	"quartier/serve"
)

// protocolConfig has the flags of HTTP itself.
type protocolConfig struct {
	H2C     bool
	Origins []string
	Timing  bool
	Sunset  string // YYYY-MM-DD; "": never
}

var protocolFlags = []cli.Flag{
	&cli.BoolFlag{Name: "h2c", EnvVars: []string{"QUARTIER_H2C"},
		Usage: "take HTTP/2 without TLS too, from load balancers that open few connections for many requests"},
	&cli.StringSliceFlag{Name: "cors-origin", EnvVars: []string{"QUARTIER_CORS_ORIGIN"},
		Usage: "`ORIGIN` such as https://maps.example.com of pages whose scripts may read v3 answers with a token of their back end; repeatable"},
	&cli.BoolFlag{Name: "server-timing", EnvVars: []string{"QUARTIER_SERVER_TIMING"},
		Usage: "state in the header Server-Timing, to clients with a token, how long their answer took"},
	&cli.StringFlag{Name: "sunset", EnvVars: []string{"QUARTIER_SUNSET"},
		Usage: "`DATE` YYYY-MM-DD that answers about superseded geographies name in Sunset, if clients know that their ids end then"},
}

func protocolConfigOf(c *cli.Context) protocolConfig {
	return protocolConfig{c.Bool("h2c"), c.StringSlice("cors-origin"), c.Bool("server-timing"), c.String("sunset")}
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

// Limits of a connection of HTTP/2. Of requests that the caller gives up no more run at once than streams may be open; four
// times as many in a row close the connection.
const (
	maxStreams    = 100
	maxReceived   = 1 << 20   // bytes of bodies that were not read yet
	maxReceivedBy = 256 << 10 // of one stream
	pingAfter     = 15 * time.Second
	stalledAfter  = 30 * time.Second // without a byte that could be sent
)

// configure sets the versions of HTTP that are spoken.
func (c protocolConfig) configure(web *http.Server) {
	web.Protocols = new(http.Protocols)
	web.Protocols.SetHTTP1(true)
	web.Protocols.SetUnencryptedHTTP2(c.H2C)
	web.HTTP2 = &http.HTTP2Config{
		MaxConcurrentStreams:          maxStreams,
		MaxReceiveBufferPerConnection: maxReceived,
		MaxReceiveBufferPerStream:     maxReceivedBy,
		SendPingTimeout:               pingAfter,
		PingTimeout:                   pingAfter,
		WriteByteTimeout:              stalledAfter,
	}
}

// LogValue lists what is set.
func (c protocolConfig) LogValue() slog.Value {
	return slog.GroupValue(slog.Bool("h2c", c.H2C), slog.Any("cors_origin", c.Origins), slog.Bool("server_timing", c.Timing), slog.String("sunset", c.Sunset))
}

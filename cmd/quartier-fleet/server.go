package main

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"

	"github.com/BurntSushi/toml"
	"github.com/urfave/cli/v2"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/contrib/envconfig"
)

// serverFlags say where Temporal is, and where quartier. What else a connection needs, such as keys, is in the environment and in files
// alone, because others see the arguments of a program.
func serverFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "address", Usage: "`HOST:PORT` of Temporal, if not TEMPORAL_ADDRESS or " + client.DefaultHostPort},
		&cli.StringFlag{Name: "namespace", Usage: "`NAME` of the namespace, if not TEMPORAL_NAMESPACE or " + client.DefaultNamespace},
		&cli.StringFlag{Name: "quartier", Usage: "`PATH` of quartier, if it is neither beside this program nor on PATH"},
	}
}

// connect returns a client of the server, to which the first call connects. Flags go before the environment, and that before the file
// of Temporal's own tools. No error has a key in it.
func connect(c *cli.Context) (client.Client, error) {
	options, err := envconfig.LoadClientOptions(envconfig.LoadClientOptionsRequest{})
	var syntax toml.ParseError // whose text may have a piece of a key
	if errors.As(err, &syntax) {
		err = fmt.Errorf("line %d is not TOML", syntax.Position.Line)
	}
	if err == nil && options.Credentials != nil && options.ConnectionOptions.TLSDisabled {
		err = errors.New("an API key is not sent without TLS")
	}
	if err != nil {
		return nil, cli.Exit(fmt.Errorf("settings of Temporal: %w", err), exitUsage)
	}
	options.HostPort = cmp.Or(c.String("address"), options.HostPort)
	options.Namespace = cmp.Or(c.String("namespace"), options.Namespace)
	options.Logger = slog.New(slog.NewTextHandler(c.App.ErrWriter, &slog.HandlerOptions{Level: slog.LevelWarn}))
	return client.NewLazyClient(options)
}

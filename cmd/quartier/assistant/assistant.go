// Package assistant is the command quartier mcp, which serves the tools of package tools over the streams of the process or HTTP.
package assistant

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"quartier/build/explain"
	"quartier/build/released"
	"quartier/internal/wording"
	"quartier/schemas"
	"quartier/serve/release"
	"quartier/serve/tools"
)

// ErrUsage is wrapped by errors of flags.
var ErrUsage = errors.New("usage")

// Command is quartier mcp, of a version of the program, with its flag of the log and what makes that.
func Command(version string, logFlag cli.Flag, logger func(*cli.Context) (*slog.Logger, error)) *cli.Command {
	return &cli.Command{
		Name:  "mcp",
		Usage: "answer assistants that speak the Model Context Protocol from a release, without a server",
		Description: "Tools: search, scores, people, places, schools, market, profile, explain. Numbers are those of the API; every answer\n" +
			"names its sources and their dates. Private geographies are never seen. Standard input and output are the protocol, the log is\n" +
			"on standard error. For an assistant that starts programs:\n\n" +
			`   {"mcpServers": {"quartier": {"command": "/path/to/quartier", "args": ["mcp", "--release", "/path/to/release"]}}}` + "\n\n" +
			"With --addr it is streamable HTTP at http://HOST:PORT/, for programs of this machine: there is no authentication.",
		Flags: []cli.Flag{
			&cli.PathFlag{Name: "release", Usage: "release folder `DIR`, or a folder of releases with " + schemas.PointerFile, Required: true},
			&cli.StringFlag{Name: "addr", Usage: "serve HTTP on `HOST:PORT` in place of standard input and output"},
			&cli.BoolFlag{Name: "allow-remote", Usage: "let --addr be other than a loopback address: anybody who reaches it may ask"},
			logFlag,
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return fmt.Errorf("%w: unexpected argument %q", ErrUsage, c.Args().First())
			}
			log, err := logger(c)
			if err != nil {
				return err
			}
			return serve(c, version, log)
		},
	}
}

// serve is the command.
func serve(c *cli.Context, version string, log *slog.Logger) error {
	listener, err := listen(c)
	if err != nil {
		return err
	}
	from, err := release.Open(c.Path("release"))
	if err != nil {
		return err
	}
	defer from.Done()
	o := tools.Options{Release: from, Version: version, Log: log}
	if o.Regions, err = regionsByState(c.Context, from.Folder()); err != nil {
		return err
	}
	reader, err := explain.Open(from.Folder())
	switch {
	case errors.Is(err, explain.ErrCalibration):
		log.Warn("there is no tool explain", "error", err)
	case err != nil:
		return err
	default:
		defer reader.Close()
		o.Explain = explainerOf(reader)
	}
	server := tools.New(o)
	if listener == nil {
		return tools.Stdio(c.Context, server, os.Stdin, c.App.Writer)
	}
	log.Info("serving", "url", "http://"+listener.Addr().String()+"/", "release", from.Manifest.Release, "digest", from.Digest())
	host, _, _ := net.SplitHostPort(c.String("addr"))
	return tools.HTTP(c.Context, listener, tools.Handler(server, host))
}

// listen listens where --addr says; nil without it.
func listen(c *cli.Context) (net.Listener, error) {
	addr, remote := c.String("addr"), c.Bool("allow-remote")
	if addr == "" && remote {
		return nil, fmt.Errorf("%w: --allow-remote needs --addr", ErrUsage)
	}
	if addr == "" {
		return nil, nil
	}
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("%w: --addr: %w", ErrUsage, err)
	}
	address, err := netip.ParseAddr(host)
	if local := host == "localhost" || err == nil && address.IsLoopback(); !local && !remote {
		return nil, fmt.Errorf("%w: --addr %s is no loopback address, and there is no authentication: --allow-remote allows it", ErrUsage, addr)
	}
	return net.Listen("tcp", addr)
}

// explainerOf explains by a reader, with the texts of a language.
func explainerOf(reader *explain.Reader) func(context.Context, float64, float64, []string, string) ([]byte, error) {
	return func(ctx context.Context, lng, lat float64, scores []string, language string) ([]byte, error) {
		var channels []schemas.Channel
		for _, name := range scores {
			channel, _ := schemas.ChannelOf(name) // the schema of the tool has no other names
			channels = append(channels, channel)
		}
		in := reader
		if language == "fr" {
			in = reader.In(wording.French)
		}
		report, err := in.Explain(ctx, lng, lat, channels)
		if errors.Is(err, explain.ErrNoStreet) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		return json.Marshal(report)
	}
}

// regionsByState are the names of the regions of a release by the states that they cover, such as "US_OR".
func regionsByState(ctx context.Context, dir string) (map[string][]string, error) {
	db, err := released.Open(filepath.Join(dir, schemas.GeographiesFile))
	if err != nil {
		return nil, err
	}
	defer db.Close()
	all := map[string][]string{}
	err = released.Each(ctx, db, "SELECT DISTINCT region_code, region FROM coverage ORDER BY 1, 2", nil, func(rows *sql.Rows) error {
		var state, region string
		err := rows.Scan(&state, &region)
		all[state] = append(all[state], region)
		return err
	})
	return all, err
}

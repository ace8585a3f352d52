package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"quartier/cmd/quartier/local"
	"quartier/cmd/quartier/pipeline"
	"quartier/cmd/quartier/placed"
	"quartier/cmd/quartier/region"
	"quartier/ingest"
	"quartier/ingest/publishers/place"
)

func placeCommand() *cli.Command {
	return &cli.Command{
		Name:      "place",
		Usage:     "take a state, a province or a city from nothing to a served release: its region file, downloads, build and verification",
		ArgsUsage: `us-de | ca-pe | "Columbus, Ohio"`,
		Description: "Before anything is downloaded it prints what public sources have of the place, what will lack, and what disk, memory\n" +
			"and minutes that takes. A publisher that refuses programs is named with its page: put the file into the drop folder and run the\n" +
			"command again. The release is built without what cannot be had, and a table at the end says what lacks. A run that was\n" +
			"interrupted is continued by the same command; the region file in --out is used as it is, also if you have changed it.",
		Flags: append(append(append(fetchFlags(), region.PlaceFlags()...),
			&cli.StringFlag{Name: "out", Usage: "`DIR` for all of it (default: out/PLACE)"},
			&cli.StringFlag{Name: "cache", Usage: "`DIR` of downloaded files", Value: ".cache/quartier", EnvVars: []string{"QUARTIER_CACHE"}},
			&cli.BoolFlag{Name: "serve", Usage: "serve it until interrupted, with an account of its own and the explorer"},
			&cli.StringFlag{Name: "addr", Usage: "`HOST:PORT` to serve on", Value: "127.0.0.1:8080"},
			&cli.BoolFlag{Name: "ignore-disk", Usage: "go on even if the disk has less free space than the estimate"},
			&cli.BoolFlag{Name: "ignore-memory", Usage: "build even if the machine has less free memory than the estimate"},
			&cli.IntFlag{Name: "jobs", Usage: "steps of the build at the same time (default: one per processor)"}),
			logFlag()),
		Action: func(c *cli.Context) error {
			p, err := region.PlaceOf(c)
			if err != nil {
				return err
			}
			run, err := placeRun(c, p)
			if err != nil {
				return err
			}
			defer run.Fetch.Session.Close()
			server := local.Server{Dir: run.Dir, Releases: run.Releases(), Addr: c.String("addr"), Customer: p.Title, Out: c.App.Writer,
				Screen: c.App.ErrWriter, Log: run.Fetch.Log}
			if c.Bool("serve") {
				if err := server.Free(); err != nil {
					return err
				}
			}
			if err := run.Do(c.Context); err != nil {
				return err
			}
			if !c.Bool("serve") {
				_, err := fmt.Fprintf(c.App.Writer, "To serve it: quartier place --serve --out %s %s\n", run.Dir, region.Text(c))
				return err
			}
			return server.Run(c.Context, func(made local.Credentials) error { return printPlace(c.App.Writer, &server, made, p) })
		},
	}
}

// regionProgram is what quartier region takes from this program.
func regionProgram() region.Program {
	return region.Program{Agent: agent(""), PathFlags: pathFlags, Variables: variables}
}

// placeRun is the run of the command.
func placeRun(c *cli.Context, p *place.Place) (*placed.Run, error) {
	fetch, err := fetchRun(c)
	if err != nil {
		return nil, err
	}
	vars, err := variables(c)
	if err != nil {
		return nil, err
	}
	dir := c.String("out")
	if dir == "" {
		dir = filepath.Join("out", p.Name)
	}
	run := &placed.Run{Dir: dir, Name: p.Name, Fetch: fetch, Out: c.App.Writer, Drop: dropOf(c)}
	run.Write = func(_ context.Context, file string) error {
		made, err := regionProgram().Make(c, p)
		if err != nil {
			return err
		}
		return region.WriteNew(file, func(w io.Writer) error { return made.Write(w, "quartier region new "+region.Text(c)) })
	}
	run.Read = func(file string) (*ingest.Region, error) {
		read, err := ingest.ReadRegion(file, vars, c.String("cache"))
		var faults ingest.Faults
		if errors.As(err, &faults) {
			err = beyondPins(faults)
		}
		return read, err
	}
	run.Build = func(read *ingest.Region) *pipeline.Build {
		return &pipeline.Build{Name: p.Name, Regions: []*ingest.Region{read}, Out: run.Release(), Work: run.Work(), Force: true,
			Jobs: c.Int("jobs"), AnyDisk: c.Bool("ignore-disk"), AnyMemory: c.Bool("ignore-memory"), ToolVersion: version(), Log: fetch.Log,
			Screen: c.App.ErrWriter}
	}
	return run, os.MkdirAll(filepath.Dir(run.Release()), 0o755)
}

// printPlace prints the credentials and requests to copy.
func printPlace(w io.Writer, s *local.Server, made local.Credentials, p *place.Place) error {
	_, err := fmt.Fprintf(w, `
quartier serves %[1]s at %[2]s

  client_id      %[3]s
  client_secret  %[4]s
  (also in %[5]s)

In another terminal, get a token, then the geographies, the scores and the places at a point:

TOKEN=$(curl -s %[2]s/oauth/token -H 'Content-Type: application/json' -d '{"client_id":"%[3]s","client_secret":"%[4]s"}' | sed 's/.*"access_token":"\([^"]*\)".*/\1/')
curl -s -H "Authorization: Bearer $TOKEN" '%[2]s/v3/geographies?lat=%[6]s&lng=%[7]s'
curl -s -H "Authorization: Bearer $TOKEN" '%[2]s/v3/scores?lat=%[6]s&lng=%[7]s'
curl -s -H "Authorization: Bearer $TOKEN" '%[2]s/v3/enhanced-pois?lat=%[6]s&lng=%[7]s&radius=1000&limit=3'

OpenAPI document: %[2]s/openapi.json
Stop with Ctrl-C.

`, p.Title, made.BaseURL, made.ClientID, made.ClientSecret, s.CredentialsFile(), coordinate(p.Point().Lat()), coordinate(p.Point().Lon()))
	return err
}

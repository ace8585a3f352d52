// Package stepping has the command quartier step: it prints the steps of a build for programs that spread them over machines, and
// runs one of them (docs/scale.md).
package stepping

import (
	"errors"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"quartier/cmd/quartier/pipeline"
	"quartier/ingest"
)

// ErrUsage is the error of arguments that name no step or no work place.
var ErrUsage = errors.New("bad arguments")

// Builder returns the build of the flags of a command, with the faults of its files.
type Builder func(*cli.Context) (*pipeline.Build, ingest.Faults, error)

// Command is quartier step. flags say what is built.
func Command(flags func() []cli.Flag, build Builder) *cli.Command {
	work := &cli.StringFlag{Name: "work", Usage: "`PLACE` that all machines reach: DIR or s3://BUCKET/PREFIX", Required: true}
	return &cli.Command{
		Name:  "step",
		Usage: "the steps of a build, for machines that take one each",
		Subcommands: []*cli.Command{{
			Name:  "plan",
			Usage: "print the steps with what they need, read, write and take",
			Flags: append(append(flags(), work, &cli.BoolFlag{Name: "json", Usage: "a line of JSON for each step"}), engineFlags()...),
			Action: func(c *cli.Context) error {
				p, err := planned(c, build)
				if err != nil {
					return err
				}
				parts, err := p.Parts()
				if err != nil {
					return err
				}
				if c.IsSet("as") {
					return printEngine(c, flags(), parts)
				}
				if c.Bool("json") {
					return printLines(c.App.Writer, parts)
				}
				return printTable(c.App.Writer, parts)
			},
		}},
	}
}

// planned is the build of the flags, with what its sources are.
func planned(c *cli.Context, build Builder) (*pipeline.Build, error) {
	p, faults, err := build(c)
	if err != nil {
		return nil, err
	}
	p.Work, p.Out = "work", filepath.Join("work", "release")
	return p, p.Inspect(c.Context, faults)
}

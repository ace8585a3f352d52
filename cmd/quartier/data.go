package main

import (
	"github.com/urfave/cli/v2"

	"quartier/ingest"
	"quartier/transform"
)

func dataCommand() *cli.Command {
	return &cli.Command{
		Name: "data",
		Usage: "print DATA.md: the kinds of source with their options, the reasons for which rows are left out or repaired, and the sources of " +
			"the shipped regions with their licences",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "regions", Usage: "`DIR` of region files", Value: "regions"},
			&cli.StringFlag{Name: "kind", Usage: "print only this `KIND` of source"},
		},
		Action: func(c *cli.Context) error {
			if c.IsSet("kind") {
				if err := ingest.WriteKind(c.App.Writer, c.String("kind")); err != nil {
					return usageError{err}
				}
				return nil
			}
			return ingest.WriteDataPage(c.App.Writer, c.String("regions"), transform.Reasons())
		},
	}
}

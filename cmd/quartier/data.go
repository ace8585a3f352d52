package main

import (
	"github.com/urfave/cli/v2"

	"quartier/ingest"
	"quartier/transform"
)

func dataCommand() *cli.Command {
	return &cli.Command{
		Name:  "data",
		Usage: "print DATA.md: the kinds of source with their options, the reasons for which rows are left out or repaired, and the sources of the shipped regions with their licences",
		Flags: []cli.Flag{&cli.StringFlag{Name: "regions", Usage: "`DIR` of region files", Value: "regions"}},
		Action: func(c *cli.Context) error {
			return ingest.WriteDataPage(c.App.Writer, c.String("regions"), transform.Reasons())
		},
	}
}

package main

import (
	"github.com/urfave/cli/v2"

	"quartier/ingest"
)

func dataCommand() *cli.Command {
	return &cli.Command{
		Name:  "data",
		Usage: "print DATA.md: the sources that can be read, with their options, and those of the shipped regions with their licences",
		Flags: []cli.Flag{&cli.StringFlag{Name: "regions", Usage: "`DIR` of region files", Value: "regions"}},
		Action: func(c *cli.Context) error {
			return ingest.WriteDataPage(c.App.Writer, c.String("regions"))
		},
	}
}

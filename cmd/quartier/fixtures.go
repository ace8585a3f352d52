package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"quartier/fixtures"
)

func fixturesCommand() *cli.Command {
	return &cli.Command{
		Name:  "fixtures",
		Usage: "write synthetic source files in the publishers' formats, with their region and release files",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "`DIR` to write to", Required: true},
			&cli.IntFlag{Name: "scale", Usage: "size: 1 is two towns, each further step adds a town of about 3,300 places", Value: 1},
			&cli.IntFlag{Name: "bare",
				Usage: "how many of the added towns, the last, have places and outlines alone: neither streets nor residents"},
			&cli.IntFlag{Name: "bare-places", Usage: "how many places each of them has (default: 5,100)"},
			&cli.IntFlag{Name: "regions", Usage: "into how many the added towns of each country are divided", Value: 1},
			&cli.IntFlag{Name: "places", Usage: "number of named small places to add, for name searches"},
			&cli.Int64Flag{Name: "seed", Usage: "random seed", Value: 1},
		},
		Action: func(c *cli.Context) error {
			if c.Int("scale") < 1 || c.Int("places") < 0 {
				return usageError{fmt.Errorf("--scale must be at least 1 and --places at least 0")}
			}
			report, err := fixtures.Write(c.Context, c.String("out"),
				fixtures.Options{Scale: c.Int("scale"), Bare: c.Int("bare"), BarePlaces: c.Int("bare-places"),
					Regions: c.Int("regions"), Places: c.Int("places"), Seed: c.Int64("seed")})
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(c.App.Writer, report)
			return err
		},
	}
}
